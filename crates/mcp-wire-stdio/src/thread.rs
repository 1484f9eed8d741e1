//! Streams that can only be waited for by blocking: a thread of their own for each.
//!
//! The threads are detached, so that none keeps the process alive. They hand over through a bounded
//! buffer under a lock; the thread waits on a condition, the task is woken by its waker. Wakers run
//! foreign code and are never called, cloned or dropped under the lock.

use std::io;
use std::sync::{Condvar, Mutex, MutexGuard, PoisonError};
use std::task::{Context, Poll, Waker};

mod reader;
mod writer;

pub(crate) use reader::Reader;
pub(crate) use writer::Writer;

/// Bytes handed over at a time.
const BUFFER: usize = 64 * 1024;

/// What the task's side and the thread's side see of each other.
#[derive(Debug, Default)]
struct Shared<T> {
    state: Mutex<Waiting<T>>,
    changed: Condvar,
}

#[derive(Debug, Default)]
struct Waiting<T> {
    inner: T,
    waker: Option<Waker>,
}

impl<T> Shared<T> {
    /// For the task's side: `look` at the state and answer, or leave a waker behind. The thread is
    /// told that something may have changed.
    fn poll<A>(&self, context: &mut Context<'_>, look: impl FnOnce(&mut T) -> Poll<A>) -> Poll<A> {
        let mut waker = Some(context.waker().clone());
        let answer = {
            let mut state = self.lock();
            let answer = look(&mut state.inner);
            if answer.is_pending() {
                std::mem::swap(&mut state.waker, &mut waker);
            }
            answer
        };
        self.changed.notify_one();
        answer
    }

    /// For the task's side, when it goes away: nobody is left to be woken.
    fn leave(&self, change: impl FnOnce(&mut T)) {
        let waker = {
            let mut state = self.lock();
            change(&mut state.inner);
            state.waker.take()
        };
        drop(waker);
        self.changed.notify_one();
    }

    /// For the thread's side: waits while there is nothing to do, then takes what there is.
    fn take<A>(&self, idle: impl Fn(&T) -> bool, take: impl FnOnce(&mut T) -> A) -> A {
        let mut state = self
            .changed
            .wait_while(self.lock(), |state| idle(&state.inner))
            .unwrap_or_else(PoisonError::into_inner);
        take(&mut state.inner)
    }

    /// For the thread's side: changes the state, then wakes the task.
    fn tell(&self, change: impl FnOnce(&mut T)) {
        let waker = {
            let mut state = self.lock();
            change(&mut state.inner);
            state.waker.take()
        };
        if let Some(waker) = waker {
            waker.wake();
        }
    }

    fn lock(&self) -> MutexGuard<'_, Waiting<T>> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// Starts a detached thread.
fn detach(name: &str, work: impl FnOnce() + Send + 'static) -> io::Result<()> {
    std::thread::Builder::new().name(name.to_owned()).spawn(work).map(drop)
}

/// The same error once more, as errors cannot be cloned.
fn again(error: &io::Error) -> io::Error {
    match error.raw_os_error() {
        Some(code) => io::Error::from_raw_os_error(code),
        None => io::Error::new(error.kind(), error.to_string()),
    }
}
