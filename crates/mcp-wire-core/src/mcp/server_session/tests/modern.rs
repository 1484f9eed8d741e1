//! Requests without a handshake: which era each is of, and what the modern one has.

use super::changes::UNDECLARED;
use super::*;

const DISCOVERED: &str = r#"{"_meta":{"io.modelcontextprotocol/serverInfo":{"name":"us","version":"1.0"}},"capabilities":{"logging":{},"prompts":{"listChanged":true},"resources":{"listChanged":true,"subscribe":true},"tools":{"listChanged":true}},"supportedVersions":["2026-07-28"]}"#;

/// A request of the modern revision.
fn modern(id: &str, method: &str, params: &str) -> String {
    modern_as(id, method, params, r#"{}"#, "")
}

fn modern_as(id: &str, method: &str, params: &str, capabilities: &str, meta: &str) -> String {
    let comma = if params.is_empty() { "" } else { "," };
    format!(
        r#"{{"jsonrpc":"2.0","id":{id},"method":"{method}","params":{{"_meta":{{"io.modelcontextprotocol/protocolVersion":"2026-07-28","io.modelcontextprotocol/clientCapabilities":{capabilities}{meta}}}{comma}{params}}}}}"#
    )
}

fn error_code(line: &str) -> i64 {
    let line: serde_json::Value = serde_json::from_str(line).unwrap();
    line["error"]["code"].as_i64().unwrap()
}

fn same_json(line: &str, expected: &str) {
    let parse = |text: &str| serde_json::from_str::<serde_json::Value>(text).unwrap();
    assert_eq!(parse(line), parse(expected));
}

/// P3: what each opening move leads to, for a server of both eras and the pinned ones: what is the application's, and the
/// codes of the answers.
#[test]
fn each_request_is_judged_alone() {
    let meta = |version: &str, more: &str| {
        format!(
            r#"{{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{{"_meta":{{"io.modelcontextprotocol/protocolVersion":{version}{more}}}}}}}"#
        )
    };
    let capable = r#","io.modelcontextprotocol/clientCapabilities":{}"#;
    let cases: [(&str, String, [Option<i64>; 3]); 17] = [
        // A line; then what a server of both eras, of the legacy one and of the modern one answers: `Some(0)` is a result,
        // `None` goes to the application.
        ("legacy ping", request(1, "ping"), [Some(0), Some(0), Some(-32602)]),
        ("modern ping", modern("1", "ping", ""), [Some(-32601), Some(0), Some(-32601)]),
        ("initialize", initialize("2025-06-18", "{}"), [Some(0), Some(0), Some(-32022)]),
        (
            "initialize as of later",
            initialize("2026-07-28", "{}"),
            [Some(0), Some(0), Some(-32022)],
        ),
        ("legacy call", request(1, "tools/call"), [Some(-32602), Some(-32600), Some(-32602)]),
        ("modern call", modern("1", "tools/call", ""), [None, Some(-32600), None]),
        ("bare probe", request(1, "server/discover"), [Some(-32602), Some(-32601), Some(-32602)]),
        ("probe", modern("1", "server/discover", ""), [Some(0), Some(-32601), Some(0)]),
        (
            "unknown revision",
            meta(r#""2031-01-01""#, capable),
            [Some(-32022), Some(-32600), Some(-32022)],
        ),
        (
            "legacy revision",
            meta(r#""2025-11-25""#, capable),
            [Some(-32022), Some(-32600), Some(-32022)],
        ),
        (
            "unknown revision, no capabilities",
            meta(r#""x""#, ""),
            [Some(-32022), Some(-32600), Some(-32022)],
        ),
        (
            "no capabilities",
            meta(r#""2026-07-28""#, ""),
            [Some(-32602), Some(-32600), Some(-32602)],
        ),
        ("revision no string", meta("7", capable), [Some(-32602), Some(-32600), Some(-32602)]),
        (
            "capabilities no object",
            modern_as("1", "tools/call", "", "[]", ""),
            [Some(-32602), Some(-32600), Some(-32602)],
        ),
        (
            "bad log level",
            modern_as("1", "tools/call", "", "{}", r#","io.modelcontextprotocol/logLevel":"loud""#),
            [Some(-32602), Some(-32600), Some(-32602)],
        ),
        (
            "removed",
            modern("1", "logging/setLevel", ""),
            [Some(-32601), Some(-32600), Some(-32601)],
        ),
        (
            "escaped",
            meta(r#""2026-07-28""#, capable).replace("/protocol", r"\/protocol"),
            [None, Some(-32600), None],
        ),
    ];
    for (name, line, expected) in cases {
        for (eras, expected) in [Eras::Both, Eras::Legacy, Eras::Modern].into_iter().zip(expected) {
            let mut harness = Harness::new();
            harness.session = harness.session.with_eras(eras);
            let passed = harness.receive(&line);
            let written = harness.written();
            let outcome = match (&passed[..], &written[..]) {
                ([_], []) => None,
                ([], [line]) if line.contains(r#""result""#) => Some(0),
                ([], [line]) => Some(error_code(line)),
                other => panic!("{name}: {other:?}"),
            };
            assert_eq!(outcome, expected, "{name}, {eras:?}");
        }
    }
}

/// P1, P3: both eras on one connection; an `initialize` after a probe opens the handshake, and leaves modern requests alone.
#[test]
fn both_eras_share_a_connection() {
    let mut harness = Harness::new();
    assert_eq!(harness.receive(&modern("1", "tools/call", "")), ["tools/call"]);
    harness.receive(&modern("2", "server/discover", ""));
    let written = harness.written().remove(0);
    let rest = &DISCOVERED[1..];
    same_json(
        &written,
        &format!(
            r#"{{"jsonrpc":"2.0","id":2,"result":{{"resultType":"complete","ttlMs":0,"cacheScope":"private",{rest}}}"#
        ),
    );
    harness.check(&initialize("2025-06-18", "{}"), &[&initialized_as("2025-06-18")]);
    harness.receive(INITIALIZED);
    assert_eq!(harness.receive(&request(3, "tools/call")), ["tools/call"]);
    assert_eq!(harness.receive(&modern("4", "tools/call", "")), ["tools/call"]);
    let tokens = harness.tokens();
    let revisions: Vec<_> =
        tokens.iter().map(|token| harness.session.revision_of(*token).unwrap()).collect();
    assert_eq!(revisions, [Revision::V2026_07_28, Revision::V2025_06_18, Revision::V2026_07_28]);
}

/// P2: `-32022` names what is supported and what was asked for.
#[test]
fn an_unknown_revision_is_told_the_known_ones() {
    let mut harness = Harness::new();
    harness.receive(&modern("1", "x", "").replace("2026-07-28", "2099-01-01"));
    same_json(
        &harness.written()[0],
        r#"{"jsonrpc":"2.0","id":1,"error":{"code":-32022,"message":"unsupported protocol version","data":{"supported":["2026-07-28"],"requested":"2099-01-01"}}}"#,
    );
}

/// L3: the server sends no requests in the modern era: whoever tries is told at once.
#[test]
fn there_are_no_requests_to_a_modern_client() {
    let mut harness = Harness::new();
    // Before it is known what the client speaks, nothing is asked.
    assert_eq!(harness.session.may_request("ping", None), Err(SendError::NotReady));
    harness.receive(&modern_as("1", "tools/call", "", r#"{"sampling":{}}"#, ""));
    let token = harness.tokens()[0];
    let refused = Err(SendError::NotInRevision("sampling/createMessage".to_owned()));
    assert_eq!(harness.session.may_request("sampling/createMessage", Some(token)), refused);
    assert_eq!(harness.session.may_request("sampling/createMessage", None), refused);
    // After a handshake the connection as such may ask, but not on behalf of a modern request.
    harness.receive(&initialize("2025-06-18", r#"{"sampling":{}}"#));
    assert_eq!(harness.session.may_request("sampling/createMessage", None), Ok(()));
    assert_eq!(harness.session.may_request("sampling/createMessage", Some(token)), refused);
}

/// P2: what a client can do, and who it is, holds for one request.
#[test]
fn each_request_says_who_asks() {
    let mut harness = Harness::new();
    let info = r#","io.modelcontextprotocol/clientInfo":{"name":"a","version":"1"}"#;
    harness.receive(&modern_as("1", "tools/call", "", r#"{"roots":{}}"#, info));
    let strange = r#","io.modelcontextprotocol/clientInfo":7"#;
    harness.receive(&modern_as("2", "tools/call", "", "{}", strange));
    let tokens = harness.tokens();
    let session = &harness.session;
    assert_eq!(session.client_of(tokens[0]), Some(&Implementation::new("a", "1")));
    assert_eq!(session.client_of(tokens[1]), None);
    let capabilities = |at: usize| session.client_capabilities_of(tokens[at]).unwrap().as_str();
    assert_eq!((capabilities(0), capabilities(1)), (r#"{"roots":{}}"#, "{}"));
}

/// N6: log messages go to the requests that asked for them, from the level that they asked for.
#[test]
fn logs_are_for_the_request_that_asked() {
    let mut harness = Harness::new();
    harness.receive(&modern("1", "tools/call", ""));
    let asks = r#","io.modelcontextprotocol/logLevel":"warning""#;
    harness.receive(&modern_as("2", "tools/call", "", "{}", asks));
    let tokens = harness.tokens();
    let wants = |at: usize, level| harness.session.wants_log(tokens[at], level);
    assert!(!wants(0, LogLevel::Emergency));
    assert!(
        !wants(1, LogLevel::Notice) && wants(1, LogLevel::Warning) && wants(1, LogLevel::Alert)
    );
}

fn listen(id: &str, filter: &str) -> String {
    modern(id, "subscriptions/listen", &format!(r#""notifications":{filter}"#))
}

fn tagged(id: &str) -> String {
    format!(r#""_meta":{{"io.modelcontextprotocol/subscriptionId":{id}}}"#)
}

/// N4: the acknowledgement comes first, with what can be honoured; a change goes once to each stream that wants it, tagged
/// with the id of its request, as it was written.
#[test]
fn changes_go_to_the_streams_that_want_them() {
    let mut harness = Harness::with_capabilities(
        r#"{"tools":{"listChanged":true},"prompts":{},"resources":{"subscribe":true}}"#,
    );
    let acknowledged = |id: &str, filter: &str| {
        let tag = tagged(id);
        format!(
            r#"{{"jsonrpc":"2.0","method":"notifications/subscriptions/acknowledged","params":{{{tag},"notifications":{filter}}}}}"#
        )
    };
    let all = r#"{"toolsListChanged":true,"promptsListChanged":true,"resourceSubscriptions":["a:1","a:2"]}"#;
    let can = r#"{"toolsListChanged":true,"resourceSubscriptions":["a:1","a:2"]}"#;
    harness.check(&listen("7", all), &[&acknowledged("7", can)]);
    harness.check(
        &listen("\"x\"", r#"{"toolsListChanged":true}"#),
        &[&acknowledged("\"x\"", r#"{"toolsListChanged":true}"#)],
    );

    harness.notify("notifications/tools/list_changed").unwrap();
    harness.notify("notifications/prompts/list_changed").unwrap();
    assert_eq!(harness.events(), [UNDECLARED]);
    let updated = Json::new(r#"{"uri":"a:2"}"#).unwrap();
    let method = "notifications/resources/updated";
    harness.session.notify(&mut harness.connection, method, Some(updated)).unwrap();
    let elsewhere = Json::new(r#"{"uri":"a:3"}"#).unwrap();
    harness.session.notify(&mut harness.connection, method, Some(elsewhere)).unwrap();
    let change = |id: &str| {
        let tag = tagged(id);
        format!(
            r#"{{"jsonrpc":"2.0","method":"notifications/tools/list_changed","params":{{{tag}}}}}"#
        )
    };
    let tag = tagged("7");
    let update =
        format!(r#"{{"jsonrpc":"2.0","method":"{method}","params":{{{tag},"uri":"a:2"}}}}"#);
    assert_eq!(harness.written(), [change("7"), change("\"x\""), update]);

    // The client ends one stream: nothing more is written for it, and its id is free.
    let cancel = r#"{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":7}}"#;
    harness.check(cancel, &[]);
    harness.notify("notifications/tools/list_changed").unwrap();
    assert_eq!(harness.written(), [change("\"x\"")]);
    assert_eq!(harness.connection.in_flight(), 1);
    harness.check(&listen("7", "{}"), &[&acknowledged("7", "{}")]);
}

/// N4, X1, X4: streams end with their response, at once at the end of input, and at the beginning of a shutdown.
#[test]
fn streams_end_with_their_response() {
    for end in [
        (|connection: &mut Connection, now| connection.handle_eof(now))
            as fn(&mut Connection, Instant),
        |connection, now| connection.shutdown(now, None),
    ] {
        let mut harness = Harness::new();
        harness.receive(&listen("7", r#"{"toolsListChanged":true}"#));
        harness.receive(&modern("8", "tools/call", ""));
        harness.written();
        end(&mut harness.connection, harness.now);
        assert_eq!(harness.events(), [""; 0]);
        let written = harness.written();
        assert_eq!(written.len(), 1, "{written:?}");
        same_json(
            &written[0],
            r#"{"jsonrpc":"2.0","id":7,"result":{"resultType":"complete","_meta":{"io.modelcontextprotocol/serverInfo":{"name":"us","version":"1.0"},"io.modelcontextprotocol/subscriptionId":7}}}"#,
        );
        assert_eq!(harness.connection.in_flight(), 1);
    }
}

/// N1, N4: while the client does not read, equal changes of a stream merge; a stream that ends takes its own along.
#[test]
fn changes_of_streams_wait_and_merge() {
    let mut harness = Harness::with_limit(300);
    harness.receive(&listen("1", r#"{"toolsListChanged":true}"#));
    harness.receive(&listen("2", r#"{"toolsListChanged":true}"#));
    harness.fill();
    for _ in 0..5 {
        harness.notify("notifications/tools/list_changed").unwrap();
    }
    let cancel = r#"{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":1}}"#;
    harness.receive(cancel);
    harness.written();
    harness.session.send_changes(&mut harness.connection);
    let tag = tagged("2");
    assert_eq!(
        harness.written(),
        [format!(
            r#"{{"jsonrpc":"2.0","method":"notifications/tools/list_changed","params":{{{tag}}}}}"#
        )]
    );
}

/// Q3: streams need no slot, and have a limit of their own.
#[test]
fn streams_have_their_own_limit() {
    let mut harness = Harness::new();
    for id in 0..64 {
        harness.receive(&listen(&id.to_string(), "{}"));
    }
    assert_eq!(harness.connection.slots_held(), 0);
    harness.written();
    harness.receive(&listen("64", "{}"));
    let busy = harness.written().remove(0);
    assert!(busy.contains("server_busy"), "{busy}");
    assert_eq!(harness.receive(&modern("65", "tools/call", "")), ["tools/call"]);
}

/// N3: before the modern era a client is told of the resources that it subscribed to, where the session keeps account.
#[test]
fn resources_are_subscribed_to_one_by_one() {
    let mut harness = Harness::with_capabilities(r#"{"resources":{"subscribe":true}}"#);
    harness.session = harness.session.with_subscriptions();
    harness.receive(&initialize("2025-06-18", "{}"));
    harness.receive(INITIALIZED);
    harness.written();
    let line = |method: &str, params: &str| {
        format!(r#"{{"jsonrpc":"2.0","id":1,"method":"{method}","params":{params}}}"#)
    };
    let done = r#"{"jsonrpc":"2.0","id":1,"result":{}}"#;
    harness.check(&line("resources/subscribe", r#"{"uri":"a:1"}"#), &[done]);
    harness.check(&line("resources/subscribe", r#"{"uri":"a:2"}"#), &[done]);
    harness.check(&line("resources/unsubscribe", r#"{"uri":"a:1"}"#), &[done]);
    harness.receive(&line("resources/subscribe", "{}"));
    assert_eq!(error_code(&harness.written()[0]), -32602);
    for uri in ["a:1", "a:2", "a:3"] {
        let params = Json::new(format!(r#"{{"uri":"{uri}"}}"#)).unwrap();
        let method = "notifications/resources/updated";
        harness.session.notify(&mut harness.connection, method, Some(params)).unwrap();
    }
    assert_eq!(
        harness.written(),
        [r#"{"jsonrpc":"2.0","method":"notifications/resources/updated","params":{"uri":"a:2"}}"#]
    );
}

/// N3, N4: a client without a handshake is told of nothing outside of its streams, and nothing is kept for it.
#[test]
fn without_a_stream_a_modern_client_is_told_nothing() {
    let mut harness = Harness::new();
    harness.receive(&modern("1", "tools/call", ""));
    harness.notify("notifications/tools/list_changed").unwrap();
    assert_eq!(harness.written(), [""; 0]);
    harness.receive(&initialize("2025-06-18", "{}"));
    harness.receive(INITIALIZED);
    assert_eq!(harness.written().len(), 1, "the answer to initialize alone");
}
