//! Serving one connection: the driver, and the handlers that it feeds.

use super::tasks::{Reply, Tasks};
use super::{Kind, ServeError, Server};
use crate::Runtime;
use crate::incoming::{Inbound, Incoming};
use crate::peer::Peer;
use crate::pump::{Driver, ROUNDS, Round, connect};
use crate::task::{contain, contain_notified};
use futures_io::{AsyncRead, AsyncWrite};
use mcp_wire_core::mcp::{ServerSession, Session};
use mcp_wire_core::message::ErrorObject;
use mcp_wire_core::rpc::{Closed, Connection};
use pin_project::pin_project;
use std::fmt;
use std::future::Future;
use std::pin::Pin;
use std::sync::Arc;
use std::task::{Context, Poll};

/// After so many requests another task gets its turn.
const BEGUN: usize = 64;

/// Serves a connection over two byte streams, until it ends.
///
/// # Errors
///
/// [`ServeError`] where the server's configuration or what was added to it cannot work, or it is shut down.
pub fn serve<R, W, Rt: Runtime, K: Kind>(
    runtime: Rt,
    server: Arc<Server<K>>,
    reader: R,
    writer: W,
) -> Result<Serve<R, W, Rt, K>, ServeError> {
    server.connections.check()?;
    server.check()?;
    let mut connection = Connection::new(server.config.clone(), server.budget.clone())?;
    let session =
        ServerSession::new(server.implementation.clone(), server.declared(), &mut connection)
            .with_instructions(server.instructions.clone())
            .with_eras(server.eras)
            .with_cache(server.cache);
    let session = if server.keeps_subscriptions() { session.with_subscriptions() } else { session };
    let serve = Serve::new(runtime, server, reader, writer, connection, session.into());
    serve.server.connections.add(serve.peer());
    Ok(serve)
}

/// Who has the tables of handlers that answer a connection's requests: a server, or a client's host. It cannot be
/// implemented elsewhere.
pub trait Handles<K: Kind>: 'static {
    #[doc(hidden)]
    fn handlers(&self) -> &Server<K>;
}

impl<K: Kind> Handles<K> for Server<K> {
    fn handlers(&self) -> &Self {
        self
    }
}

/// Drives one connection and answers its requests. It is ready with the cause once the connection has ended.
///
/// Dropping it ends the connection: handlers are cancelled, and everybody who waits is told.
#[pin_project]
#[must_use = "futures do nothing unless polled"]
pub struct Serve<R, W, Rt: Runtime, K: Kind, H = Server<K>> {
    // The driver goes first: its end cancels the handlers, which then find that nobody waits for them.
    #[pin]
    driver: Driver<R, W, Rt>,
    tasks: K::Tasks<Rt>,
    incoming: Incoming,
    server: Arc<H>,
}

impl<R, W, Rt: Runtime, K: Kind, H> fmt::Debug for Serve<R, W, Rt, K, H> {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.debug_struct("Serve").field("driver", &self.driver).finish_non_exhaustive()
    }
}

impl<R, W, Rt: Runtime, K: Kind, H> Serve<R, W, Rt, K, H> {
    pub(crate) fn new(
        runtime: Rt,
        server: Arc<H>,
        reader: R,
        writer: W,
        connection: Connection,
        session: Session,
    ) -> Self {
        let tasks = K::tasks(&runtime);
        let (_, incoming, driver) = connect(runtime, reader, writer, connection, Some(session));
        Self { driver, tasks, incoming, server }
    }

    /// The connection.
    #[must_use]
    pub fn peer(&self) -> &Peer {
        self.incoming.peer()
    }
}

impl<R, W, Rt, K, H> Future for Serve<R, W, Rt, K, H>
where
    R: AsyncRead,
    W: AsyncWrite,
    Rt: Runtime,
    K: Kind,
    H: Handles<K>,
{
    type Output = Closed;

    fn poll(self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<Closed> {
        let mut this = self.project();
        let mut begun = 0;
        for _ in 0..ROUNDS {
            let round = this.driver.as_mut().poll_round(context);
            // No lock is held here: this is where user code runs.
            let mut dispatched = 0;
            while let Some(inbound) = this.incoming.next_on_driver() {
                dispatched += 1;
                dispatch(this.server.handlers(), this.incoming.peer(), this.tasks, inbound);
            }
            this.tasks.poll(context);
            begun += dispatched;
            match round {
                Round::Ended(cause) => return Poll::Ready(cause),
                Round::Full => break,
                Round::Idle if dispatched == 0 => return Poll::Pending,
                // Handlers may need this thread, and hold slots that the next requests will want.
                Round::Busy if begun >= BEGUN => break,
                Round::Busy | Round::Idle => {}
            }
        }
        Rt::yield_now(context);
        Poll::Pending
    }
}

fn dispatch<K: Kind>(
    server: &Server<K>,
    peer: &Peer,
    tasks: &mut impl Tasks<K::Future>,
    inbound: Inbound,
) {
    match inbound {
        Inbound::Notification(notification) => {
            contain_notified(|| server.notified(peer, notification));
        }
        Inbound::Request(request, responder) => {
            let context = responder.context();
            match contain(context, || server.answer(context, request)) {
                Some(Reply::Now(outcome)) => _ = responder.respond(outcome),
                Some(Reply::Later(work)) => tasks.push(responder.answer_with(work)),
                None => _ = responder.respond(Err(ErrorObject::internal())),
            }
        }
        // The connection has logged them.
        Inbound::Fault(_) | Inbound::Lagged(_) => {}
    }
}
