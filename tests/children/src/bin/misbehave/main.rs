//! A server of the Model Context Protocol that misbehaves as its first argument says: what a client has to bear.
//!
//! `misbehave --list` names the modes. It says which process it is in two ways: on standard error, and as the instructions
//! in its handshake.
#![allow(clippy::print_stdout, reason = "a program for people at a terminal prints its modes")]

mod answer;
mod complaint;
mod grandchild;
mod message;
mod output;
mod platform;
mod server;
mod start;
mod watchdog;

use children::Mode;
use complaint::complain;
use output::Output;
use server::Server;
use std::env;
use std::process::ExitCode;

fn main() -> ExitCode {
    let arguments: Vec<String> = env::args().skip(1).collect();
    let arguments: Vec<&str> = arguments.iter().map(String::as_str).collect();
    if arguments == ["--list"] {
        for mode in Mode::ALL {
            println!("{:<24} {}", mode.name(), mode.description());
        }
        return ExitCode::SUCCESS;
    }
    let served = server(&arguments).and_then(|server| {
        complain(format_args!("process {}", std::process::id()));
        watchdog::start();
        server.run().map_err(|error| error.to_string())
    });
    match served {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            complain(format_args!("misbehave: {error}"));
            ExitCode::FAILURE
        }
    }
}

fn server(arguments: &[&str]) -> Result<Server, String> {
    let (mode, rest) = arguments.split_first().ok_or("usage: misbehave MODE [BYTES], or --list")?;
    let mode: Mode = mode.parse()?;
    let output = match (mode, rest) {
        (Mode::DiesAfterBytes, [bytes]) => {
            Output::that_ends_after(bytes.parse().map_err(|error| format!("{bytes:?}: {error}"))?)
        }
        (Mode::DiesAfterBytes, _) => return Err("after how many bytes?".to_owned()),
        (Mode::OneByteAtATime, []) => Output::in_single_bytes(),
        (_, []) => Output::plain(),
        (_, [more, ..]) => return Err(format!("what is {more:?} for?")),
    };
    Ok(Server::new(mode, output))
}
