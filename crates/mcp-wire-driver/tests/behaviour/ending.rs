//! How a connection ends when nothing has failed.

use crate::support::{Gate, Step, Takes, Wire, call, request, response, result_text, tool};
use mcp_wire_driver::{Closed, Context, Server};
use serde_json::{Value, json};
use std::time::Duration;

/// A server whose tool `wait` waits at the gate, and whose tool `ask` asks for the client's roots.
fn server(gate: &Gate) -> Server {
    let gate = gate.clone();
    Server::new("test", "1")
        .tool_now(tool("echo"), |_: &Context, _: Value| "echo")
        .tool(tool("wait"), move |_: Context, _: Value| {
            let gate = gate.clone();
            async move {
                gate.pass().await;
                "waited"
            }
        })
        .tool(tool("ask"), |context: Context, _: Value| async move {
            _ = context.list_roots().await;
            "asked"
        })
}

/// X1: with nothing outstanding the end of input is the end, at once; the stream is closed.
#[test]
fn the_end_of_input_ends_an_idle_connection() {
    let wire = Wire::serve(server(&Gate::default())).ready();
    wire.input.end();
    wire.world.run();
    assert_eq!(wire.driver.take(), Some(Closed::Eof));
    assert_eq!((wire.output.closes(), wire.output.unflushed()), (1, 0));
    assert_eq!(wire.peer.closed(), Some(Closed::Eof));
}

/// X1, F9: the last line needs no line break, and what it asks is answered before the end.
#[test]
fn an_unterminated_last_line_is_answered() {
    let wire = Wire::serve(server(&Gate::default())).ready();
    wire.input.push(call(1, "echo").to_string());
    wire.input.end();
    assert_eq!(result_text(&wire.receive_one()), "echo");
    assert_eq!(wire.driver.take(), Some(Closed::Eof));
}

/// X1: work in flight goes on within the grace, and is answered.
#[test]
fn work_in_flight_is_answered_after_the_end_of_input() {
    let gate = Gate::default();
    let wire = Wire::serve(server(&gate)).ready();
    wire.send(&call(1, "wait"));
    wire.input.end();
    wire.world.advance(Duration::from_millis(999));
    assert_eq!((gate.waiting(), wire.driver.take()), (1, None));
    gate.open();
    assert_eq!(wire.receive_one()["id"], 1);
    assert_eq!(wire.driver.take(), Some(Closed::Eof));
}

/// X1: past the grace it is cancelled, unanswered.
#[test]
fn work_past_the_grace_is_cancelled() {
    let gate = Gate::default();
    let wire = Wire::serve(server(&gate)).ready();
    wire.send(&call(1, "wait"));
    wire.input.end();
    wire.world.advance(Duration::from_secs(1));
    assert_eq!((gate.waiting(), wire.driver.take()), (0, Some(Closed::Eof)));
    assert_eq!(wire.receive(), [Value::Null; 0]);
}

/// X1: `None` waits for all work, `ZERO` for none.
#[test]
fn the_grace_can_be_chosen() {
    let gate = Gate::default();
    let patient = Wire::serve(server(&gate).configure(|config| config.eof_grace = None)).ready();
    patient.send(&call(1, "wait"));
    patient.input.end();
    patient.world.advance(Duration::from_secs(3600));
    assert_eq!(gate.waiting(), 1);
    gate.open();
    assert_eq!(patient.receive_one()["id"], 1);
    assert_eq!(patient.driver.take(), Some(Closed::Eof));

    let gate = Gate::default();
    let grace = Some(Duration::ZERO);
    let hasty = Wire::serve(server(&gate).configure(|config| config.eof_grace = grace)).ready();
    hasty.send(&call(1, "wait"));
    hasty.input.end();
    hasty.world.run();
    assert_eq!((gate.waiting(), hasty.driver.take()), (0, Some(Closed::Eof)));
}

/// X1: a handler that waits for the client's answer is not waited for: no answer can come.
#[test]
fn a_parked_handler_is_cancelled_at_the_end_of_input() {
    let wire = Wire::serve(server(&Gate::default())).ready();
    wire.send(&call(1, "ask"));
    let question = wire.receive_one();
    wire.input.end();
    let told = wire.receive_one();
    assert_eq!(told["method"], "notifications/cancelled", "and no reply");
    assert_eq!(told["params"]["requestId"], question["id"]);
    assert_eq!(wire.driver.take(), Some(Closed::Eof));
    assert_eq!(wire.world.alive(), 0);
}

/// X1: the final flush ends after `flush_stall` without progress.
#[test]
fn a_peer_that_takes_nothing_at_the_end_is_not_waited_for() {
    let wire = Wire::serve(server(&Gate::default())).ready();
    wire.output.takes(Takes::Bytes(10));
    wire.send(&call(1, "echo"));
    wire.input.end();
    wire.world.advance(Duration::from_millis(499));
    assert_eq!(wire.driver.take(), None);
    // Progress starts the clock again.
    wire.output.takes(Takes::Bytes(10));
    wire.world.advance(Duration::from_millis(499));
    assert_eq!(wire.driver.take(), None);
    wire.world.advance(Duration::from_millis(1));
    assert_eq!(wire.driver.take(), Some(Closed::Stalled));
    assert_eq!(wire.output.closes(), 0);
}

