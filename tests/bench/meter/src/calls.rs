//! Calls that a client makes of the tool `echo`.

use crate::process;
use serde_json::{Value, json};
use std::process::Command;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::{Duration, Instant};

const USAGE: &str = "[--depth N] [--requests N] [--size BYTES] -- COMMAND [ARGUMENT ...]";

/// What the command line asks for.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Calls {
    /// How many calls are under way at once.
    pub depth: usize,
    /// How many are made.
    pub requests: usize,
    size: usize,
    command: Vec<String>,
}

impl Calls {
    /// Reads the command line.
    ///
    /// # Errors
    ///
    /// A message that says how it is used.
    pub fn from_arguments(arguments: impl IntoIterator<Item = String>) -> Result<Self, String> {
        let mut calls = Self { depth: 1, requests: 10_000, size: 32, command: Vec::new() };
        let mut arguments = arguments.into_iter();
        while let Some(flag) = arguments.next() {
            let mut number =
                || arguments.next().and_then(|text| text.parse().ok()).filter(|number| *number > 0);
            let value = match flag.as_str() {
                "--depth" => &mut calls.depth,
                "--requests" => &mut calls.requests,
                "--size" => &mut calls.size,
                "--" => {
                    calls.command = arguments.collect();
                    break;
                }
                _ => return Err(format!("unknown flag {flag}; use {USAGE}")),
            };
            *value = number().ok_or(format!("{flag} needs a number; use {USAGE}"))?;
        }
        if calls.command.is_empty() { Err(format!("use {USAGE}")) } else { Ok(calls) }
    }

    /// The command that starts the server.
    #[must_use]
    pub fn command(&self) -> Command {
        let mut command = Command::new(&self.command[0]);
        command.args(&self.command[1..]);
        command
    }

    /// The text of a call, which differs from that of every other.
    #[must_use]
    pub fn message(&self, number: usize) -> String {
        format!("{number:0>width$}", width = self.size)
    }

    /// Starts the clocks.
    #[must_use]
    pub fn begin(&self) -> Progress {
        Progress {
            requests: self.requests,
            next: AtomicUsize::new(0),
            start: Instant::now(),
            cpu: process::cpu(),
        }
    }
}

/// Calls that are being made.
#[derive(Debug)]
pub struct Progress {
    requests: usize,
    next: AtomicUsize,
    start: Instant,
    cpu: Duration,
}

impl Progress {
    /// The number of the next call, unless all are made or under way.
    pub fn next_call(&self) -> Option<usize> {
        Some(self.next.fetch_add(1, Ordering::Relaxed)).filter(|number| *number < self.requests)
    }

    /// What the calls took of this process, which leaves the server out.
    #[must_use]
    pub fn figures(&self) -> Value {
        let cpu = process::cpu().saturating_sub(self.cpu);
        let requests = self.requests as f64;
        json!({
            "requests": self.requests,
            "requests_per_second": (requests / self.start.elapsed().as_secs_f64()).round(),
            "cpu_us_per_request": (cpu.as_secs_f64() * 1e9 / requests).round() / 1e3,
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn calls(line: &str) -> Result<Calls, String> {
        Calls::from_arguments(line.split_whitespace().map(str::to_owned))
    }

    #[test]
    fn messages_differ_and_have_the_size_that_is_asked_for() {
        let calls = calls("--size 12 -- server").unwrap();
        assert_eq!(calls.message(7), "000000000007");
        assert_eq!(calls.command().get_program(), "server");
    }

    #[test]
    fn what_cannot_be_understood_is_refused() {
        for line in ["", "--depth 1", "--depth 0 -- a", "--depth -- a", "--deep 1 -- a", "a"] {
            assert!(calls(line).is_err(), "{line}");
        }
    }

    #[test]
    fn as_many_calls_are_begun_as_were_asked_for() {
        let progress = calls("--requests 2 -- server").unwrap().begin();
        let begun: Vec<usize> = std::iter::from_fn(|| progress.next_call()).collect();
        assert_eq!(begun, [0, 1]);
    }
}
