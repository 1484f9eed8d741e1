//! Finding out what a server speaks, and speaking the era without a handshake.

use super::*;
use crate::mcp::LogLevel;
use crate::rpc::{OnProgress, SendError};

const META: &str = r#""io.modelcontextprotocol/protocolVersion":"2026-07-28","io.modelcontextprotocol/clientCapabilities":{"roots":{}},"io.modelcontextprotocol/clientInfo":{"name":"host","version":"1"}"#;

const DISCOVERED: &str = r#"{"resultType":"complete","supportedVersions":["2026-07-28","2030-01-01"],"capabilities":{"tools":{}},"instructions":"be kind","ttlMs":0,"cacheScope":"private","_meta":{"io.modelcontextprotocol/serverInfo":{"name":"s","version":"2"}}}"#;

fn probe() -> String {
    format!(
        r#"{{"jsonrpc":"2.0","id":1,"method":"server/discover","params":{{"_meta":{{{META}}}}}}}"#
    )
}

fn initialize(id: u32) -> String {
    format!(
        r#"{{"jsonrpc":"2.0","id":{id},"method":"initialize","params":{{"protocolVersion":"2025-11-25","capabilities":{{"roots":{{}}}},"clientInfo":{{"name":"host","version":"1"}}}}}}"#
    )
}

