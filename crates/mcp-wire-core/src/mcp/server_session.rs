//! A server's side of MCP: the handshake, where there is one, and what each revision means for what follows.
//!
//! Revisions 2024-11-05 to 2025-11-25, basic/lifecycle, basic/utilities/ping and server/utilities/logging; revision 2026-07-28,
//! basic/versioning, server/discover and basic/patterns/subscriptions.

mod changes;
mod handshake;
mod judgement;
mod requests;
mod results;
mod subscriptions;
mod telling;

#[cfg(test)]
mod tests;

pub(super) use judgement::is_removed;
pub use subscriptions::SubscriptionFilter;

use super::request_meta::RequestMeta;
use super::{CacheHint, Era, Eras, Implementation, LogLevel, Revision};
use crate::message::{ErrorObject, Json, member};
use crate::rpc::{Connection, Event, Gone, SendError, Token};
use changes::{Change, Changes};
use handshake::Handshake;
use judgement::Verdict;
use requests::Requests;
use subscriptions::{Resources, Streams};

/// A server's session with one client.
///
/// It judges each request by its revision, answers what is the protocol's business (`initialize`, `ping`, `server/discover`,
/// `logging/setLevel`, subscriptions), and lets the rest through. Outcomes go back through [`respond`](Self::respond), which
/// gives them the form of the request's revision.
#[derive(Debug)]
pub struct ServerSession {
    implementation: Implementation,
    /// That, as JSON.
    server_info: String,
    capabilities: Json,
    instructions: Option<String>,
    eras: Eras,
    cache: CacheHint,
    resources: Option<Resources>,
    handshake: Handshake,
    /// Did a request come that needs no handshake?
    modern_seen: bool,
    requests: Requests,
    streams: Streams,
    changes: Changes,
}

impl ServerSession {
    /// A session on a new connection. `capabilities` is the object that `initialize` and `server/discover` answer with.
    #[must_use]
    pub fn new(
        implementation: Implementation,
        capabilities: Json,
        connection: &mut Connection,
    ) -> Self {
        connection.hold_calls();
        let server_info =
            serde_json::to_string(&implementation).unwrap_or_else(|_| "{}".to_owned());
        Self {
            implementation,
            server_info,
            capabilities,
            instructions: None,
            eras: Eras::Both,
            cache: CacheHint::default(),
            resources: None,
            handshake: Handshake::default(),
            modern_seen: false,
            requests: Requests::default(),
            streams: Streams::default(),
            changes: Changes::default(),
        }
    }

    /// The same, with instructions for the client's model.
    #[must_use]
    pub fn with_instructions(self, instructions: Option<String>) -> Self {
        Self { instructions, ..self }
    }

    /// The same, for these eras. Default: both.
    #[must_use]
    pub fn with_eras(self, eras: Eras) -> Self {
        Self { eras, ..self }
    }

    /// The same, with a hint on how long lists and resources may be kept. Default: not at all.
    #[must_use]
    pub fn with_cache(self, cache: CacheHint) -> Self {
        Self { cache, ..self }
    }

    /// The same, but it keeps account of the resources that a client subscribes to before revision 2026-07-28, and tells of
    /// those alone. Otherwise `resources/subscribe` is the application's.
    #[must_use]
    pub fn with_subscriptions(self) -> Self {
        Self { resources: Some(Resources::default()), ..self }
    }

    /// Takes an event of the connection. What comes back is the application's; `None` is settled.
    pub fn filter(&mut self, connection: &mut Connection, event: Event) -> Option<Event> {
        match event {
            Event::Request(token, request) => match self.judge(connection, token, &request) {
                Verdict::Pass => Some(Event::Request(token, request)),
                Verdict::Answered(outcome) => {
                    _ = self.respond(connection, token, outcome);
                    None
                }
                Verdict::Open => None,
            },
            Event::Notification(notification) => self.notified(connection, notification),
            Event::Cancelled { token, .. } if self.close_stream(token).is_some() => {
                connection.release(token);
                None
            }
            Event::Cancelled { token, .. } => {
                self.requests.remove(token);
                Some(event)
            }
            Event::Draining => {
                self.end_streams(connection);
                None
            }
            event => Some(event),
        }
    }

