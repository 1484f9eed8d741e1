//! The server `everything` on async-std, without a log: `everything-async-std [FLAG ...]`.

use everything::Options;
use mcp_wire_async_std::{AsyncStd, serve_stdio};
use std::process::ExitCode;

fn main() -> ExitCode {
    match Options::from_arguments(std::env::args().skip(1)) {
        Ok(options) => {
            let server = everything::server(AsyncStd, &options);
            everything::exit_code(async_std::task::block_on(serve_stdio(server)))
        }
        Err(message) => everything::refuse(&message),
    }
}
