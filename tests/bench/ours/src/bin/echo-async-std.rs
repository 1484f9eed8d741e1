//! The smallest server, on async-std: `echo-async-std [--max-in-flight N]`.

use mcp_wire_async_std::serve_stdio;
use ours::{EchoOptions, echo_server, refuse};
use std::process::ExitCode;

fn main() -> ExitCode {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    match EchoOptions::from_arguments(&arguments) {
        Ok(options) => {
            everything::exit_code(async_std::task::block_on(serve_stdio(echo_server(options))))
        }
        Err(message) => refuse(&message),
    }
}