    /// Answers a request, in the form of its revision: results say of what type they are, codes are those that the revision
    /// has.
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
        let Some(request) = self.requests.remove(token) else {
            return connection.respond(token, outcome);
        };
        let (outcome, report) = results::conform(outcome, &request, self.cache, &self.server_info);
        if let Some(report) = report {
            connection.report(report);
        }
        connection.respond(token, outcome)
    }

    /// The revision that a request is of; for any other token the one that the handshake agreed on.
    #[must_use]
    pub fn revision_of(&self, token: Token) -> Option<Revision> {
        self.requests.find(token).map(|request| request.revision).or_else(|| self.revision())
    }

    /// The revision that the handshake agreed on.
    #[must_use]
    pub fn revision(&self) -> Option<Revision> {
        self.handshake.client().map(|client| client.revision)
    }

    /// Who the client says that it is in its handshake.
    #[must_use]
    pub fn client(&self) -> Option<&Implementation> {
        self.handshake.client()?.implementation.as_ref()
    }

    /// What the client says in its handshake that it can do.
    #[must_use]
    pub fn client_capabilities(&self) -> Option<&Json> {
        self.handshake.client().map(|client| &client.capabilities)
    }

    /// Who the client of a request says that it is.
    #[must_use]
    pub fn client_of(&self, token: Token) -> Option<&Implementation> {
        match self.meta_of(token) {
            Some(meta) => meta.client.as_ref(),
            None => self.client(),
        }
    }

    /// What the client of a request says that it can do.
    #[must_use]
    pub fn client_capabilities_of(&self, token: Token) -> Option<&Json> {
        match self.meta_of(token) {
            Some(meta) => Some(&meta.capabilities),
            None => self.client_capabilities(),
        }
    }

    /// Are log messages of this level wanted during a request?
    #[must_use]
    pub fn wants_log(&self, token: Token, level: LogLevel) -> bool {
        match self.meta_of(token) {
            Some(meta) => meta.log_level.is_some_and(|wanted| level >= wanted),
            None => level >= self.handshake.log_level(),
        }
    }

    /// May this request go to the client, on behalf of one of its own? It may have to wait for the client to be ready, which
    /// the connection sees to.
    ///
    /// # Errors
    ///
    /// [`SendError::NotReady`] for a `ping` while the client's era is unknown, [`SendError::NotInRevision`] where the
    /// revision has no such requests in this direction, [`SendError::MissingCapability`]
    /// where the client did not declare what the method needs.
    pub fn may_request(&self, method: &str, on_behalf_of: Option<Token>) -> Result<(), SendError> {
        let is_modern = match on_behalf_of.and_then(|token| self.requests.find(token)) {
            Some(request) => request.revision.era() == Era::Modern,
            None if self.handshake.client().is_some() => false,
            None => self.modern_seen || self.eras == Eras::Modern,
        };
        if is_modern {
            return Err(SendError::NotInRevision(method.to_owned()));
        }
        // Nobody knows yet whether the client answers requests at all.
        if method == "ping" && self.eras == Eras::Both && self.handshake.client().is_none() {
            return Err(SendError::NotReady);
        }
        // Elicitation is younger than the first revisions.
        if method == "elicitation/create"
            && self.revision().is_some_and(|revision| revision < Revision::V2025_06_18)
        {
            return Err(SendError::NotInRevision(method.to_owned()));
        }
        match capability_for(method) {
            Some(needed)
                if !self.client_capabilities().is_some_and(|it| declares(it.as_str(), needed)) =>
            {
                Err(SendError::MissingCapability(needed))
            }
            _ => Ok(()),
        }
    }

    fn meta_of(&self, token: Token) -> Option<&RequestMeta> {
        self.requests.find(token)?.meta.as_deref()
    }
}

/// The capability that a client has to declare to be asked something: `elicitation` for `elicitation/create`, say.
#[must_use]
pub fn capability_for(method: &str) -> Option<&'static str> {
    match method {
        "elicitation/create" => Some("elicitation"),
        "roots/list" => Some("roots"),
        "sampling/createMessage" => Some("sampling"),
        _ => None,
    }
}

/// Is there a capability of this name? `null` is none.
pub(super) fn declares(capabilities: &str, name: &str) -> bool {
    member(capabilities, name).is_some_and(|declared| !declared.is_null())
}
