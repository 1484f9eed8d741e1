//! A handler's work as a task: answered once, dropped when nobody wants it, its panic contained.

use crate::context::Context;
use crate::incoming::Responder;
use mcp_wire_core::message::{ErrorObject, Json};
use pin_project::pin_project;
use std::any::Any;
use std::future::Future;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::pin::Pin;
use std::task::{self, Poll};

/// Answers a request with the outcome of some work. It can be spawned, spawned locally, or polled in place.
///
/// The work is dropped as soon as the request is cancelled. A panic in it, and dropping this before it is done, answer the
/// request with "internal error".
#[pin_project]
#[derive(Debug)]
#[must_use = "futures do nothing unless polled"]
pub struct Answer<F> {
    // The work goes first: it may still use the request that the responder ends.
    #[pin]
    work: Option<F>,
    responder: Option<Responder>,
}

impl<F> Answer<F> {
    pub(crate) fn new(responder: Responder, work: F) -> Self {
        Self { work: Some(work), responder: Some(responder) }
    }
}

impl<F: Future<Output = Result<Json, ErrorObject>>> Future for Answer<F> {
    type Output = ();

    fn poll(self: Pin<&mut Self>, waker: &mut task::Context<'_>) -> Poll<()> {
        let mut this = self.project();
        let Some(responder) = this.responder.as_ref() else { return Poll::Ready(()) };
        let context = responder.context();
        let mut outcome = None;
        if context.is_live()
            && let Some(work) = this.work.as_mut().as_pin_mut()
        {
            match contain(context, || work.poll(waker)) {
                None => outcome = Some(Err(ErrorObject::internal())),
                Some(Poll::Ready(done)) => outcome = Some(done),
                Some(Poll::Pending) => {
                    let mut waker = Some(waker.waker().clone());
                    if context.peer().shared.lock().watch(responder.token(), &mut waker) {
                        return Poll::Pending;
                    }
                }
            }
        }
        if outcome.is_none() {
            context.tell_of_the_end();
        }
        // Dropped without the lock, and before the answer goes out: a destructor may use the peer, and panic.
        contain(context, || this.work.set(None));
        if let Some(responder) = this.responder.take()
            && let Some(outcome) = outcome
        {
            _ = responder.respond(outcome);
        }
        Poll::Ready(())
    }
}

/// Runs user code for a request. `None` where it panicked: the text goes to the log, and to nobody else.
pub(crate) fn contain<T>(context: &Context, work: impl FnOnce() -> T) -> Option<T> {
    match catch_unwind(AssertUnwindSafe(work)) {
        Ok(done) => Some(done),
        Err(panic) => {
            let token = context.token();
            tracing::error!(panic = panic_text(&*panic), ?token, "a handler panicked");
            discard(panic);
            None
        }
    }
}

/// Runs user code for a notification.
pub(crate) fn contain_notified(work: impl FnOnce()) {
    if let Err(panic) = catch_unwind(AssertUnwindSafe(work)) {
        tracing::error!(panic = panic_text(&*panic), "a handler of a notification panicked");
        discard(panic);
    }
}

/// What a panic carries may panic when it is dropped. What that carries is not dropped any more.
fn discard(panic: Box<dyn Any + Send>) {
    if let Err(worse) = catch_unwind(AssertUnwindSafe(|| drop(panic))) {
        std::mem::forget(worse);
    }
}

fn panic_text(panic: &(dyn Any + Send)) -> &str {
    let text = panic.downcast_ref::<&str>().copied();
    text.or_else(|| panic.downcast_ref::<String>().map(String::as_str)).unwrap_or("(not a text)")
}
