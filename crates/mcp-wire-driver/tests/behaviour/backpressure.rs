//! Peers that read slowly, in pieces, or not at all.

use crate::support::{
    Gate, Step, Takes, Wire, call, notification, request, response, result_text, tells_of_changes,
    tool,
};
use futures_util::future::join;
use mcp_wire_driver::{CallError, CallOptions, Closed, Context, Json, Server};
use serde_json::{Value, json};
use std::time::Duration;

fn server() -> Server {
    Server::new("test", "1").tool_now(tool("echo"), |_: &Context, _: Value| "echo")
}

/// B3: a peer that writes 10,000 requests before it reads one reply gets 10,000 replies.
#[test]
fn ten_thousand_requests_before_one_reply() {
    let wire = Wire::serve(server()).ready();
    wire.output.takes(Takes::Bytes(0));
    for id in 0..10_000 {
        wire.input.push(format!("{}\n", call(id, "echo")));
    }
    wire.world.run();
    assert_eq!(wire.input.unread(), 0, "reading does not wait for writing");
    wire.output.takes(Takes::All);
    let replies = wire.receive();
    assert_eq!(replies.len(), 10_000);
    for (id, reply) in replies.iter().enumerate() {
        assert_eq!((&reply["id"], result_text(reply)), (&json!(id), "echo"));
    }
}

/// B3: the same where handlers take their time: past the slots the answer is busy, and none is left out.
#[test]
fn ten_thousand_requests_past_the_slots() {
    let gate = Gate::default();
    let at = gate.clone();
    let server = Server::new("test", "1").tool(tool("wait"), move |_: Context, _: Value| {
        let at = at.clone();
        async move { at.pass().await }
    });
    let wire = Wire::serve(server).ready();
    wire.output.takes(Takes::Bytes(0));
    let lines: String = (0..10_000).map(|id| format!("{}\n", call(id, "wait"))).collect();
    wire.input.push(lines);
    wire.world.run();
    assert_eq!(gate.waiting(), 512);
    gate.open();
    wire.output.takes(Takes::All);
    let replies = wire.receive();
    let busy = replies.iter().filter(|reply| reply["error"]["message"] == "server busy").count();
    assert_eq!((replies.len(), busy), (10_000, 10_000 - 512));
}

/// A connection that has stopped reading: its peer has sent 1,000 requests, and takes nothing.
fn stopped() -> Wire {
    let server = server().configure(|config| {
        (config.max_outbound, config.outbound_reserve) = (2_000, 1_000);
    });
    let wire = Wire::serve(server).ready();
    wire.output.takes(Takes::Bytes(0));
    for id in 0..1_000 {
        wire.input.push(format!("{}\n", call(id, "echo")));
    }
    wire.world.run();
    wire
}

/// B1: at the limit new requests are busy out of the reserve; with the reserve full, reading stops, and goes on once the peer
/// reads. Responses, cancellations and notifications are handled in between.
#[test]
fn reading_stops_at_the_limit_and_goes_on() {
    let wire = stopped();
    let unread = wire.input.unread();
    assert!(unread > 0 && wire.peer.buffered() < 4_000);
    wire.output.takes(Takes::All);
    assert_eq!(wire.receive().len(), 1_000);
    assert_eq!(wire.input.unread(), 0);
}

/// B1: reading goes on as soon as there is room, though the peer takes no more: it may wait for us to read.
#[test]
fn reading_goes_on_with_the_room_that_a_partial_write_makes() {
    let wire = stopped();
    let unread = wire.input.unread();
    wire.output.takes(Takes::Bytes(2_500));
    wire.world.run();
    assert!(wire.input.unread() < unread);
}

/// B2: a peer that never reads ends the connection after `write_stall`.
#[test]
fn a_peer_that_never_reads_is_given_up() {
    let server = server().configure(|config| config.max_outbound = 1_000);
    let wire = Wire::serve(server).ready();
    wire.output.takes(Takes::Bytes(0));
    for id in 0..100 {
        wire.input.push(format!("{}\n", call(id, "echo")));
    }
    wire.world.advance(Duration::from_secs(59));
    assert_eq!(wire.driver.take(), None);
    // A single byte is progress.
    wire.output.takes(Takes::Bytes(1));
    wire.world.advance(Duration::from_secs(59));
    assert_eq!(wire.driver.take(), None);
    wire.world.advance(Duration::from_secs(1));
    assert_eq!(wire.driver.take(), Some(Closed::Stalled));
}

