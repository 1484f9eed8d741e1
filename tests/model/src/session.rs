//! A client's session and a server's, back to back, whatever the applications do and whatever strange lines come between.

use crate::source::Source;
use crate::wire::Written;
use bytes::Buf;
use mcp_wire_core::mcp::{
    self, ClientDeclaration, ClientSession, Eras, Implementation, ServerSession, Session,
    SubscriptionFilter,
};
use mcp_wire_core::message::{ErrorObject, Json};
use mcp_wire_core::rpc::{
    Budget, Call, CallOptions, Config, Connection, Event, OnProgress, Role, Token,
};
use serde_json::{Value, json};
use std::collections::HashSet;
use std::time::{Duration, Instant};

const SUBSCRIPTION_ID: &str = "io.modelcontextprotocol/subscriptionId";

/// Plays two sessions that `data` decides about.
///
/// # Panics
///
/// Where one of them breaks a promise.
pub fn session(data: &[u8]) {
    let mut source = Source::new(data);
    let mut pair = Pair::new(&mut source);
    while !source.is_empty() {
        pair.step(&mut source);
    }
    pair.finish();
}

/// One side.
struct Side {
    connection: Connection,
    session: Session,
    written: Written,
    /// Requests of the peer that are not answered yet.
    open: Vec<Token>,
    calls: HashSet<Call>,
}

struct Pair {
    client: Side,
    server: Side,
    now: Instant,
    /// Streams that were acknowledged, and were not ended by the server. What was written before a cancellation was read may
    /// still come.
    streams: Vec<Value>,
    /// Did something come that nobody in his right mind sends?
    honest: bool,
}

impl Side {
    fn new(config: Config, session: impl FnOnce(&mut Connection) -> Session) -> Self {
        let mut connection =
            Connection::new(config, Budget::default()).expect("the configuration is valid");
        let session = session(&mut connection);
        let (written, open, calls) = (Written::default(), Vec::new(), HashSet::new());
        Self { connection, session, written, open, calls }
    }

    /// What happened, but for what the session settles.
    fn events(&mut self) {
        while let Some(event) = self.connection.poll_event() {
            match self.session.filter(&mut self.connection, event) {
                Some(Event::Request(token, _)) => self.open.push(token),
                Some(Event::Cancelled { token, .. }) => {
                    self.open.retain(|open| *open != token);
                    self.connection.release(token);
                }
                Some(Event::Response { call, .. }) => {
                    assert!(self.calls.remove(&call), "O1: {call:?} settles once");
                }
                _ => {}
            }
        }
    }

    /// The messages that it has written since the last time.
    fn write(&mut self) -> Vec<Value> {
        let output = self.connection.output();
        while output.has_remaining() {
            let chunk = output.chunk().len();
            self.written.push(output.chunk());
            output.advance(chunk);
        }
        self.session.send_changes(&mut self.connection);
        self.written.messages(self.connection.config().max_frame_out)
    }

    fn call(&mut self, now: Instant, method: &str, params: Option<Json>, options: CallOptions) {
        let made = self.session.request(&mut self.connection, now, method, params, options);
        self.calls.extend(made);
    }
}

