//! A server with a bit of everything, on tokio's multi-thread runtime. `--help` lists its flags.

use everything::Options;
use mcp_wire_tokio::{Tokio, serve_stdio};
use std::process::ExitCode;

#[tokio::main]
async fn main() -> ExitCode {
    let options = match Options::from_arguments(std::env::args().skip(1)) {
        Ok(options) => options,
        Err(message) => return everything::refuse(&message),
    };
    // A log that cannot be written is no reason to panic: the client may have closed standard error.
    tracing_subscriber::fmt().with_writer(std::io::stderr).log_internal_errors(false).init();
    everything::exit_code(serve_stdio(everything::server(Tokio, &options)).await)
}
