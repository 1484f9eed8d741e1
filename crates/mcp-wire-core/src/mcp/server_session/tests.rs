//! The handshake of each revision, and what holds before, during and after it.

mod changes;
mod modern;
mod results;

use super::*;
use crate::rpc::{Budget, CallError, CallOptions, Config};
use std::time::{Duration, Instant};

const INITIALIZED: &str = r#"{"jsonrpc":"2.0","method":"notifications/initialized"}"#;

struct Harness {
    connection: Connection,
    session: ServerSession,
    now: Instant,
    /// Of the requests that came through.
    tokens: Vec<crate::rpc::Token>,
}

impl Harness {
    fn new() -> Self {
        Self::with_capabilities(
            r#"{"logging":{},"prompts":{"listChanged":true},"resources":{"listChanged":true,"subscribe":true},"tools":{"listChanged":true}}"#,
        )
    }

    #[allow(clippy::disallowed_methods, reason = "a test may begin at any time")]
    fn with_capabilities(capabilities: &'static str) -> Self {
        Self::with_config(capabilities, Config::default())
    }

    fn with_limit(max_outbound: usize) -> Self {
        let capabilities = r#"{"logging":{},"prompts":{"listChanged":true},"resources":{"listChanged":true,"subscribe":true},"tools":{"listChanged":true}}"#;
        Self::with_config(capabilities, Config { max_outbound, ..Config::default() })
    }

    #[allow(clippy::disallowed_methods, reason = "a test may begin at any time")]
    fn with_config(capabilities: &'static str, config: Config) -> Self {
        let config = Config { dialect: super::super::dialect(), ..config };
        let mut connection = Connection::new(config, Budget::default()).unwrap();
        let capabilities = Json::new(capabilities).unwrap();
        let session =
            ServerSession::new(Implementation::new("us", "1.0"), capabilities, &mut connection);
        Self { connection, session, now: Instant::now(), tokens: Vec::new() }
    }

    /// After the handshake with a client of these capabilities.
    fn ready(revision: &str, capabilities: &str) -> Self {
        let mut harness = Self::new();
        harness.receive(&initialize(revision, capabilities));
        harness.receive(INITIALIZED);
        harness.written();
        harness
    }

    /// The peer sends a line; the events that come through are the application's, in short.
    fn receive(&mut self, line: &str) -> Vec<String> {
        self.connection.handle_message(self.now, line.as_bytes());
        self.events()
    }

    fn events(&mut self) -> Vec<String> {
        let mut happened = Vec::new();
        while let Some(event) = self.connection.poll_event() {
            if let Some(event) = self.session.filter(&mut self.connection, event) {
                happened.push(match event {
                    Event::Request(token, request) => {
                        self.tokens.push(token);
                        request.method().to_owned()
                    }
                    Event::Notification(notification) => notification.method().to_owned(),
                    event => format!("{event:?}"),
                });
            }
        }
        happened
    }

    fn tokens(&self) -> Vec<crate::rpc::Token> {
        self.tokens.clone()
    }

    /// Fills the output to its limit.
    fn fill(&mut self) {
        while self.connection.has_room() {
            self.connection.notify("acme/filler", None).unwrap();
        }
    }

    fn written(&mut self) -> Vec<String> {
        std::iter::from_fn(|| self.connection.output().pop_message())
            .map(|message| String::from_utf8(message).unwrap())
            .collect()
    }

    /// The peer sends a line; nothing of it is the application's; these are the lines that answer it.
    #[track_caller]
    fn check(&mut self, line: &str, expected: &[&str]) {
        assert_eq!(self.receive(line), [""; 0]);
        assert_eq!(self.written(), expected);
    }

    fn notify(&mut self, method: &str) -> Result<(), SendError> {
        self.session.notify(&mut self.connection, method, None)
    }

    fn call(&mut self, method: &str) {
        self.connection.request(self.now, method, None, CallOptions::default()).unwrap();
    }
}

fn initialize(revision: &str, capabilities: &str) -> String {
    let client = r#"{"name":"them","version":"2"}"#;
    format!(
        r#"{{"jsonrpc":"2.0","id":0,"method":"initialize","params":{{"protocolVersion":"{revision}","capabilities":{capabilities},"clientInfo":{client}}}}}"#
    )
}

