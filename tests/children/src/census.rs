//! What this process has.

use std::fmt;
use std::fs;
use std::process;

/// What this process has. Linux only, since `/proc` tells; elsewhere it has nothing.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Census {
    /// Open descriptors.
    pub descriptors: usize,
    /// Threads.
    pub threads: usize,
    /// Children, running or not.
    pub children: usize,
    /// Those of them whose exit nobody has collected.
    pub zombies: usize,
    /// Memory that is resident, in KiB.
    pub memory: usize,
}

impl Census {
    /// As things are now.
    #[must_use]
    pub fn take() -> Self {
        let children: Vec<String> = entries("/proc")
            .into_iter()
            .filter_map(|name| fs::read_to_string(format!("/proc/{name}/stat")).ok())
            .filter(|stat| fields(stat).nth(1) == Some(&process::id().to_string()))
            .collect();
        Self {
            // One of them is for the look itself.
            descriptors: entries("/proc/self/fd").len().saturating_sub(1),
            threads: entries("/proc/self/task").len(),
            zombies: children.iter().filter(|stat| fields(stat).next() == Some("Z")).count(),
            children: children.len(),
            memory: memory(),
        }
    }

    /// Is there no more of anything than before, memory apart?
    #[must_use]
    pub fn is_within(&self, before: &Self) -> bool {
        self.descriptors <= before.descriptors
            && self.threads <= before.threads
            && self.children <= before.children
            && self.zombies <= before.zombies
    }
}

impl fmt::Display for Census {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { descriptors, threads, children, zombies, memory } = self;
        write!(
            formatter,
            "{descriptors} descriptors, {threads} threads, {children} children of which {zombies} are zombies, {memory} KiB"
        )
    }
}

/// What follows the name, which may hold anything: the state, the parent, and so on.
fn fields(stat: &str) -> impl Iterator<Item = &str> {
    stat.rsplit_once(')').map_or("", |(_, fields)| fields).split_whitespace()
}

fn memory() -> usize {
    let status = fs::read_to_string("/proc/self/status").unwrap_or_default();
    let line = status.lines().find_map(|line| line.strip_prefix("VmRSS:"));
    line.and_then(|line| line.trim().trim_end_matches(" kB").parse().ok()).unwrap_or_default()
}

fn entries(directory: &str) -> Vec<String> {
    let entries = fs::read_dir(directory).into_iter().flatten().flatten();
    entries.map(|entry| entry.file_name().to_string_lossy().into_owned()).collect()
}
