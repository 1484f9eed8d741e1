//! Requests that are cancelled: by the peer, while they run, wait, ask, or are done.

use crate::support::{Gate, Guard, Wire, call, notification, request, response, tool};
use mcp_wire_driver::{
    Budget, CallError, CallOptions, Cancellation, Closed, Context, Inbound, Json, Responder, Server,
};
use serde_json::{Value, json};
use std::cell::Cell;
use std::future::poll_fn;
use std::rc::Rc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex};
use std::task::Poll;
use std::time::Duration;

fn cancel(id: i64) -> Value {
    notification("notifications/cancelled", &json!({ "requestId": id, "reason": "bored" }))
}

fn next_request(incoming: &mut mcp_wire_driver::Incoming) -> Responder {
    match incoming.try_next() {
        Some(Inbound::Request(_, responder)) => responder,
        other => panic!("no request: {other:?}"),
    }
}

/// C1: the handler's future is dropped, what it started is told with the reason, the slot is free, nothing is written.
#[test]
fn a_cancelled_handler_is_dropped() {
    let dropped = Arc::new(AtomicBool::new(false));
    let elsewhere: Arc<Mutex<Option<(Context, Cancellation)>>> = Arc::default();
    let budget = Budget::new(1);
    let (flag, kept) = (Arc::clone(&dropped), Arc::clone(&elsewhere));
    let server = Server::new("test", "1").budget(budget.clone()).tool(
        tool("wait"),
        move |context: Context, _: Value| {
            let guard = Guard::flag(&flag);
            let cancellation = context.cancellation();
            *kept.lock().unwrap() = Some((context, cancellation));
            async move {
                Gate::default().pass().await;
                drop(guard);
                "never"
            }
        },
    );
    let wire = Wire::serve(server).ready();
    let params = json!({ "name": "wait", "_meta": { "progressToken": 7 } });
    wire.send(&request(1, "tools/call", &params));
    let (context, cancellation) = elsewhere.lock().unwrap().take().unwrap();
    let waiter = wire.world.start(cancellation.clone());
    wire.world.run();
    assert!(!dropped.load(Ordering::SeqCst) && !cancellation.is_cancelled());
    wire.send(&cancel(1));
    assert!(dropped.load(Ordering::SeqCst));
    assert_eq!(budget.taken(), 0);
    assert_eq!(waiter.take(), Some(()));
    assert_eq!(cancellation.reason().as_deref(), Some("bored"));
    assert!(!context.is_live());
    assert!(context.progress(1.0, None, None).is_err());
    assert!(context.log(mcp_wire_driver::LogLevel::Error, None, Json::null()).is_err());
    assert_eq!(wire.receive(), [Value::Null; 0]);
}

/// C1: the id is free at once, the slot once the handler is gone.
#[test]
fn the_slot_is_free_once_the_handler_is_gone() {
    let budget = Budget::with_share(2, 2);
    let (wire, mut incoming) = Wire::connect_with(budget.clone(), |_| ());
    wire.send(&request(1, "test", &json!({})));
    let first = next_request(&mut incoming);
    wire.send(&cancel(1));
    assert_eq!((wire.peer.in_flight(), budget.taken()), (0, 1));
    wire.send(&request(1, "test", &json!({})));
    let second = next_request(&mut incoming);
    wire.send(&request(2, "test", &json!({})));
    assert_eq!(wire.receive_one()["error"]["message"], "server busy");
    // C4: an answer that comes after the cancellation is never written.
    assert!(first.respond(Ok(Json::new("\"late\"").unwrap())).is_err());
    assert_eq!(budget.taken(), 1);
    assert_eq!(wire.receive(), [Value::Null; 0]);
    second.respond(Ok(Json::null())).unwrap();
    assert_eq!(wire.receive_one(), response(&json!(1), &Value::Null));
}

