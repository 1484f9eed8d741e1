//! How work learns that nobody waits for it any more.

use crate::waiters::Waiters;
use std::future::Future;
use std::pin::Pin;
use std::sync::{Arc, Mutex, PoisonError};
use std::task::{Context, Poll, Waker};

/// Tells that a request is cancelled. A handler's own future is dropped then; this is for work that it has started
/// elsewhere. Clones are the same.
///
/// As a future it is ready once the request is cancelled, or has run out of time, and never for one that its handler answers.
/// Dropping it does nothing.
#[derive(Debug)]
pub struct Cancellation {
    shared: Arc<Mutex<Inner>>,
    /// Where this clone waits.
    place: Option<u64>,
}

#[derive(Debug)]
enum Inner {
    Cancelled { reason: Option<String> },
    Waiting(Waiters),
}

impl Cancellation {
    pub(crate) fn new() -> Self {
        Self::of(Inner::Waiting(Waiters::default()))
    }

    /// That of a request that is over.
    pub(crate) fn over() -> Self {
        Self::of(Inner::Cancelled { reason: None })
    }

    fn of(inner: Inner) -> Self {
        Self { shared: Arc::new(Mutex::new(inner)), place: None }
    }

    /// Is the request cancelled?
    #[must_use]
    pub fn is_cancelled(&self) -> bool {
        matches!(*self.lock(), Inner::Cancelled { .. })
    }

    /// Why it was cancelled, where the peer said so.
    #[must_use]
    pub fn reason(&self) -> Option<String> {
        match &*self.lock() {
            Inner::Cancelled { reason } => reason.clone(),
            Inner::Waiting(_) => None,
        }
    }

    /// The first time counts.
    pub(crate) fn fire(&self, reason: Option<String>, wake: &mut Vec<Waker>) {
        let mut inner = self.lock();
        if let Inner::Waiting(waiters) = &mut *inner {
            waiters.wake_all(wake);
            *inner = Inner::Cancelled { reason };
        }
    }

    fn lock(&self) -> std::sync::MutexGuard<'_, Inner> {
        self.shared.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Clone for Cancellation {
    fn clone(&self) -> Self {
        Self { shared: Arc::clone(&self.shared), place: None }
    }
}

impl Drop for Cancellation {
    fn drop(&mut self) {
        // Wakers are dropped without the lock.
        let _left = match (self.place, &mut *self.lock()) {
            (Some(place), Inner::Waiting(waiters)) => waiters.leave(place),
            _ => None,
        };
    }
}

impl Future for Cancellation {
    type Output = ();

    fn poll(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<()> {
        let mut place = self.place;
        let _replaced = match &mut *self.lock() {
            Inner::Cancelled { .. } => return Poll::Ready(()),
            Inner::Waiting(waiters) => waiters.wait(&mut place, None, context.waker()),
        };
        self.place = place;
        Poll::Pending
    }
}
