//! Futures that are dropped, at every point where they may wait.

use crate::gate::{Gate, signals};
use crate::harness::Harness;
use crate::messages::{ensure, ensure_same, notification, request, result};
use crate::script::{Next, Script};
use crate::stage::{Side, by_hand, echo_server, halves, on_thread, pair, serve_ready, with_hold};
use futures_util::future::{Either, select};
use mcp_wire_driver::{CallError, CallOptions, Closed, Context, Inbound, Json, SendError, Server};
use serde_json::{Value, json};
use std::collections::HashMap;
use std::future::{Future, poll_fn};
use std::pin::pin;
use std::task::Poll;

/// How far a future gets before it is dropped, in calls of its `poll`.
const POLLS: std::ops::Range<usize> = 0..30;

/// When a future is polled again.
#[derive(Debug, Clone, Copy)]
enum Again {
    AtOnce,
    WhenWoken,
}

/// Polls a future so many times at most, and drops it. `None` where that was too early.
async fn poll_times<F: Future>(future: F, times: usize, again: Again) -> Option<F::Output> {
    let mut future = pin!(future);
    let mut polls = 0;
    poll_fn(|context| {
        if polls == times {
            return Poll::Ready(None);
        }
        polls += 1;
        match future.as_mut().poll(context) {
            Poll::Ready(output) => return Poll::Ready(Some(output)),
            Poll::Pending if polls == times => return Poll::Ready(None),
            Poll::Pending => {}
        }
        if matches!(again, Again::AtOnce) {
            context.waker().wake_by_ref();
        }
        Poll::Pending
    })
    .await
}

/// X3, F13: a server that is dropped cancels its handlers and closes the stream; whatever was written is whole lines, but
/// for the last.
pub fn a_dropped_server_closes_its_stream<H: Harness>() -> Result<(), String> {
    for polls in POLLS {
        let (server, holding) = with_hold::<H>(echo_server::<H>());
        let (mut script, stream) = pair::<H>()?;
        let running = on_thread::<H, _>(move || {
            H::block_on(async {
                let (reader, writer) = halves::<H>(stream)?;
                let serve = H::serve(server.into(), reader, writer);
                Ok(poll_times(serve, polls, Again::WhenWoken).await.is_none())
            })
        });
        let began = talk_to_the_end(&mut script)?;
        ensure(running.outcome()?, || "the connection ended before it was dropped".into())?;
        if began {
            holding.expect_gone(1)?;
        }
    }
    Ok(())
}

/// X3: the same with handlers on the connection's own task.
pub fn a_dropped_local_server_closes_its_stream<H: Harness>() -> Result<(), String> {
    for polls in POLLS {
        let (gone, gone_signals) = signals(H::PATIENCE);
        let (mut script, stream) = pair::<H>()?;
        let running = on_thread::<H, _>(move || {
            H::block_on(async {
                let (reader, writer) = halves::<H>(stream)?;
                let server = Server::local("conformance", "1")
                    .method("echo", async |_: Context, params: Json| Ok(params))
                    .method("hold", move |_: Context, params: Json| {
                        let guard = crate::gate::OnDrop(gone.clone(), ());
                        async move {
                            let _guard = guard;
                            Gate::default().await;
                            Ok(params)
                        }
                    });
                let serve = H::serve_local(server, reader, writer);
                Ok(poll_times(serve, polls, Again::WhenWoken).await.is_none())
            })
        });
        let began = talk_to_the_end(&mut script)?;
        ensure(running.outcome()?, || "the connection ended before it was dropped".into())?;
        if began {
            gone_signals.next("the drop of the handler")?;
        }
    }
    Ok(())
}

