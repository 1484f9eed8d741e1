//! Questions inside results (2026-07-28), where the server or the caller does not play along.

use crate::support::pair::{discovered, host_of, server, talk, tool};
use crate::support::{ClientWire, cancelled, response, seconds};
use mcp_wire_driver::{
    CallError, CallOptions, Cancellation, Client, Closed, Context, Eras, HandlerError, NoArguments,
    ToolResult,
};
use serde_json::{Value, json};
use std::future::pending;
use std::sync::{Arc, Mutex};

/// A session whose host never answers, and what its handler was given to know that nobody waits.
fn thinking() -> (ClientWire, Client, Arc<Mutex<Vec<Cancellation>>>) {
    let asked: Arc<Mutex<Vec<Cancellation>>> = Arc::default();
    let kept = asked.clone();
    let host = host_of(Eras::Modern).on_elicitation(move |context: Context, _: Value| {
        kept.lock().expect("no panic").push(context.cancellation());
        pending::<Result<mcp_wire_driver::Json, _>>()
    });
    let wire = ClientWire::connect(host);
    let client = discovered(&wire);
    (wire, client, asked)
}

fn question(inputs: Value) -> Value {
    json!({ "resultType": "input_required", "inputRequests": inputs })
}

/// L3, X4: the end of the session ends a call whose question the host still thinks about.
#[test]
fn the_end_ends_a_question() {
    let (wire, client, asked) = thinking();
    let caller = client.clone();
    let call = wire.start(async move { caller.call_tool("t", &json!({})).await });
    let id = wire.receive_one()["id"].clone();
    wire.send(&response(&id, &question(json!({ "k": { "method": "elicitation/create" } }))));
    assert_eq!((call.take(), asked.lock().unwrap()[0].is_cancelled()), (None, false));
    let closed = wire.start(async move { client.close().await });
    assert_eq!(call.take(), Some(Err(CallError::Closed(Closed::Local))));
    assert!(asked.lock().unwrap()[0].is_cancelled());
    wire.input.end();
    wire.world.run();
    assert!(closed.take().is_some());
}

/// L3, C7: what the host has begun for a call that is dropped learns of it.
#[test]
fn a_dropped_call_cancels_its_questions() {
    let (wire, client, asked) = thinking();
    let call = wire.start(async move { client.call_tool("t", &json!({})).await });
    let id = wire.receive_one()["id"].clone();
    wire.send(&response(&id, &question(json!({ "k": { "method": "elicitation/create" } }))));
    let cancellation = asked.lock().unwrap()[0].clone();
    let told = wire.start(cancellation);
    assert_eq!(told.take(), None);
    call.cancel();
    wire.world.run();
    assert_eq!(told.take(), Some(()));
}

/// L3: questions that cannot be read fail the call, and so do too many; where one is not offered, none is asked.
#[test]
fn unreadable_questions_fail_the_call() {
    let (wire, client, asked) = thinking();
    let fine = json!({ "method": "elicitation/create" });
    let many: serde_json::Map<String, Value> =
        (0..65).map(|number| (number.to_string(), fine.clone())).collect();
    let inputs = [
        json!(7),
        json!({}),
        json!({ "k": 7 }),
        json!({ "k": {} }),
        json!({ "a": fine, "k": { "method": "roots/list" } }),
        json!({ "a": fine, "k": { "method": "ping" } }),
        many.into(),
    ];
    for inputs in inputs {
        let caller = client.clone();
        let call = wire.start(async move { caller.call_tool("t", &json!({})).await });
        let id = wire.receive_one()["id"].clone();
        wire.send(&response(&id, &question(inputs.clone())));
        let outcome = call.take();
        assert!(
            matches!(outcome, Some(Err(CallError::UnexpectedResult(_)))),
            "{inputs} {outcome:?}"
        );
    }
    assert!(asked.lock().unwrap().is_empty());
}

/// L3: before the modern era a result that looks like a question is a result.
#[test]
fn an_old_server_asks_nothing() {
    let (wire, client) = ClientWire::ready(host_of(Eras::Legacy));
    let call = wire.start(async move { client.call::<Value>("x", &json!({})).await });
    let id = wire.receive_one()["id"].clone();
    let result = question(json!({ "k": { "method": "ping" } }));
    wire.send(&response(&id, &result));
    assert_eq!(call.take(), Some(Ok(result)));
}

/// L3: a result that asks is no tool's result.
#[test]
fn a_question_is_no_result() {
    let text = question(json!({ "k": { "method": "roots/list" } })).to_string();
    assert!(serde_json::from_str::<ToolResult>(&text).is_err());
}

/// L3: a handler that makes the best of an error of `approve` still asks: the question goes out.
#[test]
fn a_question_goes_out_also_where_its_error_is_swallowed() {
    let tool_that_goes_on = async |context: Context, _: NoArguments| {
        let approved = context.approve("really?").await.is_ok();
        Ok::<_, HandlerError>(approved.to_string())
    };
    let host = host_of(Eras::Modern).on_elicitation(async |_: Context, _: Value| {
        Ok(json!({ "action": "accept", "content": { "approved": true } }))
    });
    let (world, client, _server) = talk(host, server().tool(tool("t"), tool_that_goes_on));
    let call = world.start(async move { client.call_tool("t", &json!({})).await });
    world.run();
    assert_eq!(call.take().expect("it is over").expect("an answer").as_text(), "true");
}

/// T1, L3: the time of all rounds counts together.
#[test]
fn rounds_share_one_deadline() {
    let host = host_of(Eras::Modern);
    let wire = ClientWire::connect(host);
    let client = discovered(&wire);
    let options = CallOptions::default().with_timeout(seconds(10));
    let call =
        wire.start(async move { client.call_tool_with("t", &json!({}), options, |_| ()).await });
    let again = json!({ "resultType": "input_required", "requestState": "s" });
    wire.world.advance(seconds(4));
    wire.send(&response(&wire.receive_one()["id"], &again));
    wire.world.advance(seconds(4));
    wire.send(&response(&wire.receive_one()["id"], &again));
    wire.world.advance(seconds(1));
    assert_eq!(call.take(), None);
    let last = wire.receive_one()["id"].clone();
    wire.world.advance(seconds(1));
    assert!(matches!(call.take(), Some(Err(CallError::TimedOut))), "not in time");
    assert_eq!(wire.receive(), [cancelled(&last)]);
}

/// T1, L3: a host that does not come up with an answer does not hold the call up for longer than its time, and learns that nobody
/// waits any more.
#[test]
fn a_call_does_not_outlast_its_time_for_an_answer() {
    let (wire, client, asked) = thinking();
    let options = CallOptions::default().with_timeout(seconds(10));
    let call =
        wire.start(async move { client.call_tool_with("t", &json!({}), options, |_| ()).await });
    wire.world.advance(seconds(4));
    let inputs = json!({ "k": { "method": "elicitation/create", "params": {} } });
    wire.send(&response(&wire.receive_one()["id"], &question(inputs)));
    wire.world.advance(seconds(5));
    let cancellation = asked.lock().expect("no panic")[0].clone();
    assert_eq!((call.take(), cancellation.is_cancelled()), (None, false));
    wire.world.advance(seconds(1));
    assert!(matches!(call.take(), Some(Err(CallError::TimedOut))), "not in time");
    assert!(cancellation.is_cancelled());
}
