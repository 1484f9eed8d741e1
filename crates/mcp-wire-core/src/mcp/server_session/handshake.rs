//! The handshake of the revisions that have one, and what it leaves behind.

use super::ServerSession;
use crate::mcp::{Era, Implementation, LogLevel, Revision};
use crate::message::{ErrorObject, Json, Notification, Request, member};
use crate::rpc::{Connection, Event};
use serde::{Deserialize, Serialize};

#[derive(Debug)]
pub(super) struct Handshake {
    stage: Stage,
    client: Option<Client>,
    log_level: LogLevel,
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
pub(super) struct Client {
    pub(super) revision: Revision,
    pub(super) capabilities: Json,
    pub(super) implementation: Option<Implementation>,
}

impl Default for Handshake {
    fn default() -> Self {
        Self { stage: Stage::New, client: None, log_level: LogLevel::Debug }
    }
}

impl Handshake {
    pub(super) fn client(&self) -> Option<&Client> {
        self.client.as_ref()
    }

    pub(super) fn is_answered(&self) -> bool {
        self.stage >= Stage::Answered
    }

    pub(super) fn is_ready(&self) -> bool {
        self.stage == Stage::Ready
    }

    /// The least serious log messages that the client wants. Until it says so: all of them.
    pub(super) fn log_level(&self) -> LogLevel {
        self.log_level
    }

    pub(super) fn set_log_level(&mut self, params: &str) -> Result<Json, ErrorObject> {
        let level = member(params, "level").and_then(|level| level.text(params));
        let level = level.ok_or_else(|| ErrorObject::invalid_params("level is missing"))?;
        self.log_level = level.parse().map_err(ErrorObject::invalid_params)?;
        Ok(Json::empty_object())
    }
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
    /// A client that asks for a revision that we have gets it, any other our latest. A repeated handshake, as proxies send
    /// it, holds for what comes after it.
    pub(super) fn initialize(
        &mut self,
        connection: &mut Connection,
        request: &Request,
    ) -> Result<Json, ErrorObject> {
        let params: InitializeParams = serde_json::from_str(request.params().unwrap_or("{}"))
            .map_err(ErrorObject::invalid_params)?;
        let revision = Revision::of_era(&params.protocol_version, Era::Legacy)
            .unwrap_or(Revision::LATEST_LEGACY);
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
        self.handshake.client = Some(Client {
            revision,
            capabilities: params.capabilities,
            // A client that does not say who it is in the proper form is served all the same.
            implementation: params.client_info.and_then(|info| info.parse().ok()),
        });
        self.handshake.stage = self.handshake.stage.max(Stage::Answered);
        Ok(result)
    }

    pub(super) fn notified(
        &mut self,
        connection: &mut Connection,
        notification: Notification,
    ) -> Option<Event> {
        if notification.method() == "notifications/initialized" {
            if self.handshake.stage == Stage::New {
                return None;
            }
            if self.handshake.stage == Stage::Answered {
                self.handshake.stage = Stage::Ready;
                connection.release_calls();
                self.send_changes(connection);
            }
        }
        Some(Event::Notification(notification))
    }
}