/// Talks until the server is gone. Tells whether the request that is held had begun.
fn talk_to_the_end(script: &mut Script) -> Result<bool, String> {
    let handshake = request(0, "initialize", json!({ "protocolVersion": "2025-11-25" }));
    let opening = format!("{handshake}\n{}\n", request(1, "hold", json!({ "n": 1 })));
    let mut open = script.send(opening).is_ok();
    let mut answered = 0;
    // Nobody survives so many turns: each takes at least one.
    for id in 2..1000 {
        open =
            open && script.message(&request(id, "echo", json!({ "a": "x".repeat(3000) }))).is_ok();
        match script.read_next()? {
            Next::Line(line) => {
                serde_json::from_str::<Value>(&line).map_err(|error| format!("{error}: {line}"))?;
                answered += 1;
            }
            // The handshake is answered first, then what came behind the request that is held.
            Next::Cut(_) | Next::End => return Ok(answered > 1),
        }
    }
    Err("the server is still there".into())
}

/// X3, O1: a driver that is dropped settles everybody who waits.
pub fn a_dropped_driver_settles_everybody<H: Harness>() -> Result<(), String> {
    for polls in POLLS {
        let (_script, stream) = pair::<H>()?;
        let side = Side::client(|_| {})?;
        let running = on_thread::<H, _>(move || {
            H::block_on(async {
                let (reader, writer) = halves::<H>(stream)?;
                let (peer, mut incoming, driver) =
                    H::connect(reader, writer, side.connection, side.session);
                let call = peer.request("slow", None, CallOptions::default());
                poll_times(driver, polls, Again::AtOnce).await;
                let next = incoming.next().await.is_none();
                let late = peer.request("late", None, CallOptions::default()).await;
                Ok((call.await, peer.wait_closed().await, next, late))
            })
        });
        let (call, cause, over, late) = running.outcome()?;
        ensure_same("the call", call, Err(CallError::Closed(Closed::Dropped)))?;
        ensure_same("the cause", cause, Closed::Dropped)?;
        ensure(over, || "something came after the end".into())?;
        ensure_same("a late call", late, Err(CallError::NotSent(SendError::Closed)))?;
    }
    Ok(())
}

