//! A server's side of the handshake, and what it means for all that follows.
//!
//! Revisions 2024-11-05 to 2025-11-25, basic/lifecycle, basic/utilities/ping and server/utilities/logging.

#[cfg(test)]
mod tests;

use super::{LogLevel, Revision};
use crate::message::{ErrorObject, Json, Notification, Request, member};
use crate::rpc::{Connection, Event, SendError};
use serde::{Deserialize, Serialize};
use std::collections::VecDeque;

/// How many change notifications wait for the client to be ready, or to read.
const MAX_WAITING_CHANGES: usize = 1024;

/// How many bytes of them.
const MAX_WAITING_BYTES: usize = 16 << 20;

/// Who a program is.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[non_exhaustive]
pub struct Implementation {
    /// Its name for programs.
    pub name: String,
    /// Its name for people.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub title: Option<String>,
    /// Its version.
    pub version: String,
}

impl Implementation {
    /// A program without a name for people.
    #[must_use]
    pub fn new(name: impl Into<String>, version: impl Into<String>) -> Self {
        Self { name: name.into(), title: None, version: version.into() }
    }
}

/// A server's session with one client.
///
/// It answers `initialize`, `ping` and `logging/setLevel` itself, refuses other requests before the handshake, and keeps
/// back requests to the client until the client is ready for them.
#[derive(Debug)]
pub struct ServerSession {
    implementation: Implementation,
    capabilities: Json,
    instructions: Option<String>,
    stage: Stage,
    client: Option<Client>,
    log_level: LogLevel,
    /// Change notifications that wait for the client to be ready, or to read, each once; and how long each is.
    changes: VecDeque<(String, Option<Json>, usize)>,
    /// How long they are together, in bytes.
    change_bytes: usize,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Stage {
    /// Nothing but `initialize` and `ping`.
    New,
    /// `initialize` is answered; `notifications/initialized` has not come.
    Answered,
    Ready,
}

#[derive(Debug)]
struct Client {
    revision: Revision,
    capabilities: Json,
    implementation: Option<Implementation>,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct InitializeParams {
    protocol_version: String,
    #[serde(default = "Json::empty_object")]
    capabilities: Json,
    client_info: Option<Json>,
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct InitializeResult<'a> {
    protocol_version: &'a str,
    capabilities: &'a Json,
    server_info: &'a Implementation,
    #[serde(skip_serializing_if = "Option::is_none")]
    instructions: Option<&'a str>,
}

impl ServerSession {
    /// A session on a new connection. `capabilities` is the object that `initialize` answers with.
    #[must_use]
    pub fn new(
        implementation: Implementation,
        capabilities: Json,
        connection: &mut Connection,
    ) -> Self {
        connection.hold_calls();
        Self {
            implementation,
            capabilities,
            instructions: None,
            stage: Stage::New,
            client: None,
            log_level: LogLevel::Debug,
            changes: VecDeque::new(),
            change_bytes: 0,
        }
    }

    /// The same, with instructions for the client's model.
    #[must_use]
    pub fn with_instructions(self, instructions: Option<String>) -> Self {
        Self { instructions, ..self }
    }

    /// Takes an event of the connection. What comes back is the application's; `None` is settled.
    pub fn filter(&mut self, connection: &mut Connection, event: Event) -> Option<Event> {
        match event {
            Event::Request(token, request) => match self.answer(connection, &request) {
                Some(outcome) => {
                    _ = connection.respond(token, outcome);
                    None
                }
                None => Some(Event::Request(token, request)),
            },
            Event::Notification(notification) => self.notified(connection, notification),
            event => Some(event),
        }
    }

    /// The revision that the handshake agreed on.
    #[must_use]
    pub fn revision(&self) -> Option<Revision> {
        self.client.as_ref().map(|client| client.revision)
    }

    /// Who the client says that it is.
    #[must_use]
    pub fn client(&self) -> Option<&Implementation> {
        self.client.as_ref()?.implementation.as_ref()
    }

    /// What the client says that it can do.
    #[must_use]
    pub fn client_capabilities(&self) -> Option<&Json> {
        self.client.as_ref().map(|client| &client.capabilities)
    }

    /// The least serious log messages that the client wants. Until it says so: all of them.
    #[must_use]
    pub fn log_level(&self) -> LogLevel {
        self.log_level
    }

    /// May this request go to the client? It may have to wait for the client to be ready, which the connection sees to.
    ///
    /// # Errors
    ///
    /// [`SendError::MissingCapability`] where the client did not declare what the method needs.
    pub fn may_request(&self, method: &str) -> Result<(), SendError> {
        let needed = match method {
            "elicitation/create" => "elicitation",
            "roots/list" => "roots",
            "sampling/createMessage" => "sampling",
            _ => return Ok(()),
        };
        let declared =
            self.client_capabilities().and_then(|declared| member(declared.as_str(), needed));
        let declared = declared.filter(|declared| !declared.is_null());
        declared.map(drop).ok_or(SendError::MissingCapability(needed))
    }

