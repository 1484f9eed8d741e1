//! One run of a driver, and the line of the table that it becomes.

use std::fs::File;
use std::path::PathBuf;
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

use serde_json::Value;

use super::client::Client;
use super::install::Installation;
use crate::failure::Failure;
use crate::workspace;

/// What a driver reported.
pub(crate) struct Outcome {
    client: &'static Client,
    passed: usize,
    skipped: usize,
    /// What the driver printed about each failure.
    failures: Vec<String>,
    elapsed: Duration,
    log: PathBuf,
}

/// Runs a driver to its end.
pub(crate) fn drive(
    client: &'static Client,
    mut driver: Command,
    calls: u32,
    server: &[String],
    installation: &Installation,
) -> Result<Outcome, Failure> {
    let start = Instant::now();
    let log = installation.log_path(client);
    driver.args(client.driver_arguments).args(["--mode", client.mode]);
    driver.args(["--calls", &calls.to_string()]).arg("--").args(server);
    // Stderr goes to a file: a server that outlived its driver would keep a pipe open.
    driver.stdin(Stdio::null()).stderr(File::create(&log)?);
    let output = driver.output().map_err(|error| workspace::not_started(&driver, &error))?;

    let mut outcome = Outcome {
        client,
        passed: 0,
        skipped: 0,
        failures: Vec::new(),
        elapsed: start.elapsed(),
        log,
    };
    for line in String::from_utf8_lossy(&output.stdout).lines() {
        outcome.count(line);
    }
    if !output.status.success() && outcome.failures.is_empty() {
        outcome.failures.push(format!("the driver ended with {}", output.status));
    }
    Ok(outcome)
}

/// The head of the table that `Outcome::print` continues.
pub(crate) fn print_header() {
    println!(
        "{:<13} {:<7} {:>6} {:>8} {:>7} {:>8}",
        "client", "mode", "passed", "skipped", "failed", "seconds"
    );
}

impl Outcome {
    pub(crate) fn is_success(&self) -> bool {
        self.failures.is_empty() && self.passed > 0
    }

    /// Prints one line, and below it what failed.
    pub(crate) fn print(&self) {
        println!(
            "{:<13} {:<7} {:>6} {:>8} {:>7} {:>8.1}",
            self.client.name,
            self.client.mode,
            self.passed,
            self.skipped,
            self.failures.len(),
            self.elapsed.as_secs_f64()
        );
        for failure in &self.failures {
            println!("    {failure}");
        }
        if !self.is_success() {
            println!("    stderr: {}", self.log.display());
        }
    }

    fn count(&mut self, line: &str) {
        let step: Value = serde_json::from_str(line).unwrap_or(Value::Null);
        match (step["step"].as_str(), step["status"].as_str()) {
            (Some("summary"), _) => {}
            (Some(_), Some("pass")) => self.passed += 1,
            (Some(_), Some("skip")) => self.skipped += 1,
            _ => self.failures.push(line.to_owned()),
        }
    }
}
