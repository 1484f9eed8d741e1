//! A client's side of MCP: finding out what the server speaks, and speaking that.
//!
//! Revisions 2024-11-05 to 2025-11-25, basic/lifecycle and basic/utilities/ping; revision 2026-07-28, basic/versioning.

mod declaration;
mod opening;
mod server_info;

#[cfg(test)]
mod tests;

pub use declaration::ClientDeclaration;
pub use server_info::{HandshakeError, ServerInfo};

use super::request_meta::{LOG_LEVEL, SUBSCRIPTION_ID};
use super::server_session::is_removed;
use super::{Era, Eras, LogLevel, meta};
use crate::message::{ErrorObject, Fault, FaultKind, Json, Notification, member};
use crate::rpc::{Call, CallError, CallOptions, Connection, Event, SendError};
use std::time::Instant;

/// A client's session with one server.
///
/// It opens the session, keeps requests back until it is open, gives each the form of the revision, and answers the server's
/// `ping`.
#[derive(Debug)]
pub struct ClientSession {
    declaration: ClientDeclaration,
    began: Instant,
    stage: Stage,
    /// Which log messages are wanted, where each request has to say so.
    log_level: Option<LogLevel>,
}

#[derive(Debug)]
enum Stage {
    /// `server/discover` is asked, for so many times.
    Probing(Call, u32),
    /// `initialize` is asked.
    Asked(Call),
    Failed(HandshakeError),
    Ready(ServerInfo),
}

impl ClientSession {
    /// Opens a session on a new connection.
    #[must_use]
    pub fn new(now: Instant, connection: &mut Connection, declaration: ClientDeclaration) -> Self {
        connection.hold_calls();
        let stage = match declaration.eras {
            Eras::Legacy => opening::initialize(now, connection, &declaration, now),
            Eras::Both | Eras::Modern => opening::probe(now, connection, &declaration, 1),
        };
        let stage = stage.unwrap_or_else(Stage::Failed);
        Self { declaration, began: now, stage, log_level: None }
    }

    /// Takes an event of the connection. What comes back is the application's; `None` is settled.
    pub fn filter(&mut self, connection: &mut Connection, event: Event) -> Option<Event> {
        match (event, &self.stage) {
            (Event::Response { call, outcome }, Stage::Probing(asked, times)) if call == *asked => {
                self.probed(connection, outcome, *times);
                None
            }
            (Event::Response { call, outcome }, Stage::Asked(asked)) if call == *asked => {
                self.answered(connection, outcome);
                None
            }
            (Event::Response { call, outcome: Ok(result) }, _) if self.is_modern() => {
                Some(Event::Response { call, outcome: of_known_type(result) })
            }
            // This side writes no responses: there is nothing that could be done with it.
            (Event::Request(token, request), _) if self.is_modern() => {
                connection.ignore(token);
                let (kind, method) = (FaultKind::ForbiddenRequest, request.method());
                let id = Some(request.id().clone());
                Some(Event::Fault(Fault::new(kind, method.as_bytes(), id, Default::default())))
            }
            (Event::Request(token, request), _) if request.method() == "ping" => {
                _ = connection.respond(token, Ok(Json::empty_object()));
                None
            }
            (Event::Request(token, _), Stage::Asked(_) | Stage::Probing(..)) => {
                let why = "the session is not open yet: answer initialize first";
                _ = connection
                    .respond(token, Err(ErrorObject::new(ErrorObject::INVALID_REQUEST, why)));
                None
            }
            (Event::Notification(notification), _) => self.notified(connection, notification),
            (event, _) => Some(event),
        }
    }

