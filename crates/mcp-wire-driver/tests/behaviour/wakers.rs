//! Who is polled, and when: no wake-up is lost, nothing spins, and nothing of the user's runs under the lock.

use crate::support::{
    Gate, Step, Takes, Wire, block_on, call, notification, request, tells_of_changes, tool,
};
use mcp_wire_driver::{CallOptions, Context, Inbound, Incoming, Json, Peer, Server};
use serde_json::{Value, json};
use std::pin::pin;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex};
use std::task::{Context as TaskContext, Wake, Waker};
use std::thread;
use std::time::Duration;

/// X2, B4: an idle connection is not polled, however much time passes.
#[test]
fn an_idle_connection_is_not_polled() {
    let server = Server::new("test", "1").tool_now(tool("echo"), |_: &Context, _: Value| "echo");
    let wire = Wire::serve(server).ready();
    wire.send(&call(1, "echo"));
    wire.world.run();
    let polls = (wire.driver.polls(), wire.input.polls(), wire.output.writes());
    wire.world.advance(Duration::from_secs(3600));
    assert_eq!((wire.driver.polls(), wire.input.polls(), wire.output.writes()), polls);
}

/// B1, B4: a blocked writer, and a blocked flush, are polled again only when something happens.
#[test]
fn a_blocked_stream_does_not_spin() {
    for flush in [Step::Done, Step::Waits] {
        let server =
            Server::new("test", "1").tool_now(tool("echo"), |_: &Context, _: Value| "echo");
        let wire = Wire::serve(server).ready();
        wire.output.flush(flush);
        wire.output.takes(if flush == Step::Done { Takes::Bytes(7) } else { Takes::All });
        wire.send(&call(1, "echo"));
        let polls = wire.driver.polls();
        wire.world.advance(Duration::from_secs(3600));
        assert_eq!(wire.driver.polls(), polls);
        assert_eq!(wire.driver.take(), None);
    }
}

/// N3, B1: what waits for something else than room does not spin.
#[test]
fn a_change_that_waits_for_the_client_does_not_spin() {
    let wire = Wire::serve(tells_of_changes(Server::new("test", "1")));
    let change = "notifications/resources/updated";
    let uri = |number: usize| Json::from_serialize(&json!({ "uri": number.to_string() })).ok();
    for number in 0..1024 {
        wire.peer.try_notify(change, uri(number)).unwrap();
    }
    let peer = wire.peer.clone();
    let waiting = wire.world.start(async move { peer.notify(change, uri(1024)).await });
    wire.world.run();
    assert_eq!(waiting.take(), None);
    wire.initialize(&json!({}));
    assert_eq!(wire.receive().len(), 1025);
    assert_eq!(waiting.take(), Some(Ok(())));
}

/// Q1: a handler that answers from another thread wakes the driver.
#[test]
fn another_thread_wakes_the_driver() {
    let (wire, mut incoming) = Wire::connect(|_| ());
    for id in 0..200 {
        wire.send(&request(id, "test", &json!({})));
        let Some(Inbound::Request(_, responder)) = incoming.try_next() else {
            panic!("the request has arrived");
        };
        let answering = thread::spawn(move || responder.respond(Ok(Json::null())));
        let mut reply = Vec::new();
        wire.world.run_until(|| {
            reply.extend(wire.output.take_lines());
            !reply.is_empty()
        });
        answering.join().unwrap().unwrap();
        assert!(reply.ends_with(b"\n"));
    }
}

async fn answer_all(mut incoming: Incoming) -> usize {
    let mut answered = 0;
    while let Some(inbound) = incoming.next().await {
        if let Inbound::Request(_, responder) = inbound {
            _ = responder.respond(Ok(Json::null()));
            answered += 1;
        }
    }
    answered
}

/// Q1: no wake-up is lost between a loop on one thread and the driver on another, however they meet.
#[test]
fn no_wake_up_is_lost_between_threads() {
    const ROUNDS: usize = 3_000;
    let (wire, incoming) = Wire::connect(|_| ());
    let answering = thread::spawn(move || block_on(answer_all(incoming)));
    for id in 0..ROUNDS {
        wire.input.push(format!("{}\n", request(id, "test", &json!({}))));
        wire.world.run_until(|| !wire.output.take_lines().is_empty());
    }
    wire.input.end();
    wire.world.run();
    assert_eq!(answering.join().unwrap(), ROUNDS);
}

/// Does something whenever it is woken or dropped.
struct Meddler {
    meddle: Box<dyn Fn() + Send + Sync>,
    woken: Arc<AtomicUsize>,
}

impl Meddler {
    fn waker(meddle: impl Fn() + Send + Sync + 'static) -> (Waker, Arc<AtomicUsize>) {
        let woken = Arc::<AtomicUsize>::default();
        let meddler = Self { meddle: Box::new(meddle), woken: Arc::clone(&woken) };
        (Waker::from(Arc::new(meddler)), woken)
    }
}

impl Wake for Meddler {
    fn wake(self: Arc<Self>) {
        self.woken.fetch_add(1, Ordering::SeqCst);
        (self.meddle)();
    }
}

impl Drop for Meddler {
    fn drop(&mut self) {
        (self.meddle)();
    }
}

