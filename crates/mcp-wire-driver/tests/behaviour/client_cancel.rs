//! Calls that are taken back, from where they are awaited or from elsewhere.

use crate::support::{
    ClientWire, Takes, Task, call_options, cancelled, follow, host, narrow, progress, ready,
    response, seconds,
};
use mcp_wire_driver::{Call, CallError, Canceller, Closed, Json, OnProgress, SendError};
use serde_json::{Value, json};

/// A call that is awaited, and what cancels it.
fn start_call(wire: &ClientWire, mut call: Call) -> (Task<Result<Json, CallError>>, Canceller) {
    let canceller = call.canceller();
    (wire.start(call), canceller)
}

/// C6: a canceller cancels what is written with one notification, which carries the reason; whoever awaits the call is told.
#[test]
fn a_canceller_tells_the_reason_once() {
    let (wire, client) = ready();
    for reason in [None, Some("bored"), Some("two\nlines \u{2028} \"quoted\"")] {
        let (call, canceller) = start_call(&wire, client.request("test", None, Default::default()));
        let id = wire.receive_one()["id"].clone();
        let same = canceller.clone();
        canceller.cancel(reason);
        wire.world.run();
        assert_eq!(call.take(), Some(Err(CallError::Cancelled)));
        let told = wire.receive_one();
        assert_eq!(
            (&told["method"], &told["params"]["requestId"]),
            (&json!("notifications/cancelled"), &id)
        );
        assert_eq!(told["params"].get("reason").and_then(Value::as_str), reason);
        canceller.cancel(Some("again"));
        same.cancel(Some("and again"));
        drop(call);
        // The late answer settles nothing, and is not answered.
        wire.send(&response(&id, &json!({})));
        assert_eq!(wire.receive(), [Value::Null; 0]);
    }
    assert_eq!(client.peer().buffered(), 0);
}

/// C6: what is cancelled before a byte of it is written is withdrawn; a byte is enough to tell the peer.
#[test]
fn a_canceller_withdraws_what_is_unwritten() {
    for written in 0..3 {
        let (wire, client) = ready();
        wire.output.takes(Takes::Bytes(written));
        let (call, canceller) = start_call(&wire, client.request("test", None, Default::default()));
        canceller.cancel(Some("bored"));
        wire.world.run();
        assert_eq!(call.take(), Some(Err(CallError::Cancelled)));
        wire.output.takes(Takes::All);
        client.peer().try_notify("after", None).unwrap();
        let methods: Vec<Value> = wire.receive().iter().map(|it| it["method"].clone()).collect();
        if written == 0 {
            assert_eq!(methods, ["after"]);
        } else {
            assert_eq!(methods, ["test", "notifications/cancelled", "after"]);
        }
    }
}

/// C6: a canceller reaches a call that waits for room, whether it was polled or not, and one that has found room meanwhile.
#[test]
fn a_canceller_reaches_a_call_without_room() {
    for is_polled in [false, true] {
        let (wire, client) = narrow();
        wire.output.takes(Takes::Bytes(0));
        client.peer().try_notify("fills the output", None).unwrap();
        let mut call = client.request("test", None, Default::default());
        let canceller = call.canceller();
        // Another one is the same.
        _ = call.canceller();
        let mut call = Some(call);
        let polled = is_polled.then(|| wire.start(call.take().expect("it is still there")));
        canceller.cancel(Some("bored"));
        wire.world.run();
        let awaited = polled.unwrap_or_else(|| wire.start(call.take().expect("it is still there")));
        assert_eq!(awaited.take(), Some(Err(CallError::Cancelled)));
        wire.output.takes(Takes::All);
        assert_eq!(wire.receive_one()["method"], "fills the output");
    }
    let (wire, client) = narrow();
    wire.output.takes(Takes::Bytes(0));
    client.peer().try_notify("fills the output", None).unwrap();
    let (call, canceller) = start_call(&wire, client.request("test", None, Default::default()));
    wire.output.takes(Takes::All);
    let sent = wire.receive();
    assert_eq!(sent[1]["method"], "test");
    canceller.cancel(Some("bored"));
    assert_eq!(
        wire.receive_one()["params"],
        json!({ "requestId": sent[1]["id"], "reason": "bored" })
    );
    assert_eq!(call.take(), Some(Err(CallError::Cancelled)));
}

