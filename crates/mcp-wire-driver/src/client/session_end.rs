//! How a session ended, and those who wait for that.

use crate::waiters::Waiters;
use mcp_wire_core::rpc::{Closed, ProcessExit};
use mcp_wire_core::shutdown::Step;
use std::fmt;
use std::future::poll_fn;
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::task::{Poll, Waker};

/// How a session ended.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub struct SessionEnd {
    /// How the connection ended.
    pub cause: Closed,
    /// What became of the server's process, where there was one.
    pub child: Option<ChildEnd>,
}

/// What became of a child process.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub struct ChildEnd {
    /// Its exit; `None` where it did not even die when it was killed, or nobody was there any more to see it.
    pub exit: Option<ProcessExit>,
    /// How far the shutdown had to go. [`Step::Flush`] for a child that has exited by itself.
    pub step: Step,
}

impl fmt::Display for SessionEnd {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.cause.fmt(formatter)?;
        match &self.child {
            Some(child) if !matches!(self.cause, Closed::Exited(_)) => {
                write!(formatter, "; {child}")
            }
            _ => Ok(()),
        }
    }
}

impl fmt::Display for ChildEnd {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        let how = match self.step {
            Step::Terminate => " after it was asked to terminate",
            Step::Kill => " after it was killed",
            _ => "",
        };
        match &self.exit {
            Some(exit) => write!(formatter, "the server has exited{how} with {exit}"),
            None if self.step == Step::GaveUp => {
                formatter.write_str("the server was killed, and runs still")
            }
            None => formatter.write_str("nobody has seen the server's exit"),
        }
    }
}

/// The end of one session, which may be still to come.
#[derive(Debug, Default)]
pub(super) struct Ending(Mutex<Inner>);

#[derive(Debug, Default)]
struct Inner {
    end: Option<SessionEnd>,
    waiting: Waiters,
}

impl Ending {
    /// It has ended. The first time counts.
    pub(super) fn tell(&self, end: impl FnOnce() -> SessionEnd) {
        let mut wake: Vec<Waker> = Vec::new();
        let mut inner = self.lock();
        inner.end.get_or_insert_with(end);
        inner.waiting.wake_all(&mut wake);
        drop(inner);
        wake.into_iter().for_each(Waker::wake);
    }

    /// Waits for it. Cancel-safe.
    pub(super) async fn wait(&self) -> SessionEnd {
        let mut place = Place { ending: self, at: None };
        poll_fn(|context| {
            let mut inner = self.lock();
            if let Some(end) = &inner.end {
                return Poll::Ready(end.clone());
            }
            let replaced = inner.waiting.wait(&mut place.at, None, context.waker());
            drop(inner);
            drop(replaced);
            Poll::Pending
        })
        .await
    }

    fn lock(&self) -> MutexGuard<'_, Inner> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// Where a future waits. It leaves when it is dropped.
struct Place<'a> {
    ending: &'a Ending,
    at: Option<u64>,
}

impl Drop for Place<'_> {
    fn drop(&mut self) {
        if let Some(at) = self.at {
            // In two steps, so that the waker is dropped without the lock.
            let left = self.ending.lock().waiting.leave(at);
            drop(left);
        }
    }
}
