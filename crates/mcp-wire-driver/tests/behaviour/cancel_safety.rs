//! Every future may be dropped anywhere.

use crate::support::{Input, Manual, Output, Takes, Wire, call, request, response};
use mcp_wire_driver::{CallOptions, Context, Inbound, Json, Server, Tool, serve};
use serde_json::{Value, json};
use std::future::Future;
use std::pin::pin;
use std::sync::Arc;
use std::task::{self, Poll, Waker};

/// Polls a future so many times, then drops it. True where it was done before.
fn poll_and_drop(future: impl Future, polls: usize) -> bool {
    let mut future = pin!(future);
    let mut context = task::Context::from_waker(Waker::noop());
    (0..polls).any(|_| future.as_mut().poll(&mut context).is_ready())
}

/// Fills the output of a connection, which takes a part of it.
fn full(cut: usize) -> (Wire, mcp_wire_driver::Incoming) {
    let (wire, incoming) = Wire::connect(|config| config.max_outbound = 60);
    wire.world.run();
    wire.output.takes(Takes::Bytes(cut));
    let text = Json::from_serialize(&["x".repeat(200)]).expect("text is JSON");
    wire.peer.try_notify("filling", Some(text)).expect("there is room for the first one");
    wire.world.run();
    (wire, incoming)
}

/// F13: a `notify` that is dropped while it waits is sent whole or not at all, and cuts nothing.
#[test]
fn a_dropped_notify_cuts_nothing() {
    for cut in [0, 1, 30, 90] {
        for polls in 0..3 {
            let (wire, _incoming) = full(cut);
            assert!(!poll_and_drop(wire.peer.notify("dropped", None), polls));
            let peer = wire.peer.clone();
            let kept = wire.world.start(async move { peer.notify("kept", None).await });
            wire.output.takes(Takes::All);
            let methods: Vec<Value> =
                wire.receive().iter().map(|sent| sent["method"].clone()).collect();
            assert_eq!(methods, [json!("filling"), json!("kept")]);
            assert_eq!(kept.take(), Some(Ok(())));
        }
    }
}

/// F13, C6: a call that is dropped at any point, with any part of it written, cuts nothing: it is not sent, withdrawn, or
/// sent and cancelled.
#[test]
fn a_dropped_call_cuts_nothing() {
    let whole = r#"{"jsonrpc":"2.0","id":1,"method":"dropped"}"#.len() + 1;
    for cut in 0..=whole {
        for polls in 0..2 {
            let (wire, _incoming) = Wire::connect(|_| ());
            wire.world.run();
            wire.output.takes(Takes::Bytes(cut));
            let call = wire.peer.request("dropped", None, CallOptions::default());
            wire.world.run();
            assert!(!poll_and_drop(call, polls));
            wire.peer.try_notify("after", None).unwrap();
            wire.world.run();
            wire.output.takes(Takes::All);
            let methods: Vec<Value> =
                wire.receive().iter().map(|sent| sent["method"].clone()).collect();
            if cut == 0 {
                assert_eq!(methods, [json!("after")]);
            } else {
                let cancelled = json!("notifications/cancelled");
                assert_eq!(methods, [json!("dropped"), cancelled, json!("after")]);
            }
        }
    }
}

/// F13: a call that waits for room and is dropped is never sent.
#[test]
fn a_dropped_call_without_room_is_not_sent() {
    for polls in 0..3 {
        let (wire, _incoming) = full(30);
        let call = wire.peer.request("dropped", None, CallOptions::default());
        assert!(!poll_and_drop(call, polls));
        wire.output.takes(Takes::All);
        assert_eq!(wire.receive_one()["method"], "filling");
    }
}

/// F13: `next` loses nothing when it is dropped, whether it has waited or not.
#[test]
fn a_dropped_next_loses_nothing() {
    let (wire, mut incoming) = Wire::connect(|_| ());
    for id in 0..3 {
        assert!(!poll_and_drop(incoming.next(), 2));
        wire.send(&request(id, "test", &json!({})));
        assert!(!poll_and_drop(incoming.next(), 0));
        let Some(Inbound::Request(_, responder)) = incoming.try_next() else {
            panic!("the request is still there");
        };
        responder.respond(Ok(Json::null())).unwrap();
        assert_eq!(wire.receive_one(), response(&json!(id), &Value::Null));
    }
}

/// F13: `wait_closed` may be dropped, and waits again.
#[test]
fn a_dropped_wait_closed_waits_again() {
    let (wire, _incoming) = Wire::connect(|_| ());
    assert!(!poll_and_drop(wire.peer.wait_closed(), 2));
    wire.peer.close();
    wire.world.run();
    assert!(poll_and_drop(wire.peer.wait_closed(), 1));
}

/// F13, X3: a server that is dropped between any two polls has written whole bytes of a whole message, and no more.
#[test]
fn a_dropped_server_glues_nothing() {
    let bytes = |polls: usize| {
        let (input, output) = (Input::default(), Output::default());
        output.takes(Takes::AtMost(5));
        let tool = Tool::new("echo", "Echoes", json!({ "type": "object" }));
        let server = Server::new("test", "1").tool(tool, |_: Context, _: Value| async { "echo" });
        let server = Arc::new(server);
        let serve = serve(Manual::default(), server, input.clone(), output.clone()).unwrap();
        for id in 0..4 {
            input.push(format!("{}\n", request(id, "ping", &json!({}))));
            input.push(format!("{}\n", call(id, "echo")));
        }
        let done = poll_and_drop(serve, polls);
        assert!(!done);
        output.take_bytes()
    };
    let whole = bytes(100);
    for polls in 0..20 {
        let part = bytes(polls);
        assert!(whole.starts_with(&part));
    }
}

/// F13: the work of a handler that is dropped at any await point leaves one whole answer behind.
#[test]
fn a_dropped_answer_leaves_an_answer() {
    for polls in 0..4 {
        let (wire, mut incoming) = Wire::connect(|_| ());
        wire.send(&request(1, "test", &json!({})));
        let Some(Inbound::Request(_, responder)) = incoming.try_next() else {
            panic!("the request has arrived");
        };
        let mut left = 2;
        let work = std::future::poll_fn(move |_| {
            if left == 0 {
                return Poll::Ready(Ok(Json::null()));
            }
            left -= 1;
            Poll::Pending
        });
        let done = poll_and_drop(responder.answer_with(work), polls);
        assert_eq!(done, polls > 2);
        let reply = wire.receive_one();
        assert_eq!((reply["id"].clone(), reply.get("result").is_some()), (json!(1), done));
    }
}
