//! Signals between a scenario and the handlers that it runs, on any runtime.

use std::future::Future;
use std::pin::Pin;
use std::sync::mpsc::{self, Receiver, Sender};
use std::sync::{Arc, Mutex, PoisonError};
use std::task::{Context, Poll, Waker};
use std::time::Duration;

/// A future that is ready once the scenario opens it. Clones are the same gate.
#[derive(Debug, Clone, Default)]
pub(crate) struct Gate(Arc<Mutex<Inner>>);

#[derive(Debug, Default)]
struct Inner {
    open: bool,
    wakers: Vec<Waker>,
}

impl Gate {
    pub(crate) fn open(&self) {
        let mut inner = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        inner.open = true;
        let wakers = std::mem::take(&mut inner.wakers);
        drop(inner);
        wakers.into_iter().for_each(Waker::wake);
    }
}

impl Future for Gate {
    type Output = ();

    fn poll(self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<()> {
        let mut inner = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        if inner.open {
            return Poll::Ready(());
        }
        if !inner.wakers.iter().any(|known| known.will_wake(context.waker())) {
            inner.wakers.push(context.waker().clone());
        }
        Poll::Pending
    }
}

/// Tells a scenario what its handlers see.
#[derive(Debug)]
pub(crate) struct Signals<T> {
    receiver: Receiver<T>,
    patience: Duration,
}

/// The handlers' end of [`Signals`].
#[derive(Debug)]
pub(crate) struct Signal<T>(Mutex<Sender<T>>);

impl<T> Clone for Signal<T> {
    fn clone(&self) -> Self {
        Self(Mutex::new(self.0.lock().unwrap_or_else(PoisonError::into_inner).clone()))
    }
}

pub(crate) fn signals<T>(patience: Duration) -> (Signal<T>, Signals<T>) {
    let (sender, receiver) = mpsc::channel();
    (Signal(Mutex::new(sender)), Signals { receiver, patience })
}

impl<T> Signal<T> {
    pub(crate) fn send(&self, what: T) {
        // Nobody listens once the scenario has failed.
        _ = self.0.lock().unwrap_or_else(PoisonError::into_inner).send(what);
    }
}

impl<T> Signals<T> {
    /// Waits for the next one.
    pub(crate) fn next(&self, what: &str) -> Result<T, String> {
        self.receiver.recv_timeout(self.patience).map_err(|_| format!("{what} did not happen"))
    }

    /// What has come so far.
    pub(crate) fn so_far(&self) -> Vec<T> {
        self.receiver.try_iter().collect()
    }
}

/// Signals when it is dropped.
#[derive(Debug)]
pub(crate) struct OnDrop<T: Clone>(pub(crate) Signal<T>, pub(crate) T);

impl<T: Clone> Drop for OnDrop<T> {
    fn drop(&mut self) {
        self.0.send(self.1.clone());
    }
}
