//! Serving one connection.

use crate::runtime::Tokio;
use crate::streams::Stream;
use mcp_wire_driver::{Closed, Kind, Local, Serve, ServeError, Server};
use mcp_wire_stdio::{Input, Output, Tokio as Reactor};
use std::future::Future;
use std::io;
use std::panic::resume_unwind;
use std::sync::Arc;
use tokio::io::{AsyncRead, AsyncWrite};
use tokio::task::JoinSet;

/// Serves one connection over any pair of tokio streams, until it ends. Handlers run as tasks of the runtime.
///
/// It has to run inside a tokio runtime with time enabled. Dropping the future ends the connection and cancels its handlers.
///
/// # Errors
///
/// [`ServeError`] where the server's configuration cannot work, or it is shut down. How the connection ended is no error: see
/// [`Closed`].
pub async fn serve(
    server: impl Into<Arc<Server>>,
    reader: impl AsyncRead,
    writer: impl AsyncWrite,
) -> Result<Closed, ServeError> {
    Ok(mcp_wire_driver::serve(Tokio, server.into(), Stream(reader), Stream(writer))?.await)
}

/// Serves one connection like [`serve`], but runs the handlers on the same task: they need not be [`Send`].
///
/// # Errors
///
/// As [`serve`].
pub async fn serve_local(
    server: impl Into<Arc<Server<Local>>>,
    reader: impl AsyncRead,
    writer: impl AsyncWrite,
) -> Result<Closed, ServeError> {
    Ok(mcp_wire_driver::serve(Tokio, server.into(), Stream(reader), Stream(writer))?.await)
}

/// Takes over standard input and output, and serves one connection over them, until it ends.
///
/// From then on the process's own standard output goes to standard error, and its standard input is empty, so that neither a
/// stray `println!` nor a child process can damage the connection. Pipes and sockets are read without a thread; a thread
/// that reads something else never keeps the process alive. It has to run inside a tokio runtime with IO and time enabled.
///
/// The connection is a task of the runtime. Dropping the future ends it and cancels its handlers, as soon as the runtime comes
/// round to it. The streams stay taken over.
///
/// # Errors
///
/// [`io::ErrorKind::AlreadyExists`] where the standard streams are taken over already, [`io::ErrorKind::InvalidInput`] where
/// the server's configuration cannot work, and what the system says otherwise.
pub async fn serve_stdio(server: impl Into<Arc<Server>>) -> io::Result<Closed> {
    Ok(as_a_task(on_standard_streams(server.into())?).await)
}

/// Serves the standard streams like [`serve_stdio`], but runs the handlers on the same task: they need not be [`Send`].
///
/// # Errors
///
/// As [`serve_stdio`].
pub async fn serve_stdio_local(server: impl Into<Arc<Server<Local>>>) -> io::Result<Closed> {
    Ok(on_standard_streams(server.into())?.await)
}

fn on_standard_streams<K: Kind>(
    server: Arc<Server<K>>,
) -> io::Result<Serve<Input<Reactor>, Output<Reactor>, Tokio, K>> {
    // Before the streams are gone.
    server.check()?;
    let (input, output) = mcp_wire_stdio::standard_streams()?;
    tracing::debug!(?input, ?output, "serving on the standard streams");
    Ok(mcp_wire_driver::serve(Tokio, server, input, output)?)
}

/// Runs the connection as a task, which ends where this is dropped. What a runtime blocks on is another thing: the multi-thread
/// runtime hands each of its events over to another thread, and the current-thread runtime lets it go before the tasks of
/// its handlers, again and again.
async fn as_a_task(serve: impl Future<Output = Closed> + Send + 'static) -> Closed {
    let mut tasks = JoinSet::new();
    tasks.spawn(serve);
    match tasks.join_next().await {
        Some(Ok(closed)) => closed,
        Some(Err(error)) if error.is_panic() => resume_unwind(error.into_panic()),
        // The runtime goes down.
        Some(Err(_)) | None => Closed::Dropped,
    }
}
