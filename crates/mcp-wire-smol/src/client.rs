//! Clients.

use crate::runtime::Smol;
use mcp_wire_child::ServerCommand;
use mcp_wire_driver::{Client, ConnectError, Host, Server};
use mcp_wire_stdio::AsyncIo;
use smol::io::{AsyncRead, AsyncWrite};
use std::sync::Arc;

/// Starts a server as a child process, and shakes hands with it.
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
    Smol::default().connect_command(host, command).await
}

/// Shakes hands with a server over any pair of smol streams. The connection runs as a task of the runtime.
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
    Smol::default().connect_streams(host, reader, writer).await
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
    Smol::default().connect_server(host, server).await
}

impl Smol {
    /// Like [`connect_command`](fn@connect_command), on this executor.
    ///
    /// # Errors
    ///
    /// As [`connect_command`](fn@connect_command).
    pub async fn connect_command(
        self,
        host: impl Into<Arc<Host>>,
        command: impl Into<ServerCommand>,
    ) -> Result<Client, ConnectError> {
        mcp_wire_child::connect::<AsyncIo, _>(self, host, command).await
    }

    /// Like [`connect_streams`](fn@connect_streams), on this executor.
    ///
    /// # Errors
    ///
    /// As [`connect_streams`](fn@connect_streams).
    pub async fn connect_streams(
        self,
        host: impl Into<Arc<Host>>,
        reader: impl AsyncRead + Send + 'static,
        writer: impl AsyncWrite + Send + 'static,
    ) -> Result<Client, ConnectError> {
        Client::connect(self, host, reader, writer).await
    }

    /// Like [`connect_server`](fn@connect_server), on this executor.
    ///
    /// # Errors
    ///
    /// As [`connect_server`](fn@connect_server).
    pub async fn connect_server(
        self,
        host: impl Into<Arc<Host>>,
        server: impl Into<Arc<Server>>,
    ) -> Result<Client, ConnectError> {
        Client::connect_server(self, host, server).await
    }
}
