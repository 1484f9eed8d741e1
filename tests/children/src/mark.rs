//! Finding the processes that come from one that was started here, whatever became of those between.

use std::fs;
use std::process::{self, Command};
use std::sync::atomic::{AtomicUsize, Ordering};

const VARIABLE: &str = "MISBEHAVE_MARK";

/// Something in the environment of a process that those inherit which it starts, whatever group they are in and whoever
/// their parent is. Linux only, since `/proc` tells; elsewhere nothing is ever found.
#[derive(Debug)]
pub struct Mark(String);

impl Default for Mark {
    fn default() -> Self {
        Self::new()
    }
}

impl Mark {
    /// A mark that no other process has.
    #[must_use]
    pub fn new() -> Self {
        static NUMBER: AtomicUsize = AtomicUsize::new(0);
        let number = NUMBER.fetch_add(1, Ordering::Relaxed);
        Self(format!("{VARIABLE}={}-{number}", process::id()))
    }

    /// Marks what the command will start.
    pub fn put_on(&self, command: &mut Command) {
        let (_, value) = self.0.split_at(VARIABLE.len() + 1);
        command.env(VARIABLE, value);
    }

    /// The ids of the processes that run with it, in rising order. One that has exited has no environment any more.
    #[must_use]
    pub fn processes(&self) -> Vec<u32> {
        let entries = fs::read_dir("/proc").into_iter().flatten().flatten();
        let ids = entries.filter_map(|entry| entry.file_name().to_str()?.parse::<u32>().ok());
        let mut ids: Vec<u32> = ids.filter(|id| self.is_on(*id)).collect();
        ids.sort_unstable();
        ids
    }

    /// Not, where the process is gone meanwhile, or another user's.
    fn is_on(&self, process: u32) -> bool {
        let environment = fs::read(format!("/proc/{process}/environ")).unwrap_or_default();
        environment.split(|byte| *byte == 0).any(|variable| variable == self.0.as_bytes())
    }
}