/// B1: `notify` waits for room, and is woken when there is some.
#[test]
fn notify_waits_for_room() {
    let (wire, _incoming) = Wire::connect(|config| config.max_outbound = 100);
    wire.output.takes(Takes::Bytes(0));
    let text = Json::from_serialize(&"x".repeat(100)).unwrap();
    assert_eq!(wire.peer.try_notify("first", Some(text)), Ok(()));
    assert_eq!(wire.peer.try_notify("refused", None), Err(mcp_wire_driver::SendError::Full));
    let waiting = [(); 3].map(|()| {
        let peer = wire.peer.clone();
        wire.world.start(async move { peer.notify("waits", None).await })
    });
    wire.world.run();
    assert!(waiting.iter().all(|notify| notify.take().is_none()));
    wire.output.takes(Takes::Bytes(10_000));
    wire.world.run();
    assert!(waiting.iter().all(|notify| notify.take() == Some(Ok(()))));
    assert_eq!(wire.receive().len(), 4);
}

/// B1, C6: room that comes from a call that is taken back wakes those who wait for room, too.
#[test]
fn a_withdrawn_call_makes_room() {
    let (wire, _incoming) = Wire::connect(|config| config.max_outbound = 100);
    wire.output.takes(Takes::Bytes(0));
    let text = Json::from_serialize(&["x".repeat(100)]).unwrap();
    let call = wire.peer.request("test", Some(text.clone()), CallOptions::default());
    let peer = wire.peer.clone();
    let notify = wire.world.start(async move { peer.notify("test", None).await });
    wire.world.run();
    assert_eq!(notify.take(), None);
    drop(call);
    wire.world.run();
    assert_eq!(notify.take(), Some(Ok(())));

    // The same where its time is over.
    let mut options = CallOptions::default();
    options.timeout = Some(Duration::from_secs(1));
    let call = wire.world.start(wire.peer.request("test", Some(text), options));
    let peer = wire.peer.clone();
    let notify = wire.world.start(async move { peer.notify("test", None).await });
    wire.world.run();
    assert_eq!(notify.take(), None);
    wire.world.advance(Duration::from_secs(1));
    assert_eq!((call.take(), notify.take()), (Some(Err(CallError::TimedOut)), Some(Ok(()))));
}

/// O2, B1: the time of a call for which there is no room runs.
#[test]
fn a_call_without_room_times_out() {
    let (wire, _incoming) = Wire::connect(|config| config.max_outbound = 1);
    wire.output.takes(Takes::Bytes(0));
    wire.peer.try_notify("fills the output", None).unwrap();
    let options = |timeout| {
        let mut options = CallOptions::default();
        options.timeout = Some(Duration::from_secs(timeout));
        options
    };
    let alone = wire.world.start(wire.peer.request("test", None, options(3)));
    // Several waits of one task each end in their own time.
    let together = wire.world.start(join(
        wire.peer.request("test", None, options(9)),
        wire.peer.request("test", None, options(5)),
    ));
    wire.world.run();
    wire.world.advance(Duration::from_secs(3));
    assert_eq!(alone.take(), Some(Err(CallError::TimedOut)));
    let started = wire.peer.clone();
    let beside = wire.world.start(async move {
        let notify = std::pin::pin!(started.notify("test", None));
        let call = started.request("test", None, options(2));
        let either = futures_util::future::select(notify, call).await;
        matches!(either, futures_util::future::Either::Right((Err(CallError::TimedOut), _)))
    });
    wire.world.advance(Duration::from_secs(2));
    assert_eq!(beside.take(), Some(true));
    wire.world.advance(Duration::from_secs(4));
    let timed_out = || Err(CallError::TimedOut);
    assert_eq!(together.take(), Some((timed_out(), timed_out())));
    // Nothing of them was ever sent.
    wire.output.takes(Takes::All);
    assert_eq!(wire.receive().len(), 1);
}

/// O2: a call that had to wait for room has that much less time for its answer.
#[test]
fn waiting_for_room_counts() {
    let (wire, _incoming) = Wire::connect(|config| config.max_outbound = 1);
    wire.output.takes(Takes::Bytes(0));
    wire.peer.try_notify("fills the output", None).unwrap();
    let call = wire.world.start(wire.peer.request("test", None, CallOptions::default()));
    wire.world.advance(Duration::from_secs(50));
    wire.output.takes(Takes::All);
    assert_eq!(wire.receive().len(), 2);
    wire.world.advance(Duration::from_secs(10));
    assert_eq!(call.take(), Some(Err(CallError::TimedOut)));
}

