//! A server's side of MCP: the handshake, where there is one, and what each revision means for what follows.
//!
//! Revisions 2024-11-05 to 2025-11-25, basic/lifecycle, basic/utilities/ping and server/utilities/logging; revision 2026-07-28,
//! basic/versioning, server/discover and basic/patterns/subscriptions.

mod changes;
mod handshake;
mod requests;
mod results;
mod subscriptions;

#[cfg(test)]
mod tests;

pub use subscriptions::SubscriptionFilter;

use super::meta::with_meta;
use super::request_meta::{self, Judgement, RequestMeta};
use super::{CacheHint, Era, Eras, Implementation, LogLevel, Revision};
use crate::message::{ErrorObject, Json, Request, member};
use crate::rpc::{Connection, Event, Gone, SendError, Token};
use changes::{Change, Changes};
use handshake::Handshake;
use requests::Requests;
use std::borrow::Cow;
use subscriptions::{Resources, Stream, Streams, uri_of};

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

/// What becomes of a request.
enum Verdict {
    /// It is the application's.
    Pass,
    Answered(Result<Json, ErrorObject>),
    /// It stays open.
    Open,
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
    /// [`SendError::NotInRevision`] where the revision has no requests in this direction, [`SendError::MissingCapability`]
    /// where the client did not declare what the method needs.
    pub fn may_request(&self, method: &str, on_behalf_of: Option<Token>) -> Result<(), SendError> {
        let is_modern = match on_behalf_of.and_then(|token| self.requests.find(token)) {
            Some(request) => request.revision.era() == Era::Modern,
            None => self.modern_seen && self.handshake.client().is_none(),
        };
        if is_modern {
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

    /// Sends a notification to the client. One of a change goes to the streams that want it, and after a handshake to the
    /// connection as such. It never fails for want of room: until the client is ready, and while it reads too slowly, it
    /// waits, once. [`send_changes`](Self::send_changes) sends it then.
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
        if is_change(method) && connection.takes_notifications() {
            // Whoever sends it is told now, not when it would be its turn.
            let size = connection.check_size(method, params.as_ref())?;
            for change in self.addressed(method, params, size) {
                self.changes.keep(change)?;
            }
            self.send_changes(connection);
            return Ok(());
        }
        if !self.handshake.is_answered() {
            return Err(SendError::NotReady);
        }
        connection.notify(method, params)
    }

    /// Sends notifications of a change that had to wait: to be called when output was written.
    pub fn send_changes(&mut self, connection: &mut Connection) {
        let is_ready = self.handshake.is_ready();
        while connection.has_room()
            && let Some(change) = self.changes.take(|change| change.stream.is_some() || is_ready)
        {
            // The connection may be closing: then nobody wants to know.
            _ = connection.notify(&change.method, change.params);
        }
    }

    /// A change, once for each who wants to be told of it.
    fn addressed(&self, method: &str, params: Option<Json>, size: usize) -> Vec<Change> {
        let uri = params.as_ref().and_then(|params| uri_of(params.as_str()));
        let to_streams = self.streams.wanting(method, uri.as_deref()).map(|stream| Change {
            stream: Some(stream.token),
            method: method.to_owned(),
            params: Some(with_meta(params.clone(), &stream.tag())),
            size,
        });
        let mut changes: Vec<Change> = to_streams.collect();
        let subscribed = match (&self.resources, &uri) {
            (Some(resources), Some(uri)) if method == "notifications/resources/updated" => {
                resources.contains(uri)
            }
            _ => true,
        };
        // A client that needs no handshake is told on its streams alone.
        let is_legacy = self.handshake.client().is_some() || !self.modern_seen;
        if subscribed && is_legacy && self.eras != Eras::Modern {
            changes.push(Change { stream: None, method: method.to_owned(), params, size });
        }
        changes
    }

    fn judge(&mut self, connection: &mut Connection, token: Token, request: &Request) -> Verdict {
        let method = request.method();
        if method == "initialize" {
            return Verdict::Answered(match self.eras {
                Eras::Modern => Err(request_meta::unsupported_version(&asked_version(request))),
                Eras::Both | Eras::Legacy => self.initialize(connection, request),
            });
        }
        let judgement = match self.eras {
            Eras::Legacy => Judgement::Legacy,
            Eras::Both | Eras::Modern => request_meta::judge(request.params().unwrap_or_default()),
        };
        match judgement {
            Judgement::Legacy => self.judge_legacy(token, request),
            Judgement::Modern(meta) => {
                self.modern_seen = true;
                self.judge_modern(connection, token, request, meta)
            }
            Judgement::Refused(error) => {
                self.modern_seen = true;
                Verdict::Answered(Err(error))
            }
        }
    }

    /// P3: what names no revision is of the one that the handshake agreed on.
    fn judge_legacy(&mut self, token: Token, request: &Request) -> Verdict {
        let refuse = |error| Verdict::Answered(Err(error));
        match (request.method(), self.eras) {
            (_, Eras::Modern) => return refuse(request_meta::missing_version()),
            ("server/discover", Eras::Legacy) => return refuse(ErrorObject::method_not_found()),
            ("server/discover", Eras::Both) => return refuse(request_meta::missing_version()),
            ("ping", _) => return Verdict::Answered(Ok(Json::empty_object())),
            _ => {}
        }
        let Some(revision) = self.revision() else { return refuse(self.not_begun()) };
        let params = request.params().unwrap_or("{}");
        match (request.method(), &mut self.resources) {
            ("logging/setLevel", _) if declares(self.capabilities.as_str(), "logging") => {
                return Verdict::Answered(self.handshake.set_log_level(params));
            }
            ("resources/subscribe", Some(resources)) => {
                return Verdict::Answered(resources.subscribe(params));
            }
            ("resources/unsubscribe", Some(resources)) => {
                return Verdict::Answered(resources.unsubscribe(params));
            }
            ("subscriptions/listen", _) => return refuse(ErrorObject::method_not_found()),
            _ => {}
        }
        self.requests.insert(token, request.method(), revision, None);
        Verdict::Pass
    }

    /// P1: an error that says how to begin.
    fn not_begun(&self) -> ErrorObject {
        match self.eras {
            Eras::Legacy => ErrorObject::new(
                ErrorObject::INVALID_REQUEST,
                "not initialized: begin with an initialize request",
            ),
            Eras::Both | Eras::Modern => ErrorObject::new(
                ErrorObject::INVALID_PARAMS,
                "begin with an initialize request, or name the revision of each request in its _meta \
                 (io.modelcontextprotocol/protocolVersion)",
            ),
        }
    }

    /// P2: what the revision has, and what it has no more.
    fn judge_modern(
        &mut self,
        connection: &mut Connection,
        token: Token,
        request: &Request,
        meta: RequestMeta,
    ) -> Verdict {
        self.requests.insert(token, request.method(), Revision::LATEST_MODERN, Some(meta));
        match request.method() {
            "server/discover" => Verdict::Answered(self.discover()),
            "subscriptions/listen" => match self.listen(connection, token, request) {
                Ok(()) => Verdict::Open,
                Err(error) => Verdict::Answered(Err(error)),
            },
            method if is_removed(method) => Verdict::Answered(Err(ErrorObject::method_not_found())),
            _ => Verdict::Pass,
        }
    }

    fn discover(&self) -> Result<Json, ErrorObject> {
        let mut result = serde_json::json!({
            "supportedVersions": Revision::modern_names(),
            "capabilities": self.capabilities,
        });
        if let Some(instructions) = &self.instructions {
            result["instructions"] = instructions.as_str().into();
        }
        Ok(result.into())
    }

    /// N4: the acknowledgement is the first message of a stream.
    fn listen(
        &mut self,
        connection: &mut Connection,
        token: Token,
        request: &Request,
    ) -> Result<(), ErrorObject> {
        let (id, params) = (request.id().to_string(), request.params().unwrap_or("{}"));
        let (stream, acknowledged) =
            self.streams.open(token, id, params, self.capabilities.as_str())?;
        let acknowledged = with_meta(Some(acknowledged), &stream.tag());
        let method = "notifications/subscriptions/acknowledged";
        if connection.notify_for(token, method, Some(acknowledged)).is_err() {
            self.streams.close(token);
            return Err(ErrorObject::new(ErrorObject::INTERNAL_ERROR, "server busy"));
        }
        Ok(())
    }

    fn close_stream(&mut self, token: Token) -> Option<Stream> {
        let stream = self.streams.close(token)?;
        self.changes.forget(token);
        self.requests.remove(token);
        Some(stream)
    }

    /// N4: the server ends a stream with the response to its request. What it was still to be told comes before.
    fn end_streams(&mut self, connection: &mut Connection) {
        self.send_changes(connection);
        for stream in self.streams.take_all() {
            self.changes.forget(stream.token);
            let result = with_meta(None, &stream.tag());
            _ = self.respond(connection, stream.token, Ok(result));
        }
    }

    fn meta_of(&self, token: Token) -> Option<&RequestMeta> {
        self.requests.find(token)?.meta.as_deref()
    }
}

fn is_change(method: &str) -> bool {
    method.ends_with("/list_changed") || method == "notifications/resources/updated"
}

/// Methods that revision 2026-07-28 has no more.
pub(super) fn is_removed(method: &str) -> bool {
    matches!(
        method,
        "initialize"
            | "logging/setLevel"
            | "ping"
            | "resources/subscribe"
            | "resources/unsubscribe"
    )
}

/// The capability that a client has to declare to be asked something.
fn capability_for(method: &str) -> Option<&'static str> {
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

fn asked_version(request: &Request) -> Cow<'static, str> {
    let params = request.params().unwrap_or_default();
    let version = member(params, "protocolVersion").and_then(|version| version.text(params));
    version.map_or(Cow::Borrowed(""), Cow::Owned)
}
