//! Serving one connection.

use crate::runtime::Smol;
use mcp_wire_driver::{Closed, Kind, Local, Serve, ServeError, Server};
use mcp_wire_stdio::{AsyncIo, Input, Output};
use smol::io::{AsyncRead, AsyncWrite};
use std::io;
use std::sync::Arc;

/// Serves one connection over any pair of smol streams, until it ends. Handlers run as tasks of the global executor.
///
/// Dropping the future ends the connection and cancels its handlers.
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
    Smol::default().serve(server, reader, writer).await
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
    Ok(mcp_wire_driver::serve(Smol::default(), server.into(), reader, writer)?.await)
}

/// Takes over standard input and output, and serves one connection over them, until it ends.
///
/// From then on the process's own standard output goes to standard error, and its standard input is empty, so that neither a
/// stray `println!` nor a child process can damage the connection. Pipes and sockets are read without a thread; a thread
/// that reads something else never keeps the process alive.
///
/// Dropping the future ends the connection and cancels its handlers. The streams stay taken over.
///
/// # Errors
///
/// [`io::ErrorKind::AlreadyExists`] where the standard streams are taken over already, [`io::ErrorKind::InvalidInput`] where
/// the server's configuration cannot work, and what the system says otherwise.
pub async fn serve_stdio(server: impl Into<Arc<Server>>) -> io::Result<Closed> {
    Smol::default().serve_stdio(server).await
}

/// Serves the standard streams like [`serve_stdio`], but runs the handlers on the same task: they need not be [`Send`].
///
/// # Errors
///
/// As [`serve_stdio`].
pub async fn serve_stdio_local(server: impl Into<Arc<Server<Local>>>) -> io::Result<Closed> {
    Ok(on_standard_streams(Smol::default(), server.into())?.await)
}

impl Smol {
    /// Like [`serve`](fn@serve), with handlers on this executor.
    ///
    /// # Errors
    ///
    /// As [`serve`](fn@serve).
    pub async fn serve(
        self,
        server: impl Into<Arc<Server>>,
        reader: impl AsyncRead,
        writer: impl AsyncWrite,
    ) -> Result<Closed, ServeError> {
        Ok(mcp_wire_driver::serve(self, server.into(), reader, writer)?.await)
    }

    /// Like [`serve_stdio`](fn@serve_stdio), with handlers on this executor.
    ///
    /// # Errors
    ///
    /// As [`serve_stdio`](fn@serve_stdio).
    pub async fn serve_stdio(self, server: impl Into<Arc<Server>>) -> io::Result<Closed> {
        Ok(on_standard_streams(self, server.into())?.await)
    }
}

fn on_standard_streams<K: Kind>(
    runtime: Smol,
    server: Arc<Server<K>>,
) -> io::Result<Serve<Input<AsyncIo>, Output<AsyncIo>, Smol, K>> {
    // Before the streams are gone.
    server.check()?;
    let (input, output) = mcp_wire_stdio::standard_streams()?;
    tracing::debug!(?input, ?output, "serving on the standard streams");
    Ok(mcp_wire_driver::serve(runtime, server, input, output)?)
}
