//! A small command-line client. Its body is the same on every runtime: the `Client` is one type.

#![allow(
    clippy::print_stdout,
    clippy::print_stderr,
    reason = "a program for people at a terminal: what it prints is its purpose"
)]

mod failure;
mod options;
mod request;
mod screen;

pub use options::{Options, Runtime};
pub use request::Request;

use mcp_wire_driver::{Client, ConnectError};
use std::process::ExitCode;

/// Makes the request over a connection that was just made, or was not, and prints what came of it.
pub async fn run(options: &Options, connected: Result<Client, ConnectError>) -> ExitCode {
    let client = match connected {
        Ok(client) => client,
        Err(error) => {
            eprintln!("call: {}", failure::of_connecting(&error));
            return ExitCode::from(3);
        }
    };
    let outcome = request::make(&client, options).await;
    let end = client.close().await;
    match outcome {
        Ok(true) => ExitCode::SUCCESS,
        Ok(false) => ExitCode::FAILURE,
        Err(error) => {
            eprintln!("call: {}", failure::of_calling(&error, &client, &end));
            ExitCode::FAILURE
        }
    }
}

/// The exit code for arguments that cannot be understood.
pub fn refuse(message: &str) -> ExitCode {
    eprintln!("{message}");
    ExitCode::from(2)
}
