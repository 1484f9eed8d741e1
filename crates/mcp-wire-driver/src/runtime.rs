//! What a runtime gives besides bytes.

use std::future::Future;
use std::task::Context;
use std::time::Instant;

/// What a runtime gives besides bytes: time and tasks. Each adapter has one.
pub trait Runtime: Clone + Send + Sync + 'static {
    /// A future that is ready at a given time, with whatever output.
    type Sleep: Future + Send + 'static;

    /// The time, which a test may have stopped.
    fn now() -> Instant;

    /// Is ready at `at`, or at once where that is past.
    fn sleep_until(&self, at: Instant) -> Self::Sleep;

    /// Wakes a task that gives others their turn. A runtime that looks for events only now and then does so before.
    fn yield_now(context: &mut Context<'_>) {
        context.waker().wake_by_ref();
    }

    /// Runs a task to its end. Nobody waits for it, and it is never aborted: handlers stop by themselves once their request
    /// is over.
    fn spawn(&self, task: impl Future<Output = ()> + Send + 'static);
}
