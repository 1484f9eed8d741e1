//! What is printed: one JSON object for each step, then a summary.

use futures_lite::future;
use mcp_wire_driver::Runtime;
use serde::Serialize;
use serde_json::{Value, json};
use std::fmt::Display;
use std::process::ExitCode;
use std::time::{Duration, Instant};

/// How long one step may take.
const STEP_LIMIT: Duration = Duration::from_secs(60);

/// Why a step failed.
#[derive(Debug)]
pub(crate) struct Failure(String);

impl<E: Display> From<E> for Failure {
    fn from(error: E) -> Self {
        Self(error.to_string())
    }
}

/// Fails unless `holds`, and says what should hold.
pub(crate) fn ensure(holds: bool, what: impl Display) -> Result<(), Failure> {
    if holds { Ok(()) } else { Err(Failure(format!("this does not hold: {what}"))) }
}

/// Counts and prints.
pub(crate) struct Report<Rt> {
    pub(crate) runtime: Rt,
    failed: Vec<String>,
}

impl<Rt: Runtime> Report<Rt> {
    pub(crate) fn new(runtime: Rt) -> Self {
        Self { runtime, failed: Vec::new() }
    }

    /// Runs a step and prints how it ended: what it gives is printed beside that. Gives whether it passed.
    pub(crate) async fn step(
        &mut self,
        name: &str,
        body: impl Future<Output = Result<Value, Failure>>,
    ) -> bool {
        let start = Instant::now();
        let limit = self.runtime.sleep_until(Rt::now() + STEP_LIMIT);
        let outcome = future::or(body, async {
            limit.await;
            Err(Failure(format!("the step took more than {STEP_LIMIT:?}")))
        })
        .await;
        let milliseconds = start.elapsed().as_millis() as u64;
        match outcome {
            Ok(details) => {
                print_step(name, "pass", milliseconds, details);
                true
            }
            Err(Failure(message)) => {
                self.failed.push(name.to_owned());
                print_step(name, "fail", milliseconds, json!({ "error": { "message": message } }));
                false
            }
        }
    }

    /// Prints the summary, and gives the exit code that belongs to it.
    pub(crate) fn summarize(&self) -> ExitCode {
        let status = if self.failed.is_empty() { "pass" } else { "fail" };
        let summary = json!({ "step": "summary", "status": status, "failed": self.failed });
        println!("{summary}");
        if self.failed.is_empty() { ExitCode::SUCCESS } else { ExitCode::FAILURE }
    }
}

/// Prints a failure that no step stands for.
pub(crate) fn print_failure(name: &str, message: &str) {
    print_step(name, "fail", 0, json!({ "error": { "message": message } }));
}

fn print_step(name: &str, status: &str, milliseconds: u64, details: Value) {
    #[derive(Serialize)]
    struct Line<'a> {
        step: &'a str,
        status: &'a str,
        ms: u64,
        #[serde(flatten)]
        details: Value,
    }
    let line = Line { step: name, status, ms: milliseconds, details };
    println!("{}", serde_json::to_string(&line).unwrap_or_default());
}