/// B4: a write that takes one byte at a time loses, repeats and reorders nothing.
#[test]
fn partial_writes_go_on_at_the_exact_byte() {
    for most in [1, 2, 7, 64] {
        let wire = Wire::serve(server()).ready();
        wire.output.takes(Takes::AtMost(most));
        let lines: String = (0..20).map(|id| format!("{}\n", call(id, "echo"))).collect();
        wire.input.push(lines);
        let ids: Vec<Value> = wire.receive().iter().map(|reply| reply["id"].clone()).collect();
        assert_eq!(ids, (0..20).map(Value::from).collect::<Vec<_>>());
    }
}

/// B4: a write that blocks at every byte in turn goes on exactly there, whatever came meanwhile.
#[test]
fn a_write_that_blocks_anywhere_goes_on_there() {
    let whole = {
        let wire = Wire::serve(server()).ready();
        wire.send(&call(1, "echo"));
        wire.send(&call(2, "echo"));
        wire.output.take_bytes()
    };
    for cut in 0..whole.len() {
        let wire = Wire::serve(server()).ready();
        wire.output.takes(Takes::Bytes(cut));
        wire.send(&call(1, "echo"));
        wire.send(&call(2, "echo"));
        let mut bytes = wire.output.take_bytes();
        assert_eq!(bytes.len(), cut);
        wire.output.takes(Takes::All);
        wire.world.run();
        bytes.extend(wire.output.take_bytes());
        assert_eq!(bytes, whole);
    }
}

/// B4: output is flushed once, when nothing more is to be written.
#[test]
fn output_is_coalesced_and_flushed() {
    let wire = Wire::serve(server()).ready();
    let (writes, flushes) = (wire.output.writes(), wire.output.flushes());
    wire.input.push((0..50).map(|id| format!("{}\n", call(id, "echo"))).collect::<String>());
    assert_eq!(wire.receive().len(), 50);
    assert_eq!(wire.output.unflushed(), 0);
    assert_eq!((wire.output.writes() - writes, wire.output.flushes() - flushes), (1, 1));
}

/// B4: a flush that stays pending holds up neither reading nor writing, and is finished.
#[test]
fn a_flush_that_stays_pending_holds_up_nothing() {
    let wire = Wire::serve(server()).ready();
    wire.output.flush(Step::Waits);
    wire.send(&call(1, "echo"));
    wire.send(&call(2, "echo"));
    assert_eq!(wire.receive().len(), 2);
    assert!(wire.output.unflushed() > 0);
    wire.output.flush(Step::Done);
    wire.world.run();
    assert_eq!(wire.output.unflushed(), 0);
    let flushes = wire.output.flushes();
    wire.send(&notification("no/such", &json!({})));
    assert_eq!(wire.output.flushes(), flushes, "nothing was written since");
}

/// B1: replies of admitted requests are taken at the limit too, and answers to our calls are read.
#[test]
fn admitted_work_goes_on_at_the_limit() {
    let server = Server::new("test", "1").configure(|config| config.max_outbound = 1_000).tool(
        tool("ask"),
        |context: Context, _: Value| async move {
            _ = context.list_roots().await;
            "asked"
        },
    );
    let wire = Wire::serve(server).ready();
    wire.send(&call(1, "ask"));
    let question = wire.receive_one();
    wire.output.takes(Takes::Bytes(0));
    for id in 10..30 {
        wire.send(&request(id, "no/such", &json!({ "text": "x".repeat(40) })));
    }
    wire.send(&response(&question["id"], &json!({})));
    wire.output.takes(Takes::All);
    assert_eq!(wire.receive().iter().filter(|reply| reply["id"] == 1).count(), 1);
}

/// N1, C6: a change that had to wait for room goes out when a withdrawn call makes some, though nothing is written.
#[test]
fn a_change_goes_out_with_the_room_of_a_withdrawn_call() {
    let server = tells_of_changes(server()).configure(|config| config.max_outbound = 300);
    let wire = Wire::serve(server).ready();
    wire.output.takes(Takes::Bytes(0));
    let text = Json::from_serialize(&json!({ "text": "x".repeat(300) })).unwrap();
    let call = wire.peer.request("test", Some(text), CallOptions::default());
    let change = "notifications/tools/list_changed";
    assert_eq!(wire.peer.try_notify(change, None), Ok(()));
    wire.world.run();
    let writes = wire.output.writes();
    drop(call);
    wire.world.run();
    assert_eq!(wire.output.writes(), writes + 1, "it is tried at once");
    wire.output.takes(Takes::All);
    assert_eq!(wire.receive_one()["method"], change);
}
