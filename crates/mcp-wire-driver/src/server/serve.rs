//! Serving one connection: the driver, and the handlers that it feeds.

use super::{Handler, Kind, Local, Reply, Server, Shared};
use crate::Runtime;
use crate::incoming::{Inbound, Incoming};
use crate::pump::{Driver, Round, connect};
use crate::task::{Answer, contain, contain_notified};
use futures_io::{AsyncRead, AsyncWrite};
use futures_util::stream::{FuturesUnordered, Stream};
use mcp_wire_core::mcp::ServerSession;
use mcp_wire_core::message::ErrorObject;
use mcp_wire_core::rpc::{Closed, ConfigError, Connection};
use pin_project::pin_project;
use std::fmt;
use std::future::Future;
use std::pin::Pin;
use std::sync::Arc;
use std::task::{Context, Poll};

/// After so many rounds another task gets its turn.
const ROUNDS: usize = 32;

/// Serves a connection over two byte streams. Handlers run as tasks of the runtime.
///
/// # Errors
///
/// [`ConfigError`] where the server's configuration cannot work.
pub fn serve<R, W, Rt: Runtime>(
    runtime: Rt,
    server: Arc<Server<Shared>>,
    reader: R,
    writer: W,
) -> Result<Serve<R, W, Rt, Server<Shared>, Spawned<Rt>>, ConfigError> {
    let tasks = Spawned(runtime.clone());
    open(runtime, server, reader, writer, tasks)
}

/// Serves a connection over two byte streams. Handlers run on the same task as the connection.
///
/// # Errors
///
/// [`ConfigError`] where the server's configuration cannot work.
pub fn serve_local<R, W, Rt: Runtime>(
    runtime: Rt,
    server: Arc<Server<Local>>,
    reader: R,
    writer: W,
) -> Result<Serve<R, W, Rt, Server<Local>, InPlace<<Local as Kind>::Future>>, ConfigError> {
    open(runtime, server, reader, writer, InPlace(FuturesUnordered::new()))
}

fn open<R, W, Rt: Runtime, K: Kind, T>(
    runtime: Rt,
    server: Arc<Server<K>>,
    reader: R,
    writer: W,
    tasks: T,
) -> Result<Serve<R, W, Rt, Server<K>, T>, ConfigError> {
    let mut connection = Connection::new(server.config.clone(), server.budget.clone())?;
    let session =
        ServerSession::new(server.implementation.clone(), server.declared(), &mut connection)
            .with_instructions(server.instructions.clone());
    let (_, incoming, driver) = connect(runtime, reader, writer, connection, Some(session));
    Ok(Serve { driver, tasks, incoming, handler: server })
}

/// Drives one connection and answers its requests. It is ready with the cause once the connection has ended.
///
/// Dropping it ends the connection: handlers are cancelled, and everybody who waits is told.
#[pin_project]
#[must_use = "futures do nothing unless polled"]
pub struct Serve<R, W, Rt: Runtime, H, T> {
    // The driver goes first: its end cancels the handlers, which then find that nobody waits for them.
    #[pin]
    driver: Driver<R, W, Rt>,
    tasks: T,
    incoming: Incoming,
    handler: Arc<H>,
}

impl<R, W, Rt: Runtime, H, T> fmt::Debug for Serve<R, W, Rt, H, T> {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.debug_struct("Serve").field("driver", &self.driver).finish_non_exhaustive()
    }
}

impl<R, W, Rt: Runtime, H, T> Serve<R, W, Rt, H, T> {
    /// The connection.
    #[must_use]
    pub fn peer(&self) -> &crate::Peer {
        self.incoming.peer()
    }
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
pub struct Spawned<Rt>(Rt);

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
pub struct InPlace<F>(FuturesUnordered<Answer<F>>);

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

impl<R, W, Rt, H, T> Future for Serve<R, W, Rt, H, T>
where
    R: AsyncRead,
    W: AsyncWrite,
    Rt: Runtime,
    H: Handler,
    T: Tasks<H::Future>,
{
    type Output = Closed;

    fn poll(self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<Closed> {
        let mut this = self.project();
        for _ in 0..ROUNDS {
            let round = this.driver.as_mut().poll_round(context);
            // No lock is held here: this is where user code runs.
            let mut dispatched = false;
            while let Some(inbound) = this.incoming.try_next() {
                dispatched = true;
                dispatch(&**this.handler, this.incoming.peer(), this.tasks, inbound);
            }
            this.tasks.poll(context);
            match round {
                Round::Ended(cause) => return Poll::Ready(cause),
                Round::Idle if !dispatched => return Poll::Pending,
                Round::Busy | Round::Idle => {}
            }
        }
        context.waker().wake_by_ref();
        Poll::Pending
    }
}

fn dispatch<H: Handler>(
    handler: &H,
    peer: &crate::Peer,
    tasks: &mut impl Tasks<H::Future>,
    inbound: Inbound,
) {
    match inbound {
        Inbound::Notification(notification) => {
            contain_notified(|| handler.notification(peer, notification));
        }
        Inbound::Request(request, responder) => {
            let context = responder.context().clone();
            match contain(&context, || handler.request(&context, request)) {
                Some(Reply::Now(outcome)) => _ = responder.respond(outcome),
                Some(Reply::Later(work)) => tasks.push(responder.answer_with(work)),
                None => _ = responder.respond(Err(ErrorObject::internal())),
            }
        }
        // The connection has logged them.
        Inbound::Fault(_) | Inbound::Lagged(_) => {}
    }
}
