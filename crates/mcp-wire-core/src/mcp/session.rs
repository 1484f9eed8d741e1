//! Either side of MCP.

use super::{ClientSession, LogLevel, ServerSession, meta};
use crate::message::{ErrorObject, Json};
use crate::rpc::{Call, CallOptions, Connection, Event, Gone, SendError, Token};
use std::time::Instant;

/// Either side of MCP, for those who drive both.
#[derive(Debug)]
#[non_exhaustive]
pub enum Session {
    /// The client's side.
    Client(ClientSession),
    /// The server's side.
    Server(ServerSession),
}

impl From<ClientSession> for Session {
    fn from(session: ClientSession) -> Self {
        Self::Client(session)
    }
}

impl From<ServerSession> for Session {
    fn from(session: ServerSession) -> Self {
        Self::Server(session)
    }
}

impl Session {
    /// Takes an event of the connection. What comes back is the application's; `None` is settled.
    pub fn filter(&mut self, connection: &mut Connection, event: Event) -> Option<Event> {
        match self {
            Self::Client(session) => session.filter(connection, event),
            Self::Server(session) => session.filter(connection, event),
        }
    }

    /// Sends a request. Where the options want its progress, the peer is asked for it, under a token of ours.
    ///
    /// # Errors
    ///
    /// As [`ClientSession::request`], or [`ServerSession::may_request`] and [`Connection::request`].
    pub fn request(
        &mut self,
        connection: &mut Connection,
        now: Instant,
        method: &str,
        params: Option<Json>,
        options: CallOptions,
    ) -> Result<Call, SendError> {
        match self {
            Self::Client(session) => session.request(connection, now, method, params, options),
            Self::Server(session) => {
                session.may_request(method, options.on_behalf_of)?;
                meta::request(connection, now, method, params, Vec::new(), options)
            }
        }
    }

    /// Sends a notification.
    ///
    /// # Errors
    ///
    /// [`SendError::NotReady`] before the handshake; and as [`Connection::notify`].
    pub fn notify(
        &mut self,
        connection: &mut Connection,
        method: &str,
        params: Option<Json>,
    ) -> Result<(), SendError> {
        match self {
            Self::Client(session) => session.notify(connection, method, params),
            Self::Server(session) => session.notify(connection, method, params),
        }
    }

    /// There is room in the output again: sends what had to wait for it.
    pub fn send_changes(&mut self, connection: &mut Connection) {
        if let Self::Server(session) = self {
            session.send_changes(connection);
        }
    }

    /// Answers a request.
    ///
    /// # Errors
    ///
    /// As [`Connection::respond`].
    pub fn respond(
        &mut self,
        connection: &mut Connection,
        token: Token,
        outcome: Result<Json, ErrorObject>,
    ) -> Result<(), Gone> {
        match self {
            Self::Client(_) => connection.respond(token, outcome),
            Self::Server(session) => session.respond(connection, token, outcome),
        }
    }

    /// Are log messages of this level wanted during a request?
    #[must_use]
    pub fn wants_log(&self, token: Token, level: LogLevel) -> bool {
        match self {
            Self::Client(_) => true,
            Self::Server(session) => session.wants_log(token, level),
        }
    }

    /// The client's side, where it is that.
    #[must_use]
    pub fn as_client(&self) -> Option<&ClientSession> {
        match self {
            Self::Client(session) => Some(session),
            Self::Server(_) => None,
        }
    }

    /// The client's side, where it is that.
    pub fn as_client_mut(&mut self) -> Option<&mut ClientSession> {
        match self {
            Self::Client(session) => Some(session),
            Self::Server(_) => None,
        }
    }

    /// The server's side, where it is that.
    #[must_use]
    pub fn as_server(&self) -> Option<&ServerSession> {
        match self {
            Self::Client(_) => None,
            Self::Server(session) => Some(session),
        }
    }
}
