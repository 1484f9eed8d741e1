//! Time and tasks of tokio.

use mcp_wire_driver::Runtime;
use std::future::Future;
use std::pin::pin;
use std::task::Context;
use std::time::Instant;

/// The tokio runtime that is running: its clock, which a test may pause, and its tasks.
#[derive(Debug, Clone, Copy, Default)]
pub struct Tokio;

impl Runtime for Tokio {
    type Sleep = tokio::time::Sleep;

    fn now() -> Instant {
        tokio::time::Instant::now().into_std()
    }

    fn sleep_until(&self, at: Instant) -> Self::Sleep {
        tokio::time::sleep_until(at.into())
    }

    fn yield_now(context: &mut Context<'_>) {
        // Ready at the second time alone: the first one has it woken once tokio has looked for events.
        _ = pin!(tokio::task::yield_now()).poll(context);
    }

    fn spawn(&self, task: impl Future<Output = ()> + Send + 'static) {
        drop(tokio::spawn(task));
    }
}
