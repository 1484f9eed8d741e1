//! A client's side of the handshake.
//!
//! Revisions 2024-11-05 to 2025-11-25, basic/lifecycle and basic/utilities/ping.

#[cfg(test)]
mod tests;

use super::{Implementation, Revision};
use crate::message::{Json, member};
use crate::rpc::{Call, CallError, CallOptions, Connection, Event, SendError};
use serde::{Deserialize, Serialize};
use std::fmt;
use std::time::Instant;

/// A client's session with one server.
///
/// It asks for the handshake, keeps requests back until that is over, and answers the server's `ping`.
#[derive(Debug)]
pub struct ClientSession {
    stage: Stage,
}

#[derive(Debug)]
enum Stage {
    Asked(Call),
    Failed(HandshakeError),
    Ready(ServerInfo),
}

/// What a server says of itself.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub struct ServerInfo {
    /// The revision that the handshake agreed on.
    pub revision: Revision,
    /// What it can do, as it wrote it.
    pub capabilities: Json,
    /// Who it is, where it says so in the proper form.
    pub implementation: Option<Implementation>,
    /// How to use it, for the model.
    pub instructions: Option<String>,
}

impl ServerInfo {
    /// Did it declare a capability, such as `tools`?
    #[must_use]
    pub fn has(&self, capability: &str) -> bool {
        member(self.capabilities.as_str(), capability).is_some()
    }
}

/// Why there is no session.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub enum HandshakeError {
    /// The server did not answer, or answered with an error.
    Call(CallError),
    /// The server answered with something else than the result of `initialize`.
    InvalidResult(String),
    /// The server speaks only a revision that this client does not.
    UnknownRevision(String),
}

impl fmt::Display for HandshakeError {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Call(error) => write!(formatter, "initialize failed: {error}"),
            Self::InvalidResult(why) => {
                write!(formatter, "the server's answer to initialize cannot be read: {why}")
            }
            Self::UnknownRevision(revision) => {
                write!(
                    formatter,
                    "the server speaks revision {revision:?}, which is not supported here"
                )
            }
        }
    }
}

impl std::error::Error for HandshakeError {}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct InitializeParams<'a> {
    protocol_version: &'static str,
    capabilities: &'a Json,
    client_info: &'a Implementation,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct InitializeResult {
    protocol_version: String,
    #[serde(default = "Json::empty_object")]
    capabilities: Json,
    server_info: Option<Json>,
    instructions: Option<String>,
}

impl ClientSession {
    /// Asks for the handshake on a new connection. `offer` is the revision that the client prefers; any supported one that
    /// the server answers with is fine.
    #[must_use]
    pub fn new(
        now: Instant,
        connection: &mut Connection,
        implementation: &Implementation,
        capabilities: &Json,
        offer: Revision,
        options: CallOptions,
    ) -> Self {
        connection.hold_calls();
        let params = InitializeParams {
            protocol_version: offer.as_str(),
            capabilities,
            client_info: implementation,
        };
        let asked = match Json::from_serialize(&params) {
            Ok(params) => connection
                .request(now, "initialize", Some(params), options)
                .map_err(|error| HandshakeError::Call(CallError::NotSent(error))),
            Err(error) => Err(HandshakeError::InvalidResult(error.to_string())),
        };
        Self { stage: asked.map_or_else(Stage::Failed, Stage::Asked) }
    }

    /// Takes an event of the connection. What comes back is the application's; `None` is settled.
    pub fn filter(&mut self, connection: &mut Connection, event: Event) -> Option<Event> {
        match (event, &self.stage) {
            (Event::Response { call, outcome }, Stage::Asked(asked)) if call == *asked => {
                self.answered(connection, outcome);
                None
            }
            (Event::Request(token, request), _) if request.method() == "ping" => {
                _ = connection.respond(token, Ok(Json::empty_object()));
                None
            }
            (event, _) => Some(event),
        }
    }

    /// Sends a notification to the server.
    ///
    /// # Errors
    ///
    /// [`SendError::NotReady`] before the handshake is over; and as [`Connection::notify`].
    pub fn notify(
        &mut self,
        connection: &mut Connection,
        method: &str,
        params: Option<Json>,
    ) -> Result<(), SendError> {
        match self.stage {
            Stage::Asked(_) => Err(SendError::NotReady),
            Stage::Failed(_) => Err(SendError::Closed),
            Stage::Ready(_) => connection.notify(method, params),
        }
    }

    /// How the handshake ended, once it has.
    #[must_use]
    pub fn outcome(&self) -> Option<Result<&ServerInfo, &HandshakeError>> {
        match &self.stage {
            Stage::Asked(_) => None,
            Stage::Failed(error) => Some(Err(error)),
            Stage::Ready(server) => Some(Ok(server)),
        }
    }

    /// What the server says of itself, once the handshake has succeeded.
    #[must_use]
    pub fn server(&self) -> Option<&ServerInfo> {
        self.outcome()?.ok()
    }

    fn answered(&mut self, connection: &mut Connection, outcome: Result<Json, CallError>) {
        self.stage = match outcome.map_err(HandshakeError::Call).and_then(|result| read(&result)) {
            Ok(server) => {
                if server.revision.has_batches() {
                    connection.accept_batches();
                }
                // Before anything that was kept back. A connection that takes no more is closing.
                _ = connection.notify("notifications/initialized", None);
                connection.release_calls();
                Stage::Ready(server)
            }
            Err(error) => {
                connection.close();
                Stage::Failed(error)
            }
        };
    }
}

fn read(result: &Json) -> Result<ServerInfo, HandshakeError> {
    let result: InitializeResult =
        result.parse().map_err(|error| HandshakeError::InvalidResult(error.to_string()))?;
    let revision = result
        .protocol_version
        .parse()
        .map_err(|_| HandshakeError::UnknownRevision(result.protocol_version.clone()))?;
    Ok(ServerInfo {
        revision,
        capabilities: result.capabilities,
        // A server that does not say who it is in the proper form is used all the same.
        implementation: result.server_info.and_then(|info| info.parse().ok()),
        instructions: result.instructions,
    })
}