fn request(id: u32, method: &str) -> String {
    format!(r#"{{"jsonrpc":"2.0","id":{id},"method":"{method}"}}"#)
}

fn initialized_as(revision: &str) -> String {
    format!(
        r#"{{"jsonrpc":"2.0","id":0,"result":{{"protocolVersion":"{revision}","capabilities":{{"logging":{{}},"prompts":{{"listChanged":true}},"resources":{{"listChanged":true,"subscribe":true}},"tools":{{"listChanged":true}}}},"serverInfo":{{"name":"us","version":"1.0"}}}}}}"#
    )
}

/// P1: `initialize` answers with the requested revision where it is supported, else with our latest.
#[test]
fn each_revision_is_agreed_on() {
    let latest = Revision::LATEST_LEGACY;
    let asked = [
        ("2024-11-05", Revision::V2024_11_05),
        ("2025-03-26", Revision::V2025_03_26),
        ("2025-06-18", Revision::V2025_06_18),
        ("2025-11-25", Revision::V2025_11_25),
        ("2099-01-01", latest),
        ("2026-07-28", latest),
        ("", latest),
    ];
    for (revision, agreed) in asked {
        let mut harness = Harness::new();
        harness.check(&initialize(revision, "{}"), &[&initialized_as(agreed.as_str())]);
        assert_eq!(harness.session.revision(), Some(agreed));
        assert_eq!(harness.receive(INITIALIZED), ["notifications/initialized"]);
        assert_eq!(harness.receive(&request(1, "tools/list")), ["tools/list"]);
    }
}

/// P1: what the client says of itself is kept; instructions go out where there are any.
#[test]
fn both_sides_introduce_themselves() {
    let mut harness = Harness::new();
    harness.session = harness.session.with_instructions(Some("be kind".into()));
    assert_eq!((harness.session.client(), harness.session.client_capabilities()), (None, None));
    harness.receive(&initialize("2025-11-25", r#"{"roots": {}}"#));
    assert!(harness.written()[0].ends_with(r#","instructions":"be kind"}}"#));
    assert_eq!(harness.session.client(), Some(&Implementation::new("them", "2")));
    let capabilities = harness.session.client_capabilities().unwrap();
    assert_eq!(capabilities.as_str(), r#"{"roots": {}}"#);
}

/// P1: a client without `clientInfo` or `capabilities` is served all the same; one without a revision is not.
#[test]
fn a_client_may_say_little() {
    let line = |params: &str| {
        format!(r#"{{"jsonrpc":"2.0","id":0,"method":"initialize","params":{params}}}"#)
    };
    for params in [
        r#"{"protocolVersion":"2025-06-18"}"#,
        r#"{"protocolVersion":"2025-06-18","capabilities":{},"clientInfo":7,"more":[1]}"#,
    ] {
        let mut harness = Harness::new();
        harness.check(&line(params), &[&initialized_as("2025-06-18")]);
        assert_eq!(harness.session.client(), None);
    }
    for params in ["{}", "null", r#"{"protocolVersion":7}"#] {
        let mut harness = Harness::new();
        assert_eq!(harness.receive(&line(params)), [""; 0]);
        let written = harness.written();
        assert!(written[0].starts_with(r#"{"jsonrpc":"2.0","id":0,"error":{"code":-32602,"#));
        assert_eq!(harness.session.revision(), None);
        harness.check(&initialize("2025-06-18", "{}"), &[&initialized_as("2025-06-18")]);
    }
}

/// P1: before `initialize`, `ping` is answered and other requests are refused; the connection goes on.
#[test]
fn before_initialize_other_requests_are_refused() {
    let mut harness = Harness::new();
    harness.check(&request(1, "ping"), &[r#"{"jsonrpc":"2.0","id":1,"result":{}}"#]);
    for method in ["tools/list", "logging/setLevel", "notifications/initialized"] {
        assert_eq!(harness.receive(&request(2, method)), [""; 0]);
        let refused = harness.written().remove(0);
        assert!(
            refused.contains(r#""code":-32602"#) && refused.contains("begin with an initialize")
        );
    }
    let cancel = r#"{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":9}}"#;
    harness.check(cancel, &[]);
    harness.check(&initialize("2025-06-18", "{}"), &[&initialized_as("2025-06-18")]);
}

/// P3: a server that is pinned to the legacy era answers a probe "no such method", in every state.
#[test]
fn a_probe_is_told_no_such_method() {
    let no = r#"{"jsonrpc":"2.0","id":5,"error":{"code":-32601,"message":"method not found"}}"#;
    let mut harness = Harness::new();
    harness.session = harness.session.with_eras(Eras::Legacy);
    let refused = r#"{"jsonrpc":"2.0","id":2,"error":{"code":-32600,"message":"not initialized: begin with an initialize request"}}"#;
    harness.check(&request(2, "tools/list"), &[refused]);
    harness.check(&request(5, "server/discover"), &[no]);
    harness.check(&initialize("2025-06-18", "{}"), &[&initialized_as("2025-06-18")]);
    harness.check(&request(5, "server/discover"), &[no]);
    harness.receive(INITIALIZED);
    harness.check(&request(5, "server/discover"), &[no]);
}

/// P1: `notifications/initialized` alone opens nothing.
#[test]
fn initialized_too_early_is_ignored() {
    let mut harness = Harness::new();
    harness.call("roots/list");
    harness.check(INITIALIZED, &[]);
    assert_eq!(harness.receive(&request(1, "tools/list")), [""; 0]);
    assert!(harness.written()[0].contains("-32602"));
    harness.check(&initialize("2025-06-18", "{}"), &[&initialized_as("2025-06-18")]);
    harness.receive(INITIALIZED);
    assert_eq!(harness.written(), [request(1, "roots/list")]);
}

/// P1: requests between the reply and `initialized` are served.
#[test]
fn requests_before_initialized_are_served() {
    let mut harness = Harness::new();
    harness.receive(&initialize("2025-06-18", "{}"));
    harness.written();
    assert_eq!(harness.receive(&request(1, "tools/list")), ["tools/list"]);
    harness.check(&request(2, "ping"), &[r#"{"jsonrpc":"2.0","id":2,"result":{}}"#]);
}

/// P1: a repeated `initialize` negotiates afresh; what runs is untouched, and nothing is kept back again.
#[test]
fn a_repeated_initialize_negotiates_afresh() {
    let mut harness = Harness::ready("2024-11-05", r#"{"roots":{}}"#);
    harness.receive(&request(7, "tools/call"));
    let again = initialize("2025-11-25", r#"{"sampling":{}}"#);
    harness.check(&again, &[&initialized_as("2025-11-25")]);
    assert_eq!(harness.session.revision(), Some(Revision::V2025_11_25));
    assert_eq!(harness.session.may_request("sampling/createMessage", None), Ok(()));
    assert!(harness.session.may_request("roots/list", None).is_err());
    assert_eq!(harness.connection.in_flight(), 1);
    harness.call("sampling/createMessage");
    assert_eq!(harness.notify("notifications/tools/list_changed"), Ok(()));
    assert_eq!(harness.written().len(), 2);
}

/// E8: batches are accepted with 2025-03-26 alone, and `initialize` is no part of one.
#[test]
fn one_revision_has_batches() {
    let batch = format!("[{},{}]", request(1, "ping"), initialize("2025-06-18", "{}"));
    for revision in Revision::LEGACY {
        let mut harness = Harness::ready(revision.as_str(), "{}");
        let happened = harness.receive(&batch);
        if revision == Revision::V2025_03_26 {
            let written = harness.written();
            assert!(happened.is_empty() && written.len() == 1, "{written:?}");
            assert!(written[0].starts_with('[') && written[0].contains("-32600"));
            assert!(written[0].contains(r#"{"jsonrpc":"2.0","id":1,"result":{}}"#));
            assert_eq!(harness.session.revision(), Some(revision));
            harness.receive(&initialize("2025-06-18", "{}"));
            harness.written();
        }
        assert!(harness.receive(&batch)[0].starts_with("Fault"), "{revision}");
        assert_eq!(harness.written(), [""; 0]);
    }
    let mut harness = Harness::new();
    assert!(harness.receive(&batch)[0].starts_with("Fault"), "nothing was negotiated");
}

/// L1: calls wait for `initialized`, inside their deadline; those that end before that are never written.
#[test]
fn calls_wait_for_initialized() {
    let mut harness = Harness::new();
    harness.receive(&initialize("2025-06-18", r#"{"roots":{}}"#));
    harness.written();
    let short = CallOptions { timeout: Some(Duration::from_secs(1)), ..CallOptions::default() };
    let timed_out = harness.connection.request(harness.now, "roots/list", None, short).unwrap();
    let dropped = harness
        .connection
        .request(harness.now, "roots/list", None, CallOptions::default())
        .unwrap();
    harness.call("roots/list");
    harness.call("ping");
    assert_eq!(harness.written(), [request(4, "ping")]);
    harness.connection.cancel(dropped, None).unwrap();
    harness.now += Duration::from_secs(1);
    harness.connection.handle_timeout(harness.now);
    assert_eq!(
        harness.connection.poll_event(),
        Some(Event::Response { call: timed_out, outcome: Err(CallError::TimedOut) })
    );
    assert_eq!(harness.written(), [""; 0]);
    harness.receive(INITIALIZED);
    assert_eq!(harness.written(), [request(3, "roots/list")]);
}

/// L1: what needs a capability of the client is refused at once where the client lacks it; `ping` and others need none.
#[test]
fn requests_need_the_capability() {
    let needs = [
        ("elicitation/create", "elicitation"),
        ("roots/list", "roots"),
        ("sampling/createMessage", "sampling"),
    ];
    for (method, capability) in needs {
        let missing = Err(SendError::MissingCapability(capability));
        assert_eq!(Harness::new().session.may_request(method, None), missing);
        let others = Harness::ready("2025-06-18", r#"{"experimental":{"roots":{}},"other":{}}"#);
        assert_eq!(others.session.may_request(method, None), missing);
        let declared = Harness::ready("2025-06-18", &format!(r#"{{"{capability}":{{}}}}"#));
        assert_eq!(declared.session.may_request(method, None), Ok(()));
    }
    let mut legacy = Harness::new();
    legacy.session = legacy.session.with_eras(Eras::Legacy);
    assert_eq!(legacy.session.may_request("ping", None), Ok(()));
    assert_eq!(Harness::ready("2025-06-18", "{}").session.may_request("ping", None), Ok(()));
    assert_eq!(Harness::new().session.may_request("acme/own", None), Ok(()));
}

/// N6: the client sets the level of log messages; a bad level is refused and changes nothing.
#[test]
fn the_client_sets_the_log_level() {
    let set = |params: &str| {
        format!(r#"{{"jsonrpc":"2.0","id":1,"method":"logging/setLevel","params":{params}}}"#)
    };
    let mut harness = Harness::ready("2025-06-18", "{}");
    assert_eq!(harness.session.handshake.log_level(), LogLevel::Debug);
    for level in LogLevel::ALL {
        let line = set(&format!(r#"{{"level":"{level}"}}"#));
        harness.check(&line, &[r#"{"jsonrpc":"2.0","id":1,"result":{}}"#]);
        assert_eq!(harness.session.handshake.log_level(), level);
    }
    for bad in [r#"{"level":"loud"}"#, r#"{"level":"Error"}"#, r#"{"level":3}"#, "{}", "null"] {
        assert_eq!(harness.receive(&set(bad)), [""; 0]);
        assert!(
            harness.written()[0].starts_with(r#"{"jsonrpc":"2.0","id":1,"error":{"code":-32602,"#)
        );
    }
    assert_eq!(harness.session.handshake.log_level(), LogLevel::Emergency);
}

/// N6, M7: without the capability the method is the application's, which does not have it either.
#[test]
fn without_logging_there_is_no_log_level() {
    let mut harness = Harness::with_capabilities("{}");
    harness.receive(&initialize("2025-06-18", "{}"));
    assert_eq!(harness.receive(&request(1, "logging/setLevel")), ["logging/setLevel"]);
}

/// P1: everything else is the application's, as it is.
#[test]
fn other_events_pass() {
    let mut harness = Harness::ready("2025-06-18", "{}");
    assert_eq!(harness.receive(&request(1, "tools/call")), ["tools/call"]);
    let progress = r#"{"jsonrpc":"2.0","method":"notifications/progress"}"#;
    assert_eq!(harness.receive(progress), ["notifications/progress"]);
    assert!(harness.receive("junk")[0].starts_with("Fault"));
    harness.connection.handle_eof(harness.now);
    harness.connection.close();
    let events: Vec<Event> = std::iter::from_fn(|| harness.connection.poll_event()).collect();
    for event in events {
        assert_eq!(harness.session.filter(&mut harness.connection, event.clone()), Some(event));
    }
}
