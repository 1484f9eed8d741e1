//! A connection by hand.

use crate::runtime::AsyncStd;
use mcp_wire_driver::mcp::Session;
use mcp_wire_driver::rpc::Connection;
use mcp_wire_driver::{Closed, Driver, Incoming, Peer};
use mcp_wire_stdio::AsyncIo;
use std::future::Future;
use std::io;

/// Connects any pair of async-std streams to a connection, for those who run their own loop. Nothing happens until the driver
/// is awaited or spawned.
pub fn connect<R, W>(
    reader: R,
    writer: W,
    connection: Connection,
    session: Option<Session>,
) -> (Peer, Incoming, Driver<R, W, AsyncStd>) {
    mcp_wire_driver::connect(AsyncStd, reader, writer, connection, session)
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
    let (input, output) = mcp_wire_stdio::standard_streams::<AsyncIo>()?;
    Ok(mcp_wire_driver::connect(AsyncStd, input, output, connection, session))
}