/// F13: what comes in is not lost with the future that waits for it.
pub fn waiting_for_what_comes_in_may_be_given_up<H: Harness>() -> Result<(), String> {
    const COUNT: u64 = 300;
    let (mut script, stream) = pair::<H>()?;
    let side = Side::client(|_| {})?;
    let running = by_hand::<H, _>(stream, side, |_, mut incoming| async move {
        let mut seen = Vec::new();
        loop {
            // Each turn has a future of its own.
            let next = poll_fn(|context| pin!(incoming.next()).poll(context)).await;
            match next {
                Some(Inbound::Notification(note)) => {
                    seen.push(note.into_params().as_str().to_owned())
                }
                Some(_) => {}
                None => return seen,
            }
        }
    });
    let mut lines = String::new();
    for number in 0..COUNT {
        lines.push_str(&format!("{}\n", notification("note", json!({ "n": number }))));
    }
    for piece in lines.as_bytes().chunks(13) {
        script.send(piece)?;
    }
    script.hang_up()?;
    let expected = (0..COUNT).map(|number| format!(r#"{{"n":{number}}}"#)).collect::<Vec<_>>();
    ensure_same("what came in", running.outcome()?, expected)
}

/// F13: a notification whose future is dropped is sent whole, or not at all.
pub fn sending_may_be_given_up<H: Harness>() -> Result<(), String> {
    let (mut script, stream) = pair::<H>()?;
    let side = Side::client(|config| config.max_outbound = 16 << 10)?;
    let (given_up, signals) = signals(H::PATIENCE);
    let running = by_hand::<H, _>(stream, side, move |peer, mut incoming| async move {
        let params = Json::from_serialize(&json!({ "a": "x".repeat(1000) }));
        let params = params.map_err(|error| error.to_string())?;
        let mut sent = 0;
        // The output and the socket are full soon: then they all wait, and are given up.
        for polls in (1..20).cycle().take(1000) {
            let notify = peer.notify("note", Some(params.clone()));
            sent += usize::from(poll_times(notify, polls, Again::AtOnce).await.is_some());
        }
        given_up.send(());
        peer.notify("last", None).await.map_err(|error| error.to_string())?;
        while incoming.next().await.is_some() {}
        Ok::<_, String>(sent)
    });
    signals.next("the giving up")?;
    let mut read = 0;
    while script.read_message()?["method"] == "note" {
        read += 1;
    }
    script.hang_up()?;
    ensure_same("the notifications", read, running.outcome()??)
}

/// C6: a call may be dropped at any time; whatever the peer has seen of it, it is told once that nobody waits.
pub fn calls_may_be_given_up<H: Harness>() -> Result<(), String> {
    let (mut script, stream) = pair::<H>()?;
    let running = by_hand::<H, _>(stream, Side::client(|_| {})?, |peer, _incoming| async move {
        for polls in POLLS {
            let call = peer.request("slow", None, CallOptions::default());
            poll_times(call, polls, Again::AtOnce).await;
        }
        peer.request("last", None, CallOptions::default()).await
    });
    let mut cancellations: HashMap<String, usize> = HashMap::new();
    let last = loop {
        let message = script.read_message()?;
        match message["method"].as_str() {
            Some("slow") => _ = cancellations.insert(message["id"].to_string(), 0),
            Some("notifications/cancelled") => {
                let id = message["params"]["requestId"].to_string();
                *cancellations.get_mut(&id).ok_or("what was not seen is cancelled")? += 1;
            }
            Some("last") => break message["id"].clone(),
            _ => return Err(format!("unexpected: {message}")),
        }
    };
    let once = cancellations.values().all(|count| *count == 1);
    ensure(once, || format!("cancelled so many times: {cancellations:?}"))?;
    script.message(&result(last, json!({})))?;
    running.outcome()?.map(drop).map_err(|error| error.to_string())
}

/// C6, L1: a handler may give up its question, and still answer.
pub fn a_question_may_be_given_up<H: Harness>() -> Result<(), String> {
    let gate = Gate::default();
    let opened = gate.clone();
    let server = echo_server::<H>().method("ask", move |context: Context, params: Json| {
        let gate = opened.clone();
        async move {
            let question = pin!(context.elicit(Json::empty_object()));
            match select(question, gate).await {
                Either::Left(_) => Ok(Json::null()),
                Either::Right(_) => Ok(params),
            }
        }
    });
    let (mut script, _running) = serve_ready::<H>(server)?;
    script.message(&request(1, "ask", json!({ "n": 1 })))?;
    let question = script.expect_where("a question", |message| message["method"].is_string())?;
    gate.open();
    let mut left = [script.read_message()?, script.read_message()?];
    left.sort_by_key(|message| message["id"].is_null());
    ensure(left[0]["result"]["n"] == 1, || format!("no answer: {left:?}"))?;
    ensure(left[1]["params"]["requestId"] == question["id"], || format!("{left:?}"))?;
    script.message(&result(question["id"].clone(), json!({})))?;
    script.expect_silence()
}

/// X3: waiting for the end may be given up; others still learn of it.
pub fn waiting_for_the_end_may_be_given_up<H: Harness>() -> Result<(), String> {
    let (mut script, stream) = pair::<H>()?;
    let running = by_hand::<H, _>(stream, Side::client(|_| {})?, |peer, _incoming| async move {
        for polls in POLLS {
            if poll_times(peer.wait_closed(), polls, Again::AtOnce).await.is_some() {
                return None;
            }
        }
        peer.notify("ready", None).await.ok()?;
        Some(peer.wait_closed().await)
    });
    script.expect(r#"{"jsonrpc":"2.0","method":"ready"}"#)?;
    script.hang_up()?;
    ensure_same("the cause", running.outcome()?, Some(Closed::Eof))
}
