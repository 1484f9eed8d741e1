//! The smallest server, on smol: `echo-smol [--max-in-flight N]`.

use mcp_wire_smol::serve_stdio;
use ours::{EchoOptions, echo_server, refuse};
use std::process::ExitCode;

fn main() -> ExitCode {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    match EchoOptions::from_arguments(&arguments) {
        Ok(options) => everything::exit_code(smol::block_on(serve_stdio(echo_server(options)))),
        Err(message) => refuse(&message),
    }
}
