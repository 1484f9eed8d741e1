mod modern;

use super::*;
use crate::mcp::{self, Implementation, Revision};
use crate::rpc::{Budget, Closed, Config, Role};
use std::time::Duration;

/// A client, and its peer's end of the stream.
struct Harness {
    connection: Connection,
    session: ClientSession,
    now: Instant,
}

impl Harness {
    #[allow(clippy::disallowed_methods, reason = "virtual time has to begin somewhere")]
    fn with(eras: Eras) -> Self {
        let now = Instant::now();
        let config = Config { dialect: mcp::dialect(), role: Role::Client, ..Config::default() };
        let mut connection = Connection::new(config, Budget::default()).unwrap();
        let capabilities = Json::new(r#"{"roots":{}}"#).unwrap();
        let mut declaration =
            ClientDeclaration::new(Implementation::new("host", "1"), capabilities);
        declaration.eras = eras;
        let session = ClientSession::new(now, &mut connection, declaration);
        Self { connection, session, now }
    }

    fn new() -> Self {
        Self::with(Eras::Legacy)
    }

    /// The server sends a line; these events are the application's.
    fn receive(&mut self, line: &str) -> Vec<Event> {
        self.connection.handle_message(self.now, line.as_bytes().to_vec());
        self.events()
    }

    fn events(&mut self) -> Vec<Event> {
        let mut events = Vec::new();
        while let Some(event) = self.connection.poll_event() {
            events.extend(self.session.filter(&mut self.connection, event));
        }
        events
    }

    fn written(&mut self) -> Vec<String> {
        std::iter::from_fn(|| self.connection.output().pop_message())
            .map(|line| String::from_utf8(line).unwrap())
            .collect()
    }

    fn call(&mut self, method: &str) -> Call {
        self.connection.request(self.now, method, None, CallOptions::default()).unwrap()
    }
}

fn agreed(revision: &str) -> String {
    format!(
        r#"{{"jsonrpc":"2.0","id":1,"result":{{"protocolVersion":"{revision}","capabilities":{{"tools":{{}}}},"serverInfo":{{"name":"s","version":"2"}},"instructions":"be kind"}}}}"#
    )
}

/// P1: the client asks for the handshake first, and what is called meanwhile goes out behind `initialized`, in order.
#[test]
fn the_handshake_comes_first() {
    let mut harness = Harness::new();
    harness.call("tools/list");
    harness.call("prompts/list");
    assert_eq!(
        harness.written(),
        [
            r#"{"jsonrpc":"2.0","id":1,"method":"initialize","params":{"protocolVersion":"2025-11-25","capabilities":{"roots":{}},"clientInfo":{"name":"host","version":"1"}}}"#
        ]
    );
    assert_eq!(harness.session.outcome(), None);
    assert_eq!(harness.receive(&agreed("2025-06-18")), []);
    assert_eq!(
        harness.written(),
        [
            r#"{"jsonrpc":"2.0","method":"notifications/initialized"}"#,
            r#"{"jsonrpc":"2.0","id":2,"method":"tools/list"}"#,
            r#"{"jsonrpc":"2.0","id":3,"method":"prompts/list"}"#,
        ]
    );
    let server = harness.session.outcome().unwrap().unwrap();
    assert_eq!(server.revision, Revision::V2025_06_18);
    assert_eq!(server.instructions.as_deref(), Some("be kind"));
    assert_eq!(server.implementation, Some(Implementation::new("s", "2")));
    assert!(server.has("tools") && !server.has("prompts"));
}

/// P1: a server that knows no revision of ours, or makes no sense, is left, and what was called is told so.
#[test]
fn a_failed_handshake_ends_the_connection() {
    for (line, expected) in [
        (agreed("1999-01-01"), HandshakeError::UnknownRevision("1999-01-01".into())),
        (
            r#"{"jsonrpc":"2.0","id":1,"result":{}}"#.into(),
            HandshakeError::InvalidResult(
                "missing field `protocolVersion` at line 1 column 2".into(),
            ),
        ),
        (
            r#"{"jsonrpc":"2.0","id":1}"#.into(),
            HandshakeError::Call(CallError::InvalidResponse(crate::message::FaultKind::NotMessage)),
        ),
    ] {
        let mut harness = Harness::new();
        let call = harness.call("tools/list");
        harness.written();
        let events = harness.receive(&line);
        assert_eq!(harness.session.outcome(), Some(Err(&expected)));
        let closed = Err(CallError::Closed(Closed::Local));
        assert!(events.contains(&Event::Response { call, outcome: closed }), "{events:?}");
        assert_eq!(events.last(), Some(&Event::Closed(Closed::Local)));
        assert_eq!(harness.written(), [""; 0], "what was kept back is never written");
    }
}

/// C6: a handshake that takes too long is given up without a cancellation on the wire.
#[test]
fn the_handshake_is_never_cancelled() {
    let mut harness = Harness::new();
    harness.written();
    harness.connection.handle_timeout(harness.now + Duration::from_secs(60));
    harness.events();
    assert_eq!(harness.session.outcome(), Some(Err(&HandshakeError::Call(CallError::TimedOut))));
    assert_eq!(harness.written(), [""; 0]);
}

/// L1: the server's ping is answered in every state; its other requests are the application's.
#[test]
fn a_ping_is_answered() {
    let mut harness = Harness::new();
    harness.written();
    assert_eq!(harness.receive(r#"{"jsonrpc":"2.0","id":"a","method":"ping"}"#), []);
    assert_eq!(harness.written(), [r#"{"jsonrpc":"2.0","id":"a","result":{}}"#]);
    harness.receive(&agreed("2025-11-25"));
    let events = harness.receive(r#"{"jsonrpc":"2.0","id":"b","method":"roots/list"}"#);
    assert!(matches!(events[..], [Event::Request(..)]), "{events:?}");
}

/// E8: batches are accepted where the server speaks 2025-03-26, and nowhere else.
#[test]
fn one_revision_has_batches() {
    for (revision, faults) in [("2025-03-26", 0), ("2025-06-18", 1)] {
        let mut harness = Harness::new();
        harness.receive(&agreed(revision));
        let events = harness.receive(r#"[{"jsonrpc":"2.0","method":"x"}]"#);
        let fault = |event: &&Event| matches!(event, Event::Fault(_));
        assert_eq!(events.iter().filter(fault).count(), faults);
    }
}

/// P1: any revision with a handshake that the server answers with is fine, and nothing else.
#[test]
fn any_known_revision_will_do() {
    for (revision, known) in [
        ("2024-11-05", true),
        ("2025-03-26", true),
        ("2025-06-18", true),
        ("2025-11-25", true),
        ("2025-11-26", false),
        ("", false),
    ] {
        let mut harness = Harness::new();
        harness.written();
        harness.receive(&agreed(revision));
        assert_eq!(harness.session.server().is_some(), known, "{revision}");
        assert_eq!(harness.connection.closed().is_none(), known, "{revision}");
    }
}

/// O1: where the connection ends first, that is the outcome, with its cause.
#[test]
fn the_end_of_the_connection_ends_the_handshake() {
    let mut harness = Harness::new();
    harness.written();
    harness.connection.handle_eof(harness.now);
    assert_eq!(harness.events(), [Event::Closed(Closed::Eof)]);
    let error = HandshakeError::Call(CallError::Closed(Closed::Eof));
    assert_eq!(harness.session.outcome(), Some(Err(&error)));
    let late = harness.session.notify(&mut harness.connection, "n", None);
    assert_eq!(late, Err(SendError::Closed));
}

/// F14: a handshake that cannot be sent has failed from the beginning.
#[test]
#[allow(clippy::disallowed_methods, reason = "virtual time has to begin somewhere")]
fn a_handshake_may_be_too_long() {
    let config = Config {
        dialect: mcp::dialect(),
        role: Role::Client,
        max_frame_out: Config::MIN_FRAME_OUT,
        ..Config::default()
    };
    let mut connection = Connection::new(config, Budget::default()).unwrap();
    let implementation = Implementation::new("x".repeat(5000), "1");
    let declaration = ClientDeclaration::new(implementation, Json::empty_object());
    let session = ClientSession::new(Instant::now(), &mut connection, declaration);
    let too_large = |error: &HandshakeError| {
        matches!(error, HandshakeError::Call(CallError::NotSent(SendError::TooLarge { .. })))
    };
    assert!(session.outcome().is_some_and(|outcome| outcome.is_err_and(too_large)));
}

/// N3: notifications are refused until the handshake is over.
#[test]
fn notifications_wait_for_the_handshake() {
    let mut harness = Harness::new();
    harness.written();
    let early = harness.session.notify(&mut harness.connection, "n", None);
    assert_eq!((early, harness.written()), (Err(SendError::NotReady), vec![]));
    harness.receive(&agreed("2025-11-25"));
    harness.written();
    harness.session.notify(&mut harness.connection, "n", None).unwrap();
    assert_eq!(harness.written(), [r#"{"jsonrpc":"2.0","method":"n"}"#]);
}

/// M5: what answers something else than the handshake is the application's, as is a second answer to it.
#[test]
fn other_answers_are_the_applications() {
    let mut harness = Harness::new();
    let pinged = harness.call("ping");
    let events = harness.receive(r#"{"jsonrpc":"2.0","id":2,"result":{}}"#);
    let outcome = Ok(Json::empty_object());
    assert_eq!(events, [Event::Response { call: pinged, outcome }]);
    assert_eq!(harness.session.outcome(), None);
    harness.receive(&agreed("2025-11-25"));
    let events = harness.receive(&agreed("2025-06-18"));
    assert!(matches!(events[..], [Event::Late(_)]), "{events:?}");
    assert_eq!(harness.session.server().unwrap().revision, Revision::V2025_11_25);
}

/// I5: a session asks for progress under the number of the call, where that is wanted.
#[test]
fn progress_is_asked_for_under_the_calls_number() {
    use crate::mcp::Session;
    use crate::rpc::OnProgress;
    let Harness { mut connection, session, now } = Harness::new();
    let mut session = Session::from(session);
    connection.handle_message(now, agreed("2025-11-25").into_bytes());
    while let Some(event) = connection.poll_event() {
        assert_eq!(session.filter(&mut connection, event), None);
    }
    while connection.output().pop_message().is_some() {}
    for (on_progress, params) in [
        (OnProgress::Report, r#","params":{"_meta":{"progressToken":2},"a":1}"#),
        (OnProgress::Restart, r#","params":{"_meta":{"progressToken":3},"a":1}"#),
        (OnProgress::Ignore, r#","params":{"a":1}"#),
    ] {
        let given = Some(Json::new(r#"{"a":1}"#).unwrap());
        let options = CallOptions { on_progress, ..CallOptions::default() };
        let call = session.request(&mut connection, now, "m", given, options).unwrap();
        let line = String::from_utf8(connection.output().pop_message().unwrap()).unwrap();
        let id = call.number();
        assert_eq!(line, format!(r#"{{"jsonrpc":"2.0","id":{id},"method":"m"{params}}}"#));
    }
    assert!(session.as_client().is_some() && session.as_server().is_none());
}

/// X2: where nobody listens any more, an answer that is still found changes nothing on the wire.
#[test]
fn what_is_kept_back_is_not_written_to_nobody() {
    let mut harness = Harness::new();
    let call = harness.call("tools/list");
    harness.written();
    let broken = std::io::ErrorKind::BrokenPipe;
    harness.connection.handle_write_error(harness.now, broken);
    harness.receive(&agreed("2025-11-25"));
    assert!(harness.session.server().is_some());
    assert_eq!(harness.written(), [""; 0]);
    harness.connection.handle_eof(harness.now);
    let closed = Closed::WriteFailed(broken);
    let outcome = Err(CallError::Closed(closed.clone()));
    assert_eq!(harness.events(), [Event::Response { call, outcome }, Event::Closed(closed)]);
}
