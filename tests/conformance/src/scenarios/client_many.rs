//! Very many calls on one connection.

use crate::harness::Harness;
use crate::messages::{ensure, ensure_same};
use crate::stage::{host, on_thread};
use everything::Options;
use futures_util::future::join_all;
use mcp_wire_driver::{
    Call, CallError, CallOptions, Canceller, Client, OnProgress, Peer, Server, ToolResult,
};
use serde_json::json;
use std::future::{Future, poll_fn};
use std::pin::Pin;
use std::sync::{Arc, Mutex, PoisonError};
use std::task::Poll;

/// How many calls are open at once.
const CALLS: usize = 10_000;

/// How many messages may pass before both sides are at rest.
const PATIENCE: usize = 1_000;

/// What a call asks for.
#[derive(Debug, Clone, Copy)]
enum Kind {
    Add,
    Echo,
    /// It takes so many milliseconds, and tells of its progress.
    Slow(u64),
}

/// What takes longer than anybody waits, in milliseconds.
const FOR_EVER: u64 = 3_600_000;

/// What happens to a call.
#[derive(Debug, Clone, Copy)]
enum Fate {
    /// It is awaited.
    Awaited,
    /// It is cancelled once so many others are over.
    CancelledAfter(usize),
    /// It is dropped after so many polls.
    DroppedAfter(usize),
}

/// O1, C6: of very many calls at once, a tenth of which are cancelled or dropped at any moment, every one is settled, with its
/// own result; afterwards nothing is left of them on either side.
pub fn very_many_calls_at_once<H: Harness>() -> Result<(), String> {
    on_thread::<H, _>(|| H::block_on(talk::<H>())).outcome()?
}

async fn talk<H: Harness>() -> Result<Result<(), String>, String> {
    let flags = ["--max-in-flight".to_owned(), (4 * CALLS).to_string()];
    let options = Options::from_arguments(flags)?;
    let server: Arc<Server> = everything::server(H::Runtime::default(), &options).into();
    let client = H::connect_server(host::<H>(), Arc::clone(&server))
        .await
        .map_err(|error| error.to_string())?;
    Ok(outcome(&client, &server).await)
}

async fn outcome(client: &Client, server: &Server) -> Result<(), String> {
    let mut random = Random(0x5eed);
    let waiting = Arc::<Waiting>::default();
    let calls: Vec<_> = (0..CALLS)
        .map(|number| {
            let fate = match random.below(20) {
                0 => Fate::CancelledAfter(random.below(CALLS / 2)),
                1 => Fate::DroppedAfter(random.below(8)),
                _ => Fate::Awaited,
            };
            let kind = match random.below(10) {
                // Those that are taken back: half of them before they can be answered, half as it happens.
                0..5 if !matches!(fate, Fate::Awaited) => Kind::Slow(FOR_EVER),
                0 => Kind::Slow(random.below(20) as u64),
                1..4 => Kind::Echo,
                _ => Kind::Add,
            };
            let mut call = start(client, number, kind);
            if let Fate::CancelledAfter(others) = fate {
                waiting.add(others, call.canceller());
            }
            follow(call, fate, number, kind, Arc::clone(&waiting))
        })
        .collect();
    for outcome in join_all(calls).await {
        outcome?;
    }
    at_rest(client, server).await
}

/// A call of one of several tools, some of which take a while and tell of it.
fn start(client: &Client, number: usize, kind: Kind) -> Call {
    let mut options = CallOptions::default();
    match kind {
        Kind::Add => client.start_tool("add", &json!({ "a": number, "b": 1 }), options),
        Kind::Echo => client.start_tool("echo", &json!({ "message": number.to_string() }), options),
        Kind::Slow(ms) => {
            options.on_progress = OnProgress::Report;
            client.start_tool("slow", &json!({ "ms": ms, "steps": 3 }), options)
        }
    }
}

/// What comes of the call, which has to be its own.
async fn follow(
    mut call: Call,
    fate: Fate,
    number: usize,
    kind: Kind,
    waiting: Arc<Waiting>,
) -> Result<(), String> {
    let mut polls = 0;
    let outcome = poll_fn(|context| {
        if let Fate::DroppedAfter(limit) = fate {
            if polls == limit {
                return Poll::Ready(None);
            }
            polls += 1;
            context.waker().wake_by_ref();
        }
        Pin::new(&mut call).poll(context).map(Some)
    })
    .await;
    drop(call);
    waiting.one_is_over();
    let Some(outcome) = outcome else { return Ok(()) };
    let result = match (outcome, fate) {
        (Err(CallError::Cancelled), Fate::CancelledAfter(_)) => return Ok(()),
        (outcome, _) => outcome.map_err(|error| format!("call {number}: {error}"))?,
    };
    let text = result.parse::<ToolResult>().map_err(|error| error.to_string())?.as_text();
    let own = match kind {
        Kind::Add => text == (number + 1).to_string(),
        Kind::Echo => text == number.to_string(),
        Kind::Slow(ms) => text == format!("3 steps in {ms} ms"),
    };
    ensure(own, || format!("call {number} got {text:?}"))
}

/// Calls to be cancelled, once so many others are over.
#[derive(Debug, Default)]
struct Waiting(Mutex<(usize, Vec<(usize, Canceller)>)>);

impl Waiting {
    fn add(&self, others: usize, canceller: Canceller) {
        self.0.lock().unwrap_or_else(PoisonError::into_inner).1.push((others, canceller));
    }

    fn one_is_over(&self) {
        let mut waiting = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        waiting.0 += 1;
        let over = waiting.0;
        let due: Vec<_> = waiting.1.extract_if(.., |(others, _)| *others <= over).collect();
        drop(waiting);
        for (others, canceller) in due {
            canceller.cancel(Some(&format!("{others} are over")));
        }
    }
}

/// F8: once everything is over, nothing is left of it.
async fn at_rest(client: &Client, server: &Server) -> Result<(), String> {
    let peers = server.connections();
    ensure_same("the connections", peers.len(), 1)?;
    let (ours, theirs) = (client.peer(), &peers[0]);
    for _ in 0..PATIENCE {
        // What was sent before it is handled by then; what is written may be noted a moment later.
        client.ping().await.map_err(|error| format!("the ping: {error}"))?;
        if is_at_rest(ours) && is_at_rest(theirs) {
            return Ok(());
        }
    }
    let left = [ours, theirs].map(|peer| (peer.in_flight(), peer.calls(), peer.buffered()));
    Err(format!("requests, calls and bytes are left: {left:?}"))
}

fn is_at_rest(peer: &Peer) -> bool {
    (peer.in_flight(), peer.calls(), peer.buffered()) == (0, 0, 0)
}

/// Numbers that look random, the same each time (splitmix64).
struct Random(u64);

impl Random {
    fn below(&mut self, end: usize) -> usize {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut mixed = self.0;
        mixed = (mixed ^ (mixed >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        (mixed ^ (mixed >> 31)) as usize % end
    }
}
