//! How a session is opened: asked what it speaks first, or by a handshake.

use super::{ClientDeclaration, ClientSession, HandshakeError, ServerInfo, Stage};
use crate::mcp::meta::with_meta;
use crate::mcp::request_meta::SERVER_INFO;
use crate::mcp::revision::is_modern_name;
use crate::mcp::{Eras, Implementation, Revision};
use crate::message::{ErrorObject, Json, member};
use crate::rpc::{CallError, CallOptions, Connection};
use serde::{Deserialize, Serialize};
use std::time::Instant;

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

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct DiscoverResult {
    supported_versions: Vec<String>,
    #[serde(default = "Json::empty_object")]
    capabilities: Json,
    instructions: Option<String>,
    #[serde(rename = "_meta")]
    meta: Option<Json>,
}

/// P4: asks the server what it speaks.
pub(super) fn probe(
    now: Instant,
    connection: &mut Connection,
    declaration: &ClientDeclaration,
    times: u32,
) -> Result<Stage, HandshakeError> {
    let params = with_meta(None, &declaration.meta(Revision::LATEST_MODERN));
    let options = CallOptions::default()
        .with_ceiling(declaration.timeout)
        .with_timeout(Some(declaration.probe_timeout.min(declaration.timeout)));
    let asked = connection.request(now, "server/discover", Some(params), options);
    asked
        .map(|call| Stage::Probing(call, times))
        .map_err(|error| HandshakeError::Call(error.into()))
}

/// P1: asks for the handshake, in what is left of the time since `began`.
pub(super) fn initialize(
    now: Instant,
    connection: &mut Connection,
    declaration: &ClientDeclaration,
    began: Instant,
) -> Result<Stage, HandshakeError> {
    let params = InitializeParams {
        protocol_version: declaration.revision.as_str(),
        capabilities: &declaration.capabilities,
        client_info: &declaration.implementation,
    };
    let params = Json::from_serialize(&params)
        .map_err(|error| HandshakeError::InvalidResult(error.to_string()))?;
    let left = declaration.timeout.saturating_sub(now.saturating_duration_since(began));
    let options = CallOptions::default().with_ceiling(left).with_timeout(None);
    let asked = connection.request(now, "initialize", Some(params), options);
    asked.map(Stage::Asked).map_err(|error| HandshakeError::Call(error.into()))
}

impl ClientSession {
    /// The server has said what it speaks, or shown that it does not know the question.
    pub(super) fn probed(
        &mut self,
        connection: &mut Connection,
        outcome: Result<Json, CallError>,
        times: u32,
    ) {
        let stage = match outcome {
            Ok(result) => match read_discovered(&result) {
                Some(Ok(server)) => {
                    connection.release_calls();
                    Ok(Stage::Ready(server))
                }
                Some(Err(error)) => Err(error),
                None => self.fall_back(
                    connection,
                    CallError::UnexpectedResult("it names no revisions".into()),
                ),
            },
            Err(CallError::Peer(error)) => match modern_versions(&error) {
                // It has the revision that it has refused, so it may think better of it.
                Some(names) if names.contains(Revision::LATEST_MODERN.as_str()) => {
                    if times == 1 {
                        let now = connection.clock().unwrap_or(self.began);
                        probe(now, connection, &self.declaration, 2)
                    } else {
                        Err(HandshakeError::Call(CallError::Peer(error)))
                    }
                }
                Some(names) => Err(HandshakeError::UnknownRevision(names)),
                None => self.fall_back(connection, CallError::Peer(error)),
            },
            Err(error @ (CallError::Closed(_) | CallError::Cancelled | CallError::NotSent(_))) => {
                Err(HandshakeError::EndedByProbe(error))
            }
            Err(error) => self.fall_back(connection, error),
        };
        self.enter(connection, stage);
    }

    /// The server knows only the handshake.
    fn fall_back(
        &self,
        connection: &mut Connection,
        error: CallError,
    ) -> Result<Stage, HandshakeError> {
        if self.declaration.eras == Eras::Modern {
            return Err(HandshakeError::NotModern(error));
        }
        let now = connection.clock().unwrap_or(self.began);
        initialize(now, connection, &self.declaration, self.began)
    }

    pub(super) fn answered(
        &mut self,
        connection: &mut Connection,
        outcome: Result<Json, CallError>,
    ) {
        let stage = outcome.map_err(HandshakeError::Call).and_then(|result| read(&result));
        let stage = stage.map(|server| {
            if server.revision.has_batches() {
                connection.accept_batches();
            }
            // Before anything that was kept back. A connection that takes no more is closing.
            _ = connection.notify("notifications/initialized", None);
            connection.release_calls();
            Stage::Ready(server)
        });
        self.enter(connection, stage);
    }

    fn enter(&mut self, connection: &mut Connection, stage: Result<Stage, HandshakeError>) {
        self.stage = stage.unwrap_or_else(|error| {
            connection.close();
            Stage::Failed(error)
        });
    }
}

fn read(result: &Json) -> Result<ServerInfo, HandshakeError> {
    let result: InitializeResult =
        result.parse().map_err(|error| HandshakeError::InvalidResult(error.to_string()))?;
    let revision = Revision::of_era(&result.protocol_version, crate::mcp::Era::Legacy)
        .ok_or_else(|| HandshakeError::UnknownRevision(result.protocol_version.clone()))?;
    Ok(ServerInfo {
        revision,
        capabilities: result.capabilities,
        // A server that does not say who it is in the proper form is used all the same.
        implementation: result.server_info.and_then(|info| info.parse().ok()),
        instructions: result.instructions,
    })
}

/// `None` where it is no answer to the question.
fn read_discovered(result: &Json) -> Option<Result<ServerInfo, HandshakeError>> {
    let result: DiscoverResult = result.parse().ok()?;
    let known = |name: &String| Revision::of_era(name, crate::mcp::Era::Modern);
    let Some(revision) = result.supported_versions.iter().filter_map(known).max() else {
        return Some(Err(HandshakeError::UnknownRevision(result.supported_versions.join(", "))));
    };
    let implementation = result.meta.as_ref().and_then(|meta| {
        let text = meta.as_str();
        serde_json::from_str(&text[member(text, SERVER_INFO)?.range()]).ok()
    });
    Some(Ok(ServerInfo {
        revision,
        capabilities: result.capabilities,
        implementation,
        instructions: result.instructions,
    }))
}

/// The revisions that a server names which speaks the modern era, but not our revision of it.
fn modern_versions(error: &ErrorObject) -> Option<String> {
    #[derive(Deserialize)]
    struct Data {
        supported: Vec<String>,
    }
    if error.code != ErrorObject::UNSUPPORTED_VERSION {
        return None;
    }
    let Data { supported } = error.data.as_ref()?.parse().ok()?;
    supported.iter().any(|name| is_modern_name(name)).then(|| supported.join(", "))
}
