//! A client's calls, and what servers make of them.

use crate::gate::{Gate, signals};
use crate::harness::Harness;
use crate::messages::{ensure, ensure_same, notification, result};
use crate::script::Script;
use crate::stage::{client, host};
use futures_util::future::{join, join_all, join3};
use mcp_wire_driver::{
    CallError, CallOptions, Client, Closed, Json, OnProgress, SendError, message::FaultKind,
};
use serde_json::{Value, json};
use std::time::Duration;

/// How many calls are open at once.
const PARALLEL: usize = 100;

/// Reads so many calls of the client.
fn calls(script: &mut Script, count: usize) -> Result<Vec<Value>, String> {
    (0..count).map(|_| script.expect_where("a call", |message| message["id"].is_i64())).collect()
}

async fn call(client: &Client, number: usize) -> Result<usize, CallError> {
    client.call("test", &json!({ "n": number })).await
}

/// O1: answers find their calls, in whatever order they come.
pub fn answers_may_come_in_any_order<H: Harness>() -> Result<(), String> {
    let (mut script, running) = client::<H, _>(host::<H>(), async |client| {
        join_all((0..PARALLEL).map(|number| call(&client, number))).await
    })?;
    let calls = calls(&mut script, PARALLEL)?;
    for call in calls.iter().step_by(2).chain(calls.iter().skip(1).step_by(2).rev()) {
        script.message(&result(call["id"].clone(), call["params"]["n"].clone()))?;
    }
    ensure_same("the answers", running.outcome()?, (0..PARALLEL).map(Ok).collect())
}

