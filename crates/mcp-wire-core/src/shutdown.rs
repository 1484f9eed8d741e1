//! Ending a child process, as a pure machine: close its input, wait, terminate it, wait, kill it.
//!
//! The specification (basic/transports, "shutdown" of the stdio transport) gives the order and leaves the times open.
//!
//! ```
//! use mcp_wire_core::shutdown::{Action, Shutdown, Times};
//! use std::time::{Duration, Instant};
//!
//! let start = Instant::now();
//! let mut shutdown = Shutdown::new(start, Times::default());
//! shutdown.handle_flushed(start);
//! assert_eq!(shutdown.poll_action(), Some(Action::CloseInput));
//! // The child ignores it.
//! shutdown.handle_timeout(start + Duration::from_secs(2));
//! assert_eq!(shutdown.poll_action(), Some(Action::Terminate));
//! shutdown.handle_exit();
//! assert_eq!(shutdown.poll_action(), Some(Action::Finish));
//! ```

#[cfg(test)]
mod tests;

use crate::end_of;
use std::time::{Duration, Instant};

/// How long each step of a shutdown may take.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub struct Times {
    /// Writing what is left for the child. Default: 500 ms.
    pub flush: Duration,
    /// The child's exit once its input is closed. Default: 2 s.
    pub close_input: Duration,
    /// Its exit once it was asked to terminate. Default: 2 s.
    pub terminate: Duration,
    /// Its exit once it was killed, which only the system can delay. Default: 2 s.
    pub kill: Duration,
}

impl Default for Times {
    fn default() -> Self {
        let two_seconds = Duration::from_secs(2);
        Self {
            flush: Duration::from_millis(500),
            close_input: two_seconds,
            terminate: two_seconds,
            kill: two_seconds,
        }
    }
}

/// What is to be done next.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Action {
    /// Close the child's input: the one graceful signal that works everywhere.
    CloseInput,
    /// Nothing is left to do: the child has exited, or does not even die.
    Finish,
    /// Kill the child and its group.
    Kill,
    /// Ask the child and its group to terminate.
    Terminate,
}

/// How far it had to go.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[non_exhaustive]
pub enum Step {
    /// Unwritten input is flushed.
    Flush,
    /// The input is closed.
    CloseInput,
    /// The child was asked to terminate.
    Terminate,
    /// The child was killed.
    Kill,
    /// The child was killed, and still runs.
    GaveUp,
}

/// The shutdown of one child process.
#[derive(Debug)]
pub struct Shutdown {
    times: Times,
    step: Step,
    until: Instant,
    exit: Exit,
    action: Option<Action>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Exit {
    Awaited,
    Seen,
}

impl Shutdown {
    /// Begins at `now`, with the flush.
    #[must_use]
    pub fn new(now: Instant, times: Times) -> Self {
        let until = end_of(now, times.flush);
        Self { times, step: Step::Flush, until, exit: Exit::Awaited, action: None }
    }

    /// Everything that was to be written is.
    pub fn handle_flushed(&mut self, now: Instant) {
        if self.step == Step::Flush && self.exit == Exit::Awaited {
            self.next(now);
        }
    }

    /// The child has exited, and is reaped.
    pub fn handle_exit(&mut self) {
        if self.exit == Exit::Awaited && self.step != Step::GaveUp {
            self.exit = Exit::Seen;
            self.action = Some(Action::Finish);
        }
    }

    /// The time is `now`. Calling it too early or too often does nothing.
    pub fn handle_timeout(&mut self, now: Instant) {
        if self.poll_timeout().is_some_and(|until| until <= now) {
            self.next(now);
        }
    }

    /// What is to be done next, if anything; each once. It changes with every other call.
    pub fn poll_action(&mut self) -> Option<Action> {
        self.action.take()
    }

    /// When to call [`handle_timeout`](Self::handle_timeout).
    #[must_use]
    pub fn poll_timeout(&self) -> Option<Instant> {
        (self.exit == Exit::Awaited && self.step != Step::GaveUp).then_some(self.until)
    }

    /// How far it had to go so far.
    #[must_use]
    pub fn step(&self) -> Step {
        self.step
    }

    fn next(&mut self, now: Instant) {
        let (step, action, wait) = match self.step {
            Step::Flush => (Step::CloseInput, Action::CloseInput, self.times.close_input),
            Step::CloseInput => (Step::Terminate, Action::Terminate, self.times.terminate),
            Step::Terminate => (Step::Kill, Action::Kill, self.times.kill),
            Step::Kill | Step::GaveUp => (Step::GaveUp, Action::Finish, Duration::ZERO),
        };
        (self.step, self.action, self.until) = (step, Some(action), end_of(now, wait));
    }
}