fn result(id: u32, result: &str) -> String {
    format!(r#"{{"jsonrpc":"2.0","id":{id},"result":{result}}}"#)
}

fn error(code: i64, data: &str) -> String {
    format!(r#"{{"jsonrpc":"2.0","id":1,"error":{{"code":{code},"message":"no","data":{data}}}}}"#)
}

/// A client that has found a modern server.
fn modern() -> Harness {
    let mut harness = Harness::with(Eras::Both);
    assert_eq!(harness.written(), [probe()]);
    assert_eq!(harness.receive(&result(1, DISCOVERED)), []);
    harness
}

impl Harness {
    fn request(&mut self, method: &str, params: Option<&'static str>) -> Result<Call, SendError> {
        let params = params.map(|params| Json::new(params).unwrap());
        let options = CallOptions::default();
        self.session.request(&mut self.connection, self.now, method, params, options)
    }
}

/// P4: a server that answers the probe is modern, without another word.
#[test]
fn a_modern_server_is_found() {
    let mut harness = modern();
    assert_eq!(harness.written(), [""; 0]);
    let server = harness.session.server().unwrap();
    assert_eq!(server.revision, Revision::V2026_07_28);
    assert_eq!(server.implementation, Some(Implementation::new("s", "2")));
    assert_eq!(server.instructions.as_deref(), Some("be kind"));
    assert!(server.has("tools"));
}

/// P4: every other answer to the probe leads to the handshake, on the same connection.
#[test]
fn an_older_server_is_asked_for_the_handshake() {
    let old = [
        error(-32601, "null"),
        error(-32602, "{}"),
        error(-32600, "null"),
        error(-32000, "null"),
        error(-32022, "null"),
        error(-32022, r#"{"supported":["2025-11-25"],"requested":"2026-07-28"}"#),
        error(-32022, r#"{"supported":"2026-07-28"}"#),
        result(1, "{}"),
        result(1, "null"),
        r#"{"jsonrpc":"2.0","id":1,"result":{},"error":{}}"#.to_owned(),
    ];
    for answer in old {
        let mut harness = Harness::with(Eras::Both);
        harness.written();
        assert!(harness.receive(&answer).iter().all(|event| matches!(event, Event::Fault(_))));
        assert_eq!(harness.written(), [initialize(2)], "{answer}");
        harness.receive(&agreed("2025-06-18").replace(r#""id":1"#, r#""id":2"#));
        assert_eq!(harness.session.server().unwrap().revision, Revision::V2025_06_18, "{answer}");
    }
}

/// P4: a server that is silent for 10 s is an older one. The probe is not cancelled, and its late answer is dropped.
#[test]
fn silence_means_an_older_server() {
    let mut harness = Harness::with(Eras::Both);
    harness.written();
    let almost = Duration::from_secs(10) - Duration::from_nanos(1);
    harness.connection.handle_timeout(harness.now + almost);
    assert_eq!(harness.events(), []);
    harness.now += Duration::from_secs(10);
    harness.connection.handle_timeout(harness.now);
    assert_eq!(harness.events(), []);
    assert_eq!(harness.written(), [initialize(2)]);
    assert!(matches!(harness.receive(&result(1, DISCOVERED))[..], [Event::Late(_)]));
    harness.receive(&agreed("2025-06-18").replace(r#""id":1"#, r#""id":2"#));
    assert_eq!(harness.session.server().unwrap().revision, Revision::V2025_06_18);
}

/// P4, K6: the probe counts towards the time for opening the session.
#[test]
fn opening_takes_its_time_at_most() {
    let mut harness = Harness::with(Eras::Both);
    harness.now += Duration::from_secs(10);
    harness.connection.handle_timeout(harness.now);
    harness.events();
    harness.now += Duration::from_secs(50) - Duration::from_nanos(1);
    harness.connection.handle_timeout(harness.now);
    harness.events();
    assert_eq!(harness.session.outcome(), None);
    harness.now += Duration::from_nanos(1);
    harness.connection.handle_timeout(harness.now);
    harness.events();
    assert_eq!(harness.session.outcome(), Some(Err(&HandshakeError::Call(CallError::TimedOut))));
}

/// P4: a modern server with which no revision is shared is not asked for the handshake.
#[test]
fn a_server_of_another_revision_is_told_apart() {
    for answer in [
        error(-32022, r#"{"supported":["2030-01-01"],"requested":"2026-07-28"}"#),
        result(1, r#"{"supportedVersions":["2030-01-01"],"capabilities":{}}"#),
    ] {
        let mut harness = Harness::with(Eras::Both);
        harness.written();
        harness.receive(&answer);
        assert_eq!(harness.written(), [""; 0]);
        let unknown = HandshakeError::UnknownRevision("2030-01-01".to_owned());
        assert_eq!(harness.session.outcome(), Some(Err(&unknown)), "{answer}");
        assert_eq!(harness.connection.closed(), Some(&Closed::Local));
    }
}

/// P4: a server that refuses the revision that it says to have is asked once more, and never for the handshake.
#[test]
fn a_server_that_contradicts_itself_is_asked_once_more() {
    let refusal = |id| {
        let data = r#"{"supported":["2026-07-28"],"requested":"2026-07-28"}"#;
        error(-32022, data).replace(r#""id":1"#, &format!(r#""id":{id}"#))
    };
    let mut harness = Harness::with(Eras::Both);
    harness.written();
    harness.receive(&refusal(1));
    assert_eq!(harness.written(), [probe().replace(r#""id":1"#, r#""id":2"#)]);
    harness.receive(&result(2, DISCOVERED));
    assert_eq!(harness.session.server().unwrap().revision, Revision::V2026_07_28);

    let mut harness = Harness::with(Eras::Both);
    harness.receive(&refusal(1));
    harness.written();
    harness.receive(&refusal(2));
    assert_eq!(harness.written(), [""; 0]);
    let failed = harness.session.outcome();
    assert!(matches!(failed, Some(Err(HandshakeError::Call(CallError::Peer(_))))), "{failed:?}");
}

/// P4: a server that dies of the probe is told apart, since it may live without.
#[test]
fn the_end_of_the_connection_during_the_probe_is_told_apart() {
    let mut harness = Harness::with(Eras::Both);
    harness.written();
    harness.connection.handle_eof(harness.now);
    harness.events();
    let ended = HandshakeError::EndedByProbe(CallError::Closed(Closed::Eof));
    assert_eq!(harness.session.outcome(), Some(Err(&ended)));
}

/// P4: a client that is pinned to one era tries no other.
#[test]
fn an_era_can_be_pinned() {
    let mut harness = Harness::with(Eras::Legacy);
    assert_eq!(harness.written(), [initialize(1)]);
    let mut harness = Harness::with(Eras::Modern);
    assert_eq!(harness.written(), [probe()]);
    harness.receive(&error(-32601, "null"));
    assert_eq!(harness.written(), [""; 0]);
    assert!(matches!(harness.session.outcome(), Some(Err(HandshakeError::NotModern(_)))));
}

/// P2: each request says of itself what it has to, and keeps what the caller says.
#[test]
fn each_request_speaks_for_itself() {
    let mut harness = modern();
    harness.request("tools/list", None).unwrap();
    harness.request("tools/call", Some(r#"{"name":"a","_meta":{"x":1}}"#)).unwrap();
    harness.session.set_log_level(Some(LogLevel::Warning));
    let options = CallOptions::default().with_progress(OnProgress::Report);
    let (connection, now) = (&mut harness.connection, harness.now);
    harness.session.request(connection, now, "tools/call", None, options).unwrap();
    assert_eq!(
        harness.written(),
        [
            format!(
                r#"{{"jsonrpc":"2.0","id":2,"method":"tools/list","params":{{"_meta":{{{META}}}}}}}"#
            ),
            format!(
                r#"{{"jsonrpc":"2.0","id":3,"method":"tools/call","params":{{"name":"a","_meta":{{{META},"x":1}}}}}}"#
            ),
            format!(
                r#"{{"jsonrpc":"2.0","id":4,"method":"tools/call","params":{{"_meta":{{{META},"io.modelcontextprotocol/logLevel":"warning","progressToken":4}}}}}}"#
            ),
        ]
    );
}

/// P2: what the revision has no more is refused to the caller.
#[test]
fn what_is_gone_is_refused() {
    let mut harness = modern();
    for method in ["ping", "logging/setLevel", "resources/subscribe", "resources/unsubscribe"] {
        assert_eq!(harness.request(method, None), Err(SendError::NotInRevision(method.to_owned())));
    }
    let method = "notifications/roots/list_changed";
    let told = harness.session.notify(&mut harness.connection, method, None);
    assert_eq!(told, Err(SendError::NotInRevision(method.to_owned())));
    assert_eq!(harness.written(), [""; 0]);
    let mut probing = Harness::with(Eras::Both);
    assert_eq!(probing.request("tools/list", None), Err(SendError::NotReady));
}

/// L3: a modern client writes no responses: a request of the server is reported, and forgotten.
#[test]
fn requests_of_a_modern_server_are_not_answered() {
    let mut harness = modern();
    let events = harness.receive(r#"{"jsonrpc":"2.0","id":1,"method":"roots/list"}"#);
    let [Event::Fault(fault)] = &events[..] else { panic!("{events:?}") };
    assert_eq!(fault.kind(), FaultKind::ForbiddenRequest);
    harness.receive(r#"{"jsonrpc":"2.0","id":2,"method":"ping"}"#);
    assert_eq!(harness.written(), [""; 0]);
    assert_eq!(harness.connection.in_flight(), 0);
}

/// P2: a result of no type is complete; one of an unknown type is an invalid response.
#[test]
fn results_are_of_a_known_type() {
    for (answer, fine) in [
        ("{}", true),
        (r#"{"resultType":"complete"}"#, true),
        (r#"{"resultType":"input_required","requestState":"s"}"#, true),
        (r#"{"resultType":"task"}"#, false),
        (r#"{"resultType":7}"#, false),
    ] {
        let mut harness = modern();
        let call = harness.request("tools/call", None).unwrap();
        let events = harness.receive(&result(2, answer));
        let [Event::Response { call: answered, outcome }] = &events[..] else {
            panic!("{events:?}")
        };
        assert_eq!((*answered, outcome.is_ok()), (call, fine), "{answer}");
    }
}

/// O2, N4: once it is acknowledged a subscription waits for as long as it takes, and the server may end it in two ways.
#[test]
fn subscriptions_stay_open() {
    let acknowledged = r#"{"jsonrpc":"2.0","method":"notifications/subscriptions/acknowledged","params":{"_meta":{"io.modelcontextprotocol/subscriptionId":2},"notifications":{}}}"#;
    let cancelled =
        r#"{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":2}}"#;
    let over = result(2, r#"{"resultType":"complete"}"#);
    for (end, outcome) in [
        (&*over, Ok(Json::new(r#"{"resultType":"complete"}"#).unwrap())),
        (cancelled, Err(CallError::CancelledByPeer)),
    ] {
        let mut harness = modern();
        let call = harness.request("subscriptions/listen", None).unwrap();
        // It does not wait for ever for the acknowledgement, which cancels nothing either.
        assert_eq!(harness.receive(cancelled), []);
        assert!(matches!(harness.receive(acknowledged)[..], [Event::Notification(_)]));
        harness.now += Duration::from_secs(100_000);
        harness.connection.handle_timeout(harness.now);
        assert_eq!(harness.events(), []);
        assert_eq!(harness.receive(end), [Event::Response { call, outcome }]);
    }
    let mut harness = modern();
    let call = harness.request("subscriptions/listen", None).unwrap();
    harness.now += Duration::from_secs(60);
    harness.connection.handle_timeout(harness.now);
    let outcome = Err(CallError::TimedOut);
    assert_eq!(harness.events(), [Event::Response { call, outcome }]);
}
