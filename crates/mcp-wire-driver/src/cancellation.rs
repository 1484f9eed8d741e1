//! How work learns that nobody waits for it any more.

use std::future::Future;
use std::pin::Pin;
use std::sync::{Arc, Mutex, PoisonError};
use std::task::{Context, Poll, Waker};

/// Tells that a request is cancelled. A handler's own future is dropped then; this is for work that it has started
/// elsewhere. Clones are the same.
///
/// As a future it is ready once the request is cancelled, and never for a request that is answered. Dropping it does nothing.
#[derive(Debug, Clone)]
pub struct Cancellation(Arc<Mutex<Inner>>);

#[derive(Debug)]
enum Inner {
    Cancelled { reason: Option<String> },
    Waiting { wakers: Vec<Waker> },
}

impl Cancellation {
    pub(crate) fn new() -> Self {
        Self(Arc::new(Mutex::new(Inner::Waiting { wakers: Vec::new() })))
    }

    /// That of a request that is over.
    pub(crate) fn over() -> Self {
        Self(Arc::new(Mutex::new(Inner::Cancelled { reason: None })))
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
            Inner::Waiting { .. } => None,
        }
    }

    /// The first time counts.
    pub(crate) fn fire(&self, reason: Option<String>, wake: &mut Vec<Waker>) {
        let mut inner = self.lock();
        if let Inner::Waiting { wakers } = &mut *inner {
            wake.append(wakers);
            *inner = Inner::Cancelled { reason };
        }
    }

    fn lock(&self) -> std::sync::MutexGuard<'_, Inner> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Future for Cancellation {
    type Output = ();

    fn poll(self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<()> {
        match &mut *self.lock() {
            Inner::Cancelled { .. } => Poll::Ready(()),
            Inner::Waiting { wakers } => {
                if !wakers.iter().any(|known| known.will_wake(context.waker())) {
                    wakers.push(context.waker().clone());
                }
                Poll::Pending
            }
        }
    }
}
