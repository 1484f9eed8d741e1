//! What this process takes.

use rustix::process::{Resource, Rlimit, getrlimit, setrlimit};
use rustix::time::{ClockId, clock_gettime};
use std::fs;
use std::io;
use std::time::Duration;

/// The CPU time of this process in all of its threads, without its children.
pub(crate) fn cpu() -> Duration {
    read(ClockId::ProcessCPUTime)
}

/// The CPU time of this thread.
pub(crate) fn thread_cpu() -> Duration {
    read(ClockId::ThreadCPUTime)
}

/// How much memory is resident, in KiB.
pub(crate) fn resident_kib() -> io::Result<u64> {
    let status = fs::read_to_string("/proc/self/status")?;
    let value = status.lines().find_map(|line| line.strip_prefix("VmRSS:"));
    let number = value.and_then(|value| value.split_whitespace().next()?.parse().ok());
    number.ok_or_else(|| io::Error::other("/proc/self/status has no VmRSS"))
}

/// Allows this process as many descriptors as it may allow itself.
pub(crate) fn allow_many_descriptors() -> io::Result<()> {
    let Rlimit { maximum, .. } = getrlimit(Resource::Nofile);
    Ok(setrlimit(Resource::Nofile, Rlimit { current: maximum, maximum })?)
}

fn read(clock: ClockId) -> Duration {
    clock_gettime(clock).try_into().unwrap_or_default()
}
