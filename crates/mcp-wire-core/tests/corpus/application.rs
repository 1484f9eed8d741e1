//! The application that the corpus speaks of, on a bare connection.

use bytes::Buf;
use mcp_wire_core::frame::Decoder;
use mcp_wire_core::mcp::{self, Implementation, ServerSession};
use mcp_wire_core::message::{ErrorObject, FaultKind, Json, Notification, Request};
use mcp_wire_core::rpc::{
    Budget, Call, CallError, CallOptions, Closed, Config, Connection, Event, IdMatching, Role,
    Token, Unattributed,
};
use model::corpus::Entry;
use std::collections::HashMap;
use std::time::{Duration, Instant};

pub(crate) struct Application {
    connection: Connection,
    session: Option<ServerSession>,
    decoder: Decoder,
    now: Instant,
    calls: Vec<Call>,
    /// Requests `hold`, cancelled ones included: id and params.
    held: Vec<(Token, String, Json)>,
    /// Requests `ask` by the call that they wait for.
    asking: HashMap<Call, Token>,
    written: Vec<u8>,
    events: Vec<String>,
}

impl Application {
    /// A connection with the entry's settings, behind the handshake that the entry wants.
    pub(crate) fn start(entry: &Entry) -> Self {
        let share = entry.number("max_in_flight").unwrap_or(512);
        let budget = Budget::with_share(1024, share);
        let mut connection = Connection::new(config(entry), budget).expect("valid settings");
        let session = (!entry.is_client()).then(|| {
            let implementation = Implementation::new("corpus", "1.0.0");
            ServerSession::new(implementation, Json::empty_object(), &mut connection)
        });
        let mut application = Self {
            decoder: connection.decoder(),
            connection,
            session,
            now: Instant::now(),
            calls: Vec::new(),
            held: Vec::new(),
            asking: HashMap::new(),
            written: Vec::new(),
            events: Vec::new(),
        };
        let revision = entry.setting("handshake").unwrap_or("2025-11-25");
        if !entry.is_client() && revision != "none" {
            application.shake_hands(revision);
        }
        application
    }

    fn shake_hands(&mut self, revision: &str) {
        let initialize = format!(
            r#"{{"jsonrpc":"2.0","id":0,"method":"initialize","params":{{"protocolVersion":"{revision}"}}}}"#
        );
        let initialized = r#"{"jsonrpc":"2.0","method":"notifications/initialized"}"#;
        self.read(format!("{initialize}\n{initialized}\n").as_bytes());
        assert_eq!(self.written().len(), 1, "initialize is answered");
        self.written.clear();
        self.events.clear();
    }

    /// Makes the calls that stand before an entry's input. The peer's side of them is no part of the entry.
    pub(crate) fn call(&mut self, entry: &Entry) {
        for _ in 0..entry.number("calls").unwrap_or_default() {
            let options = CallOptions::default();
            let call = self.connection.request(self.now, "work", None, options);
            self.calls.push(call.expect("there is room for a call"));
        }
        self.write();
        self.written.clear();
    }

    /// Takes a chunk. Each message in it is answered before the next is read.
    pub(crate) fn read(&mut self, chunk: &[u8]) {
        let mut decoder = std::mem::take(&mut self.decoder);
        decoder.decode(chunk, |frame| {
            self.connection.handle_frame(self.now, frame);
            self.act();
        });
        self.decoder = decoder;
    }

    /// The peer has ended its output: time passes until the connection is closed.
    pub(crate) fn end(&mut self) {
        let mut decoder = std::mem::take(&mut self.decoder);
        decoder.finish(|frame| {
            self.connection.handle_frame(self.now, frame);
            self.act();
        });
        self.connection.handle_eof(self.now);
        self.act();
        while let Some(at) = self.connection.poll_timeout() {
            self.now = self.now.max(at);
            self.connection.handle_timeout(self.now);
            self.act();
        }
    }

