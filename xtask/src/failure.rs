//! How a task fails, and what becomes of the exit code then.

use std::io;
use std::process::{ExitCode, ExitStatus};

/// Why a task failed.
pub(crate) enum Failure {
    /// A program that ran in the foreground failed, and has said why: there is nothing to add.
    AlreadyTold(ExitStatus),
    /// What was to be done went wrong.
    Task(String),
    /// The command line asks for what does not exist.
    Usage(String),
}

impl Failure {
    /// Tells the user, and gives the exit code: 2 for a wrong command line, the program's own where one
    /// failed in the foreground, else 1.
    pub(crate) fn report(self) -> ExitCode {
        match self {
            Failure::AlreadyTold(status) => {
                let code = status.code().and_then(|code| u8::try_from(code).ok());
                ExitCode::from(code.unwrap_or(1))
            }
            Failure::Task(message) => {
                eprintln!("xtask: {message}");
                ExitCode::from(1)
            }
            Failure::Usage(message) => {
                eprintln!("xtask: {message}");
                ExitCode::from(2)
            }
        }
    }
}

impl From<io::Error> for Failure {
    fn from(error: io::Error) -> Self {
        Failure::Task(error.to_string())
    }
}
