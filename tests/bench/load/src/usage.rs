//! What the kernel says of a process.

use crate::failure::{Failure, While};
use nix::time::{clock_getcpuclockid, clock_gettime};
use nix::unistd::Pid;
use std::fs;
use std::time::Duration;

/// A running process.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Usage {
    pid: u32,
}

impl Usage {
    pub(crate) fn of(pid: u32) -> Self {
        Self { pid }
    }

    /// The CPU time that it has taken so far: user and system, in all threads.
    pub(crate) fn cpu(self) -> Result<Duration, Failure> {
        let clock = clock_getcpuclockid(Pid::from_raw(self.pid.cast_signed()));
        clock.and_then(clock_gettime).map(Duration::from).during("reading the server's CPU clock")
    }

    /// How much of its memory is resident now, in KiB.
    pub(crate) fn resident_kib(self) -> u64 {
        self.field("VmRSS:")
    }

    /// The most that was ever resident, in KiB. Unlike `ru_maxrss` it does not count what its parent had at the fork.
    pub(crate) fn peak_kib(self) -> u64 {
        self.field("VmHWM:")
    }

    pub(crate) fn threads(self) -> u64 {
        self.field("Threads:")
    }

    /// How often its threads were switched, by their own will and against it. Threads that have ended do not count.
    pub(crate) fn context_switches(self) -> u64 {
        let Ok(threads) = fs::read_dir(format!("/proc/{}/task", self.pid)) else { return 0 };
        threads
            .flatten()
            .filter_map(|thread| fs::read_to_string(thread.path().join("status")).ok())
            .map(|status| {
                number(&status, "voluntary_ctxt_switches:")
                    + number(&status, "nonvoluntary_ctxt_switches:")
            })
            .sum()
    }

    fn field(self, name: &str) -> u64 {
        let status = fs::read_to_string(format!("/proc/{}/status", self.pid));
        status.map_or(0, |status| number(&status, name))
    }
}

fn number(status: &str, name: &str) -> u64 {
    let value = status.lines().find_map(|line| line.strip_prefix(name));
    value.and_then(|value| value.split_whitespace().next()?.parse().ok()).unwrap_or(0)
}
