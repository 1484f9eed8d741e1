//! A connection by hand.

use crate::runtime::AsyncStd;
use mcp_wire_driver::mcp::Session;
use mcp_wire_driver::rpc::Connection;
use mcp_wire_driver::{Driver, Incoming, Peer};

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
