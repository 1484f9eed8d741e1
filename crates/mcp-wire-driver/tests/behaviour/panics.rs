//! What goes wrong in a handler stays there.

use crate::support::{Gate, Guard, Wire, call, notification, request, response, result_text, tool};
use mcp_wire_driver::{Budget, Context, ErrorObject, Inbound, Json, Peer, Server};
use serde_json::{Value, json};
use std::future::poll_fn;
use std::panic::panic_any;
use std::pin::pin;

fn server() -> Server {
    Server::new("test", "1").tool_now(tool("echo"), |_: &Context, _: Value| "echo")
}

/// A value that panics when it is dropped.
fn bomb() -> Guard<impl FnOnce() + Send> {
    Guard::new(|| panic!("a destructor of a test"))
}

fn assert_fails_alone(wire: &Wire, message: &Value) {
    wire.send(message);
    let reply = wire.receive_one();
    let expected = json!({ "code": ErrorObject::INTERNAL_ERROR, "message": "internal error" });
    assert_eq!((&reply["id"], &reply["error"]), (&message["id"], &expected));
    assert_is_alive(wire);
}

fn assert_is_alive(wire: &Wire) {
    wire.send(&call("alive", "echo"));
    assert_eq!(result_text(&wire.receive_one()), "echo");
}

/// Q6: a panic is answered with "internal error" without its text, wherever in the handler it happens.
#[test]
fn a_panic_is_an_internal_error() {
    let server = server()
        .tool(tool("later"), |_: Context, _: Value| async { panic!("a secret") as String })
        .tool(tool("before"), |_: Context, _: Value| {
            assert!(std::hint::black_box(false), "a secret");
            async { "never" }
        })
        .tool_now(tool("now"), |_: &Context, _: Value| panic!("a secret") as String)
        .inline("test/inline", |_: &Context, _: Value| -> Result<Json, _> { panic!("a secret") });
    let wire = Wire::serve(server).ready();
    for name in ["later", "before", "now"] {
        assert_fails_alone(&wire, &call(name, name));
    }
    assert_fails_alone(&wire, &request("inline", "test/inline", &json!({})));
}

/// Q6: the same in place, where handlers share the task of the connection.
#[test]
fn a_panic_in_place_is_contained() {
    let server = Server::local("test", "1")
        .tool_now(tool("echo"), |_: &Context, _: Value| "echo")
        .tool(tool("later"), |_: Context, _: Value| async { panic!("a secret") as String });
    let wire = Wire::serve(server).ready();
    assert_fails_alone(&wire, &call(1, "later"));
}

/// Q6: a panic after another request began leaves that one alone, and gives its own slot back.
#[test]
fn other_handlers_go_on() {
    let gate = Gate::default();
    let at = gate.clone();
    let budget = Budget::with_share(2, 2);
    let server = server()
        .budget(budget.clone())
        .tool(tool("boom"), |_: Context, _: Value| async { panic!("boom") as String })
        .tool(tool("wait"), move |_: Context, _: Value| {
            let at = at.clone();
            async move {
                at.pass().await;
                "waited"
            }
        });
    let wire = Wire::serve(server).ready();
    wire.send(&call(1, "wait"));
    assert_fails_alone(&wire, &call(2, "boom"));
    assert_eq!(budget.taken(), 1);
    gate.open();
    assert_eq!(result_text(&wire.receive_one()), "waited");
}

/// Q6: a destructor that panics once the handler is done spoils neither its reply nor the connection.
#[test]
fn a_panicking_destructor_is_contained() {
    let gate = Gate::default();
    let at = gate.clone();
    let work = move |_: Context, _: Value| {
        let (at, bomb) = (at.clone(), bomb());
        poll_fn(move |context| {
            let _keep = &bomb;
            pin!(at.pass()).poll(context).map(|()| Ok(Json::null()))
        })
    };
    let wire = Wire::serve(server().method("test/bomb", work)).ready();
    wire.send(&request(1, "test/bomb", &json!({})));
    gate.open();
    assert_eq!(wire.receive_one(), response(&json!(1), &Value::Null));
    assert_is_alive(&wire);
}

/// Q6, C1: a destructor that panics when its request is cancelled does not keep the slot.
#[test]
fn a_panicking_destructor_frees_its_slot() {
    let budget = Budget::new(1);
    let server = server().budget(budget.clone()).tool(tool("bomb"), |_: Context, _: Value| {
        let bomb = bomb();
        async move {
            Gate::default().pass().await;
            drop(bomb);
            "never"
        }
    });
    let wire = Wire::serve(server).ready();
    wire.send(&call(1, "bomb"));
    assert_eq!(budget.taken(), 1);
    wire.send(&notification("notifications/cancelled", &json!({ "requestId": 1 })));
    assert_eq!(budget.taken(), 0);
    assert_is_alive(&wire);
}

/// Q6: even what a panic carries may panic when it is dropped.
#[test]
fn a_panic_that_carries_a_bomb_is_contained() {
    let server = server().tool(tool("later"), |_: Context, _: Value| async {
        panic_any(bomb());
        #[allow(unreachable_code)]
        "never"
    });
    let server = server.tool_now(tool("now"), |_: &Context, _: Value| -> String {
        panic_any(bomb());
    });
    let wire = Wire::serve(server).ready();
    assert_fails_alone(&wire, &call(1, "later"));
    assert_fails_alone(&wire, &call(2, "now"));
}

/// Q6: a handler of a notification that panics ends nothing.
#[test]
fn a_panicking_notification_is_contained() {
    let server = server().notification("test/boom", |_: &Peer, _: Value| panic!("boom"));
    let wire = Wire::serve(server).ready();
    wire.send(&notification("test/boom", &json!({})));
    assert_is_alive(&wire);
}

/// Q6: a responder that is dropped answers "internal error", and so does work that is dropped before it is done.
#[test]
fn a_dropped_responder_answers() {
    let (wire, mut incoming) = Wire::connect(|_| ());
    for id in 1..=2 {
        wire.send(&request(id, "test", &json!({})));
        let Some(Inbound::Request(_, responder)) = incoming.try_next() else {
            panic!("the request has arrived");
        };
        if id == 1 {
            drop(responder);
        } else {
            drop(responder.answer_with(std::future::pending()));
        }
        assert_eq!(wire.receive_one()["error"]["code"], ErrorObject::INTERNAL_ERROR);
    }
    assert_eq!(wire.peer.in_flight(), 0);
}

/// Q6: a tool whose result cannot be written is an internal error.
#[test]
fn an_unwritable_result_is_an_internal_error() {
    let server = server().method("test/unwritable", |_: Context, _: Value| async {
        // The keys of a JSON object are strings.
        let map = std::collections::HashMap::from([((1, 2), 3)]);
        Json::from_serialize(&map).map_err(|_| ErrorObject::internal())
    });
    assert_fails_alone(&Wire::serve(server).ready(), &request(1, "test/unwritable", &json!({})));
}
