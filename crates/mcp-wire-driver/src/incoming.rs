//! What the peer sends, for those who run their own loop.

use crate::context::Context;
use crate::peer::Peer;
use crate::state::{Arrival, State};
use crate::task::Answer;
use futures_util::stream::Stream;
use mcp_wire_core::message::{ErrorObject, Fault, Json, Notification, Request};
use mcp_wire_core::rpc::{Gone, Token};
use std::future::{Future, poll_fn};
use std::pin::Pin;
use std::task::{self, Poll, Waker};

/// What the peer sends, in the order of arrival. There is one for each connection.
///
/// What is not taken is kept within the limits of the connection: past them new requests are answered "busy", and
/// notifications are dropped and counted. An inline request that is not taken holds up the inline ones behind it, `ping` too:
/// they are answered in read order.
#[derive(Debug)]
#[must_use = "dropping it refuses all requests"]
pub struct Incoming {
    peer: Peer,
}

/// Something that the peer sent.
#[derive(Debug)]
#[non_exhaustive]
pub enum Inbound {
    /// A line that is no message.
    Fault(Fault),
    /// So many notifications and faults were dropped, since nobody took them.
    Lagged(usize),
    /// A notification.
    Notification(Notification),
    /// A request, and what answers it.
    Request(Request, Responder),
}

impl Incoming {
    pub(crate) fn new(peer: Peer) -> Self {
        Self { peer }
    }

    /// The connection.
    #[must_use]
    pub fn peer(&self) -> &Peer {
        &self.peer
    }

    /// Waits for the next one; `None` once the connection has ended. Cancel-safe: nothing is lost when it is dropped.
    pub async fn next(&mut self) -> Option<Inbound> {
        poll_fn(|context| self.poll_inbound(context)).await
    }

    /// Takes the next one, if it is there.
    pub fn try_next(&mut self) -> Option<Inbound> {
        let arrival = self.take(|_, arrival| arrival)?;
        Some(self.inbound(arrival))
    }

    fn poll_inbound(&self, context: &task::Context<'_>) -> Poll<Option<Inbound>> {
        let mut waker = Some(context.waker().clone());
        // Under one lock, so that nothing arrives unseen in between.
        let next = self.take(|state, arrival| match arrival {
            Some(arrival) => Poll::Ready(Some(arrival)),
            None if state.closed().is_some() => Poll::Ready(None),
            None => {
                std::mem::swap(&mut state.reader, &mut waker);
                Poll::Pending
            }
        });
        next.map(|arrival| Some(self.inbound(arrival?)))
    }

    /// Takes the next one on the task that drives the connection. That goes round once more, so what comes of it need not wake
    /// it.
    pub(crate) fn next_on_driver(&mut self) -> Option<Inbound> {
        // The waker is dropped without the lock.
        let (arrival, _driver) = self.take(|state, arrival| match arrival {
            Some(arrival) => (Some(arrival), state.driver.take()),
            None => (None, None),
        });
        Some(self.inbound(arrival?))
    }

    /// Takes what arrived next, and wakes whom that concerns.
    fn take<T>(&self, then: impl FnOnce(&mut State, Option<Arrival>) -> T) -> T {
        let mut wake = Vec::new();
        let mut state = self.peer.shared.lock();
        let arrival = state.take_arrival(&mut wake);
        let taken = then(&mut state, arrival);
        drop(state);
        wake.into_iter().for_each(Waker::wake);
        taken
    }

    fn inbound(&self, arrival: Arrival) -> Inbound {
        match arrival {
            Arrival::Fault(fault) => Inbound::Fault(fault),
            Arrival::Lagged(count) => Inbound::Lagged(count),
            Arrival::Notification(notification) => Inbound::Notification(notification),
            Arrival::Inline(token, request) | Arrival::Request(token, request) => {
                let context = Context::new(self.peer.clone(), token);
                Inbound::Request(request, Responder { token, context: Some(context) })
            }
        }
    }
}

impl Stream for Incoming {
    type Item = Inbound;

    fn poll_next(self: Pin<&mut Self>, context: &mut task::Context<'_>) -> Poll<Option<Inbound>> {
        self.poll_inbound(context)
    }
}

/// Nobody takes what arrives any more: requests are answered "internal error", those that wait too.
impl Drop for Incoming {
    fn drop(&mut self) {
        let mut wake = Vec::new();
        self.peer.shared.lock().orphan(&mut wake);
        wake.into_iter().for_each(Waker::wake);
    }
}

/// Answers one request. Dropping it unused answers "internal error", so that no request goes unanswered.
#[derive(Debug)]
#[must_use = "dropping a responder answers the request with an error"]
pub struct Responder {
    token: Token,
    /// `None` once it is used.
    context: Option<Context>,
}

impl Responder {
    /// The request, as its handler sees it.
    ///
    /// It is there until the responder is used, which takes the responder away.
    #[must_use]
    pub fn context(&self) -> &Context {
        self.context.as_ref().expect("only `finish` takes it, and it consumes the responder")
    }

    /// Answers the request.
    ///
    /// # Errors
    ///
    /// [`Gone`] where it was cancelled meanwhile: then nothing is written.
    pub fn respond(mut self, outcome: Result<Json, ErrorObject>) -> Result<(), Gone> {
        self.finish(Some(outcome))
    }

    /// Answers the request with the outcome of some work, which is dropped when the request is cancelled.
    pub fn answer_with<F>(self, work: F) -> Answer<F>
    where
        F: Future<Output = Result<Json, ErrorObject>>,
    {
        Answer::new(self, work)
    }

    pub(crate) fn token(&self) -> Token {
        self.token
    }

    fn finish(&mut self, outcome: Option<Result<Json, ErrorObject>>) -> Result<(), Gone> {
        let Some(context) = self.context.take() else { return Err(Gone) };
        let token = self.token;
        let mut wake = Vec::new();
        // What is forgotten is dropped without the lock.
        let (result, _forgotten) = context.peer().shared.command(|state| {
            if !state.connection.is_live(token) {
                // What the handler has started learns of the cancellation before the handler is forgotten.
                state.sort_events(&mut wake);
            }
            let result = match outcome {
                Some(outcome) => state.answer(token, outcome),
                None => {
                    state.release(token);
                    Err(Gone)
                }
            };
            (result, state.forget(token))
        });
        wake.into_iter().for_each(Waker::wake);
        result
    }
}

impl Drop for Responder {
    fn drop(&mut self) {
        _ = self.finish(None);
    }
}
