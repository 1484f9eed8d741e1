//! Peers that read too little, or too late.

use crate::gate::{Gate, signals};
use crate::harness::Harness;
use crate::messages::{ensure, ensure_same, is_busy, notification, request};
use crate::stage::{Side, by_hand, echo_server, pair, serve_ready};
use mcp_wire_driver::{Budget, Closed, Context, Inbound, Json, SendError};
use serde_json::{Value, json};
use std::collections::HashSet;
use std::future::{Future, poll_fn};
use std::pin::pin;
use std::task::Poll;
use std::time::Duration;

/// How many requests come before a reply is read.
const MANY: usize = 10_000;

/// B3: every one of many requests is answered, though none of the replies is read before the last request is written.
pub fn many_requests_before_the_first_reply_is_read<H: Harness>() -> Result<(), String> {
    let (mut script, _running) = serve_ready::<H>(echo_server::<H>())?;
    let text = "x".repeat(100);
    let mut lines = String::new();
    for id in 0..MANY {
        lines.push_str(&format!("{}\n", request(id, "echo", json!({ "a": text }))));
    }
    script.send(lines)?;
    let mut missing: HashSet<usize> = (0..MANY).collect();
    for _ in 0..MANY {
        let answer = script.read_message()?;
        let id = answer["id"].as_u64().and_then(|id| usize::try_from(id).ok());
        let known = id.is_some_and(|id| missing.remove(&id));
        ensure(known, || format!("answered twice, or never asked: {answer}"))?;
        ensure(answer["result"]["a"] == text || is_busy(&answer), || format!("wrong: {answer}"))?;
    }
    script.expect_silence()
}