/// A waker that uses the connection.
fn meddler(peer: &Peer) -> (Waker, Arc<AtomicUsize>) {
    let peer = peer.clone();
    Meddler::waker(move || {
        _ = peer.try_notify("meddling", None);
        _ = peer.in_flight();
    })
}

/// N2, O3: a waker may tell of progress while progress is told.
#[test]
fn wakers_may_tell_of_progress() {
    let kept: Arc<Mutex<Option<Context>>> = Arc::default();
    let keep = Arc::clone(&kept);
    let server = Server::new("test", "1").tool(tool("keep"), move |context: Context, _: Value| {
        *keep.lock().unwrap() = Some(context);
        Gate::never::<String>()
    });
    let wire = Wire::serve(server).ready();
    let params = json!({ "name": "keep", "_meta": { "progressToken": 1 } });
    wire.send(&request(1, "tools/call", &params));
    let context = kept.lock().unwrap().take().unwrap();
    let within = context.clone();
    let (waker, woken) = Meddler::waker(move || _ = within.progress(2.0, None, None));
    let mut driver = wire.driver.future().expect("it is not done");
    assert!(driver.as_mut().poll(&mut TaskContext::from_waker(&waker)).is_pending());
    context.progress(1.0, None, None).unwrap();
    assert_eq!(woken.load(Ordering::SeqCst), 1);
    let moved = wire.world.start(driver);
    let told: Vec<Value> =
        wire.receive().iter().map(|it| it["params"]["progress"].clone()).collect();
    assert_eq!((told, moved.take()), (vec![json!(1.0), json!(2.0)], None));
}

/// O3: wakers are called, and dropped, without the lock: they may use the connection.
#[test]
fn wakers_may_use_the_connection() {
    let (wire, mut incoming) = Wire::connect(|config| config.max_outbound = 200);
    wire.world.run();
    let mut woken = Vec::new();
    let mut poll = |future: std::pin::Pin<&mut dyn Future<Output = ()>>| {
        let mut future = future;
        // Twice, so that the first waker is replaced.
        for _ in 0..2 {
            let (waker, count) = meddler(&wire.peer);
            assert!(future.as_mut().poll(&mut TaskContext::from_waker(&waker)).is_pending());
            woken.push(count);
        }
    };
    let peer = wire.peer.clone();
    let mut answer = pin!(async { drop(peer.request("test", None, CallOptions::default()).await) });
    let mut dropped = Box::pin(wire.peer.request("dropped", None, CallOptions::default()));
    let (waker, _) = meddler(&wire.peer);
    assert!(dropped.as_mut().poll(&mut TaskContext::from_waker(&waker)).is_pending());
    drop(waker);
    drop(dropped);
    poll(answer.as_mut());
    wire.send(&request(1, "test", &json!({})));
    let Some(Inbound::Request(_, responder)) = incoming.try_next() else {
        panic!("the request has arrived");
    };
    let mut cancelled = Box::pin(responder.context().cancellation());
    poll(cancelled.as_mut());
    let mut work = pin!(responder.answer_with(Gate::never()));
    poll(work.as_mut());
    let mut next = pin!(async { drop(incoming.next().await) });
    poll(next.as_mut());
    let mut closed = pin!(async { _ = wire.peer.wait_closed().await });
    poll(closed.as_mut());
    wire.output.takes(Takes::Bytes(0));
    while wire.peer.try_notify("filling", None).is_ok() {}
    let mut notify = pin!(async { _ = wire.peer.notify("test", None).await });
    poll(notify.as_mut());
    wire.send(&notification("notifications/cancelled", &json!({ "requestId": 1 })));
    wire.send(&notification("test", &json!({})));
    wire.output.takes(Takes::All);
    wire.world.run();
    wire.driver.cancel();
    // The latest waker of each was called.
    for latest in woken.iter().skip(1).step_by(2) {
        assert!(latest.load(Ordering::SeqCst) > 0);
    }
}

/// O3: a stream that uses the connection while it is written to, flushed and closed does not stop it.
#[test]
fn a_stream_may_use_the_connection() {
    let (wire, _incoming) = Wire::connect(|_| ());
    let peer = wire.peer.clone();
    let mut left = 3;
    wire.output.hook(move || {
        _ = (peer.in_flight(), peer.buffered(), peer.closed());
        if left > 0 {
            left -= 1;
            _ = peer.try_notify("from the stream", None);
            drop(peer.request("from the stream", None, CallOptions::default()));
        }
    });
    wire.peer.try_notify("first", None).unwrap();
    assert_eq!(wire.receive().len(), 4);
    wire.peer.close();
    wire.world.run();
    assert!(wire.driver.take().is_some());
}

/// The driver may move to another task between two polls.
#[test]
fn the_driver_may_move_between_tasks() {
    let (world, peer, driver) = {
        let (wire, _incoming) = Wire::connect(|_| ());
        (wire.world.clone(), wire.peer.clone(), wire.driver)
    };
    world.run();
    let old = driver.future().expect("it is not done");
    let moved = world.start(old);
    world.run();
    let polls = moved.polls();
    peer.try_notify("test", None).unwrap();
    world.run();
    assert!(moved.polls() > polls);
}
