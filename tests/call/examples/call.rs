//! A small command-line client: starts a server, asks it one thing, prints the answer. `--help` says how it is used.

use call::{Options, Runtime};
use std::io;
use std::process::ExitCode;
use tracing::Level;

fn main() -> ExitCode {
    let options = match Options::from_arguments(std::env::args().skip(1)) {
        Ok(options) => options,
        Err(message) => return call::refuse(&message),
    };
    tracing_subscriber::fmt()
        .with_writer(io::stderr)
        .with_max_level(if options.is_verbose() { Level::DEBUG } else { Level::WARN })
        .without_time()
        .log_internal_errors(false)
        .init();
    let (host, command) = (options.host(), options.command());
    match options.runtime {
        Runtime::AsyncStd => async_std::task::block_on(async {
            call::run(&options, mcp_wire_async_std::connect_command(host, command).await).await
        }),
        Runtime::Smol => smol::block_on(async {
            call::run(&options, mcp_wire_smol::connect_command(host, command).await).await
        }),
        Runtime::Tokio => match tokio::runtime::Builder::new_multi_thread().enable_all().build() {
            Ok(runtime) => runtime.block_on(async {
                call::run(&options, mcp_wire_tokio::connect_command(host, command).await).await
            }),
            Err(error) => call::refuse(&format!("tokio does not start: {error}")),
        },
    }
}
