//! Time and tasks of smol.

use mcp_wire_driver::Runtime;
use smol::{Executor, Timer};
use std::future::Future;
use std::sync::Arc;
use std::time::Instant;

/// Where handlers run: smol's global executor, or one of your own.
#[derive(Debug, Clone, Default)]
pub struct Smol {
    executor: Option<Arc<Executor<'static>>>,
}

impl Smol {
    /// Runs handlers on this executor. The global one has a single thread, unless the variable `SMOL_THREADS` says
    /// otherwise.
    #[must_use]
    pub fn on(executor: Arc<Executor<'static>>) -> Self {
        Self { executor: Some(executor) }
    }
}

impl Runtime for Smol {
    type Sleep = Timer;

    fn now() -> Instant {
        Instant::now()
    }

    fn sleep_until(&self, at: Instant) -> Timer {
        Timer::at(at)
    }

    fn spawn(&self, task: impl Future<Output = ()> + Send + 'static) {
        match &self.executor {
            Some(executor) => executor.spawn(task).detach(),
            None => smol::spawn(task).detach(),
        }
    }
}
