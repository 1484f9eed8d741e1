//! Anything that answers requests.

use crate::context::Context;
use crate::peer::Peer;
use mcp_wire_core::message::{ErrorObject, Json, Notification, Request};
use std::future::Future;

/// Anything that answers requests. [`Server`](crate::Server) is one; a bare protocol brings its own.
pub trait Handler: 'static {
    /// The work of an answer that comes later.
    type Future: Future<Output = Result<Json, ErrorObject>> + 'static;

    /// Answers a request, or begins to. It runs on the connection's own task, in read order, and has to be quick. A panic is
    /// contained, and answered with "internal error".
    fn request(&self, context: &Context, request: Request) -> Reply<Self::Future>;

    /// Takes a notification. It runs on the connection's own task, in read order, and has to be quick. A panic is contained.
    fn notification(&self, peer: &Peer, notification: Notification) {
        _ = (peer, notification);
    }
}

/// How a request is answered.
#[derive(Debug)]
pub enum Reply<F> {
    /// By work that becomes a task, and is dropped when the request is cancelled.
    Later(F),
    /// At once.
    Now(Result<Json, ErrorObject>),
}