    /// A server answers a ping, a client's call is settled.
    pub(crate) fn show_life(&mut self) -> Result<(), String> {
        let quiet = (self.connection.in_flight(), self.connection.calls(), self.decoder.buffered());
        if quiet != (0, 0, 0) {
            return Err(format!("requests, calls and bytes are left behind: {quiet:?}"));
        }
        self.written.clear();
        self.events.clear();
        if self.session.is_some() {
            self.read(b"{\"jsonrpc\":\"2.0\",\"id\":\"life\",\"method\":\"ping\"}\n");
            let pong = r#"{"jsonrpc":"2.0","id":"life","result":{}}"#;
            if self.written() == [pong] { Ok(()) } else { Err("ping is not answered".into()) }
        } else {
            let call = self.connection.request(self.now, "ping", None, CallOptions::default());
            let number = call.map_err(|error| error.to_string())?.number();
            self.read(format!("{{\"jsonrpc\":\"2.0\",\"id\":{number},\"result\":1}}\n").as_bytes());
            let settled = format!("answer {number} result 1");
            if self.events == [settled] { Ok(()) } else { Err("a call does not settle".into()) }
        }
    }

    pub(crate) fn written(&self) -> Vec<String> {
        let text = String::from_utf8(self.written.clone()).expect("F12: what is written is UTF-8");
        assert!(text.is_empty() || text.ends_with('\n'), "F12: each message ends with LF");
        text.split_terminator('\n').map(str::to_owned).collect()
    }

    pub(crate) fn events(&self) -> &[String] {
        &self.events
    }

    pub(crate) fn closed(&self) -> bool {
        self.connection.closed().is_some()
    }

    fn act(&mut self) {
        while let Some(event) = self.connection.poll_event() {
            let event = match &mut self.session {
                Some(session) => session.filter(&mut self.connection, event),
                None => Some(event),
            };
            if let Some(event) = event {
                self.happened(event);
            }
            self.write();
        }
        self.write();
    }

    fn write(&mut self) {
        let output = self.connection.output();
        while output.has_remaining() {
            let chunk = output.chunk();
            self.written.extend_from_slice(chunk);
            output.advance(chunk.len());
        }
    }

    fn happened(&mut self, event: Event) {
        match event {
            Event::Request(token, request) => self.requested(token, request),
            Event::Notification(notification) => self.notified(&notification),
            Event::Cancelled { token, reason } => {
                self.connection.release(token);
                if let Some((_, id, _)) = self.held.iter().find(|(other, ..)| *other == token) {
                    let reason = reason.map(|reason| format!(" {reason}")).unwrap_or_default();
                    self.events.push(format!("cancelled {id}{reason}"));
                }
            }
            Event::Irregular(_) => {}
            Event::Response { call, outcome } => self.answered(call, outcome),
            Event::Progress { call, params } => {
                self.events.push(format!("progress {} {params}", call.number()));
            }
            Event::Late(call) => self.events.push(format!("late {}", call.number())),
            Event::Fault(fault) => self.events.push(format!("fault {}", kind_name(fault.kind()))),
            Event::Closed(cause) => self.events.push(format!("closed {}", cause_name(&cause))),
            other => self.events.push(format!("unexpected {other:?}")),
        }
    }

    fn requested(&mut self, token: Token, request: Request) {
        let id = request.id().to_string();
        let method = request.method().to_owned();
        let params = request.into_params();
        match method.as_str() {
            "echo" => self.respond(token, Ok(params)),
            "fail" => {
                self.respond(token, Err(ErrorObject::new(-32000, "failed").with_data(params)))
            }
            "drop" => self.connection.release(token),
            "long" => {
                let size = member(&params, "size").and_then(|size| size.as_u64()).unwrap_or(0);
                let text = format!("\"{}\"", "a".repeat(size as usize));
                self.respond(token, Ok(Json::new(text).expect("a string of letters")));
            }
            "hold" => {
                self.events.push(format!("held {id}"));
                self.held.push((token, id, params));
            }
            "finish" => {
                let finished = member(&params, "id").map(|id| id.to_string()).unwrap_or_default();
                for (held, id, params) in self.held.clone() {
                    if id == finished {
                        self.respond(held, Ok(params));
                    }
                }
                self.held.retain(|(_, id, _)| *id != finished);
                self.respond(token, Ok(Json::empty_object()));
            }
            "ask" => {
                let mut options = CallOptions::default();
                options.on_behalf_of = Some(token);
                match self.connection.request(self.now, "question", Some(params), options) {
                    Ok(call) => _ = self.asking.insert(call, token),
                    Err(_) => self.connection.release(token),
                }
            }
            _ => self.respond(token, Err(ErrorObject::method_not_found())),
        }
    }

