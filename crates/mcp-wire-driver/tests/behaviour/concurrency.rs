//! Requests do not wait for each other.

use crate::support::{Gate, Wire, call, echo_and_wait, request, result_text, tool};
use mcp_wire_driver::{Budget, Context, ErrorObject, Json, NoArguments, Server};
use serde_json::{Value, json};
use std::cell::Cell;
use std::rc::Rc;

/// Q1: a slow tool does not hold up a quick one; replies go out in the order of completion.
#[test]
fn a_slow_tool_holds_up_nobody() {
    let gate = Gate::default();
    let wire = Wire::serve(echo_and_wait(&gate)).ready();
    wire.send(&call(1, "wait"));
    wire.send(&call(2, "echo"));
    assert_eq!(wire.receive_one()["id"], 2);
    gate.open();
    let reply = wire.receive_one();
    assert_eq!((&reply["id"], result_text(&reply)), (&json!(1), "waited"));
}

/// Q1: requests that come in one chunk are admitted in order, and each is answered.
#[test]
fn one_chunk_of_requests_is_answered_in_order() {
    let wire = Wire::serve(echo_and_wait(&Gate::default())).ready();
    let lines: String = (0..100).map(|id| format!("{}\n", call(id, "echo"))).collect();
    wire.input.push(lines);
    let ids: Vec<Value> = wire.receive().into_iter().map(|reply| reply["id"].clone()).collect();
    assert_eq!(ids, (0..100).map(Value::from).collect::<Vec<_>>());
}

/// Q2: work gets its turn while input keeps coming, so that slots are free again for what comes: nothing here is busy.
#[test]
fn input_that_keeps_coming_leaves_work_its_turn() {
    let server =
        Server::new("test", "1").tool(tool("quick"), async |_: Context, _: NoArguments| "done");
    let wire = Wire::serve(server).ready();
    for piece in 0..30 {
        let ids = piece * 40..(piece + 1) * 40;
        wire.input.push(ids.map(|id| format!("{}\n", call(id, "quick"))).collect::<String>());
    }
    let texts: Vec<String> =
        wire.receive().iter().map(|reply| result_text(reply).to_owned()).collect();
    assert_eq!(texts, vec!["done"; 1200]);
}

/// Q2, Q3: with every slot taken, more tools are busy, but ping and inline methods are answered.
#[test]
fn inline_methods_need_no_slot() {
    let gate = Gate::default();
    let server = echo_and_wait(&gate)
        .max_in_flight(2)
        .inline("test/inline", |_: &Context, _: Value| Ok(Json::empty_object()));
    let wire = Wire::serve(server).ready();
    wire.send(&call(1, "wait"));
    wire.send(&call(2, "echo"));
    wire.send(&request(3, "ping", &json!({})));
    wire.send(&request(4, "test/inline", &json!({})));
    let replies = wire.receive();
    let data = json!({ "error": "server_busy", "method": "tools/call" });
    assert_eq!(replies[0]["error"]["data"], data);
    assert_eq!(replies[1], json!({ "jsonrpc": "2.0", "id": 3, "result": {} }));
    assert_eq!(replies[2]["id"], 4);
    gate.open();
    assert_eq!(wire.receive_one()["id"], 1);
    wire.send(&call(5, "echo"));
    assert_eq!(wire.receive_one()["id"], 5);
}

/// Q4: a queued request runs once a slot of its connection is free.
#[test]
fn a_queued_request_inherits_the_slot() {
    let gate = Gate::default();
    let server =
        echo_and_wait(&gate).budget(Budget::new(1)).configure(|config| config.max_queued = 2);
    let wire = Wire::serve(server).ready();
    for (id, name) in [(1, "wait"), (2, "echo"), (3, "echo"), (4, "echo")] {
        wire.send(&call(id, name));
    }
    assert_eq!(wire.receive_one()["error"]["message"], "server busy");
    gate.open();
    let ids: Vec<Value> = wire.receive().into_iter().map(|reply| reply["id"].clone()).collect();
    assert_eq!(ids, [json!(1), json!(2), json!(3)]);
}

/// M7: what nobody offers is said not to be there; unknown notifications are ignored.
#[test]
fn unknown_methods_are_refused() {
    let wire = Wire::serve(echo_and_wait(&Gate::default())).ready();
    wire.send(&request(1, "no/such", &json!({})));
    assert_eq!(wire.receive_one()["error"]["code"], ErrorObject::METHOD_NOT_FOUND);
    wire.send(&json!({ "jsonrpc": "2.0", "method": "no/such" }));
    assert_eq!(wire.receive(), [Value::Null; 0]);
}

/// Q1: handlers of a local server share what is not `Send`, and run at once beside each other.
#[test]
fn local_handlers_need_not_be_send() {
    let gate = Gate::default();
    let (count, at) = (Rc::new(Cell::new(0)), gate.clone());
    let counter = Rc::clone(&count);
    let server = Server::local("test", "1")
        .tool(tool("wait"), move |_: Context, _: Value| {
            let (counter, at) = (Rc::clone(&counter), at.clone());
            async move {
                at.pass().await;
                counter.set(counter.get() + 1);
                counter.get().to_string()
            }
        })
        .tool_now(tool("echo"), |_: &Context, _: Value| "echo");
    let wire = Wire::serve(server).ready();
    wire.send(&call(1, "wait"));
    wire.send(&call(2, "wait"));
    wire.send(&call(3, "echo"));
    assert_eq!(wire.receive_one()["id"], 3);
    assert_eq!(gate.waiting(), 2);
    gate.open();
    let texts: Vec<String> =
        wire.receive().iter().map(|reply| result_text(reply).to_owned()).collect();
    assert_eq!(texts, ["1", "2"]);
    assert_eq!(count.get(), 2);
}

/// Q1: two connections of one server do not hold each other up, but share its slots.
#[test]
fn connections_share_the_budget() {
    let gate = Gate::default();
    let budget = Budget::with_share(1, 1);
    let first = Wire::serve(echo_and_wait(&gate).budget(budget.clone())).ready();
    let second = Wire::serve(echo_and_wait(&gate).budget(budget.clone())).ready();
    first.send(&call(1, "wait"));
    second.send(&call(1, "echo"));
    assert_eq!(second.receive_one()["error"]["message"], "server busy");
    // X3: the slots of a connection that is dropped are free.
    first.driver.cancel();
    first.world.run();
    assert_eq!(budget.taken(), 0);
    second.send(&call(2, "echo"));
    assert_eq!(result_text(&second.receive_one()), "echo");
}
