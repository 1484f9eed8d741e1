//! `cargo xtask interop`: official clients against a server, over real pipes.

mod client;
mod install;
mod outcome;
#[cfg(test)]
mod tests;

use std::slice;

use client::{CLIENTS, Client};
use install::Installation;

use crate::everything::{self, Runtime};
use crate::failure::Failure;

const HELP: &str = "\
Usage: cargo xtask interop [OPTION ...] [-- SERVER [ARGUMENT ...]]

Drives a server, by default the everything example, with official clients.

  --list            list the clients
  --only NAME,...   only these clients
  --runtime NAME    the example's runtime: tokio (default), smol or async-std
  --smoke           only one client of each language, and fewer concurrent calls";

/// Drives the server with each client; fails when a step fails.
pub(crate) fn run(arguments: &[String]) -> Result<(), Failure> {
    let options = Options::parse(arguments)?;
    match options.action {
        Action::Help => println!("{HELP}"),
        Action::List => list(),
        Action::Drive => drive(&options)?,
    }
    Ok(())
}

fn list() {
    for client in CLIENTS {
        println!("{:<13} {:<7} {}", client.name, client.mode, client.package);
    }
}

fn drive(options: &Options) -> Result<(), Failure> {
    let server = match &options.server {
        Some(command) => command.clone(),
        None => vec![everything::build(options.runtime)?],
    };
    let installation = Installation::prepare()?;

    let mut drivers = Vec::new();
    for client in &options.clients {
        drivers.push((client, installation.install(client)?));
    }

    outcome::print_header();
    let mut failed = 0;
    for (client, driver) in drivers {
        let outcome = outcome::drive(client, driver, options.calls, &server, &installation)?;
        outcome.print();
        failed += usize::from(!outcome.is_success());
    }

    let total = options.clients.len();
    if failed > 0 {
        return Err(Failure::Task(format!("{failed} of {total} runs failed")));
    }
    println!("\nall {total} runs passed");
    Ok(())
}

enum Action {
    Drive,
    Help,
    List,
}

struct Options {
    action: Action,
    clients: Vec<&'static Client>,
    calls: u32,
    runtime: Runtime,
    server: Option<Vec<String>>,
}

impl Options {
    fn parse(arguments: &[String]) -> Result<Self, Failure> {
        let mut options = Options {
            action: Action::Drive,
            clients: CLIENTS.iter().collect(),
            calls: 200,
            runtime: Runtime::Tokio,
            server: None,
        };
        let mut arguments = arguments.iter();
        while let Some(argument) = arguments.next() {
            match argument.as_str() {
                "--help" | "-h" => options.action = Action::Help,
                "--list" => options.action = Action::List,
                "--only" => options.clients.retain(only(&mut arguments)?),
                "--runtime" => options.runtime = Runtime::parse(arguments.next())?,
                "--smoke" => {
                    options.clients.retain(|client| client.smoke);
                    options.calls = 20;
                }
                "--" => options.server = Some(arguments.by_ref().cloned().collect()),
                unknown => {
                    return Err(Failure::Usage(format!("no option {unknown:?}\n\n{HELP}")));
                }
            }
        }
        if options.server.as_ref().is_some_and(Vec::is_empty) {
            return Err(Failure::Usage("name the server command after --".to_owned()));
        }
        if options.clients.is_empty() {
            return Err(Failure::Usage("no client is left to run".to_owned()));
        }
        Ok(options)
    }
}

/// The filter that belongs to `--only NAME,...`.
fn only(
    arguments: &mut slice::Iter<'_, String>,
) -> Result<impl Fn(&&'static Client) -> bool, Failure> {
    let Some(names) = arguments.next() else {
        return Err(Failure::Usage("name the clients after --only".to_owned()));
    };
    let names: Vec<String> = names.split(',').map(str::to_owned).collect();
    match names.iter().find(|name| CLIENTS.iter().all(|client| client.name != name.as_str())) {
        Some(unknown) => Err(Failure::Usage(format!(
            "no client is called {unknown:?}: `cargo xtask interop --list` lists them"
        ))),
        None => Ok(move |client: &&'static Client| names.iter().any(|name| name == client.name)),
    }
}
