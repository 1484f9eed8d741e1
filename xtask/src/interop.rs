//! `cargo xtask interop`: official clients against a server of ours, and our client against official servers, over real
//! pipes, in each mode that the peer has.

mod client;
mod outcome;
mod server;
#[cfg(test)]
mod tests;

use std::process::Command;

use client::{CLIENTS, Client};
use outcome::Run;
use server::{SERVERS, Server};

use crate::everything::{self, Runtime};
use crate::failure::Failure;
use crate::install::{self, Installation};

const HELP: &str = "\
Usage: cargo xtask interop [OPTION ...] [-- SERVER [ARGUMENT ...]]

Drives the everything example with official clients, and official servers with our own client. A server named after --
is driven by the official clients alone.

  --list            list the clients and the servers, and their modes
  --only NAME,...   only these clients and servers, in all of their modes
  --runtime NAME    what our side runs on: tokio (default), smol or async-std
  --smoke           only a few clients and servers of either era, in one mode each, and fewer concurrent calls

Modes say how the client begins:
  legacy  with a handshake (initialize), as all revisions up to 2025-11-25 do
  auto    with a question (server/discover), and goes on in the era that the answer shows
  modern  without a handshake, as revision 2026-07-28 does, and with no way back";

/// Drives our server with each client and each server with our client; fails when a step fails.
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
    println!("clients");
    for client in CLIENTS {
        print_peer(client.name, client.modes, client.package);
    }
    println!("servers");
    for server in SERVERS {
        print_peer(server.name, server.modes, server.package);
    }
}

fn print_peer(name: &str, modes: &[&str], package: &str) {
    println!("  {name:<17} {:<18} {package}", modes.join(" "));
}

fn drive(options: &Options) -> Result<(), Failure> {
    let installation = Installation::prepare("interop")?;
    let mut runs = Vec::new();
    if !options.clients.is_empty() {
        runs.extend(client_runs(options, &installation)?);
    }
    if !options.servers.is_empty() {
        runs.extend(server_runs(options, &installation)?);
    }

    outcome::print_header();
    let total = runs.len();
    let mut failed = 0;
    for run in runs {
        let outcome = run.finish(options.calls, &installation)?;
        outcome.print();
        failed += usize::from(!outcome.is_success());
    }
    if failed > 0 {
        return Err(Failure::Task(format!("{failed} of {total} runs failed")));
    }
    println!("\nall {total} runs passed");
    Ok(())
}

/// What drives our server.
fn client_runs(options: &Options, installation: &Installation) -> Result<Vec<Run>, Failure> {
    let server = match &options.server {
        Some(command) => command.clone(),
        None => vec![everything::build(options.runtime)?],
    };
    let run = |&(client, mode): &(&'static Client, &'static str)| {
        let mut driver = installation.install(&client.program)?;
        driver.args(client.arguments);
        if options.server.is_none() {
            driver.args(["--era", client::era(mode)]);
        }
        Ok(Run { name: client.name, mode, driver, server: server.clone() })
    };
    options.clients.iter().map(run).collect()
}

/// What our client drives.
fn server_runs(options: &Options, installation: &Installation) -> Result<Vec<Run>, Failure> {
    let executable = install::build_package("drive")?;
    let run = |&(server, mode): &(&'static Server, &'static str)| {
        let program = installation.install(&server.program)?;
        let mut driver = Command::new(&executable);
        driver.args(["--runtime", options.runtime.name()]).args(server.driver_arguments(mode));
        let scratch = installation.empty_directory(&format!("{}-{mode}-scratch", server.name))?;
        let command = server.command_line(program, &scratch);
        Ok(Run { name: server.name, mode, driver, server: command })
    };
    options.servers.iter().map(run).collect()
}

enum Action {
    Drive,
    Help,
    List,
}

struct Options {
    action: Action,
    /// Each with a mode.
    clients: Vec<(&'static Client, &'static str)>,
    servers: Vec<(&'static Server, &'static str)>,
    calls: u32,
    runtime: Runtime,
    /// What the clients drive instead of the example.
    server: Option<Vec<String>>,
}

impl Options {
    fn parse(arguments: &[String]) -> Result<Self, Failure> {
        let mut options = Options {
            action: Action::Drive,
            clients: in_all_modes(CLIENTS, |client| client.modes),
            servers: in_all_modes(SERVERS, |server| server.modes),
            calls: 200,
            runtime: Runtime::Tokio,
            server: None,
        };
        let mut arguments = arguments.iter();
        while let Some(argument) = arguments.next() {
            match argument.as_str() {
                "--help" | "-h" => options.action = Action::Help,
                "--list" => options.action = Action::List,
                "--only" => options.keep_only(arguments.next())?,
                "--runtime" => options.runtime = Runtime::parse(arguments.next())?,
                "--smoke" => {
                    options.clients.retain(|(client, mode)| client.smoke.contains(mode));
                    options.servers.retain(|(server, mode)| server.smoke.contains(mode));
                    options.calls = 20;
                }
                "--" => {
                    options.servers.clear();
                    options.server = Some(arguments.by_ref().cloned().collect());
                }
                unknown => {
                    return Err(Failure::Usage(format!("no option {unknown:?}\n\n{HELP}")));
                }
            }
        }
        if options.server.as_ref().is_some_and(Vec::is_empty) {
            return Err(Failure::Usage("name the server command after --".to_owned()));
        }
        if options.clients.is_empty() && options.servers.is_empty() {
            return Err(Failure::Usage("no client and no server is left to run".to_owned()));
        }
        Ok(options)
    }

    /// Does what `--only NAME,...` asks.
    fn keep_only(&mut self, names: Option<&String>) -> Result<(), Failure> {
        let Some(names) = names else {
            return Err(Failure::Usage("name the clients and servers after --only".to_owned()));
        };
        let names: Vec<&str> = names.split(',').collect();
        let known = |name: &str| {
            CLIENTS.iter().any(|client| client.name == name)
                || SERVERS.iter().any(|server| server.name == name)
        };
        if let Some(unknown) = names.iter().find(|name| !known(name)) {
            return Err(Failure::Usage(format!(
                "no client and no server is called {unknown:?}: `cargo xtask interop --list` lists them"
            )));
        }
        self.clients.retain(|(client, _)| names.contains(&client.name));
        self.servers.retain(|(server, _)| names.contains(&server.name));
        Ok(())
    }
}

fn in_all_modes<T>(
    peers: &'static [T],
    modes: impl Fn(&T) -> &'static [&'static str],
) -> Vec<(&'static T, &'static str)> {
    let mut pairs = Vec::new();
    for peer in peers {
        pairs.extend(modes(peer).iter().map(|mode| (peer, *mode)));
    }
    pairs
}
