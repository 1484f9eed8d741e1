//! What our measured programs share: the smallest server, and the choice of threads.

mod echo;
mod threads;

pub use echo::{EchoOptions, echo_server};
pub use threads::Threads;

use std::process::ExitCode;

/// The exit code for a command line that cannot be understood.
#[allow(clippy::print_stderr, reason = "a program for people at a terminal")]
#[must_use]
pub fn refuse(message: &str) -> ExitCode {
    eprintln!("{message}");
    ExitCode::from(2)
}
