//! Waiting until a server has nothing left to do.

use crate::failure::Failure;
use crate::usage::Usage;
use std::thread;
use std::time::{Duration, Instant};

/// How long nothing may happen before that counts as rest. A busy machine may not run the server for a while.
const REST: Duration = Duration::from_secs(1);

const PAUSE: Duration = Duration::from_millis(10);

/// CPU time that is no work: a timer, a look at a queue.
const IDLE_CPU: Duration = Duration::from_millis(5);

/// Waits until neither the server's CPU clock nor a counter of ours has moved for a while.
pub(super) fn wait_for_rest(usage: Usage, counter: impl Fn() -> u64) -> Result<(), Failure> {
    let mut since = Instant::now();
    let (mut cpu, mut count) = (usage.cpu()?, counter());
    while since.elapsed() < REST {
        thread::sleep(PAUSE);
        let (cpu_now, count_now) = (usage.cpu()?, counter());
        if count_now != count || cpu_now.saturating_sub(cpu) > IDLE_CPU {
            (since, cpu, count) = (Instant::now(), cpu_now, count_now);
        }
    }
    Ok(())
}

/// What is resident once the server is idle, in KiB.
pub(super) fn resident_at_rest(usage: Usage) -> Result<u64, Failure> {
    wait_for_rest(usage, || usage.resident_kib())?;
    Ok(usage.resident_kib())
}
