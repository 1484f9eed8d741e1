//! One run of a driver, and the line of the table that it becomes.

use std::fs::File;
use std::path::PathBuf;
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

use serde_json::Value;

use crate::failure::Failure;
use crate::install::Installation;
use crate::workspace;

/// A driver, and the server that it is to drive.
pub(crate) struct Run {
    pub(crate) name: &'static str,
    pub(crate) mode: &'static str,
    pub(crate) driver: Command,
    pub(crate) server: Vec<String>,
}

/// What a driver reported.
pub(crate) struct Outcome {
    name: &'static str,
    mode: &'static str,
    passed: usize,
    skipped: usize,
    /// What the driver printed about each failure.
    failures: Vec<String>,
    elapsed: Duration,
    log: PathBuf,
}

impl Run {
    /// Runs the driver to its end.
    pub(crate) fn finish(
        mut self,
        calls: u32,
        installation: &Installation,
    ) -> Result<Outcome, Failure> {
        let start = Instant::now();
        let log = installation.log_path(self.name, self.mode);
        let driver = &mut self.driver;
        driver.args(["--mode", self.mode, "--calls", &calls.to_string(), "--"]).args(&self.server);
        // Stderr goes to a file: a server that outlived its driver would keep a pipe open.
        driver.stdin(Stdio::null()).stderr(File::create(&log)?);
        let output = driver.output().map_err(|error| workspace::not_started(driver, &error))?;

        let mut outcome = Outcome {
            name: self.name,
            mode: self.mode,
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
}

/// The head of the table that `Outcome::print` continues.
pub(crate) fn print_header() {
    println!(
        "{:<17} {:<7} {:>6} {:>8} {:>7} {:>8}",
        "peer", "mode", "passed", "skipped", "failed", "seconds"
    );
}

impl Outcome {
    pub(crate) fn is_success(&self) -> bool {
        self.failures.is_empty() && self.passed > 0
    }

    /// Prints one line, and below it what failed.
    pub(crate) fn print(&self) {
        println!(
            "{:<17} {:<7} {:>6} {:>8} {:>7} {:>8.1}",
            self.name,
            self.mode,
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
