//! What comes of a handler's future.

use mcp_wire_core::message::{ErrorObject, Json};
use pin_project::pin_project;
use std::future::Future;
use std::pin::Pin;
use std::task::{Context, Poll, ready};

/// A handler's future, whose output becomes the outcome of the request.
///
/// Unlike an `async` block it keeps the future to its own end, so that a destructor that panics does not spoil the outcome.
#[pin_project]
pub(super) struct Outcome<F, C> {
    #[pin]
    work: F,
    convert: Option<C>,
}

impl<F, C> Outcome<F, C> {
    pub(super) fn of(work: F, convert: C) -> Self {
        Self { work, convert: Some(convert) }
    }
}

impl<F: Future, C: FnOnce(F::Output) -> Result<Json, ErrorObject>> Future for Outcome<F, C> {
    type Output = Result<Json, ErrorObject>;

    fn poll(self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<Self::Output> {
        let this = self.project();
        let output = ready!(this.work.poll(context));
        match this.convert.take() {
            Some(convert) => Poll::Ready(convert(output)),
            None => Poll::Pending,
        }
    }
}