/// C1: once a request is cancelled its work is not polled again, only dropped.
#[test]
fn cancelled_work_is_not_polled_again() {
    let (wire, mut incoming) = Wire::connect(|_| ());
    wire.send(&request(1, "test", &json!({})));
    let polls = Rc::new(Cell::new(0));
    let counter = Rc::clone(&polls);
    let work = poll_fn(move |_| {
        counter.set(counter.get() + 1);
        Poll::Pending
    });
    let answer = wire.world.start(next_request(&mut incoming).answer_with(work));
    wire.world.run();
    wire.send(&cancel(1));
    assert_eq!((answer.take(), polls.get()), (Some(()), 1));
    assert_eq!(Rc::strong_count(&polls), 1);
}

/// C1: the token fires also where the handler is gone before the driver gets to it.
#[test]
fn a_handler_that_stops_first_does_not_swallow_the_cancellation() {
    let (wire, mut incoming) = Wire::connect(|_| ());
    wire.send(&request(1, "test", &json!({})));
    let responder = next_request(&mut incoming);
    let cancellation = responder.context().cancellation();
    let answer = Rc::new(wire.world.start(responder.answer_with(Gate::never())));
    wire.world.run();
    // The handler is polled for a reason of its own between the cancellation and the driver's notice of it: while the driver
    // writes what came in the same round.
    let polled = Rc::clone(&answer);
    wire.output.hook(move || polled.poll());
    wire.input.push(format!("{}\n{{\"id\":2,\"method\":\"bad envelope\"}}\n", cancel(1)));
    wire.world.run();
    assert!(answer.take().is_some(), "the hook has polled it");
    assert_eq!(cancellation.reason().as_deref(), Some("bored"));
}

/// C1, X4: closing fires the token too, whoever comes first.
#[test]
fn closing_cancels_what_a_handler_started() {
    let (wire, mut incoming) = Wire::connect(|_| ());
    wire.send(&request(1, "test", &json!({})));
    let responder = next_request(&mut incoming);
    let cancellation = responder.context().cancellation();
    wire.peer.close();
    drop(responder);
    wire.world.run();
    assert!(cancellation.is_cancelled());
    assert_eq!(wire.receive(), [Value::Null; 0]);
    assert_eq!(wire.driver.take(), Some(Closed::Local));
}

/// C1: a context that outlives its request neither disturbs the next one in its place nor waits for ever.
#[test]
fn a_stale_context_disturbs_nobody() {
    let (wire, mut incoming) = Wire::connect(|_| ());
    wire.send(&request(1, "test", &json!({})));
    let first = next_request(&mut incoming);
    let stale = first.context().clone();
    first.respond(Ok(Json::null())).unwrap();
    wire.send(&request(2, "test", &json!({})));
    let second = next_request(&mut incoming);
    let cancellation = second.context().cancellation();
    let answer = wire.world.start(second.answer_with(Gate::never()));
    wire.world.run();
    assert!(stale.cancellation().is_cancelled());
    wire.send(&cancel(2));
    assert!(answer.take().is_some(), "its work is dropped");
    assert_eq!(cancellation.reason().as_deref(), Some("bored"));
}

/// C2: a handler that waits for the client's answer is dropped; the question is withdrawn or cancelled; a late answer is
/// ignored.
#[test]
fn a_parked_handler_is_cancelled_with_its_question() {
    let server =
        Server::new("test", "1").tool(tool("ask"), |context: Context, _: Value| async move {
            context
                .elicit(Json::empty_object())
                .await
                .map(|_| "asked")
                .map_err(mcp_wire_driver::HandlerError::from)
        });
    let wire = Wire::serve(server).ready();
    wire.send(&call(1, "ask"));
    let question = wire.receive_one();
    assert_eq!(question["method"], "elicitation/create");
    wire.send(&cancel(1));
    let told = wire.receive_one();
    assert_eq!(told["method"], "notifications/cancelled");
    assert_eq!(told["params"]["requestId"], question["id"]);
    wire.send(&response(&question["id"], &json!({ "action": "accept" })));
    assert_eq!(wire.receive(), [Value::Null; 0]);
    assert_eq!(wire.world.alive(), 1, "only the driver is left");
}

