//! The handle to a connection, and the calls that are made through it.

use crate::state::{Shared, State};
use crate::waiters::Waiters;
use mcp_wire_core::end_of;
use mcp_wire_core::mcp::{Implementation, Revision};
use mcp_wire_core::message::Json;
use mcp_wire_core::rpc::{self, CallError, CallOptions, Closed, SendError};
use std::future::{Future, poll_fn};
use std::pin::Pin;
use std::sync::Arc;
use std::task::{Context, Poll};
use std::time::{Duration, Instant};

/// A handle to one connection: the same type on every runtime, whatever carries the bytes. Clones are the same connection.
///
/// Dropping it does nothing; the driver holds the connection.
#[derive(Debug, Clone)]
pub struct Peer {
    pub(crate) shared: Arc<Shared>,
}

impl Peer {
    /// Sends a notification. Waits while the peer reads too slowly.
    ///
    /// Cancel-safe: it is sent whole or not at all.
    ///
    /// # Errors
    ///
    /// Every [`SendError`] but [`SendError::Full`].
    pub async fn notify(&self, method: &str, params: Option<Json>) -> Result<(), SendError> {
        let mut place =
            Place { shared: &self.shared, waiters: |state| &mut state.senders, at: None };
        poll_fn(|context| {
            let (outcome, _replaced) = self.shared.command(|state| {
                let outcome = state.notify(method, params.clone());
                let full = outcome == Err(SendError::Full);
                (outcome, full.then(|| state.wait_for_room(&mut place.at, None, context.waker())))
            });
            match outcome {
                Err(SendError::Full) => Poll::Pending,
                outcome => Poll::Ready(outcome),
            }
        })
        .await
    }

    /// Sends a notification, if there is room for it now.
    ///
    /// # Errors
    ///
    /// Every [`SendError`].
    pub fn try_notify(&self, method: &str, params: Option<Json>) -> Result<(), SendError> {
        self.shared.command(|state| state.notify(method, params))
    }

    /// Asks the peer. The request is sent at once, or as soon as there is room for it.
    pub fn request(&self, method: &str, params: Option<Json>, options: CallOptions) -> Call {
        let unsent = Unsent {
            method: method.to_owned(),
            params,
            options,
            since: (self.shared.now)(),
            place: None,
        };
        let stage = match self.shared.command(|state| unsent.send(state, unsent.since)) {
            Ok(call) => Stage::Sent(call),
            Err(SendError::Full) => Stage::Unsent(Box::new(unsent)),
            Err(error) => Stage::Failed(Some(CallError::NotSent(error))),
        };
        Call { peer: self.clone(), stage }
    }

    /// Ends the connection: handlers are cancelled unanswered, calls fail, and what is left of the output is written as long
    /// as the peer takes it. A second time does nothing.
    pub fn close(&self) {
        self.shared.command(|state| state.connection.close());
    }

    /// Ends the connection gently: new requests are answered "busy", those in flight go on for `grace` (`None`: until they
    /// are done), then it closes.
    pub fn shutdown(&self, grace: Option<Duration>) {
        let now = (self.shared.now)();
        self.shared.command(|state| state.connection.shutdown(now, grace));
    }

    /// The server behind the connection goes.
    pub(crate) fn server_down(&self, grace: Option<Duration>) {
        let now = (self.shared.now)();
        self.shared.command(|state| state.connection.drain(now, grace, Closed::ServerDown));
    }

    /// How the connection ended, once it has.
    #[must_use]
    pub fn closed(&self) -> Option<Closed> {
        self.shared.lock().closed().cloned()
    }

    /// Waits for the end of the connection. Cancel-safe.
    pub async fn wait_closed(&self) -> Closed {
        let mut place =
            Place { shared: &self.shared, waiters: |state| &mut state.closing, at: None };
        poll_fn(|context| {
            let mut state = self.shared.lock();
            if let Some(cause) = state.closed().cloned() {
                return Poll::Ready(cause);
            }
            let replaced = state.closing.wait(&mut place.at, None, context.waker());
            drop(state);
            drop(replaced);
            Poll::Pending
        })
        .await
    }

    /// The revision that the handshake agreed on, once it has.
    #[must_use]
    pub fn revision(&self) -> Option<Revision> {
        self.shared.lock().session.as_ref()?.revision()
    }

    /// Who the client says that it is, once it has.
    #[must_use]
    pub fn client(&self) -> Option<Implementation> {
        self.shared.lock().session.as_ref()?.client().cloned()
    }