impl Pair {
    fn new(source: &mut Source<'_>) -> Self {
        let now = Instant::now();
        let mut config = Config::default();
        config.dialect = mcp::dialect();
        config.max_streams = source.pick(&[64, 1]);
        config.max_outbound = source.pick(&[64 << 20, 2_000]);
        let mut client_config = config.clone();
        client_config.role = Role::Client;
        let eras = [Eras::Both, Eras::Legacy, Eras::Modern];
        let (tried, served) = (source.pick(&eras), source.pick(&eras));
        let capabilities =
            r#"{"tools":{"listChanged":true},"resources":{"subscribe":true},"logging":{}}"#;
        let server = Side::new(config, |connection| {
            let implementation = Implementation::new("model", "1");
            let session = ServerSession::new(implementation, json_of(capabilities), connection);
            session.with_eras(served).with_subscriptions().into()
        });
        let client = Side::new(client_config, |connection| {
            let mut declaration = ClientDeclaration::new(
                Implementation::new("model", "1"),
                json_of(r#"{"roots":{}}"#),
            );
            declaration.eras = tried;
            ClientSession::new(now, connection, declaration).into()
        });
        Self { client, server, now, streams: Vec::new(), honest: true }
    }

    fn step(&mut self, source: &mut Source<'_>) {
        match source.byte() % 12 {
            0 | 1 => self.exchange(),
            2 | 3 => self.client_calls(source),
            4 => self.server_calls(source),
            5 | 6 => self.respond(source),
            7 => self.change(source),
            8 => self.cancel(source),
            9 => self.strange(source),
            10 => self.pass(source.milliseconds()),
            _ => self.client.events(),
        }
    }

    /// Each side reads what the other has written.
    fn exchange(&mut self) {
        for message in self.client.write() {
            self.check_client(&message);
            self.server.connection.handle_message(self.now, message.to_string().into_bytes());
        }
        self.server.events();
        for message in self.server.write() {
            self.check_server(&message);
            self.client.connection.handle_message(self.now, message.to_string().into_bytes());
        }
        self.client.events();
    }

    /// A modern client writes no responses, and says of itself what it has to.
    fn check_client(&self, message: &Value) {
        if !self.is_modern() || !self.honest {
            return;
        }
        assert!(message.get("method").is_some(), "L3: a modern client answers nothing: {message}");
        if message.get("id").is_some() {
            let version = &message["params"]["_meta"]["io.modelcontextprotocol/protocolVersion"];
            assert_eq!(version, "2026-07-28", "P2: {message}");
        }
    }

    fn check_server(&mut self, message: &Value) {
        let tag = message["params"]["_meta"].get(SUBSCRIPTION_ID);
        match (message["method"].as_str(), message.get("id")) {
            (Some(method), Some(_)) => {
                assert!(
                    !self.is_modern() || !self.honest,
                    "L3: a modern server asks nothing: {method}"
                );
            }
            (Some("notifications/subscriptions/acknowledged"), None) => {
                let tag = tag.expect("N4: an acknowledgement is tagged").clone();
                let again = self.streams.contains(&tag);
                assert!(!again || !self.honest, "N4: a stream is acknowledged once");
                self.streams.push(tag);
            }
            (Some(method), None)
                if method.ends_with("list_changed") || method.ends_with("updated") =>
            {
                if let Some(tag) = tag {
                    assert!(
                        self.streams.contains(tag),
                        "N4: a change on a stream that is not open"
                    );
                } else {
                    assert!(!self.is_modern() || !self.honest, "N4: a change without a stream");
                }
            }
            (None, Some(id)) => {
                self.streams.retain(|stream| stream != id);
                if self.is_modern() && self.honest && message.get("error").is_none() {
                    let kind = &message["result"]["resultType"];
                    assert!(kind.is_string(), "P2: a result says of what type it is: {message}");
                }
            }
            _ => {}
        }
    }

    fn is_modern(&self) -> bool {
        let client = self.client.session.as_client().and_then(ClientSession::server);
        client.is_some_and(|server| server.revision.era() == mcp::Era::Modern)
    }

    fn client_calls(&mut self, source: &mut Source<'_>) {
        let method = source.pick(&[
            "tools/call",
            "tools/list",
            "resources/read",
            "subscriptions/listen",
            "resources/subscribe",
            "ping",
            "server/discover",
            "unknown",
        ]);
        let params = match method {
            "subscriptions/listen" => {
                let mut filter = SubscriptionFilter::new();
                filter.tools_list_changed = source.coin();
                filter.resource_subscriptions = vec![source.pick(&["a:1", "a:2"]).to_owned()];
                Some(json!({ "notifications": filter }))
            }
            "resources/subscribe" => Some(json!({ "uri": source.pick(&["a:1", "a:2"]) })),
            _ => source.coin().then(|| json!({ "name": "t", "_meta": { "x": 1 } })),
        };
        let options = CallOptions::default()
            .with_timeout(source.coin().then(|| source.milliseconds()))
            .with_progress(source.pick(&[OnProgress::Ignore, OnProgress::Restart]));
        self.client.call(self.now, method, params.map(Json::from), options);
    }

    fn server_calls(&mut self, source: &mut Source<'_>) {
        let method = source.pick(&["roots/list", "ping", "elicitation/create"]);
        let mut options = CallOptions::default();
        options.on_behalf_of = source.coin().then(|| self.server.open.first().copied()).flatten();
        self.server.call(self.now, method, None, options);
    }

    fn respond(&mut self, source: &mut Source<'_>) {
        let side = if source.coin() { &mut self.client } else { &mut self.server };
        if side.open.is_empty() {
            return;
        }
        let token = side.open.remove(source.below(side.open.len()));
        let outcome = match source.below(7) {
            0 => Err(ErrorObject::new(source.pick(&[-32002, -32042, -32050, 7]), "no")),
            1 => Ok(json_of(
                r#"{"resultType":"input_required","inputRequests":{"k":{"method":"roots/list"}}}"#,
            )),
            2 => Ok(json_of(r#"{ "_meta" : {"a":1}, "ttlMs":1 }"#)),
            3 => Ok(json_of("null")),
            _ => Ok(Json::empty_object()),
        };
        let was_live = side.connection.is_live(token);
        let answered = side.session.respond(&mut side.connection, token, outcome);
        assert_eq!(answered.is_ok(), was_live, "Q7: an answer counts once");
    }

    fn change(&mut self, source: &mut Source<'_>) {
        let method =
            source.pick(&["notifications/tools/list_changed", "notifications/resources/updated"]);
        let uri = source.pick(&["a:1", "a:2", "a:3"]);
        let params = method.ends_with("updated").then(|| json!({ "uri": uri }).into());
        let server = &mut self.server;
        _ = server.session.notify(&mut server.connection, method, params);
    }

    fn cancel(&mut self, source: &mut Source<'_>) {
        let side = if source.coin() { &mut self.client } else { &mut self.server };
        let mut calls: Vec<Call> = side.calls.iter().copied().collect();
        calls.sort_unstable();
        if let Some(call) = calls.get(source.below(calls.len())).copied()
            && side.connection.cancel(call, Some("enough")).is_ok()
        {
            side.calls.remove(&call);
        }
    }

    /// A line that one side never writes.
    fn strange(&mut self, source: &mut Source<'_>) {
        self.honest = false;
        let id = source.below(8);
        let meta = source.pick(&[
            r#"{"io.modelcontextprotocol/protocolVersion":"2026-07-28","io.modelcontextprotocol/clientCapabilities":{}}"#,
            r#"{"io.modelcontextprotocol/protocolVersion":"2099-01-01"}"#,
            r#"{"io.modelcontextprotocol/protocolVersion":7,"io.modelcontextprotocol/protocolVersion":8}"#,
            r#"{"io.modelcontextprotocol/subscriptionId":1}"#,
            "null",
            "[]",
        ]);
        let method = source.pick(&[
            "initialize",
            "subscriptions/listen",
            "notifications/subscriptions/acknowledged",
            "notifications/cancelled",
            "notifications/initialized",
            "tools/call",
            "logging/setLevel",
        ]);
        let more = source.pick(&[
            "",
            r#","notifications":{}"#,
            r#","requestId":1"#,
            r#","protocolVersion":"2025-03-26""#,
            r#","level":"info""#,
        ]);
        let id = if source.coin() { format!(r#""id":"s{id}","#) } else { String::new() };
        let line = match source.below(4) {
            0 => format!(r#"{{"jsonrpc":"2.0","id":{},"result":{meta}}}"#, source.below(4)),
            _ => format!(
                r#"{{"jsonrpc":"2.0",{id}"method":"{method}","params":{{"_meta":{meta}{more}}}}}"#
            ),
        };
        let side = if source.coin() { &mut self.client } else { &mut self.server };
        side.connection.handle_message(self.now, line.into_bytes());
        side.events();
    }

    fn pass(&mut self, time: Duration) {
        self.now += time;
        self.client.connection.handle_timeout(self.now);
        self.server.connection.handle_timeout(self.now);
        self.client.events();
        self.server.events();
    }

    /// The client hangs up: every call settles, and nothing is left.
    fn finish(mut self) {
        self.exchange();
        self.client.connection.close();
        self.exchange();
        self.server.connection.handle_eof(self.now);
        for _ in 0..100 {
            self.exchange();
            for token in std::mem::take(&mut self.server.open) {
                let server = &mut self.server;
                _ = server.session.respond(&mut server.connection, token, Ok(Json::empty_object()));
            }
            if self.server.connection.closed().is_some() {
                break;
            }
            self.pass(Duration::from_millis(100));
        }
        self.client.connection.handle_eof(self.now);
        self.exchange();
        for side in [&mut self.client, &mut self.server] {
            side.events();
            assert!(side.connection.closed().is_some(), "X4: a session comes to its end");
            assert!(side.calls.is_empty(), "O1: calls wait after the end: {:?}", side.calls);
            assert_eq!(side.connection.in_flight(), 0, "X1: requests stay open after the end");
        }
    }
}

fn json_of(text: &'static str) -> Json {
    Json::new(text).expect("the model writes JSON")
}