/// C2: the same where nothing of the question is written yet: nothing of it ever is.
#[test]
fn a_parked_handler_takes_its_unwritten_question_along() {
    let server =
        Server::new("test", "1").tool(tool("ask"), |context: Context, _: Value| async move {
            _ = context.elicit(Json::empty_object()).await;
            "asked"
        });
    let wire = Wire::serve(server).ready();
    wire.output.takes(crate::support::Takes::Bytes(0));
    wire.send(&call(1, "ask"));
    wire.send(&cancel(1));
    wire.output.takes(crate::support::Takes::All);
    assert_eq!(wire.receive(), [Value::Null; 0]);
    assert!(wire.output.take_bytes().is_empty());
}

/// C2: the answer came first: what works on it is cancelled all the same.
#[test]
fn a_handler_is_cancelled_after_its_answer_came() {
    let gate = Gate::default();
    let at = gate.clone();
    let server = Server::new("test", "1").tool(tool("ask"), move |context: Context, _: Value| {
        let at = at.clone();
        async move {
            _ = context.elicit(Json::empty_object()).await;
            at.pass().await;
            "asked"
        }
    });
    let wire = Wire::serve(server).ready();
    wire.send(&call(1, "ask"));
    let question = wire.receive_one();
    wire.send(&response(&question["id"], &json!({ "action": "accept" })));
    assert_eq!(gate.waiting(), 1);
    wire.send(&cancel(1));
    assert_eq!(gate.waiting(), 0);
    assert_eq!(wire.receive(), [Value::Null; 0]);
}

/// C4: a reply that was produced first goes out, and the cancellation does nothing.
#[test]
fn a_reply_before_the_cancellation_goes_out() {
    let (wire, mut incoming) = Wire::connect(|_| ());
    wire.send(&request(1, "test", &json!({})));
    let responder = next_request(&mut incoming);
    wire.output.takes(crate::support::Takes::Bytes(0));
    responder.respond(Ok(Json::null())).unwrap();
    wire.send(&cancel(1));
    wire.output.takes(crate::support::Takes::All);
    assert_eq!(wire.receive_one(), response(&json!(1), &Value::Null));
}

/// C6: dropping a call cancels it once; its late answer is ignored.
#[test]
fn a_dropped_call_is_cancelled() {
    let (wire, _incoming) = Wire::connect(|_| ());
    let call = wire.peer.request("test", None, CallOptions::default());
    let sent = wire.receive_one();
    drop(call);
    let told = wire.receive_one();
    assert_eq!(told["params"], json!({ "requestId": sent["id"] }));
    wire.send(&response(&sent["id"], &json!({})));
    assert_eq!(wire.receive(), [Value::Null; 0]);
}

/// C6: a call of which nothing is written is taken back, and its neighbours are not touched.
#[test]
fn a_dropped_call_is_withdrawn() {
    let (wire, _incoming) = Wire::connect(|_| ());
    wire.world.run();
    wire.output.takes(crate::support::Takes::Bytes(0));
    let calls =
        ["a", "b", "c"].map(|method| wire.peer.request(method, None, CallOptions::default()));
    wire.world.run();
    let [first, second, third] = calls;
    drop(second);
    wire.output.takes(crate::support::Takes::All);
    let methods: Vec<Value> = wire.receive().iter().map(|sent| sent["method"].clone()).collect();
    assert_eq!(methods, [json!("a"), json!("c")]);
    drop((first, third));
    assert_eq!(wire.receive().len(), 2);
}

/// C6: a call that times out is cancelled on the wire, once.
#[test]
fn a_call_that_times_out_is_cancelled() {
    let (wire, _incoming) = Wire::connect(|_| ());
    let call = wire.world.start(wire.peer.request("test", None, CallOptions::default()));
    let sent = wire.receive_one();
    wire.world.advance(Duration::from_secs(59));
    assert_eq!(call.take(), None);
    wire.world.advance(Duration::from_secs(1));
    assert_eq!(call.take(), Some(Err(CallError::TimedOut)));
    assert_eq!(wire.receive_one()["params"]["requestId"], sent["id"]);
}
