//! The connections of one server, which it can notify and shut down together.

use crate::peer::Peer;
use crate::state::Shared;
use mcp_wire_core::rpc::ConfigError;
use std::fmt;
use std::io;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError, Weak};
use std::time::Duration;

#[derive(Debug, Default)]
pub(super) struct Connections(Mutex<Inner>);

#[derive(Debug)]
enum Inner {
    /// The server is shut down: so are its connections, in this time.
    Down(Option<Duration>, Vec<Weak<Shared>>),
    Up(Vec<Weak<Shared>>),
}

impl Default for Inner {
    fn default() -> Self {
        Self::Up(Vec::new())
    }
}

impl Connections {
    pub(super) fn check(&self) -> Result<(), ServeError> {
        match &*self.lock() {
            Inner::Down(..) => Err(ServeError::ServerDown),
            Inner::Up(_) => Ok(()),
        }
    }

    /// Adds a connection. One that comes too late is shut down with the others.
    pub(super) fn add(&self, peer: &Peer) {
        let grace = match &mut *self.lock() {
            Inner::Down(grace, _) => *grace,
            Inner::Up(connections) => {
                if connections.len() == connections.capacity() {
                    connections.retain(|connection| connection.strong_count() > 0);
                }
                connections.push(Arc::downgrade(&peer.shared));
                return;
            }
        };
        peer.server_down(grace);
    }

    /// The open ones. They are gathered first, so that nothing runs under the lock.
    pub(super) fn peers(&self) -> Vec<Peer> {
        match &*self.lock() {
            Inner::Down(_, connections) | Inner::Up(connections) => alive(connections),
        }
    }

    /// No more connections from now on; gives those that there are.
    pub(super) fn shut_down(&self, grace: Option<Duration>) -> Vec<Peer> {
        let mut inner = self.lock();
        let (Inner::Down(_, connections) | Inner::Up(connections)) = &mut *inner;
        let connections = std::mem::take(connections);
        let peers = alive(&connections);
        *inner = Inner::Down(grace, connections);
        peers
    }

    fn lock(&self) -> MutexGuard<'_, Inner> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

fn alive(connections: &[Weak<Shared>]) -> Vec<Peer> {
    let shared = connections.iter().filter_map(Weak::upgrade);
    shared.map(|shared| Peer { shared }).filter(|peer| peer.closed().is_none()).collect()
}

/// Why a connection cannot be served.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub enum ServeError {
    /// The server's configuration cannot work.
    Config(ConfigError),
    /// The input schema of this tool is not one of an object: clients would refuse all of the tools.
    InputSchema(String),
    /// The server is shut down.
    ServerDown,
    /// This template for URIs is not understood, and why.
    UriTemplate(String, &'static str),
}

impl fmt::Display for ServeError {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Config(error) => {
                write!(formatter, "the server's configuration cannot work: {error}")
            }
            Self::InputSchema(tool) => {
                write!(
                    formatter,
                    "the input schema of tool {tool:?} needs a \"type\" of \"object\": its arguments are the members of one"
                )
            }
            Self::ServerDown => formatter.write_str("the server is shut down: make a new one"),
            Self::UriTemplate(template, why) => {
                write!(formatter, "the URI template {template:?} is not understood: {why}")
            }
        }
    }
}

impl std::error::Error for ServeError {}

impl From<ConfigError> for ServeError {
    fn from(error: ConfigError) -> Self {
        Self::Config(error)
    }
}

/// For functions that fail for reasons of the system as well: [`io::ErrorKind::NotConnected`] for a server that is
/// shut down, [`io::ErrorKind::InvalidInput`] for all that is wrong with how it was built.
impl From<ServeError> for io::Error {
    fn from(error: ServeError) -> Self {
        let kind = match error {
            ServeError::Config(_) | ServeError::InputSchema(_) | ServeError::UriTemplate(..) => {
                io::ErrorKind::InvalidInput
            }
            ServeError::ServerDown => io::ErrorKind::NotConnected,
        };
        Self::new(kind, error)
    }
}
