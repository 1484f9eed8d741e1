//! Clients.

use crate::runtime::Tokio;
use crate::streams::Stream;
use mcp_wire_child::ServerCommand;
use mcp_wire_driver::{Client, ConnectError, Host, Server};
use std::sync::Arc;
use tokio::io::{AsyncRead, AsyncWrite};

/// Starts a server as a child process, and shakes hands with it. It has to run inside a tokio runtime with IO and time enabled.
///
/// The child leads a process group of its own, and reads and writes pipes; its standard error goes where this program's
/// goes, unless the [`ServerCommand`] says otherwise. [`Client::close`] ends it gently; dropping the client kills its group.
///
/// Cancel-safe: dropping the future kills the server.
///
/// # Errors
///
/// [`ConnectError::Config`] where the host's configuration cannot work, [`ConnectError::Spawn`] where the program cannot be
/// started, [`ConnectError::Handshake`] where the server does not agree, or not in time, or dies; then it has ended, and its
/// exit is collected.
pub async fn connect_command(
    host: impl Into<Arc<Host>>,
    command: impl Into<ServerCommand>,
) -> Result<Client, ConnectError> {
    mcp_wire_child::connect::<mcp_wire_stdio::Tokio, _>(Tokio, host, command).await
}

/// Shakes hands with a server over any pair of tokio streams. The connection runs as a task of the runtime. It has to run inside a tokio runtime with time enabled.
///
/// Cancel-safe: dropping the future ends the connection.
///
/// # Errors
///
/// [`ConnectError::Config`] and [`ConnectError::Handshake`]; then the connection has ended.
pub async fn connect_streams(
    host: impl Into<Arc<Host>>,
    reader: impl AsyncRead + Send + 'static,
    writer: impl AsyncWrite + Send + 'static,
) -> Result<Client, ConnectError> {
    Client::connect(Tokio, host, Stream(reader), Stream(writer)).await
}

/// Serves a server in memory, and shakes hands with it: for tests, and for servers that are part of the program. It is
/// served until the session ends.
///
/// Cancel-safe: dropping the future ends the connection.
///
/// # Errors
///
/// As [`connect_streams`]; [`ConnectError::Serve`] where the server cannot be served.
pub async fn connect_server(
    host: impl Into<Arc<Host>>,
    server: impl Into<Arc<Server>>,
) -> Result<Client, ConnectError> {
    Client::connect_server(Tokio, host, server).await
}