/// M4: stray lines between the answers are passed over, and none of them is answered.
pub fn stray_lines_do_no_harm<H: Harness>() -> Result<(), String> {
    let (mut script, running) = client::<H, _>(host::<H>(), async |client| call(&client, 7).await)?;
    let id = calls(&mut script, 1)?[0]["id"].clone();
    script.line(format!("[debug] answering {id}"))?;
    script.line(format!(r#"{{"id":{id},"result":1}}"#))?;
    script.line(format!(r#"{{"jsonrpc":"1.0","id":{id},"result":2}}"#))?;
    script.line(format!(r#"{{"jsonrpc":"2.0","id":{id},"method":"no","params":"no"}}"#))?;
    script.send(b"\xff\xfe\n\r\n \n\xef\xbb\xbf\n")?;
    script.expect_silence()?;
    // This one names the call: it is over.
    script.line(format!(r#"{{"jsonrpc":"2.0","id":{id},"result":3"#))?;
    let outcome = running.outcome()?;
    ensure_same("the cut answer", outcome, Err(CallError::InvalidResponse(FaultKind::NotJson)))?;
    script.expect_end()
}

/// M5: answers to nobody, late ones and second ones settle nothing, and are not answered.
pub fn wrong_answers_settle_nothing<H: Harness>() -> Result<(), String> {
    let (cancelled, cancelled_signals) = signals(H::PATIENCE);
    let (mut script, running) = client::<H, _>(host::<H>(), async move |client| {
        let mut dropped = client.request("dropped", None, CallOptions::default());
        dropped.canceller().cancel(Some("bored"));
        let outcome = dropped.await;
        cancelled.send(outcome);
        let first = call(&client, 1).await;
        (first, call(&client, 2).await)
    })?;
    ensure_same(
        "the cancelled call",
        cancelled_signals.next("the cancellation")?,
        Err(CallError::Cancelled),
    )?;
    // Nothing of it may have been written.
    let mut first = script.read_message()?;
    if first["method"] == "dropped" {
        script.expect_where("its cancellation", |message| {
            message["params"] == json!({ "requestId": first["id"], "reason": "bored" })
        })?;
        script.message(&result(first["id"].clone(), json!(-1)))?;
        first = script.read_message()?;
    }
    for id in [json!(99), json!("2"), json!(first["id"].to_string()), json!(-1)] {
        script.message(&result(id, json!(-1)))?;
    }
    script.line(r#"{"jsonrpc":"2.0","id":null,"error":{"code":1,"message":"no"}}"#)?;
    script.expect_silence()?;
    script.message(&result(first["id"].clone(), json!(1)))?;
    let second = calls(&mut script, 1)?;
    script.message(&result(first["id"].clone(), json!(-1)))?;
    script.message(&result(second[0]["id"].clone(), json!(2)))?;
    ensure_same("the calls", running.outcome()?, (Ok(1), Ok(2)))
}

/// M4, O1: an answer that is none fails its call at once, and no other.
pub fn bad_answers_fail_their_call<H: Harness>() -> Result<(), String> {
    let host = host::<H>().configure(|config| config.max_frame = 100_000);
    // What is wrong, and how it begins behind the id.
    let bad: [(FaultKind, Vec<u8>); 6] = [
        (FaultKind::NotMessage, br#""result":1,"error":{"code":1,"message":""}"#.into()),
        (FaultKind::NotMessage, br#""error":"no""#.into()),
        (FaultKind::NotMessage, br#""outcome":1"#.into()),
        (FaultKind::Oversize, format!(r#""result":"{}""#, "x".repeat(200_000)).into()),
        (
            FaultKind::TooDeep,
            format!(r#""result":{}{}"#, "[".repeat(5000), "]".repeat(5000)).into(),
        ),
        (FaultKind::NotUtf8, b"\"result\":\"\xff\"".into()),
    ];
    let count = bad.len();
    let (mut script, running) = client::<H, _>(host, async move |client| {
        join_all((0..=count).map(|number| call(&client, number))).await
    })?;
    let calls = calls(&mut script, count + 1)?;
    for (call, (_, rest)) in calls.iter().zip(&bad) {
        let head = format!(r#"{{"jsonrpc":"2.0","id":{},"#, call["id"]);
        script.send([head.as_bytes(), rest, b"}\n"].concat())?;
    }
    script.message(&result(calls[count]["id"].clone(), json!(count)))?;
    let mut expected: Vec<Result<usize, CallError>> =
        bad.iter().map(|(kind, _)| Err(CallError::InvalidResponse(*kind))).collect();
    expected.push(Ok(count));
    ensure_same("the calls", running.outcome()?, expected)?;
    script.expect_end()
}

/// C6: dropped calls, and cancelled ones, are told to the server once each, or not at all where nothing of them was
/// written; their late answers are ignored.
pub fn cancelled_calls_are_told_once<H: Harness>() -> Result<(), String> {
    let (written, (sent, sent_signals)) = (Gate::default(), signals(H::PATIENCE));
    let seen = written.clone();
    let (mut script, running) = client::<H, _>(host::<H>(), async move |client| {
        let request = |method| client.request(method, None, CallOptions::default());
        let (dropped, mut cancelled) = (request("dropped"), request("cancelled"));
        let canceller = cancelled.canceller();
        sent.send(());
        seen.await;
        drop(dropped);
        canceller.cancel(Some("bored"));
        canceller.cancel(Some("again"));
        let outcome = cancelled.await;
        canceller.cancel(Some("and again"));
        (outcome, call(&client, 1).await)
    })?;
    sent_signals.next("the calls")?;
    let calls = calls(&mut script, 2)?;
    written.open();
    let cancellation = |params| notification("notifications/cancelled", params).to_string();
    let told = [script.read()?, script.read()?]
        .map(|line| serde_json::from_str::<Value>(&line).unwrap_or_default());
    ensure_same(
        "the first cancellation",
        told[0].to_string(),
        cancellation(json!({ "requestId": calls[0]["id"] })),
    )?;
    ensure_same(
        "the second cancellation",
        told[1].to_string(),
        cancellation(json!({ "requestId": calls[1]["id"], "reason": "bored" })),
    )?;
    let next = script.expect_where("the next call", |message| message["method"] == "test")?;
    script.message(&result(calls[0]["id"].clone(), json!(-1)))?;
    script.message(&result(calls[1]["id"].clone(), json!(-1)))?;
    script.message(&result(next["id"].clone(), json!(1)))?;
    ensure_same("the calls", running.outcome()?, (Err(CallError::Cancelled), Ok(1)))
}

/// N2, O2: progress comes to its call, in order, and starts its clock again; not after the answer.
pub fn progress_comes_to_its_call<H: Harness>() -> Result<(), String> {
    const STEPS: u32 = 5;
    let (mut script, running) = client::<H, _>(host::<H>(), async |client| {
        let mut options = CallOptions::default();
        options.on_progress = OnProgress::Restart;
        let mut call = client.start_tool("slow", &json!({}), options);
        let mut seen = Vec::new();
        while let Some(progress) = call.progress().await {
            seen.push((progress.progress, progress.message));
        }
        (seen, call.await)
    })?;
    let call = script.expect_where("the call", |message| message["method"] == "tools/call")?;
    ensure_same("the token", &call["params"]["_meta"]["progressToken"], &call["id"])?;
    let progress = |token: &Value, step: u32| {
        let params =
            json!({ "progressToken": token, "progress": step, "message": step.to_string() });
        notification("notifications/progress", params)
    };
    for step in 1..=STEPS {
        script.message(&progress(&json!("other"), 0))?;
        script.message(&progress(&call["id"], step))?;
    }
    script.send(format!(
        "{}\n{}\n",
        result(call["id"].clone(), json!({})),
        progress(&call["id"], 9)
    ))?;
    let expected = (1..=STEPS).map(|step| (f64::from(step), Some(step.to_string()))).collect();
    ensure_same("progress and outcome", running.outcome()?, (expected, Ok(Json::empty_object())))
}

/// O2: a call that takes too long fails, and is cancelled on the wire; one that tells of its progress has its ceiling.
pub fn calls_have_their_time<H: Harness>() -> Result<(), String> {
    let (mut script, running) = client::<H, _>(host::<H>(), async |client| {
        let mut short = CallOptions::default();
        short.timeout = Some(Duration::from_millis(150));
        let mut low = CallOptions::default();
        (low.on_progress, low.ceiling) = (OnProgress::Restart, Duration::from_millis(300));
        let request = |method, options| client.request(method, None, options);
        join3(request("short", short), request("low", low), call(&client, 1)).await
    })?;
    let calls = calls(&mut script, 3)?;
    let token = &calls[1]["id"];
    let params = json!({ "progressToken": token, "progress": 1 });
    script.message(&notification("notifications/progress", params))?;
    for call in &calls[..2] {
        script.expect_where("its cancellation", |message| {
            message["params"]["requestId"] == call["id"]
        })?;
    }
    script.message(&result(calls[2]["id"].clone(), json!(1)))?;
    let timed_out = Err(CallError::TimedOut);
    ensure_same("the calls", running.outcome()?, (timed_out.clone(), timed_out, Ok(1)))
}

/// X1, O1: when the server hangs up, every call fails with the cause, and so does what comes after.
pub fn calls_fail_when_the_server_hangs_up<H: Harness>() -> Result<(), String> {
    let (mut script, running) = client::<H, _>(host::<H>(), async |client| {
        let calls = join_all((0..PARALLEL).map(|number| call(&client, number)));
        let (calls, end) = join(calls, client.wait_closed()).await;
        (calls, end, call(&client, 0).await, client.notify("late", None).await)
    })?;
    let calls = calls(&mut script, PARALLEL)?;
    script.message(&result(calls[1]["id"].clone(), json!(1)))?;
    // The last line needs no end.
    script.send(result(calls[2]["id"].clone(), json!(2)).to_string())?;
    script.hang_up()?;
    script.expect_end()?;
    let (mut outcomes, end, late_call, late_note) = running.outcome()?;
    ensure_same("the cause", end.cause, Closed::Eof)?;
    ensure_same("the late call", late_call, Err(CallError::NotSent(SendError::Closed)))?;
    ensure_same("the late notification", late_note, Err(SendError::Closed))?;
    let answered: Vec<_> = outcomes.drain(1..3).collect();
    ensure_same("the answered calls", answered, vec![Ok(1), Ok(2)])?;
    let closed = Err(CallError::Closed(Closed::Eof));
    ensure(outcomes.iter().all(|outcome| *outcome == closed), || format!("{outcomes:?}"))
}

/// X4: closing fails the calls and closes the stream; all who wait are told.
pub fn closing_ends_the_session<H: Harness>() -> Result<(), String> {
    let (mut script, running) = client::<H, _>(host::<H>(), async |client| {
        let late = client.clone();
        let ((one, other), waited, called) =
            join3(join(client.close(), late.close()), client.wait_closed(), call(&client, 1)).await;
        (one.cause, other.cause, waited.cause, called)
    })?;
    script.expect_end()?;
    let (one, other, waited, called) = running.outcome()?;
    ensure_same("the cause", [one, other, waited], [(); 3].map(|()| Closed::Local))?;
    // It is made while the end is under way.
    ensure(called.is_err(), || format!("called: {called:?}"))
}

/// X3, C6: dropping the last clone closes the stream, and what it still asks is taken back.
pub fn dropping_the_client_ends_the_session<H: Harness>() -> Result<(), String> {
    let (mut script, running) = client::<H, _>(host::<H>(), async |client| {
        let call = client.request("test", None, CallOptions::default());
        drop(client.clone());
        drop(client);
        call.await
    })?;
    // Nothing of the call is written, or it is taken back, unless the runtime has ended before.
    let lines = script.read_to_end()?;
    let whole = [r#""test""#, r#""notifications/cancelled""#];
    let expected = lines.len() <= whole.len()
        && lines.iter().zip(whole).all(|(line, method)| line.contains(method));
    ensure(expected, || format!("something else: {lines:?}"))?;
    ensure_same("the call", running.outcome()?, Err(CallError::Closed(Closed::Local)))
}