    /// What the client says that it can do, once it has.
    #[must_use]
    pub fn client_capabilities(&self) -> Option<Json> {
        self.shared.lock().session.as_ref()?.client_capabilities().cloned()
    }

    /// How many requests of the peer are still to be answered.
    #[must_use]
    pub fn in_flight(&self) -> usize {
        self.shared.lock().connection.in_flight()
    }

    /// How many bytes are buffered for this connection.
    #[must_use]
    pub fn buffered(&self) -> usize {
        self.shared.lock().connection.buffered()
    }
}

/// Where a future waits. It leaves when it is dropped.
struct Place<'a> {
    shared: &'a Shared,
    waiters: fn(&mut State) -> &mut Waiters,
    at: Option<u64>,
}

impl Drop for Place<'_> {
    fn drop(&mut self) {
        if let Some(at) = self.at {
            // In two steps, so that the waker is dropped without the lock.
            let left = (self.waiters)(&mut self.shared.lock()).leave(at);
            drop(left);
        }
    }
}

/// A request of ours. Awaiting it gives the result; dropping it cancels the request, once.
#[derive(Debug)]
#[must_use = "dropping a call cancels it"]
pub struct Call {
    peer: Peer,
    stage: Stage,
}

#[derive(Debug)]
enum Stage {
    Failed(Option<CallError>),
    Over,
    Sent(rpc::Call),
    Unsent(Box<Unsent>),
}

/// A request for which there was no room yet. Its time runs.
#[derive(Debug)]
struct Unsent {
    method: String,
    params: Option<Json>,
    options: CallOptions,
    since: Instant,
    /// Where it waits for room.
    place: Option<u64>,
}

impl Unsent {
    fn send(&self, state: &mut State, now: Instant) -> Result<rpc::Call, SendError> {
        if let Some(session) = &state.session {
            session.may_request(&self.method)?;
        }
        let waited = now.saturating_duration_since(self.since);
        let mut options = self.options.clone();
        options.ceiling = options.ceiling.saturating_sub(waited);
        options.timeout = options.timeout.map(|timeout| timeout.saturating_sub(waited));
        let call = state.connection.request(now, &self.method, self.params.clone(), options)?;
        state.expect_answer(call);
        Ok(call)
    }

    fn deadline(&self) -> Instant {
        let timeout = self.options.timeout.unwrap_or(self.options.ceiling);
        end_of(self.since, timeout.min(self.options.ceiling))
    }
}

impl Future for Call {
    type Output = Result<Json, CallError>;

    fn poll(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<Self::Output> {
        let this = &mut *self;
        if let Stage::Unsent(unsent) = &mut this.stage {
            let now = (this.peer.shared.now)();
            let until = Some(unsent.deadline());
            let (sent, _replaced) = this.peer.shared.command(|state| {
                let sent = unsent.send(state, now);
                let full = sent == Err(SendError::Full);
                let wait = || state.wait_for_room(&mut unsent.place, until, context.waker());
                (sent, full.then(wait))
            });
            this.stage = match sent {
                Ok(call) => Stage::Sent(call),
                Err(SendError::Full) if now < unsent.deadline() => return Poll::Pending,
                Err(SendError::Full) => Stage::Failed(Some(CallError::TimedOut)),
                Err(error) => Stage::Failed(Some(CallError::NotSent(error))),
            };
        }
        let outcome = match &mut this.stage {
            Stage::Sent(call) => {
                let mut waker = Some(context.waker().clone());
                let answer = this.peer.shared.lock().take_answer(*call, &mut waker);
                match answer {
                    Some(None) => return Poll::Pending,
                    Some(Some(outcome)) => outcome,
                    None => Err(CallError::Cancelled),
                }
            }
            Stage::Failed(error) => Err(error.take().unwrap_or(CallError::Cancelled)),
            Stage::Over | Stage::Unsent(_) => Err(CallError::Cancelled),
        };
        this.stage = Stage::Over;
        Poll::Ready(outcome)
    }
}

impl Drop for Call {
    fn drop(&mut self) {
        match &self.stage {
            Stage::Sent(call) => {
                let _waiting = self.peer.shared.command(|state| state.abandon_call(*call));
            }
            Stage::Unsent(unsent) => {
                if let Some(place) = unsent.place {
                    let left = self.peer.shared.lock().senders.leave(place);
                    drop(left);
                }
            }
            Stage::Failed(_) | Stage::Over => {}
        }
    }
}
