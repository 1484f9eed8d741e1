//! What the core costs, without any IO: `in-process` without arguments lists the measurements.

mod connection;
mod lines;

use std::process::ExitCode;

fn main() -> ExitCode {
    workload::run(&[
        lines::NEWLINES,
        lines::READ,
        connection::SERVE,
        connection::SERVE_MCP,
        connection::ANSWER,
    ])
}