/// C6, O1: a call that is settled stays so.
#[test]
fn a_canceller_comes_too_late() {
    let (wire, client) = ready();
    let mut answered = client.request("test", None, Default::default());
    let canceller = answered.canceller();
    let id = wire.receive_one()["id"].clone();
    wire.send(&response(&id, &json!(1)));
    canceller.cancel(Some("late"));
    wire.world.run();
    assert_eq!(wire.start(answered).take(), Some(Ok(Json::new("1").unwrap())));

    let mut timed_out =
        client.request("test", None, call_options(OnProgress::Ignore, Some(seconds(1))));
    let canceller = timed_out.canceller();
    let id = wire.receive_one()["id"].clone();
    wire.world.advance(seconds(1));
    canceller.cancel(Some("late"));
    assert_eq!(wire.receive_one(), cancelled(&id));
    assert_eq!(wire.start(timed_out).take(), Some(Err(CallError::TimedOut)));

    let mut cut_off = client.request("test", None, Default::default());
    let canceller = cut_off.canceller();
    let id = wire.receive_one()["id"].clone();
    client.peer().close();
    canceller.cancel(Some("late"));
    // Closing has taken it back.
    assert_eq!(wire.receive_one(), cancelled(&id));
    assert_eq!(wire.start(cut_off).take(), Some(Err(CallError::Closed(Closed::Local))));
    let mut unsent = client.request("test", None, Default::default());
    unsent.canceller().cancel(None);
    let closed = CallError::NotSent(SendError::Closed);
    assert_eq!(wire.start(unsent).take(), Some(Err(closed)));
    assert_eq!(wire.receive(), [Value::Null; 0]);
}

/// C6: cancelling and dropping, in either order, tell the peer once; the canceller outlives the call.
#[test]
fn a_canceller_and_a_drop_tell_the_peer_once() {
    let (wire, client) = ready();
    for canceller_first in [true, false] {
        let mut call = client.request("test", None, Default::default());
        let canceller = call.canceller();
        let id = wire.receive_one()["id"].clone();
        if canceller_first {
            canceller.cancel(Some("bored"));
            drop(call);
        } else {
            drop(call);
            canceller.cancel(Some("bored"));
        }
        let told = wire.receive_one();
        assert_eq!(told["params"]["requestId"], id);
        assert_eq!(told["params"].get("reason").is_some(), canceller_first);
    }
    // In the room where it waits, neither leaves a trace.
    let (wire, client) = narrow();
    wire.output.takes(Takes::Bytes(0));
    client.peer().try_notify("fills the output", None).unwrap();
    let (call, canceller) = start_call(&wire, client.request("test", None, Default::default()));
    call.cancel();
    canceller.cancel(None);
    wire.output.takes(Takes::All);
    assert_eq!(wire.receive_one()["method"], "fills the output");
}

/// C6: a canceller ends the wait for progress.
#[test]
fn a_canceller_ends_the_wait_for_progress() {
    let (wire, client) = ready();
    let mut call = client.request("test", None, call_options(OnProgress::Report, None));
    let canceller = call.canceller();
    let followed = wire.start(follow(call));
    let id = wire.receive_one()["id"].clone();
    wire.send(&progress(&id, 1.0));
    canceller.cancel(None);
    wire.world.run();
    assert_eq!(followed.take(), Some((vec![1.0], Err(CallError::Cancelled))));
}

/// F14: nothing longer than `max_frame_out` is written: a reason that is too long for that is left out.
#[test]
fn a_long_reason_is_left_out() {
    let (wire, client) = ClientWire::ready(host().configure(|it| it.max_frame_out = 4096));
    let mut call = client.request("test", None, Default::default());
    wire.receive();
    call.canceller().cancel(Some(&"r".repeat(100_000)));
    assert!(wire.receive_one().to_string().len() <= 4096);
}