    /// Sends a notification to the client. Notifications of a change never fail for want of room: until the client is ready,
    /// and while it reads too slowly, they wait, each once. [`send_changes`](Self::send_changes) sends them then.
    ///
    /// # Errors
    ///
    /// [`SendError::NotReady`] for any other notification before `initialize` is answered; and as
    /// [`Connection::notify`].
    pub fn notify(
        &mut self,
        connection: &mut Connection,
        method: &str,
        params: Option<Json>,
    ) -> Result<(), SendError> {
        let is_change =
            method.ends_with("/list_changed") || method == "notifications/resources/updated";
        if is_change && connection.takes_notifications() {
            // Whoever sends it is told now, not when it would be its turn.
            let size = connection.check_size(method, params.as_ref())?;
            self.keep_change(method, params, size)?;
            self.send_changes(connection);
            return Ok(());
        }
        if self.stage == Stage::New {
            return Err(SendError::NotReady);
        }
        connection.notify(method, params)
    }

    /// Sends notifications of a change that had to wait: to be called when output was written.
    pub fn send_changes(&mut self, connection: &mut Connection) {
        while self.stage == Stage::Ready
            && connection.has_room()
            && let Some((method, params, size)) = self.changes.pop_front()
        {
            self.change_bytes -= size;
            // The connection may be closing: then nobody wants to know.
            _ = connection.notify(&method, params);
        }
    }

    fn keep_change(
        &mut self,
        method: &str,
        params: Option<Json>,
        size: usize,
    ) -> Result<(), SendError> {
        if self.changes.iter().any(|(other, its, _)| other == method && *its == params) {
            return Ok(());
        }
        if self.changes.len() >= MAX_WAITING_CHANGES || self.change_bytes + size > MAX_WAITING_BYTES
        {
            return Err(SendError::Full);
        }
        self.change_bytes += size;
        self.changes.push_back((method.to_owned(), params, size));
        Ok(())
    }

    /// The answer, where it is not the application's.
    fn answer(
        &mut self,
        connection: &mut Connection,
        request: &Request,
    ) -> Option<Result<Json, ErrorObject>> {
        match request.method() {
            "initialize" => Some(self.initialize(connection, request)),
            "ping" => Some(Ok(Json::empty_object())),
            "server/discover" => Some(Err(ErrorObject::method_not_found())),
            _ if self.stage == Stage::New => Some(Err(ErrorObject::new(
                ErrorObject::INVALID_REQUEST,
                "not initialized: begin with an initialize request",
            ))),
            "logging/setLevel" if member(self.capabilities.as_str(), "logging").is_some() => {
                Some(self.set_log_level(request))
            }
            _ => None,
        }
    }

    /// A client that asks for a revision that we have gets it, any other our latest. A repeated handshake, as proxies send
    /// it, holds for what comes after it.
    fn initialize(
        &mut self,
        connection: &mut Connection,
        request: &Request,
    ) -> Result<Json, ErrorObject> {
        let params: InitializeParams = serde_json::from_str(request.params().unwrap_or("{}"))
            .map_err(ErrorObject::invalid_params)?;
        let revision = params.protocol_version.parse().unwrap_or(Revision::LATEST_LEGACY);
        let result = Json::from_serialize(&InitializeResult {
            protocol_version: revision.as_str(),
            capabilities: &self.capabilities,
            server_info: &self.implementation,
            instructions: self.instructions.as_deref(),
        })
        .map_err(|_| ErrorObject::internal())?;
        if revision.has_batches() {
            connection.accept_batches();
        } else {
            connection.refuse_batches();
        }
        self.client = Some(Client {
            revision,
            capabilities: params.capabilities,
            // A client that does not say who it is in the proper form is served all the same.
            implementation: params.client_info.and_then(|info| info.parse().ok()),
        });
        self.stage = self.stage.max(Stage::Answered);
        Ok(result)
    }

    fn set_log_level(&mut self, request: &Request) -> Result<Json, ErrorObject> {
        let params = request.params().unwrap_or("{}");
        let level = member(params, "level").and_then(|level| level.text(params));
        let level = level.ok_or_else(|| ErrorObject::invalid_params("level is missing"))?;
        self.log_level = level.parse().map_err(ErrorObject::invalid_params)?;
        Ok(Json::empty_object())
    }

    fn notified(
        &mut self,
        connection: &mut Connection,
        notification: Notification,
    ) -> Option<Event> {
        if notification.method() == "notifications/initialized" {
            if self.stage == Stage::New {
                return None;
            }
            if self.stage == Stage::Answered {
                self.stage = Stage::Ready;
                connection.release_calls();
                self.send_changes(connection);
            }
        }
        Some(Event::Notification(notification))
    }
}
