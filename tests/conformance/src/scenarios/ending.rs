//! How connections end.

use crate::harness::Harness;
use crate::messages::{ensure, ensure_same, is_busy, request};
use crate::stage::{Side, by_hand, echo_server, pair, serve, serve_ready, with_hold};
use futures_util::future::join3;
use mcp_wire_driver::{CallError, CallOptions, Closed, Context, ErrorObject, Json, SendError};
use serde_json::{Value, json};
use std::sync::Arc;
use std::time::Duration;

/// X1: with nothing to do, the end of input is the end.
pub fn an_idle_connection_ends_with_its_input<H: Harness>() -> Result<(), String> {
    let (mut script, running) = serve_ready::<H>(echo_server::<H>())?;
    script.hang_up()?;
    script.expect_end()?;
    running.expect(Closed::Eof)
}

/// X1: replies that are there already are written after the end of input.
pub fn replies_are_written_after_the_end_of_input<H: Harness>() -> Result<(), String> {
    let server = echo_server::<H>().inline("large", |_: &Context, _: Value| {
        Ok(Json::from_serialize(&"x".repeat(1 << 20)).unwrap_or_else(|_| Json::null()))
    });
    let (mut script, running) = serve_ready::<H>(server)?;
    for id in 0..5 {
        script.message(&request(id, "large", json!({})))?;
    }
    script.hang_up()?;
    let lines = script.read_to_end()?;
    ensure_same("the number of replies", lines.len(), 5)?;
    ensure(lines.iter().all(|line| line.len() > 1 << 20), || "a reply is cut".into())?;
    running.expect(Closed::Eof)
}

