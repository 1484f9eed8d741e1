//! Loads an MCP server over its standard streams, and measures what the server takes for it: its own CPU clock, its
//! memory, its context switches, and how long answers take.
//!
//! ```text
//! load run [--tool NAME] [--size N] [--depth D] [--requests N] [--warmup N] -- COMMAND
//! load cold -- COMMAND                          from the start to the first answer
//! load flood [--bytes N] -- COMMAND             a line that does not end
//! load unread [--requests N] [--size N] -- COMMAND  replies that nobody reads
//! load idle [--bytes N] -- COMMAND              what is kept after one large message
//! ```
//!
//! Every mode takes `--stdio pipe|socket`, `--pin`, `--protocol REVISION`, `--rlimit-as BYTES` and `--timeout SECONDS`. It
//! prints one line of JSON; where a reply is wrong, that line has an `error`, and the exit code is 1.

#![allow(
    clippy::print_stdout,
    clippy::print_stderr,
    reason = "a program for people at a terminal: what it prints is its purpose"
)]

#[cfg(target_os = "linux")]
mod failure;
#[cfg(target_os = "linux")]
mod lines;
#[cfg(target_os = "linux")]
mod options;
#[cfg(target_os = "linux")]
mod process;
#[cfg(target_os = "linux")]
mod scenario;
#[cfg(target_os = "linux")]
mod session;
#[cfg(target_os = "linux")]
mod usage;
#[cfg(target_os = "linux")]
mod window;
#[cfg(target_os = "linux")]
mod work;

use std::process::ExitCode;

#[cfg(target_os = "linux")]
fn main() -> ExitCode {
    let options = match options::Options::from_arguments(std::env::args().skip(1)) {
        Ok(options) => options,
        Err(message) => {
            eprintln!("load: {message}");
            return ExitCode::from(2);
        }
    };
    match scenario::play(&options) {
        Ok(figures) => {
            println!("{figures}");
            ExitCode::SUCCESS
        }
        Err(failure) => {
            println!("{}", serde_json::json!({ "error": failure.to_string() }));
            ExitCode::FAILURE
        }
    }
}

#[cfg(not(target_os = "linux"))]
fn main() -> ExitCode {
    eprintln!("load: it reads /proc, so run it on Linux");
    ExitCode::from(2)
}
