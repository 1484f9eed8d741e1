//! A connection by hand.

use crate::runtime::Smol;
use mcp_wire_driver::mcp::Session;
use mcp_wire_driver::rpc::Connection;
use mcp_wire_driver::{Driver, Incoming, Peer};

/// Connects any pair of smol streams to a connection, for those who run their own loop. Nothing happens until the driver
/// is awaited or spawned.
pub fn connect<R, W>(
    reader: R,
    writer: W,
    connection: Connection,
    session: Option<Session>,
) -> (Peer, Incoming, Driver<R, W, Smol>) {
    mcp_wire_driver::connect(Smol::default(), reader, writer, connection, session)
}
