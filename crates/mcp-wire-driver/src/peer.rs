//! The handle to a connection.

use crate::call::Call;
use crate::state::{Shared, State};
use crate::waiters::Waiters;
use mcp_wire_core::mcp::{HandshakeError, Implementation, LogLevel, Revision, ServerInfo, Session};
use mcp_wire_core::message::Json;
use mcp_wire_core::rpc::{CallError, CallOptions, Closed, SendError};
use std::fmt;
use std::future::poll_fn;
use std::sync::Arc;
use std::task::Poll;
use std::time::{Duration, Instant};

/// A handle to one connection: the same type on every runtime, whatever carries the bytes. Clones are the same connection.
///
/// Dropping it does nothing; the driver holds the connection.
#[derive(Clone)]
pub struct Peer {
    pub(crate) shared: Arc<Shared>,
}

/// What it holds is locked, and may be large.
impl fmt::Debug for Peer {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.debug_struct("Peer").finish_non_exhaustive()
    }
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

    /// Waits until this time. The driver tells, so an end of the connection has to be waited for beside it.
    pub(crate) async fn wait_until(&self, until: Instant) {
        let now = self.clock();
        let mut place =
            Place { shared: &self.shared, waiters: |state| &mut state.senders, at: None };
        poll_fn(|context| {
            if now() >= until {
                return Poll::Ready(());
            }
            let _replaced = self
                .shared
                .command(|state| state.senders.wait(&mut place.at, Some(until), context.waker()));
            Poll::Pending
        })
        .await;
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
        Call::start(self.clone(), method, params, options)
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

    /// Asks for log messages with each request from now on.
    pub(crate) fn set_log_level(&self, level: LogLevel) {
        let mut state = self.shared.lock();
        if let Some(session) = state.session.as_mut().and_then(Session::as_client_mut) {
            session.set_log_level(Some(level));
        }
    }

    pub(crate) fn clock(&self) -> fn() -> Instant {
        self.shared.now
    }

    /// Sends a request whose answer nobody waits for. Where it cannot be sent, it is not.
    pub(crate) fn tell(&self, method: &str, params: Json) {
        let now = (self.shared.now)();
        let _waiting = self.shared.command(|state| {
            let call = state.request(now, method, Some(params), CallOptions::default());
            call.ok().map(|call| state.calls.forget(call))
        });
    }

    /// How it will end, once that is decided, or how it ended.
    pub(crate) fn closing(&self) -> Option<Closed> {
        self.shared.lock().connection.closing().cloned()
    }

    /// Ends it at once, unwritten output included. After the end this does nothing.
    pub(crate) fn abort(&self, cause: Closed) {
        self.shared.command(|state| state.connection.abort(cause));
    }

    /// Has a client's handshake succeeded?
    pub(crate) fn has_session(&self) -> bool {
        let state = self.shared.lock();
        state.session.as_ref().and_then(Session::as_client).is_some_and(|it| it.server().is_some())
    }

    /// Waits for the end of a client's handshake. Cancel-safe.
    pub(crate) async fn greeted(&self) -> Result<ServerInfo, HandshakeError> {
        let mut place =
            Place { shared: &self.shared, waiters: |state| &mut state.greeting, at: None };
        poll_fn(|context| {
            let mut state = self.shared.lock();
            let session = state.session.as_ref().and_then(Session::as_client);
            let outcome = session.and_then(|session| session.outcome());
            if let Some(outcome) = outcome {
                return Poll::Ready(outcome.cloned().map_err(Clone::clone));
            }
            if let Some(cause) = state.closed().cloned() {
                return Poll::Ready(Err(HandshakeError::Call(CallError::Closed(cause))));
            }
            let replaced = state.greeting.wait(&mut place.at, None, context.waker());
            drop(state);
            drop(replaced);
            Poll::Pending
        })
        .await
    }

    /// The revision that the handshake agreed on, once it has.
    #[must_use]
    pub fn revision(&self) -> Option<Revision> {
        match self.shared.lock().session.as_ref()? {
            Session::Server(session) => session.revision(),
            session => Some(session.as_client()?.server()?.revision),
        }
    }

    /// Who the client says that it is, once it has.
    #[must_use]
    pub fn client(&self) -> Option<Implementation> {
        self.shared.lock().session.as_ref()?.as_server()?.client().cloned()
    }

    /// What the client says that it can do, once it has.
    #[must_use]
    pub fn client_capabilities(&self) -> Option<Json> {
        self.shared.lock().session.as_ref()?.as_server()?.client_capabilities().cloned()
    }

    /// How many requests of the peer are still to be answered.
    #[must_use]
    pub fn in_flight(&self) -> usize {
        self.shared.lock().connection.in_flight()
    }

    /// How many requests of this side are still to be answered.
    #[must_use]
    pub fn calls(&self) -> usize {
        let state = self.shared.lock();
        // A call is in both tables, but for the moments in which its answer, or its end, is on the way from one to the other.
        state.connection.calls().max(state.calls.len())
    }

    /// How many requests in flight are subscriptions, which stay open.
    #[must_use]
    pub fn subscriptions(&self) -> usize {
        self.shared.lock().connection.streams()
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
