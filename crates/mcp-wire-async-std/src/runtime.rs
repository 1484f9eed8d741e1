//! Time and tasks of async-std.

use async_io::Timer;
use mcp_wire_driver::Runtime;
use std::future::Future;
use std::time::Instant;

/// The runtime of async-std, which is one for the whole process.
#[derive(Debug, Clone, Copy, Default)]
pub struct AsyncStd;

impl Runtime for AsyncStd {
    type Sleep = Timer;

    fn now() -> Instant {
        Instant::now()
    }

    fn sleep_until(&self, at: Instant) -> Timer {
        Timer::at(at)
    }

    fn spawn(&self, task: impl Future<Output = ()> + Send + 'static) {
        drop(async_std::task::spawn(task));
    }
}
