//! The one line that a program prints.

use serde_json::{Value, json};
use std::error::Error;
use std::process::ExitCode;

/// Prints figures as a line of JSON; or an object with the member `error`, and then the exit code is 1.
#[allow(clippy::print_stdout, reason = "what it prints is its purpose")]
#[must_use]
pub fn report(figures: Result<Value, Box<dyn Error + Send + Sync>>) -> ExitCode {
    match figures {
        Ok(figures) => {
            println!("{figures}");
            ExitCode::SUCCESS
        }
        Err(error) => {
            println!("{}", json!({ "error": error.to_string() }));
            ExitCode::FAILURE
        }
    }
}