    /// A cancelled request is answered too, to see that nothing comes of it.
    fn respond(&mut self, token: Token, outcome: Result<Json, ErrorObject>) {
        let was_live = self.connection.is_live(token);
        let answered = match &mut self.session {
            Some(session) => session.respond(&mut self.connection, token, outcome),
            None => self.connection.respond(token, outcome),
        };
        assert_eq!(answered.is_ok(), was_live, "Q7");
    }

    fn notified(&mut self, notification: &Notification) {
        let params = notification.params().map(|params| Json::new(params.to_owned()));
        let params = params.map(|params| params.expect("E7: params are JSON"));
        if notification.method() == "forget" {
            let number = params.and_then(|params| member(&params, "call")?.as_i64());
            let call = self.calls.iter().find(|call| Some(call.number()) == number);
            _ = self.connection.cancel(*call.expect("a call that was made"), None);
        } else {
            let params = params.map(|params| format!(" {params}")).unwrap_or_default();
            self.events.push(format!("notification {}{params}", notification.method()));
        }
    }

    fn answered(&mut self, call: Call, outcome: Result<Json, CallError>) {
        let what = match &outcome {
            Ok(result) => format!("result {result}"),
            Err(CallError::Peer(error)) => {
                let message = Json::from_serialize(&error.message).expect("a string is JSON");
                let data = error.data.iter().map(|data| format!(" {data}")).collect::<String>();
                format!("error {} {message}{data}", error.code)
            }
            Err(CallError::InvalidResponse(kind)) => format!("invalid {}", kind_name(*kind)),
            Err(CallError::Cancelled) => "cancelled".into(),
            Err(CallError::TimedOut) => "timed-out".into(),
            Err(CallError::Closed(cause)) => format!("closed {}", cause_name(cause)),
            Err(other) => format!("unexpected {other:?}"),
        };
        self.events.push(format!("answer {} {what}", call.number()));
        if let Some(token) = self.asking.remove(&call) {
            match outcome {
                Ok(result) => _ = self.connection.respond(token, Ok(result)),
                Err(CallError::Peer(error)) => _ = self.connection.respond(token, Err(error)),
                Err(_) => self.connection.release(token),
            }
        }
    }
}

fn config(entry: &Entry) -> Config {
    let mut config = Config::default();
    config.dialect = mcp::dialect();
    config.dialect.inline.push("finish".into());
    if entry.is_client() {
        config.role = Role::Client;
    }
    config.unattributed = match entry.setting("unattributed") {
        Some("null-id") => Unattributed::NullId,
        Some("omit-id") => Unattributed::OmitId,
        _ => Unattributed::Silent,
    };
    if entry.setting("id_matching") == Some("lenient") {
        config.id_matching = IdMatching::Lenient;
    }
    match entry.setting("eof_grace") {
        Some("zero") => config.eof_grace = Some(Duration::ZERO),
        Some("none") => config.eof_grace = None,
        _ => {}
    }
    let limits = [
        ("max_depth", &mut config.max_depth),
        ("max_frame", &mut config.max_frame),
        ("max_frame_out", &mut config.max_frame_out),
        ("max_in_flight_bytes", &mut config.max_in_flight_bytes),
        ("max_queued", &mut config.max_queued),
    ];
    for (name, limit) in limits {
        *limit = entry.number(name).unwrap_or(*limit);
    }
    config
}

fn member(params: &Json, name: &str) -> Option<serde_json::Value> {
    params.parse::<serde_json::Value>().ok()?.get(name).cloned()
}

fn cause_name(cause: &Closed) -> String {
    words(&format!("{cause:?}"))
}

fn kind_name(kind: FaultKind) -> String {
    match kind {
        FaultKind::NotUtf8 => "not-utf8".into(),
        kind => words(&format!("{kind:?}")),
    }
}

/// `ErrorWithoutId` as `error-without-id`.
fn words(name: &str) -> String {
    let mut words = String::new();
    for character in name.chars() {
        if character.is_uppercase() && !words.is_empty() {
            words.push('-');
        }
        words.push(character.to_ascii_lowercase());
    }
    words
}
