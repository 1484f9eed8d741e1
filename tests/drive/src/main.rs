//! Drives a stdio server with our own client.
//!
//! ```text
//! drive [--runtime tokio|smol|async-std] [--mode legacy|auto|modern] [--era legacy|modern] [--calls NUMBER]
//!       [--steps NAME,...] [--ending by-itself|by-signal] -- COMMAND [ARGUMENT ...]
//! ```
//!
//! `--mode` is what our client tries, `--era` is what has to come of it with this server.
//!
//! Prints one JSON object for each step, and a summary. Exit code: 0 when no step failed, 1 when one did, 2 for a wrong
//! command line, 3 when the whole run hung.

#![allow(
    clippy::print_stdout,
    clippy::print_stderr,
    reason = "a program for people at a terminal: what it prints is its purpose"
)]

mod answers;
mod options;
mod process_group;
mod report;
mod session;
mod steps;
mod wire;

use std::env;
use std::process::{self, ExitCode};
use std::thread;
use std::time::Duration;

use mcp_wire_async_std::AsyncStd;
use mcp_wire_driver::Runtime;
use mcp_wire_smol::Smol;
use mcp_wire_tokio::Tokio;

use options::{Options, RuntimeName};
use report::Report;
use steps::Connect;

/// How long a run may take. A hung server must not hang it: this is the last resort.
const RUN_LIMIT: Duration = Duration::from_secs(180);

fn main() -> ExitCode {
    let options = match Options::from_arguments(env::args().skip(1)) {
        Ok(options) => options,
        Err(message) => {
            eprintln!("drive: {message}");
            return ExitCode::from(2);
        }
    };
    thread::spawn(|| {
        thread::sleep(RUN_LIMIT);
        report::print_failure("run limit", &format!("the run took more than {RUN_LIMIT:?}"));
        process_group::kill_all();
        process::exit(3);
    });
    match options.runtime {
        RuntimeName::AsyncStd => {
            async_std::task::block_on(drive(AsyncStd, &options, async |host| {
                mcp_wire_async_std::connect_command(host, options.command()).await
            }))
        }
        RuntimeName::Smol => smol::block_on(drive(Smol::default(), &options, async |host| {
            mcp_wire_smol::connect_command(host, options.command()).await
        })),
        RuntimeName::Tokio => {
            let runtime = match tokio::runtime::Runtime::new() {
                Ok(runtime) => runtime,
                Err(error) => {
                    eprintln!("drive: tokio does not start: {error}");
                    return ExitCode::FAILURE;
                }
            };
            runtime.block_on(drive(Tokio, &options, async |host| {
                mcp_wire_tokio::connect_command(host, options.command()).await
            }))
        }
    }
}

/// All that does not depend on the runtime.
async fn drive<Rt: Runtime>(runtime: Rt, options: &Options, connect: impl Connect) -> ExitCode {
    let mut report = Report::new(runtime);
    steps::run(&mut report, options, connect).await;
    report.summarize()
}
