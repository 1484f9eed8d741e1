//! What a handler waits for, and what tells that it is gone.

use std::future::poll_fn;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::{Arc, Mutex};
use std::task::{Poll, Waker};

/// Closed until a test opens it.
#[derive(Clone, Default)]
pub(crate) struct Gate(Arc<Mutex<(bool, Vec<Waker>)>>, Arc<AtomicUsize>);

impl Gate {
    pub(crate) fn open(&self) {
        let wakers = {
            let mut state = self.0.lock().expect("no test panics under this lock");
            state.0 = true;
            std::mem::take(&mut state.1)
        };
        wakers.into_iter().for_each(Waker::wake);
    }

    pub(crate) async fn pass(&self) {
        let _inside = Inside::enter(&self.1);
        poll_fn(|context| {
            let mut state = self.0.lock().expect("no test panics under this lock");
            if state.0 {
                return Poll::Ready(());
            }
            state.1.push(context.waker().clone());
            Poll::Pending
        })
        .await;
    }

    /// Work that is never done.
    pub(crate) async fn never<T>() -> T {
        Self::default().pass().await;
        unreachable!("nobody opens this gate")
    }

    /// How many wait at it.
    pub(crate) fn waiting(&self) -> usize {
        self.1.load(Ordering::SeqCst)
    }
}

struct Inside(Arc<AtomicUsize>);

impl Inside {
    fn enter(count: &Arc<AtomicUsize>) -> Self {
        count.fetch_add(1, Ordering::SeqCst);
        Self(Arc::clone(count))
    }
}

impl Drop for Inside {
    fn drop(&mut self) {
        self.0.fetch_sub(1, Ordering::SeqCst);
    }
}

/// Runs something when it is dropped, once.
pub(crate) struct Guard<F: FnOnce()>(Option<F>);

impl<F: FnOnce()> Guard<F> {
    pub(crate) fn new(end: F) -> Self {
        Self(Some(end))
    }
}

impl Guard<Box<dyn FnOnce() + Send>> {
    /// Sets a flag.
    pub(crate) fn flag(flag: &Arc<AtomicBool>) -> Self {
        let flag = Arc::clone(flag);
        Self::new(Box::new(move || flag.store(true, Ordering::SeqCst)))
    }
}

impl<F: FnOnce()> Drop for Guard<F> {
    fn drop(&mut self) {
        if let Some(end) = self.0.take() {
            end();
        }
    }
}
