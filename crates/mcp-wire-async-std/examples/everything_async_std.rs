//! A server with a bit of everything, on async-std. `--help` lists its flags.

use everything::Options;
use mcp_wire_async_std::{AsyncStd, serve_stdio};
use std::process::ExitCode;

fn main() -> ExitCode {
    let options = match Options::from_arguments(std::env::args().skip(1)) {
        Ok(options) => options,
        Err(message) => return everything::refuse(&message),
    };
    // A log that cannot be written is no reason to panic: the client may have closed standard error.
    tracing_subscriber::fmt().with_writer(std::io::stderr).log_internal_errors(false).init();
    let server = everything::server(AsyncStd, &options);
    everything::exit_code(async_std::task::block_on(serve_stdio(server)))
}