    /// Sends a request, in the form of the revision.
    ///
    /// # Errors
    ///
    /// [`SendError::NotReady`] while it is not known what the server speaks, [`SendError::NotInRevision`] for what the
    /// revision has no more; and as [`Connection::request`].
    pub fn request(
        &mut self,
        connection: &mut Connection,
        now: Instant,
        method: &str,
        params: Option<Json>,
        options: CallOptions,
    ) -> Result<Call, SendError> {
        let log_level = self.log_level.map(|level| format!("\"{level}\""));
        let mut members = Vec::new();
        match &self.stage {
            Stage::Probing(..) => return Err(SendError::NotReady),
            Stage::Ready(server) if server.revision.era() == Era::Modern => {
                if is_removed(method) {
                    return Err(SendError::NotInRevision(method.to_owned()));
                }
                members.extend(self.declaration.meta(server.revision));
                members.extend(log_level.as_deref().map(|level| (LOG_LEVEL, level)));
            }
            _ => {}
        }
        meta::request(connection, now, method, params, members, options)
    }

    /// Sends a notification to the server.
    ///
    /// # Errors
    ///
    /// [`SendError::NotReady`] before the session is open, [`SendError::NotInRevision`] in a revision where clients only
    /// cancel; and as [`Connection::notify`].
    pub fn notify(
        &mut self,
        connection: &mut Connection,
        method: &str,
        params: Option<Json>,
    ) -> Result<(), SendError> {
        match &self.stage {
            Stage::Asked(_) | Stage::Probing(..) => Err(SendError::NotReady),
            Stage::Failed(_) => Err(SendError::Closed),
            Stage::Ready(_) if self.is_modern() => Err(SendError::NotInRevision(method.to_owned())),
            Stage::Ready(_) => connection.notify(method, params),
        }
    }

    /// Asks for log messages of this level and the more serious ones with each request from now on, or for none. Before
    /// revision 2026-07-28 `logging/setLevel` does that.
    pub fn set_log_level(&mut self, level: Option<LogLevel>) {
        self.log_level = level;
    }

    /// How opening the session ended, once it has.
    #[must_use]
    pub fn outcome(&self) -> Option<Result<&ServerInfo, &HandshakeError>> {
        match &self.stage {
            Stage::Asked(_) | Stage::Probing(..) => None,
            Stage::Failed(error) => Some(Err(error)),
            Stage::Ready(server) => Some(Ok(server)),
        }
    }

    /// What the server says of itself, once the session is open.
    #[must_use]
    pub fn server(&self) -> Option<&ServerInfo> {
        self.outcome()?.ok()
    }

    fn is_modern(&self) -> bool {
        self.server().is_some_and(|server| server.revision.era() == Era::Modern)
    }

    fn notified(&self, connection: &mut Connection, notification: Notification) -> Option<Event> {
        let params = notification.params().unwrap_or_default();
        match notification.method() {
            // It waits for the end of a stream from now on, however far that is.
            "notifications/subscriptions/acknowledged" if self.is_modern() => {
                if let Some(call) =
                    subscription_of(params).and_then(|number| connection.call_of_number(number))
                {
                    connection.wait_for_ever(call);
                }
            }
            // Only a stream of ours gets so far.
            "notifications/cancelled" => {
                let id = member(params, "requestId").and_then(|id| id.id(params));
                let call = id
                    .and_then(|id| id.as_i64())
                    .and_then(|number| connection.call_of_number(number));
                if let Some(call) = call {
                    connection.settle_with(call, CallError::CancelledByPeer);
                }
                return None;
            }
            _ => {}
        }
        Some(Event::Notification(notification))
    }
}

/// The call that a notification belongs to, by the tag of its stream.
#[must_use]
pub(super) fn subscription_of(params: &str) -> Option<i64> {
    let meta = &params[member(params, "_meta")?.range()];
    member(meta, SUBSCRIPTION_ID)?.id(meta)?.as_i64()
}

/// P2: a result is complete, or asks for input, or cannot be understood.
fn of_known_type(result: Json) -> Result<Json, CallError> {
    let text = result.as_str();
    let kind = member(text, "resultType").map(|found| &text[found.range()]);
    match kind {
        None | Some("\"complete\"" | "\"input_required\"") => Ok(result),
        Some(other) => Err(CallError::UnexpectedResult(format!("its resultType is {other}"))),
    }
}
