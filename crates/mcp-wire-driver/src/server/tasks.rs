//! Where a handler's work goes.

use crate::Runtime;
use crate::task::Answer;
use futures_util::stream::{FuturesUnordered, Stream};
use mcp_wire_core::message::{ErrorObject, Json};
use std::future::Future;
use std::pin::Pin;
use std::task::{Context, Poll};

/// How a request is answered.
#[derive(Debug)]
pub enum Reply<F> {
    /// By work that becomes a task, and is dropped when the request is cancelled.
    Later(F),
    /// At once.
    Now(Result<Json, ErrorObject>),
}

/// Where work goes that answers later.
pub trait Tasks<F> {
    /// Takes some work.
    fn push(&mut self, work: Answer<F>);

    /// Gets on with the work that is done in place.
    fn poll(&mut self, context: &mut Context<'_>);
}

/// Work goes to the runtime.
#[derive(Debug)]
pub struct Spawned<Rt>(pub(super) Rt);

impl<Rt, F> Tasks<F> for Spawned<Rt>
where
    Rt: Runtime,
    Answer<F>: Future<Output = ()> + Send + 'static,
{
    fn push(&mut self, work: Answer<F>) {
        self.0.spawn(work);
    }

    fn poll(&mut self, _: &mut Context<'_>) {}
}

/// Work is done in place, on the connection's own task.
#[derive(Debug)]
pub struct InPlace<F>(pub(super) FuturesUnordered<Answer<F>>);

impl<F> Tasks<F> for InPlace<F>
where
    Answer<F>: Future<Output = ()>,
{
    fn push(&mut self, work: Answer<F>) {
        self.0.push(work);
    }

    fn poll(&mut self, context: &mut Context<'_>) {
        while let Poll::Ready(Some(())) = Pin::new(&mut self.0).poll_next(context) {}
    }
}
