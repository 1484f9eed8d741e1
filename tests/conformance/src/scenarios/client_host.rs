//! What servers ask of clients, and tell them.

use crate::gate::{Gate, OnDrop, signals};
use crate::harness::Harness;
use crate::messages::{cancel, ensure_same, notification, request, result};
use crate::script::Script;
use crate::stage::{client, host};
use futures_util::future::join_all;
use mcp_wire_driver::{Context, ErrorObject, Json, Notice, Root};
use serde_json::{Value, json};
use std::collections::BTreeSet;

/// How many questions are open in each direction.
const PARALLEL: u64 = 32;

/// L1: the server's questions reach the handlers that offer an answer; other methods are unknown.
pub fn questions_reach_their_handlers<H: Harness>() -> Result<(), String> {
    let host = host::<H>()
        .on_elicitation(async |_: Context, question: Json| Ok(question))
        .on_sampling(async |_: Context, _: Value| Err::<Json, _>(ErrorObject::new(-1, "no model")))
        .roots([Root::new("file:///a")]);
    let over = Gate::default();
    let end = over.clone();
    let (mut script, running) = client::<H, _>(host, async move |_client| end.await)?;
    script.message(&request("a", "elicitation/create", json!({ "x": 1 })))?;
    script.expect(r#"{"jsonrpc":"2.0","id":"a","result":{"x":1}}"#)?;
    script.message(&request("b", "sampling/createMessage", json!({})))?;
    script.expect_error("b", -1)?;
    script.line(r#"{"jsonrpc":"2.0","id":"c","method":"roots/list"}"#)?;
    script.expect(r#"{"jsonrpc":"2.0","id":"c","result":{"roots":[{"uri":"file:///a"}]}}"#)?;
    script.message(&request("d", "tools/list", json!({})))?;
    script.expect_error("d", -32601)?;
    over.open();
    script.expect_end()?;
    running.outcome()
}

/// O3: both sides ask at once, and answer with what they learn from each other meanwhile.
pub fn both_sides_ask_at_once<H: Harness>() -> Result<(), String> {
    let host = host::<H>().on_elicitation(async |context: Context, params: Json| {
        let answer = context.request("deeper", Some(params), Default::default()).await;
        answer.map_err(|error| ErrorObject::new(1, error.to_string()))
    });
    let (mut script, running) = client::<H, _>(host, async |client| {
        let calls = (0..PARALLEL).map(|number| {
            let client = client.clone();
            async move { client.call::<u64>("outer", &json!({ "n": number })).await }
        });
        join_all(calls).await
    })?;
    let outer = read_all(&mut script, "outer")?;
    // Each outer call makes the server ask, under the same id, what the client can answer only by asking again.
    for call in &outer {
        let (id, params) = (call["id"].clone(), call["params"].clone());
        script.message(&request(id, "elicitation/create", params))?;
    }
    let deeper = read_all(&mut script, "deeper")?;
    for call in deeper.iter().rev() {
        script.message(&result(call["id"].clone(), call["params"]["n"].clone()))?;
    }
    for _ in 0..PARALLEL {
        let answer = script.expect_where("an answer", |message| message["result"].is_u64())?;
        script.message(&result(answer["id"].clone(), answer["result"].clone()))?;
    }
    ensure_same("the calls", running.outcome()?, (0..PARALLEL).map(Ok).collect())
}

/// Reads the calls of one kind.
fn read_all(script: &mut Script, method: &str) -> Result<Vec<Value>, String> {
    (0..PARALLEL)
        .map(|_| script.expect_where(method, |message| message["method"] == method))
        .collect()
}

/// C1: a question that the server takes back is dropped, and nothing is written for it; its id is free.
pub fn questions_may_be_taken_back<H: Harness>() -> Result<(), String> {
    let (began, began_signals) = signals(H::PATIENCE);
    let (gone, gone_signals) = signals(H::PATIENCE);
    let host = host::<H>().on_elicitation(move |context: Context, _: Value| {
        let guard = OnDrop(gone.clone(), ());
        began.send(context.cancellation());
        async move {
            let _guard = guard;
            std::future::pending::<Result<Json, _>>().await
        }
    });
    let over = Gate::default();
    let end = over.clone();
    let (mut script, running) = client::<H, _>(host, async move |_client| end.await)?;
    for _ in 0..2 {
        script.message(&request("q", "elicitation/create", json!({})))?;
        let cancellation = began_signals.next("the question")?;
        script.message(&cancel("q"))?;
        gone_signals.next("the end of its handler")?;
        ensure_same("cancelled", cancellation.is_cancelled(), true)?;
        script.expect_silence()?;
    }
    over.open();
    running.outcome()
}

/// X1: when the server hangs up, its questions are dropped.
pub fn questions_end_with_the_connection<H: Harness>() -> Result<(), String> {
    let (began, began_signals) = signals(H::PATIENCE);
    let (gone, gone_signals) = signals(H::PATIENCE);
    let host = host::<H>().on_elicitation(move |_: Context, _: Value| {
        let guard = OnDrop(gone.clone(), ());
        began.send(());
        async move {
            let _guard = guard;
            std::future::pending::<Result<Json, _>>().await
        }
    });
    let (mut script, running) =
        client::<H, _>(host, async |client| client.wait_closed().await.cause)?;
    script.message(&request("q", "elicitation/create", json!({})))?;
    began_signals.next("the question")?;
    script.hang_up()?;
    gone_signals.next("the end of its handler")?;
    script.expect_end()?;
    ensure_same("the cause", running.outcome()?, mcp_wire_driver::Closed::Eof)
}

/// N1, B5: notifications come in order to all who listen; who does not take them is told how many it missed.
pub fn notifications_come_in_order<H: Harness>() -> Result<(), String> {
    const SENT: u64 = 3000;
    let (listening, listening_signals) = signals(H::PATIENCE);
    let (sent, all) = (Gate::default(), signals(H::PATIENCE));
    let (seen, seen_signals) = all;
    let (go, host) = (sent.clone(), host::<H>());
    let host = host.notification("test/n", move |_: &mcp_wire_driver::Peer, params: Value| {
        seen.send(params["n"].as_u64().unwrap_or_default());
    });
    let (mut script, running) = client::<H, _>(host, async move |client| {
        let mut notifications = client.notifications();
        listening.send(());
        go.await;
        client.wait_closed().await;
        let (mut taken, mut missed) = (Vec::new(), 0);
        while let Some(notice) = notifications.next().await {
            match notice {
                Notice::Lagged(count) => missed += count as u64,
                Notice::Notification(notification) => {
                    let params = notification.params().unwrap_or_default().to_owned();
                    taken.push(
                        serde_json::from_str::<Value>(&params).unwrap_or_default()["n"].as_u64(),
                    );
                }
                _ => {}
            }
        }
        (taken, missed)
    })?;
    listening_signals.next("the listener")?;
    sent.open();
    for number in 0..SENT {
        script.message(&notification("test/n", json!({ "n": number })))?;
    }
    script.hang_up()?;
    let (taken, missed) = running.outcome()?;
    let kept = taken.len() as u64;
    ensure_same("the first ones", taken, (0..kept).map(Some).collect())?;
    ensure_same("kept and missed", (kept, missed), (1024, SENT - 1024))?;
    let seen: Vec<u64> = seen_signals.so_far();
    ensure_same("what the handler saw", seen.len() as u64, SENT)?;
    ensure_same("different ones", seen.into_iter().collect::<BTreeSet<_>>().len() as u64, SENT)
}
