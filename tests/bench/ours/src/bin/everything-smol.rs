//! The server `everything` on smol, without a log: `everything-smol [FLAG ...]`.

use everything::Options;
use mcp_wire_smol::{Smol, serve_stdio};
use std::process::ExitCode;

fn main() -> ExitCode {
    match Options::from_arguments(std::env::args().skip(1)) {
        Ok(options) => {
            let server = everything::server(Smol::default(), &options);
            everything::exit_code(smol::block_on(serve_stdio(server)))
        }
        Err(message) => everything::refuse(&message),
    }
}
