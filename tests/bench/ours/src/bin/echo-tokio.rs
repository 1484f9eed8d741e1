//! The smallest server, on tokio: `echo-tokio [multi|current] [--max-in-flight N]`.

use mcp_wire_tokio::serve_stdio;
use ours::{EchoOptions, Threads, echo_server, refuse};
use std::process::ExitCode;

fn main() -> ExitCode {
    let mut arguments: Vec<String> = std::env::args().skip(1).collect();
    let threads = Threads::take_from(&mut arguments);
    let server = match EchoOptions::from_arguments(&arguments) {
        Ok(options) => echo_server(options),
        Err(message) => return refuse(&message),
    };
    everything::exit_code(threads.block_on(serve_stdio(server)))
}
