//! Requests that are no longer wanted.

use crate::gate::{Gate, Signal, signals};
use crate::harness::Harness;
use crate::messages::{cancel, ensure, ensure_same, notification, request, result};
use crate::stage::{Side, by_hand, echo_server, pair, serve_ready, with_hold};
use futures_util::future::join;
use mcp_wire_driver::{CallError, CallOptions, Cancellation, Closed, Context, Json, LogLevel};
use serde_json::{Value, json};
use std::sync::Arc;

/// C1: the handler's future is dropped, nothing is written, and the id is free.
pub fn a_cancelled_request_is_not_answered<H: Harness>() -> Result<(), String> {
    let (server, holding) = with_hold::<H>(echo_server::<H>());
    let (mut script, _running) = serve_ready::<H>(server)?;
    script.message(&request(1, "hold", json!({ "n": 1 })))?;
    let (_, context) = holding.began()?;
    script.message(&cancel(1))?;
    holding.expect_gone(1)?;
    ensure(!context.is_live(), || "the request lives on".into())?;
    script.message(&request(1, "echo", json!({})))?;
    script.expect(r#"{"jsonrpc":"2.0","id":1,"result":{}}"#)?;
    script.expect_silence()
}

/// C1, C4: an answer that is there only after the cancellation was read is never written.
pub fn an_answer_after_the_cancellation_is_not_written<H: Harness>() -> Result<(), String> {
    let (server, holding) = with_hold::<H>(echo_server::<H>());
    let (mut script, _running) = serve_ready::<H>(server)?;
    script.message(&request(1, "hold", json!({ "n": 1 })))?;
    holding.began()?;
    script.message(&cancel(1))?;
    script.expect_silence()?;
    holding.release(1);
    holding.expect_gone(1)?;
    script.message(&request(2, "hold", json!({ "n": 1 })))?;
    script.expect(r#"{"jsonrpc":"2.0","id":2,"result":{"n":1}}"#)?;
    script.expect_silence()
}

/// C4: whoever wins, there is at most one answer, and none behind the point where the cancellation was surely read.
pub fn answers_and_cancellations_may_race<H: Harness>() -> Result<(), String> {
    let (mut script, _running) = serve_ready::<H>(echo_server::<H>())?;
    for round in 0..50 {
        let mut lines = String::new();
        for id in 0..20 {
            lines.push_str(&format!("{}\n{}\n", request(id, "echo", json!({})), cancel(id)));
        }
        let barrier = format!("barrier-{round}");
        lines.push_str(&format!("{}\n", request(barrier.clone(), "ping", json!({}))));
        script.send(lines)?;
        let mut answered = Vec::new();
        loop {
            let answer = script.read_message()?;
            if answer["id"] == barrier {
                break;
            }
            ensure(!answered.contains(&answer["id"]), || format!("answered twice: {answer}"))?;
            ensure(answer["id"].is_u64(), || format!("not an answer: {answer}"))?;
            answered.push(answer["id"].clone());
        }
    }
    script.expect_silence()
}

/// C1, N2: progress and logs of a cancelled request are refused to the handler, and not written.
pub fn nothing_is_told_of_a_cancelled_request<H: Harness>() -> Result<(), String> {
    let (server, holding) = with_hold::<H>(echo_server::<H>());
    let (mut script, _running) = serve_ready::<H>(server)?;
    let params = json!({ "n": 1, "_meta": { "progressToken": "t" } });
    script.message(&request(1, "hold", params))?;
    let (_, context) = holding.began()?;
    context.progress(1.0, None, None).map_err(|error| error.to_string())?;
    script.expect_where("progress", |message| message["params"]["progress"] == 1.0)?;
    script.message(&cancel(1))?;
    script.expect_silence()?;
    ensure(context.progress(2.0, None, None).is_err(), || "progress was taken".into())?;
    let logged = context.log(LogLevel::Error, None, Json::null());
    ensure(logged.is_err(), || "a log message was taken".into())?;
    script.expect_silence()
}

/// C1: work that goes on elsewhere is told, with the reason.
pub fn work_elsewhere_is_told_the_reason<H: Harness>() -> Result<(), String> {
    let (server, holding) = with_hold::<H>(echo_server::<H>());
    let (mut script, _running) = serve_ready::<H>(server)?;
    script.message(&request(1, "hold", json!({ "n": 1 })))?;
    let (_, context) = holding.began()?;
    let cancellation = context.cancellation();
    ensure(!cancellation.is_cancelled(), || "cancelled too early".into())?;
    let waiting = cancellation.clone();
    let told = crate::stage::on_thread::<H, _>(move || {
        H::block_on(waiting.clone());
        Ok(waiting.reason())
    });
    let params = json!({ "requestId": 1, "reason": "bored" });
    script.message(&notification("notifications/cancelled", params))?;
    ensure_same("the reason", told.outcome()?.as_deref(), Some("bored"))
}

/// C1: what is dropped with a handler's future finds the cancellation told already, even where the handler brought it about.
pub fn a_dropped_handler_knows_that_it_is_cancelled<H: Harness>() -> Result<(), String> {
    let (signal, drops) = signals(H::PATIENCE);
    let server = echo_server::<H>().method("close", move |context: Context, _: Value| {
        let dropped = Dropped { cancellation: context.cancellation(), signal: signal.clone() };
        async move {
            let _dropped = dropped;
            context.peer().close();
            std::future::pending::<Result<Json, _>>().await
        }
    });
    let (mut script, running) = serve_ready::<H>(server)?;
    script.message(&request(1, "close", json!({})))?;
    ensure(drops.next("the drop of the handler")?, || "it was not told before".into())?;
    script.expect_end()?;
    running.expect(Closed::Local)
}

/// Tells whether the request was cancelled when this was dropped.
struct Dropped {
    cancellation: Cancellation,
    signal: Signal<bool>,
}

impl Drop for Dropped {
    fn drop(&mut self) {
        self.signal.send(self.cancellation.is_cancelled());
    }
}

/// C2: what a cancelled request has asked of the peer is cancelled too, and a late answer is ignored.
pub fn its_open_questions_are_withdrawn<H: Harness>() -> Result<(), String> {
    let server = echo_server::<H>().method("ask", async |context: Context, _: Value| {
        context
            .elicit(Json::empty_object())
            .await
            .map_err(|_| mcp_wire_driver::ErrorObject::internal())
    });
    let (mut script, _running) = serve_ready::<H>(server)?;
    script.message(&request(1, "ask", json!({})))?;
    let question =
        script.expect_where("a question", |message| message["method"] == "elicitation/create")?;
    script.message(&cancel(1))?;
    script.expect_where("the withdrawal", |message| {
        message["method"] == "notifications/cancelled"
            && message["params"]["requestId"] == question["id"]
    })?;
    script.message(&result(question["id"].clone(), json!({})))?;
    script.expect_silence()
}

/// C3: what cancels nothing does nothing.
pub fn other_cancellations_do_nothing<H: Harness>() -> Result<(), String> {
    let (server, holding) = with_hold::<H>(echo_server::<H>());
    let (mut script, _running) = serve_ready::<H>(server)?;
    script.message(&request(1, "hold", json!({ "n": 1 })))?;
    holding.began()?;
    script.message(&cancel(2))?;
    script.message(&cancel("1"))?;
    script.message(&cancel("handshake"))?;
    script.message(&cancel(Value::Null))?;
    script.message(&notification("notifications/cancelled", json!({})))?;
    script.line(r#"{"jsonrpc":"2.0","method":"notifications/cancelled","params":7}"#)?;
    script.expect_silence()?;
    holding.release(1);
    script.expect(r#"{"jsonrpc":"2.0","id":1,"result":{"n":1}}"#)?;
    script.message(&cancel(1))?;
    script.expect_silence()
}

/// C5: a connection cancels its own requests alone.
pub fn connections_cancel_their_own_requests<H: Harness>() -> Result<(), String> {
    let (server, holding) = with_hold::<H>(echo_server::<H>());
    let server = Arc::new(server);
    let (mut first, _first_running) = serve_ready::<H>(Arc::clone(&server))?;
    let (mut second, _second_running) = serve_ready::<H>(server)?;
    first.message(&request(1, "hold", json!({ "n": 1 })))?;
    holding.began()?;
    second.message(&request(1, "hold", json!({ "n": 2 })))?;
    holding.began()?;
    second.message(&cancel(1))?;
    holding.expect_gone(2)?;
    holding.release(1);
    first.expect(r#"{"jsonrpc":"2.0","id":1,"result":{"n":1}}"#)?;
    second.expect_silence()
}

/// C6: a call that is dropped is cancelled on the wire, once, and its late answer is ignored.
pub fn a_dropped_call_is_cancelled_once<H: Harness>() -> Result<(), String> {
    let (mut script, stream) = pair::<H>()?;
    let (drop_it, (sent, sent_signals)) = (Gate::default(), signals(H::PATIENCE));
    let gate = drop_it.clone();
    let running =
        by_hand::<H, _>(stream, Side::client(|_| {})?, move |peer, _incoming| async move {
            let call = peer.request("slow", None, CallOptions::default());
            sent.send(());
            gate.await;
            drop(call);
            peer.request("quick", None, CallOptions::default()).await
        });
    sent_signals.next("the call")?;
    let call = script.expect_where("the call", |message| message["method"] == "slow")?;
    drop_it.open();
    script.expect_where("its cancellation", |message| {
        message["method"] == "notifications/cancelled"
            && message["params"]["requestId"] == call["id"]
    })?;
    let next = script.expect_where("the next call", |message| message["method"] == "quick")?;
    script.message(&result(call["id"].clone(), json!({ "late": 1 })))?;
    script.message(&result(next["id"].clone(), json!({ "n": 2 })))?;
    let outcome = running.outcome()?.map_err(|error| error.to_string())?;
    ensure_same("the answer", outcome.as_str(), r#"{"n":2}"#)
}

/// C6, O2: a call that takes too long is cancelled on the wire, and its caller is told.
pub fn a_call_that_takes_too_long_is_cancelled<H: Harness>() -> Result<(), String> {
    let (mut script, stream) = pair::<H>()?;
    let running = by_hand::<H, _>(stream, Side::client(|_| {})?, |peer, _incoming| async move {
        let mut options = CallOptions::default();
        options.timeout = Some(std::time::Duration::from_millis(20));
        let slow = peer.request("slow", None, options);
        let patient = peer.request("patient", None, CallOptions::default());
        join(slow, patient).await
    });
    let slow = script.expect_where("the call", |message| message["method"] == "slow")?;
    let patient =
        script.expect_where("the other call", |message| message["method"] == "patient")?;
    script.expect_where("the cancellation", |message| {
        message["method"] == "notifications/cancelled"
            && message["params"]["requestId"] == slow["id"]
    })?;
    script.message(&result(slow["id"].clone(), json!({})))?;
    script.message(&result(patient["id"].clone(), json!({})))?;
    let (slow, patient) = running.outcome()?;
    ensure_same("the slow call", slow, Err(CallError::TimedOut))?;
    ensure(patient.is_ok(), || format!("the patient call failed: {patient:?}"))
}
