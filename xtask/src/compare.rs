//! `cargo xtask compare`: the same odd things done to our servers and to those of other SDKs, and what each of them does.
//!
//! It writes down what it has seen, and judges nobody but us: it fails where ours does not do what `docs/behaviour.md` says.

mod conversation;
mod page;
mod seen;
mod servers;
mod situations;
mod tally;

use crate::failure::Failure;
use conversation::Conversation;
use page::Page;
use seen::Seen;
use servers::{Owner, Server};
use situations::{SITUATIONS, Situation};

const USAGE: &str = "usage: cargo xtask compare [--smoke]";

/// Puts every server into every situation, and writes `docs/comparison.md`; or, as a smoke test, ours on tokio alone.
pub(crate) fn run(arguments: &[String]) -> Result<(), Failure> {
    let smoke = match arguments {
        [] => false,
        [flag] if flag == "--smoke" => true,
        _ => return Err(Failure::Usage(USAGE.to_owned())),
    };
    let servers = if smoke { servers::smallest()? } else { servers::all()? };
    let mut page = Page::new(&servers);
    let mut strays = 0;
    for situation in SITUATIONS {
        println!("{}", situation.title);
        let mut row = Vec::new();
        for server in &servers {
            let seen = observe(situation, server)?;
            let is_right = server.owner == Owner::Other || situation.ours.allows(&seen);
            strays += usize::from(!is_right);
            println!("  {:<22} {seen}", server.name);
            if !is_right {
                println!("  {:<22} should be: {}", "", situation.ours);
            }
            row.push(seen.to_string());
        }
        page.row(situation, row);
    }
    if !smoke {
        page.write()?;
    }
    match strays {
        0 => Ok(()),
        _ => Err(Failure::Task(format!(
            "ours does not do what docs/behaviour.md says, {strays} times: see \"should be\" above"
        ))),
    }
}

/// Each situation has a process of its own.
fn observe(situation: &Situation, server: &Server) -> Result<Seen, Failure> {
    match Conversation::begin(server)? {
        Some(conversation) => (situation.act)(conversation),
        None => Err(Failure::Task(format!(
            "{} does not even begin: start it by hand to see why",
            server.name
        ))),
    }
}
