//! Connections whose messages the application takes by itself.

use crate::support::{Gate, Wire, notification, request, response};
use futures_util::StreamExt;
use mcp_wire_driver::{Budget, Inbound, Incoming, Json, Responder};
use serde_json::{Value, json};

fn next_request(incoming: &mut Incoming) -> Responder {
    match incoming.try_next() {
        Some(Inbound::Request(_, responder)) => responder,
        other => panic!("no request: {other:?}"),
    }
}

/// Q1: what the peer sends comes in the order of arrival, faults included.
#[test]
fn messages_come_in_order() {
    let (wire, mut incoming) = Wire::connect(|_| ());
    wire.send(&notification("first", &json!({})));
    wire.input.push("not JSON\n");
    wire.send(&request(1, "third", &json!({ "a": 1 })));
    assert!(
        matches!(incoming.try_next(), Some(Inbound::Notification(it)) if it.method() == "first")
    );
    assert!(matches!(incoming.try_next(), Some(Inbound::Fault(_))));
    let Some(Inbound::Request(request, responder)) = incoming.try_next() else {
        panic!("the request has arrived");
    };
    assert_eq!((request.method(), request.params()), ("third", Some(r#"{"a":1}"#)));
    assert!(incoming.try_next().is_none());
    responder.respond(Ok(Json::null())).unwrap();
    assert_eq!(wire.receive_one(), response(&json!(1), &Value::Null));
}

/// Whoever waits for the next one is woken by what arrives, and told of the end by `None`.
#[test]
fn next_waits_for_what_arrives() {
    let (wire, incoming) = Wire::connect(|_| ());
    let count = wire.world.start(incoming.count());
    wire.world.run();
    for _ in 0..3 {
        wire.send(&notification("test", &json!({})));
    }
    wire.input.end();
    wire.world.run();
    assert_eq!(count.take(), Some(3));
}

/// B5: what is not taken is bounded: notifications are dropped and counted, requests are busy, responses still settle calls.
#[test]
fn what_is_not_taken_is_bounded() {
    let (wire, mut incoming) = Wire::connect(|config| config.max_events = 3);
    let call = wire.world.start(wire.peer.request("test", None, Default::default()));
    let sent = wire.receive_one();
    for _ in 0..10 {
        wire.send(&notification("test", &json!({})));
    }
    wire.send(&request(1, "test", &json!({})));
    assert_eq!(wire.receive_one()["error"]["message"], "server busy");
    wire.send(&response(&sent["id"], &json!({})));
    assert_eq!(call.take(), Some(Ok(Json::empty_object())));
    let mut lagged = 0;
    let mut taken = 0;
    while let Some(inbound) = incoming.try_next() {
        match inbound {
            Inbound::Lagged(count) => lagged += count,
            _ => taken += 1,
        }
    }
    assert_eq!((taken, lagged), (3, 7));
    wire.send(&request(2, "test", &json!({})));
    drop(next_request(&mut incoming));
}

/// C1: a request that is cancelled before it is taken is never seen, and its id and slot are free.
#[test]
fn a_request_cancelled_in_the_inbox_is_never_seen() {
    let (wire, mut incoming) = Wire::connect(|_| ());
    wire.send(&request(1, "test", &json!({})));
    wire.send(&notification("notifications/cancelled", &json!({ "requestId": 1 })));
    assert!(incoming.try_next().is_none());
    wire.send(&request(1, "test", &json!({})));
    next_request(&mut incoming).respond(Ok(Json::null())).unwrap();
    assert_eq!(wire.receive_one()["id"], 1);
}

/// Q4, C1: the slot of such a request goes to one that is queued, and the driver gets to know.
#[test]
fn the_slot_of_an_unseen_request_is_passed_on() {
    let (wire, mut incoming) = Wire::connect_with(Budget::new(1), |config| config.max_queued = 1);
    wire.send(&request(1, "cancelled", &json!({})));
    wire.send(&request(2, "queued", &json!({})));
    wire.send(&notification("notifications/cancelled", &json!({ "requestId": 1 })));
    let next = wire.world.start(async move {
        match incoming.next().await {
            Some(Inbound::Request(request, _)) => request.method().to_owned(),
            other => format!("{other:?}"),
        }
    });
    wire.world.run();
    assert_eq!(next.take().as_deref(), Some("queued"));
}

/// Q7: a request is answered once: by its responder, or by its work.
#[test]
fn work_answers_once() {
    let gate = Gate::default();
    let (wire, mut incoming) = Wire::connect(|_| ());
    wire.send(&request(1, "test", &json!({})));
    let at = gate.clone();
    let work = async move {
        at.pass().await;
        Ok(Json::null())
    };
    let answer = wire.world.start(next_request(&mut incoming).answer_with(work));
    wire.world.run();
    assert_eq!(wire.peer.in_flight(), 1);
    gate.open();
    assert_eq!(wire.receive_one(), response(&json!(1), &Value::Null));
    assert_eq!((answer.take(), wire.peer.in_flight()), (Some(()), 0));
}

/// Q6, Q7: where the application has gone, what waits for it and what comes is answered all the same.
#[test]
fn requests_for_nobody_are_answered() {
    let (wire, incoming) = Wire::connect(|_| ());
    wire.send(&request(1, "test", &json!({})));
    drop(incoming);
    wire.send(&request(2, "test", &json!({})));
    wire.send(&notification("test", &json!({})));
    let ids: Vec<Value> = wire
        .receive()
        .into_iter()
        .inspect(|reply| assert_eq!(reply["error"]["code"], -32603))
        .map(|reply| reply["id"].clone())
        .collect();
    assert_eq!(ids, [1, 2]);
    assert_eq!((wire.peer.in_flight(), wire.peer.buffered()), (0, 0));
}