/// B3, Q2: inline ones are all answered, in order.
pub fn many_pings_before_the_first_reply_is_read<H: Harness>() -> Result<(), String> {
    let (mut script, _running) = serve_ready::<H>(echo_server::<H>())?;
    let mut lines = String::new();
    for id in 0..MANY {
        lines.push_str(&format!("{}\n", request(id, "ping", json!({}))));
    }
    script.send(lines)?;
    for id in 0..MANY {
        script.expect(&format!(r#"{{"jsonrpc":"2.0","id":{id},"result":{{}}}}"#))?;
    }
    Ok(())
}

/// B1, B2: a peer that never reads costs bounded memory, and is given up in the end.
pub fn a_peer_that_never_reads_is_given_up<H: Harness>() -> Result<(), String> {
    const OUTBOUND: usize = 64 << 10;
    const RESERVE: usize = 16 << 10;
    const REPLY: usize = 10_000;
    const SHARE: usize = 4;
    let (signal, peers) = signals(H::PATIENCE);
    let server = echo_server::<H>()
        .budget(Budget::with_share(SHARE, SHARE))
        .configure(|config| {
            config.max_outbound = OUTBOUND;
            config.outbound_reserve = RESERVE;
            config.max_frame_out = 2 * REPLY;
            config.write_stall = Duration::from_millis(50);
        })
        .method("large", move |context: Context, _: Value| {
            signal.send(context.peer().clone());
            async move {
                let text = "x".repeat(REPLY);
                Ok(Json::from_serialize(&text).unwrap_or_else(|_| Json::null()))
            }
        });
    let (mut script, running) = serve_ready::<H>(server)?;
    script.message(&request("first", "large", json!({})))?;
    let peer = peers.next("the first request")?;
    // Untaken requests and their replies count too, and none of them is large.
    let bound = OUTBOUND + RESERVE + 2 * SHARE * 2 * REPLY + (64 << 10);
    let mut sent = 0;
    while script.message(&request(sent, "large", json!({}))).is_ok() {
        sent += 1;
        ensure(sent < MANY, || format!("{sent} requests were read, and no reply"))?;
        let buffered = peer.buffered();
        ensure(buffered <= bound, || format!("{buffered} bytes are buffered, {bound} are fine"))?;
    }
    running.expect(Closed::Stalled)
}

/// B1, B4: a peer that reads slowly gets everything, in order.
pub fn a_slow_reader_gets_everything<H: Harness>() -> Result<(), String> {
    let server = echo_server::<H>().configure(|config| config.max_outbound = 32 << 10);
    let server = server.inline("here", |_: &Context, params: Json| Ok(params));
    let (mut script, running) = serve_ready::<H>(server)?;
    script.read_slowly(100);
    let text = "x".repeat(1000);
    for id in 0..200 {
        script.message(&request(id, "here", json!({ "a": text })))?;
    }
    script.hang_up()?;
    let lines = script.read_to_end()?;
    ensure_same("the number of replies", lines.len(), 200)?;
    for (id, line) in lines.iter().enumerate() {
        let expected = format!(r#"{{"jsonrpc":"2.0","id":{id},"result":{{"a":"{text}"}}}}"#);
        ensure(*line == expected, || format!("reply {id} is {line}"))?;
    }
    running.expect(Closed::Eof)
}

/// B1: at the limit `try_notify` says so, and `notify` waits until the peer reads.
pub fn senders_wait_for_room<H: Harness>() -> Result<(), String> {
    let (mut script, stream) = pair::<H>()?;
    let side = Side::client(|config| config.max_outbound = 64 << 10)?;
    let (full, full_signals) = signals(H::PATIENCE);
    let running = by_hand::<H, _>(stream, side, move |peer, mut incoming| async move {
        let params = Json::from_serialize(&json!({ "a": "x".repeat(1000) }));
        let params = params.map_err(|error| error.to_string())?;
        let (mut sent, mut refused) = (0, 0);
        // The driver has its turns in between: the socket has to be full too.
        while refused < 100 {
            yield_once().await;
            match peer.try_notify("note", Some(params.clone())) {
                Ok(()) => (sent, refused) = (sent + 1, 0),
                Err(SendError::Full) => refused += 1,
                Err(error) => return Err(error.to_string()),
            }
        }
        let mut notify = pin!(peer.notify("note", Some(params.clone())));
        let first = poll_fn(|context| Poll::Ready(notify.as_mut().poll(context))).await;
        if first.is_ready() {
            return Err("it did not wait".into());
        }
        full.send(());
        notify.await.map_err(|error| error.to_string())?;
        sent += 1;
        peer.notify("last", None).await.map_err(|error| error.to_string())?;
        while incoming.next().await.is_some() {}
        Ok(sent)
    });
    full_signals.next("a full output")?;
    let mut read = 0;
    loop {
        let message = script.read_message()?;
        if message["method"] == "last" {
            break;
        }
        read += 1;
    }
    script.hang_up()?;
    ensure_same("the notifications", read, running.outcome()??)
}

async fn yield_once() {
    let mut yielded = false;
    poll_fn(move |context| {
        if std::mem::replace(&mut yielded, true) {
            return Poll::Ready(());
        }
        context.waker().wake_by_ref();
        Poll::Pending
    })
    .await;
}

/// B5: what nobody takes is dropped past the limit, counted, and told.
pub fn what_nobody_takes_is_dropped_and_counted<H: Harness>() -> Result<(), String> {
    const SENT: usize = 1000;
    let (mut script, stream) = pair::<H>()?;
    let side = Side::server(|config| config.max_events = 8, Budget::default())?;
    let take = Gate::default();
    let opened = take.clone();
    let running = by_hand::<H, _>(stream, side, move |_, mut incoming| async move {
        opened.await;
        let (mut notified, mut lagged) = (0, 0);
        while notified + lagged < SENT {
            match incoming.next().await {
                Some(Inbound::Notification(_)) => notified += 1,
                Some(Inbound::Lagged(count)) => lagged += count,
                Some(_) => {}
                None => break,
            }
        }
        (notified, lagged)
    });
    for number in 0..SENT {
        script.message(&notification("note", json!({ "n": number })))?;
    }
    // A request is told that there is no room, which shows that all before it was read.
    script.message(&request(1, "echo", json!({})))?;
    script
        .expect_where("an error", |message| message["id"] == 1 && message["error"].is_object())?;
    take.open();
    let (notified, lagged) = running.outcome()?;
    ensure_same("all notifications", notified + lagged, SENT)?;
    ensure(notified <= 16, || format!("{notified} notifications were kept, the limit is 8"))
}
