//! Requests of ours: each settles, and both sides may ask at once.

use crate::support::{
    Gate, Task, Wire, World, call, notification, request, response, result_text, tool,
};
use futures_util::future::join_all;
use mcp_wire_driver::{
    CallError, CallOptions, Closed, Context, ErrorObject, Inbound, Incoming, Json, Peer, SendError,
    Server,
};
use serde_json::{Value, json};
use std::time::Duration;

/// A server whose tool `ask` asks for the client's roots, and gives the answer or the error.
fn asking() -> Server {
    Server::new("test", "1").tool(tool("ask"), |context: Context, _: Value| async move {
        match context.list_roots().await {
            Ok(roots) => json!({ "roots": roots }).to_string(),
            Err(error) => format!("{error:?}"),
        }
    })
}

fn seconds(timeout: u64) -> CallOptions {
    let mut options = CallOptions::default();
    options.timeout = Some(Duration::from_secs(timeout));
    options
}

fn start(wire: &Wire, options: CallOptions) -> Task<Result<Json, CallError>> {
    let call = wire.world.start(wire.peer.request("test", None, options));
    wire.world.run();
    call
}

/// O1: a call gives the peer's result, or its error, whatever the order of the answers.
#[test]
fn answers_find_their_calls() {
    let (wire, _incoming) = Wire::connect(|_| ());
    let (first, second) = (start(&wire, seconds(1)), start(&wire, seconds(1)));
    let sent = wire.receive();
    let error = json!({ "code": 5, "message": "no", "data": [1] });
    wire.send(&json!({ "jsonrpc": "2.0", "id": sent[1]["id"], "error": error }));
    assert_eq!(first.take(), None);
    wire.send(&response(&sent[0]["id"], &json!({ "n": 1 })));
    assert_eq!(first.take(), Some(Ok(Json::new(r#"{"n":1}"#).unwrap())));
    let error = ErrorObject::new(5, "no").with_data(Json::new("[1]").unwrap());
    assert_eq!(second.take(), Some(Err(CallError::Peer(error))));
}

/// M4, O1: an answer that is no response settles its call at once.
#[test]
fn an_invalid_answer_settles_the_call() {
    let (wire, _incoming) = Wire::connect(|_| ());
    let call = start(&wire, seconds(1));
    let sent = wire.receive_one();
    wire.send(&json!({ "jsonrpc": "2.0", "id": sent["id"], "result": 1, "error": 2 }));
    assert!(matches!(call.take(), Some(Err(CallError::InvalidResponse(_)))));
}

/// O1: when the connection ends, calls settle with the cause; one that is made later is not sent.
#[test]
fn the_end_settles_calls() {
    let (wire, _incoming) = Wire::connect(|_| ());
    let call = start(&wire, seconds(1));
    wire.input.end();
    wire.world.run();
    assert_eq!(call.take(), Some(Err(CallError::Closed(Closed::Eof))));
    let late = start(&wire, seconds(1));
    assert_eq!(late.take(), Some(Err(CallError::NotSent(SendError::Closed))));
}

/// O2: each deadline counts by itself, however the timers are set.
#[test]
fn each_call_has_its_deadline() {
    let (wire, _incoming) = Wire::connect(|_| ());
    let late = start(&wire, seconds(9));
    let early = start(&wire, seconds(3));
    let answered = start(&wire, seconds(1));
    let sent = wire.receive();
    wire.send(&response(&sent[2]["id"], &json!({})));
    assert_eq!(answered.take(), Some(Ok(Json::empty_object())));
    wire.world.advance(Duration::from_secs(2));
    assert_eq!((early.take(), late.take()), (None, None));
    wire.world.advance(Duration::from_secs(1));
    assert_eq!((early.take(), late.take()), (Some(Err(CallError::TimedOut)), None));
    wire.world.advance(Duration::from_secs(6));
    assert_eq!(late.take(), Some(Err(CallError::TimedOut)));
}

/// O2: no wait is too long for the clock.
#[test]
fn a_wait_may_be_longer_than_time() {
    let (wire, _incoming) = Wire::connect(|config| config.max_outbound = 1);
    let mut options = CallOptions::default();
    (options.timeout, options.ceiling) = (None, Duration::MAX);
    wire.output.takes(crate::support::Takes::Bytes(0));
    let (first, second) = (start(&wire, options.clone()), start(&wire, options));
    wire.output.takes(crate::support::Takes::All);
    for sent in wire.receive() {
        wire.send(&response(&sent["id"], &json!({})));
    }
    for sent in wire.receive() {
        wire.send(&response(&sent["id"], &json!({})));
    }
    assert_eq!(first.take(), Some(Ok(Json::empty_object())));
    assert_eq!(second.take(), Some(Ok(Json::empty_object())));
}

/// L1: a client without the capability is not asked: an error at once, and nothing on the wire.
#[test]
fn a_missing_capability_is_an_error_at_once() {
    let wire = Wire::serve(asking());
    wire.initialize(&json!({}));
    wire.send(&call(1, "ask"));
    let reply = wire.receive_one();
    assert!(result_text(&reply).contains(r#"Undeclared("roots")"#), "{reply}");
}

/// L1: what is asked before `initialized` waits for it, within its deadline.
#[test]
fn a_question_waits_for_the_client_to_be_ready() {
    let wire = Wire::serve(asking());
    let params = json!({ "protocolVersion": "2025-11-25", "capabilities": { "roots": {} } });
    wire.send(&request(0, "initialize", &params));
    wire.send(&call(1, "ask"));
    assert_eq!(wire.receive().len(), 1, "the reply to initialize");
    wire.world.advance(Duration::from_secs(60));
    assert_eq!(result_text(&wire.receive_one()), "Failed(TimedOut)");
    wire.send(&call(2, "ask"));
    assert_eq!(wire.receive(), [Value::Null; 0]);
    wire.send(&notification("notifications/initialized", &json!({})));
    let question = wire.receive_one();
    assert_eq!(question["method"], "roots/list");
    wire.send(&response(&question["id"], &json!({ "roots": [] })));
    assert_eq!(result_text(&wire.receive_one()), r#"{"roots":[]}"#);
}

/// O3: while a handler waits for the client, the client's own requests are answered.
#[test]
fn a_question_holds_up_nobody() {
    let server = asking().tool_now(tool("echo"), |_: &Context, _: Value| "echo");
    let wire = Wire::serve(server).ready();
    wire.send(&call(1, "ask"));
    let question = wire.receive_one();
    wire.send(&call(2, "echo"));
    assert_eq!(wire.receive_one()["id"], 2);
    wire.send(&response(&question["id"], &json!({})));
    assert_eq!(wire.receive_one()["id"], 1);
}

/// Answers a request for a depth by asking the other side for one less.
async fn nest(world: World, peer: Peer, mut incoming: Incoming, gate: Gate) {
    while let Some(inbound) = incoming.next().await {
        let Inbound::Request(request, responder) = inbound else { continue };
        let [depth]: [i64; 1] =
            request.params().and_then(|it| serde_json::from_str(it).ok()).expect("params say it");
        let (peer, gate) = (peer.clone(), gate.clone());
        drop(world.start(responder.answer_with(async move {
            if depth == 0 {
                gate.pass().await;
                return Ok(number(0));
            }
            let below = ask(&peer, depth - 1).await.map_err(|_| ErrorObject::internal())?;
            Ok(number(below + 1))
        })));
    }
}

fn number(number: i64) -> Json {
    Json::from_serialize(&number).expect("a number is JSON")
}

async fn ask(peer: &Peer, depth: i64) -> Result<i64, CallError> {
    let params = Json::from_serialize(&[depth]).expect("numbers are JSON");
    let depth = peer.request("nest", Some(params), CallOptions::default()).await?;
    Ok(depth.parse().expect("it is a number"))
}

/// O3: both sides ask each other at once, three deep and 32 in parallel each, on one thread.
#[test]
fn both_sides_ask_at_once_and_nested() {
    let [(client, from_server), (server, from_client)] = Wire::pair();
    let world = client.world.clone();
    let gate = Gate::default();
    let both = [(&client, from_server), (&server, from_client)].map(|(wire, incoming)| {
        let (peer, world, gate) = (wire.peer.clone(), wire.world.clone(), gate.clone());
        drop(wire.world.start(nest(world, peer.clone(), incoming, gate)));
        wire.world.start(async move { join_all((0..32).map(|_| ask(&peer, 3))).await })
    });
    world.run();
    // All of them are under way at the same time.
    assert_eq!(gate.waiting(), 64);
    gate.open();
    world.run();
    for calls in both {
        assert_eq!(calls.take(), Some(vec![Ok(3); 32]));
    }
    client.peer.close();
    world.run();
    assert_eq!(client.driver.take(), Some(Closed::Local));
    assert_eq!(server.driver.take(), Some(Closed::Eof));
}
