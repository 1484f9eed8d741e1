//! A connection by hand.

use crate::runtime::Tokio;
use crate::streams::Stream;
use mcp_wire_driver::mcp::Session;
use mcp_wire_driver::rpc::Connection;
use mcp_wire_driver::{Closed, Incoming, Peer};
use pin_project::pin_project;
use std::future::Future;
use std::io;
use std::pin::Pin;
use std::task::{Context, Poll};
use tokio::io::{AsyncRead, AsyncWrite};

/// Connects any pair of tokio streams to a connection, for those who run their own loop. Nothing happens until the driver is
/// awaited or spawned.
pub fn connect<R, W>(
    reader: R,
    writer: W,
    connection: Connection,
    session: Option<Session>,
) -> (Peer, Incoming, Driver<R, W>) {
    let (reader, writer) = (Stream(reader), Stream(writer));
    let (peer, incoming, driver) =
        mcp_wire_driver::connect(Tokio, reader, writer, connection, session);
    (peer, incoming, Driver(driver))
}

/// Takes over standard input and output, as [`serve_stdio`](crate::serve_stdio) does, and connects them to a connection, for
/// those who run their own loop. Nothing happens until the future is awaited or spawned, which moves the bytes: it is ready
/// with the cause once the connection has ended, and dropping it ends the connection.
///
/// # Errors
///
/// [`io::ErrorKind::AlreadyExists`] where the standard streams are taken over already, and what the system says otherwise.
pub fn connect_stdio(
    connection: Connection,
    session: Option<Session>,
) -> io::Result<(Peer, Incoming, impl Future<Output = Closed> + Send + 'static)> {
    let (input, output) = mcp_wire_stdio::standard_streams::<mcp_wire_stdio::Tokio>()?;
    Ok(mcp_wire_driver::connect(Tokio, input, output, connection, session))
}

/// Moves the bytes of one connection, and is ready with the cause once that has ended. Dropping it ends the connection.
#[pin_project]
#[derive(Debug)]
#[must_use = "a driver does nothing unless polled"]
pub struct Driver<R, W>(#[pin] mcp_wire_driver::Driver<Stream<R>, Stream<W>, Tokio>);

impl<R: AsyncRead, W: AsyncWrite> Future for Driver<R, W> {
    type Output = Closed;

    fn poll(self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<Closed> {
        self.project().0.poll(context)
    }
}
