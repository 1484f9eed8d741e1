//! The client's handshake, and what ends it.

use crate::support::{
    ClientWire, Input, Output, Takes, World, agreed, call_options, error, host, notification,
    request, response, seconds,
};
use mcp_wire_driver::mcp::Implementation;
use mcp_wire_driver::message::FaultKind;
use mcp_wire_driver::rpc::IdMatching;
use mcp_wire_driver::{
    CallError, Client, Closed, Config, ConfigError, ConnectError, Context, Eras, ErrorObject,
    HandshakeError, Host, Json, OnProgress, Peer, Revision, SendError,
};
use serde_json::{Value, json};
use std::io::ErrorKind::{BrokenPipe, ConnectionReset};
use std::sync::{Arc, Mutex};
use std::time::Duration;

/// P1: the client says who it is, what it can do and which revision it prefers; what the server says of itself is kept.
#[test]
fn the_handshake_agrees() {
    let experimental = Json::new(r#"{"x":{}}"#).unwrap();
    let host = host().title("Test").capability("experimental", experimental);
    let wire = ClientWire::connect(host);
    let asked = wire.receive_one();
    let params = json!({
        "protocolVersion": "2025-11-25", "capabilities": { "experimental": { "x": {} } },
        "clientInfo": { "name": "test", "title": "Test", "version": "1" },
    });
    assert_eq!(asked, request(1, "initialize", &params));
    assert!(wire.connected().is_none());
    wire.send(&agreed("2025-11-25"));
    assert_eq!(
        wire.receive_one(),
        json!({ "jsonrpc": "2.0", "method": "notifications/initialized" })
    );
    let client = wire.connected().unwrap().unwrap();
    let server = client.server_info();
    assert_eq!(server.revision, Revision::V2025_11_25);
    assert_eq!(server.implementation, Some(Implementation::new("scripted", "1")));
    assert_eq!(server.instructions.as_deref(), Some("be kind"));
    assert!(server.has("tools") && !server.has("prompts"));
    assert_eq!(client.peer().revision(), Some(Revision::V2025_11_25));
}

/// P1: the client can ask for another revision, and takes any that it knows.
#[test]
fn any_known_revision_will_do() {
    for asked in ["2024-11-05", "2025-11-25"] {
        for answered in ["2024-11-05", "2025-03-26", "2025-06-18", "2025-11-25"] {
            let wire = ClientWire::connect(host().revision(asked.parse().unwrap()));
            assert_eq!(wire.receive_one()["params"]["protocolVersion"], asked);
            wire.send(&agreed(answered));
            let client = wire.connected().unwrap().unwrap();
            assert_eq!(client.server_info().revision, answered.parse().unwrap());
        }
    }
}

/// E8: what the handshake agrees on holds for the very next line: batches, in one revision.
#[test]
fn batches_are_taken_where_they_are_agreed_on() {
    for (revision, answers) in [("2025-03-26", 1), ("2025-11-25", 0)] {
        let wire = ClientWire::connect(host());
        let ping = request("ping", "ping", &json!({}));
        wire.input.push(format!("{}\n[{ping}]\n", agreed(revision)));
        let written = wire.receive();
        assert_eq!(written.len(), 2 + answers, "{written:?}");
        if answers > 0 {
            assert_eq!(written[2], json!([response(&json!("ping"), &json!({}))]));
        }
    }
}

/// O1: an answer that is no agreement is the reason, as it is; the connection ends, and nothing more is written.
#[test]
fn a_server_that_does_not_agree_is_left() {
    let refusal = ErrorObject::new(-32602, "no");
    let cases = [
        (error(&json!(1), -32602, "no"), HandshakeError::Call(CallError::Peer(refusal))),
        (agreed("1999-01-01"), HandshakeError::UnknownRevision("1999-01-01".into())),
        (
            json!({ "jsonrpc": "2.0", "id": 1, "result": {}, "error": {} }),
            HandshakeError::Call(CallError::InvalidResponse(FaultKind::NotMessage)),
        ),
    ];
    for (answer, expected) in cases {
        let wire = ClientWire::connect(host());
        wire.receive();
        wire.send(&answer);
        assert_eq!(wire.failure(), expected);
        assert_eq!((wire.receive(), wire.output.closes()), (vec![], 1));
    }
    for answer in [json!(null), json!([]), json!({}), json!({ "protocolVersion": 1 })] {
        let wire = ClientWire::connect(host());
        wire.send(&response(&json!(1), &answer));
        assert!(matches!(wire.failure(), HandshakeError::InvalidResult(_)), "{answer}");
    }
}

/// P1: what a server says of itself may be missing or odd, as long as its revision is known.
#[test]
fn a_server_that_says_little_will_do() {
    for server in [json!(null), json!(7), json!({ "name": "nameless" })] {
        let wire = ClientWire::connect(host());
        let result = json!({ "protocolVersion": "2025-11-25", "serverInfo": server });
        wire.send(&response(&json!(1), &result));
        let client = wire.connected().unwrap().unwrap();
        let said = client.server_info();
        assert_eq!((&said.implementation, &said.instructions), (&None, &None));
        assert_eq!(said.capabilities, Json::empty_object());
    }
}

/// O2, C6: connecting takes no longer than it may; `initialize` is not cancelled on the wire.
#[test]
fn the_handshake_has_a_deadline() {
    let with = |timeout| host().connect_timeout(seconds(timeout));
    for (host, limit) in [(host(), 60), (with(5), 5), (with(3600), 3600)] {
        let wire = ClientWire::connect(host);
        wire.world.advance(seconds(limit) - Duration::from_nanos(1));
        assert!(wire.connected().is_none());
        wire.world.advance(Duration::from_nanos(1));
        assert_eq!(wire.failure(), HandshakeError::Call(CallError::TimedOut));
        assert_eq!(wire.receive_one()["method"], "initialize");
    }
}

/// O2, C6: progress does not give `initialize` more time; junk does not either.
#[test]
fn nothing_but_the_answer_stops_the_deadline() {
    let wire = ClientWire::connect(host().connect_timeout(seconds(5)));
    for _ in 0..5 {
        wire.send(&notification(
            "notifications/progress",
            &json!({ "progressToken": 1, "progress": 1 }),
        ));
        wire.input.push("still starting ...\n");
        wire.world.advance(seconds(1));
    }
    assert_eq!(wire.failure(), HandshakeError::Call(CallError::TimedOut));
}

/// O2, C6: a server that does not even read is given up in time; nothing is left of the request.
#[test]
fn a_server_that_does_not_read_is_given_up() {
    let (world, input, output) = (World::default(), Input::default(), Output::default());
    output.takes(Takes::Bytes(0));
    let runtime = world.runtime.clone();
    let host = host().connect_timeout(seconds(5));
    let connecting = world.start(Client::connect(runtime, host, input, output.clone()));
    world.advance(seconds(5));
    let error = HandshakeError::Call(CallError::TimedOut);
    assert_eq!(
        connecting.take().unwrap().err(),
        Some(ConnectError::Handshake { error, child: None, earlier: None })
    );
    output.takes(Takes::All);
    assert_eq!((output.take_bytes(), world.alive()), (vec![], 0));
}

/// M4: stray lines before the answer, and a flood of them, are passed over.
#[test]
fn stray_lines_before_the_answer_do_no_harm() {
    let wire = ClientWire::connect(host());
    wire.receive();
    for junk in
        ["Starting server ...\n", "\n", "{\"level\":\"info\",\"id\":1}\n", "\u{fffd}\n", "[]\n"]
    {
        wire.input.push(junk);
    }
    wire.input.push(b"\xff\xfe\n");
    wire.input.push("x".repeat(100_000) + "\n");
    for _ in 0..10_000 {
        wire.input.push("junk\n");
    }
    wire.send(&response(&json!("1"), &json!({})));
    wire.send(&response(&json!(2), &json!({})));
    assert_eq!(wire.receive(), [Value::Null; 0]);
    assert!(wire.connected().is_none());
    wire.send(&agreed("2025-11-25"));
    assert!(wire.connected().unwrap().is_ok());
}

/// M5: a second answer to `initialize` changes nothing.
#[test]
fn a_second_answer_changes_nothing() {
    let wire = ClientWire::connect(host());
    wire.input.push(format!("{}\n{}\n", agreed("2025-06-18"), error(&json!(1), 1, "no")));
    let client = wire.connected().unwrap().unwrap();
    assert_eq!((client.server_info().revision, wire.receive().len()), (Revision::V2025_06_18, 2));
    assert_eq!(client.peer().closed(), None);
}

/// X1, X2: a connection that ends before the answer is the reason, with its cause.
#[test]
fn an_end_before_the_answer_is_the_reason() {
    let closed = |cause| HandshakeError::Call(CallError::Closed(cause));
    let wire = ClientWire::connect(host());
    wire.input.end();
    assert_eq!(wire.failure(), closed(Closed::Eof));

    let wire = ClientWire::connect(host());
    wire.input.push("half a li");
    wire.input.fail(ConnectionReset);
    assert_eq!(wire.failure(), closed(Closed::ReadFailed(ConnectionReset)));

    // A client whose writes fail reads on for a second.
    let wire = ClientWire::connect(host());
    wire.output.takes(Takes::Fails(BrokenPipe));
    wire.send(&request(1, "ping", &json!({})));
    assert!(wire.connected().is_none());
    wire.world.advance(seconds(1));
    assert_eq!(wire.failure(), closed(Closed::WriteFailed(BrokenPipe)));
}

/// X3: dropping the future that connects, at any time, ends the connection.
#[test]
fn connecting_may_be_given_up() {
    let wire = ClientWire::connect(host());
    wire.give_up();
    wire.world.run();
    assert_eq!((wire.output.closes(), wire.world.alive()), (1, 0));
    wire.receive();
    wire.send(&agreed("2025-11-25"));
    assert_eq!(wire.receive(), [Value::Null; 0]);

    // Never polled: nothing has begun.
    let (world, input, output) = (World::default(), Input::default(), Output::default());
    drop(Client::connect(world.runtime.clone(), host(), input, output.clone()));
    world.run();
    assert_eq!((output.writes(), world.alive()), (0, 0));

    // Between the answer and the next poll of who waits for it.
    let wire = ClientWire::connect(host());
    wire.input.push(format!("{}\n", agreed("2025-11-25")));
    wire.give_up();
    wire.world.run();
    assert_eq!((wire.output.closes(), wire.world.alive()), (1, 0));
}

/// F7: a configuration that cannot work is told before anything begins.
#[test]
fn a_configuration_is_checked_first() {
    let wire = ClientWire::connect(host().configure(|config| config.max_frame = 0));
    let outcome = wire.connected().unwrap();
    assert_eq!(outcome.err(), Some(ConnectError::Config(ConfigError::Zero("max_frame"))));
    assert_eq!((wire.output.writes(), wire.input.polls(), wire.world.alive()), (0, 0, 0));
}

/// F14: a handshake that is too long to be sent fails, and says why.
#[test]
fn a_handshake_that_is_too_long_fails() {
    let wire = ClientWire::connect(
        Host::new("x".repeat(5000), "1")
            .eras(Eras::Legacy)
            .configure(|config| config.max_frame_out = 4096),
    );
    let error = wire.failure();
    let too_large = matches!(
        error,
        HandshakeError::Call(CallError::NotSent(SendError::TooLarge { limit: 4096, .. }))
    );
    assert!(too_large, "{error}");
    assert_eq!(wire.receive(), [Value::Null; 0]);
}

/// L1: the server's ping is answered before the handshake is over, in read order; other requests are refused, also those
/// that the host could answer.
#[test]
fn the_server_may_only_ping_before_the_handshake_is_over() {
    let host = host().on_roots(async |_: Context| Ok(vec![]));
    let wire = ClientWire::connect(host);
    wire.receive();
    let lines = [
        request("a", "ping", &json!({})),
        request("b", "roots/list", &json!({})),
        request("c", "no/such", &json!({})),
        request("d", "ping", &json!({})),
    ];
    wire.input.push(lines.map(|line| line.to_string() + "\n").concat());
    let answers = wire.receive();
    let ids: Vec<&Value> = answers.iter().map(|answer| &answer["id"]).collect();
    assert_eq!(ids, ["a", "b", "c", "d"]);
    let codes: Vec<&Value> = answers.iter().map(|answer| &answer["error"]["code"]).collect();
    assert_eq!(codes, [&Value::Null, &json!(-32600), &json!(-32600), &Value::Null]);
    wire.send(&agreed("2025-11-25"));
    assert!(wire.connected().unwrap().is_ok());
}

/// P1, N3: what is asked of the server before the handshake is over waits for `initialized`, within its deadline;
/// notifications are refused.
#[test]
fn requests_wait_for_the_handshake() {
    let kept: Arc<Mutex<Option<Peer>>> = Arc::default();
    let keep = Arc::clone(&kept);
    let host = host().notification("early", move |peer: &Peer, _: Value| {
        *keep.lock().unwrap() = Some(peer.clone());
    });
    let wire = ClientWire::connect(host);
    wire.receive();
    wire.send(&notification("early", &json!({})));
    let peer = kept.lock().unwrap().take().expect("the handler has run");
    assert_eq!(peer.try_notify("test", None), Err(SendError::NotReady));
    let options = call_options(OnProgress::Ignore, Some(seconds(1)));
    let hasty = wire.start(peer.request("hasty", None, options));
    let patient = wire.start(peer.request("patient", None, Default::default()));
    drop(peer.request("dropped", None, Default::default()));
    let pinged = wire.start(peer.request("ping", None, Default::default()));
    let ping = wire.receive_one();
    assert_eq!(ping["method"], "ping");
    wire.send(&response(&ping["id"], &json!({})));
    assert_eq!(pinged.take(), Some(Ok(Json::empty_object())));
    wire.world.advance(seconds(1));
    assert_eq!(hasty.take(), Some(Err(CallError::TimedOut)));
    wire.send(&agreed("2025-11-25"));
    let written = wire.receive();
    let methods: Vec<&Value> = written.iter().map(|it| &it["method"]).collect();
    assert_eq!(methods, ["notifications/initialized", "patient"]);
    wire.send(&response(&written[1]["id"], &json!(7)));
    assert_eq!(patient.take(), Some(Ok(Json::new("7").unwrap())));
    assert_eq!(peer.try_notify("test", None), Ok(()));
}

/// O1: what waits for a handshake that fails is told so.
#[test]
fn requests_fail_with_the_handshake() {
    let kept: Arc<Mutex<Option<Peer>>> = Arc::default();
    let keep = Arc::clone(&kept);
    let host = host().notification("early", move |peer: &Peer, _: Value| {
        *keep.lock().unwrap() = Some(peer.clone());
    });
    let wire = ClientWire::connect(host);
    wire.send(&notification("early", &json!({})));
    let peer = kept.lock().unwrap().take().expect("the handler has run");
    let waiting = wire.start(peer.request("waiting", None, Default::default()));
    wire.receive();
    wire.send(&agreed("1999-01-01"));
    assert_eq!(waiting.take(), Some(Err(CallError::Closed(Closed::Local))));
    assert_eq!(wire.receive(), [Value::Null; 0]);
    assert_eq!(peer.try_notify("late", None), Err(SendError::Closed));
    wire.failure();
}

/// I3: by choice a server may turn our numbers into strings, from the first one on.
#[test]
fn a_server_may_turn_ids_into_strings() {
    let lenient = |config: &mut Config| config.id_matching = IdMatching::Lenient;
    let wire = ClientWire::connect(host().configure(lenient));
    wire.send(&response(&json!("1"), &agreed("2025-11-25")["result"]));
    let client = wire.connected().unwrap().unwrap();
    let pinged = wire.start(async move { client.ping().await });
    wire.send(&response(&json!("2"), &json!({})));
    assert_eq!(pinged.take(), Some(Ok(())));
}

/// O1: what went wrong is told in words.
#[test]
fn a_failure_is_told_in_words() {
    let wire = ClientWire::connect(host().connect_timeout(seconds(1)));
    wire.world.advance(seconds(1));
    let text = wire.connected().unwrap().unwrap_err().to_string();
    assert_eq!(text, "initialize failed: no answer in time");
    let wire = ClientWire::connect(host());
    wire.send(&agreed("1999-01-01"));
    let text = wire.connected().unwrap().unwrap_err().to_string();
    assert_eq!(text, "the server speaks revision \"1999-01-01\", which is not supported here");
}