/// X1: without a limit on the grace, requests in flight are answered after the end of input, however long they take.
pub fn requests_in_flight_are_waited_for<H: Harness>() -> Result<(), String> {
    let server = echo_server::<H>().configure(|config| config.eof_grace = None);
    let (server, holding) = with_hold::<H>(server);
    let (mut script, running) = serve_ready::<H>(server)?;
    for number in 1..=3 {
        script.message(&request(number, "hold", json!({ "n": number })))?;
    }
    script.hang_up()?;
    for number in [3, 1, 2] {
        holding.release(number);
        script
            .expect(&format!(r#"{{"jsonrpc":"2.0","id":{number},"result":{{"n":{number}}}}}"#))?;
    }
    script.expect_end()?;
    running.expect(Closed::Eof)
}

/// X1: without any grace, requests in flight are cancelled unanswered.
pub fn without_grace_requests_are_cancelled<H: Harness>() -> Result<(), String> {
    the_rest_is_cancelled_after::<H>(Duration::ZERO)
}

/// X1: once the grace is over, requests in flight are cancelled unanswered.
pub fn after_the_grace_requests_are_cancelled<H: Harness>() -> Result<(), String> {
    the_rest_is_cancelled_after::<H>(Duration::from_millis(30))
}

fn the_rest_is_cancelled_after<H: Harness>(grace: Duration) -> Result<(), String> {
    let server = echo_server::<H>().configure(|config| config.eof_grace = Some(grace));
    let (server, holding) = with_hold::<H>(server);
    let (mut script, running) = serve_ready::<H>(server)?;
    script.message(&request(1, "hold", json!({ "n": 1 })))?;
    holding.began()?;
    script.hang_up()?;
    script.expect_end()?;
    holding.expect_gone(1)?;
    running.expect(Closed::Eof)
}

/// X1: a request that waits for the peer's answer cannot be answered after the end of input.
pub fn requests_that_wait_for_the_peer_are_cancelled<H: Harness>() -> Result<(), String> {
    let server = echo_server::<H>().configure(|config| config.eof_grace = None).method(
        "ask",
        async |context: Context, _: Value| {
            context.elicit(Json::empty_object()).await.map_err(|_| ErrorObject::internal())
        },
    );
    let (mut script, running) = serve_ready::<H>(server)?;
    script.message(&request(1, "ask", json!({})))?;
    script.expect_where("a question", |message| message["method"] == "elicitation/create")?;
    script.hang_up()?;
    let left = script.read_to_end()?;
    let answered =
        left.iter().any(|line| line.contains(r#""id":1,"result""#) || line.contains("error"));
    ensure(!answered, || format!("answered after the end: {left:?}"))?;
    running.expect(Closed::Eof)
}

/// X1: in the client role all calls fail at once, with the cause.
pub fn calls_fail_at_the_end_of_input<H: Harness>() -> Result<(), String> {
    let (mut script, stream) = pair::<H>()?;
    let running = by_hand::<H, _>(stream, Side::client(|_| {})?, |peer, mut incoming| async move {
        let call = peer.request("slow", None, CallOptions::default());
        let waiting = peer.clone();
        let (outcome, cause, next) = join3(call, waiting.wait_closed(), incoming.next()).await;
        (outcome, cause, next.is_none(), peer.try_notify("late", None))
    });
    script.expect_where("the call", |message| message["method"] == "slow")?;
    script.hang_up()?;
    let (outcome, cause, over, late) = running.outcome()?;
    ensure_same("the call", outcome, Err(CallError::Closed(Closed::Eof)))?;
    ensure_same("the cause", cause, Closed::Eof)?;
    ensure(over, || "something came after the end".into())?;
    ensure_same("a late notification", late, Err(SendError::Closed))
}

/// X4: a handler can close its connection; what is written already arrives, and a second time does nothing.
pub fn closing_cancels_and_flushes<H: Harness>() -> Result<(), String> {
    let server = echo_server::<H>().inline("close", |context: &Context, _: Value| {
        context.peer().close();
        context.peer().close();
        Ok(Json::empty_object())
    });
    let (server, holding) = with_hold::<H>(server);
    let (mut script, running) = serve_ready::<H>(server)?;
    script.message(&request(1, "hold", json!({ "n": 1 })))?;
    let (_, context) = holding.began()?;
    let lines = [request(2, "ping", json!({})), request(3, "close", json!({}))];
    script.send(format!("{}\n{}\n", lines[0], lines[1]))?;
    script.expect(r#"{"jsonrpc":"2.0","id":2,"result":{}}"#)?;
    script.expect_end()?;
    holding.expect_gone(1)?;
    running.expect(Closed::Local)?;
    ensure_same(
        "a late notification",
        context.peer().try_notify("late", None),
        Err(SendError::Closed),
    )?;
    ensure_same("the cause", context.peer().closed(), Some(Closed::Local))
}

/// X4: a gentle end admits nothing more, and waits for what runs.
pub fn shutting_down_drains<H: Harness>() -> Result<(), String> {
    let server = echo_server::<H>().inline("down", |context: &Context, _: Value| {
        context.peer().shutdown(None);
        Ok(Json::empty_object())
    });
    let (server, holding) = with_hold::<H>(server);
    let (mut script, running) = serve_ready::<H>(server)?;
    script.message(&request(1, "hold", json!({ "n": 1 })))?;
    holding.began()?;
    script.message(&request(2, "down", json!({})))?;
    script.expect(r#"{"jsonrpc":"2.0","id":2,"result":{}}"#)?;
    script.message(&request(3, "echo", json!({})))?;
    script.expect_where("busy", |message| message["id"] == 3 && is_busy(message))?;
    holding.release(1);
    script.expect(r#"{"jsonrpc":"2.0","id":1,"result":{"n":1}}"#)?;
    script.expect_end()?;
    running.expect(Closed::Local)
}

/// X4: a gentle end does not wait for ever.
pub fn shutting_down_ends_with_its_grace<H: Harness>() -> Result<(), String> {
    let server = echo_server::<H>().inline("down", |context: &Context, _: Value| {
        context.peer().shutdown(Some(Duration::from_millis(20)));
        Ok(Json::empty_object())
    });
    let (server, holding) = with_hold::<H>(server);
    let (mut script, running) = serve_ready::<H>(server)?;
    script.message(&request(1, "hold", json!({ "n": 1 })))?;
    holding.began()?;
    script.message(&request(2, "down", json!({})))?;
    script.expect(r#"{"jsonrpc":"2.0","id":2,"result":{}}"#)?;
    script.expect_end()?;
    holding.expect_gone(1)?;
    running.expect(Closed::Local)
}

/// X3: a server that is shut down ends every one of its connections, idle ones too, and takes no more.
pub fn a_server_that_is_shut_down_ends_its_connections<H: Harness>() -> Result<(), String> {
    let (server, holding) = with_hold::<H>(echo_server::<H>());
    let server = Arc::new(server);
    let (mut idle, idle_running) = serve_ready::<H>(Arc::clone(&server))?;
    let (mut busy, busy_running) = serve_ready::<H>(Arc::clone(&server))?;
    busy.message(&request(1, "hold", json!({ "n": 1 })))?;
    holding.began()?;
    server.shutdown(None);
    idle.expect_end()?;
    idle_running.expect(Closed::ServerDown)?;
    holding.release(1);
    busy.expect(r#"{"jsonrpc":"2.0","id":1,"result":{"n":1}}"#)?;
    busy.expect_end()?;
    busy_running.expect(Closed::ServerDown)?;
    let (mut late, late_running) = serve::<H>(server)?;
    late.expect_end()?;
    ensure(late_running.outcome().is_err(), || "it took another connection".into())
}