/// X1: a stream that does not let itself be closed is not waited for either.
#[test]
fn a_stream_that_does_not_close_is_not_waited_for() {
    for (step, wait) in [(Step::Waits, 500), (Step::Fails(std::io::ErrorKind::BrokenPipe), 0)] {
        let wire = Wire::serve(server(&Gate::default())).ready();
        wire.output.close(step);
        wire.input.end();
        wire.world.run();
        if wait > 0 {
            assert_eq!(wire.driver.take(), None);
        }
        wire.world.advance(Duration::from_millis(wait));
        assert_eq!(wire.driver.take(), Some(Closed::Eof));
    }
}

/// X1: the longest wait for the flush is one that the clock cannot tell.
#[test]
fn a_flush_may_wait_for_ever() {
    let server = server(&Gate::default()).configure(|config| config.flush_stall = Duration::MAX);
    let wire = Wire::serve(server).ready();
    wire.output.close(Step::Waits);
    wire.input.end();
    wire.world.advance(Duration::from_secs(3600));
    assert_eq!(wire.driver.take(), None);
    wire.output.close(Step::Done);
    wire.world.run();
    assert_eq!(wire.driver.take(), Some(Closed::Eof));
}

/// X4: `close` cancels unanswered, flushes and closes; a second time does nothing; all who wait for the end are told.
#[test]
fn closing_cancels_and_flushes() {
    let gate = Gate::default();
    let wire = Wire::serve(server(&gate)).ready();
    let waiters = [(); 2].map(|()| {
        let peer = wire.peer.clone();
        wire.world.start(async move { peer.wait_closed().await })
    });
    wire.send(&call(1, "wait"));
    wire.output.takes(Takes::Bytes(0));
    wire.send(&call(2, "echo"));
    wire.peer.close();
    wire.peer.close();
    wire.world.run();
    assert_eq!((gate.waiting(), wire.driver.take()), (0, None));
    wire.output.takes(Takes::All);
    assert_eq!(wire.receive_one()["id"], 2);
    assert_eq!(wire.driver.take(), Some(Closed::Local));
    for waiter in waiters {
        assert_eq!(waiter.take(), Some(Closed::Local));
    }
    assert_eq!(wire.output.closes(), 1);
}

/// X4: after the end everything says so at once, and nothing hangs.
#[test]
fn after_the_end_nothing_hangs() {
    let (wire, mut incoming) = Wire::connect(|_| ());
    wire.peer.close();
    wire.world.run();
    let peer = wire.peer.clone();
    let after = wire.world.start(async move {
        let notified = peer.notify("test", None).await;
        (notified, incoming.next().await.is_none(), peer.wait_closed().await)
    });
    wire.world.run();
    let closed = mcp_wire_driver::SendError::Closed;
    assert_eq!(after.take(), Some((Err(closed), true, Closed::Local)));
}

/// X4: `shutdown` admits nothing more, lets work in flight finish, then closes.
#[test]
fn shutdown_drains() {
    let gate = Gate::default();
    let wire = Wire::serve(server(&gate)).ready();
    wire.send(&call(1, "wait"));
    wire.peer.shutdown(None);
    wire.send(&call(2, "echo"));
    assert_eq!(wire.receive_one()["error"]["message"], "server busy");
    gate.open();
    assert_eq!(result_text(&wire.receive_one()), "waited");
    assert_eq!(wire.driver.take(), Some(Closed::Local));
}

/// X4: `shutdown` waits no longer than its grace, and questions to the client may still be answered.
#[test]
fn shutdown_has_a_grace() {
    let gate = Gate::default();
    let wire = Wire::serve(server(&gate)).ready();
    wire.send(&call(1, "wait"));
    wire.send(&call(2, "ask"));
    let question = wire.receive_one();
    wire.peer.shutdown(Some(Duration::from_secs(5)));
    wire.send(&response(&question["id"], &json!({})));
    assert_eq!(result_text(&wire.receive_one()), "asked");
    wire.world.advance(Duration::from_secs(5));
    assert_eq!((gate.waiting(), wire.driver.take()), (0, Some(Closed::Local)));
    assert_eq!(wire.receive(), [Value::Null; 0]);
}

/// X4: an idle connection shuts down at once.
#[test]
fn an_idle_connection_shuts_down_at_once() {
    let wire = Wire::serve(server(&Gate::default())).ready();
    wire.peer.shutdown(None);
    wire.world.run();
    assert_eq!(wire.driver.take(), Some(Closed::Local));
}

/// Q8: a handler that takes too long is answered for, and dropped.
#[test]
fn a_handler_that_takes_too_long_is_dropped() {
    let gate = Gate::default();
    let limit = Some(Duration::from_secs(2));
    let server = server(&gate).configure(|config| config.callback_timeout = limit);
    let wire = Wire::serve(server).ready();
    wire.send(&call(1, "wait"));
    wire.world.advance(Duration::from_secs(2));
    assert_eq!(wire.receive_one()["error"]["data"], json!({ "error": "callback_timeout" }));
    assert_eq!(gate.waiting(), 0);
    wire.send(&request(2, "ping", &json!({})));
    assert_eq!(wire.receive_one()["id"], 2);
}
