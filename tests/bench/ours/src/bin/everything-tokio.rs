//! The server `everything` on tokio, without a log: `everything-tokio [multi|current] [FLAG ...]`.

use everything::Options;
use mcp_wire_tokio::{Tokio, serve_stdio};
use ours::Threads;
use std::process::ExitCode;

fn main() -> ExitCode {
    let mut arguments: Vec<String> = std::env::args().skip(1).collect();
    let threads = Threads::take_from(&mut arguments);
    match Options::from_arguments(arguments) {
        Ok(options) => {
            let server = everything::server(Tokio, &options);
            everything::exit_code(threads.block_on(serve_stdio(server)))
        }
        Err(message) => everything::refuse(&message),
    }
}
