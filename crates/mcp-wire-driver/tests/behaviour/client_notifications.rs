//! What a client hears from its server, and tells it.

use crate::support::{
    ClientWire, Takes, block_on, call_options, host, notification, progress, ready, request,
    response, seconds,
};
use futures_util::stream::StreamExt;
use mcp_wire_driver::{Closed, Notice, Notifications, OnProgress, Peer};
use serde_json::{Value, json};
use std::cell::Cell;
use std::rc::Rc;
use std::sync::{Arc, Mutex};
use std::task::{self, Poll, Waker};
use std::thread;

fn poll(notifications: &mut Notifications) -> Poll<Option<Notice>> {
    notifications.poll_next_unpin(&mut task::Context::from_waker(Waker::noop()))
}

/// What there is to take now: methods, or how many were dropped.
fn taken(notifications: &mut Notifications) -> Vec<String> {
    let mut taken = Vec::new();
    while let Poll::Ready(Some(notice)) = poll(notifications) {
        taken.push(match notice {
            Notice::Lagged(count) => format!("lagged {count}"),
            Notice::Notification(notification) => notification.method().to_owned(),
            other => panic!("{other:?}"),
        });
    }
    taken
}

/// N1: notifications come in order, to each who listens from the time on when it began; handlers see them too.
#[test]
fn notifications_come_to_all_who_listen() {
    let heard: Arc<Mutex<Vec<i64>>> = Arc::default();
    let hear = Arc::clone(&heard);
    let host = host().notification("n", move |_: &Peer, params: Value| {
        hear.lock().unwrap().push(params["n"].as_i64().unwrap_or_default());
    });
    let (wire, client) = ClientWire::ready(host);
    wire.send(&notification("n", &json!({ "n": 1 })));
    let (mut one, mut other) = (client.notifications(), client.notifications());
    wire.send(&notification("n", &json!({ "n": 2 })));
    wire.send(&notification("notifications/message", &json!({ "level": "info", "data": 1 })));
    assert_eq!(taken(&mut one), ["n", "notifications/message"]);
    drop(one);
    wire.send(&notification("n", &json!({ "n": 3 })));
    assert_eq!(taken(&mut other), ["n", "notifications/message", "n"]);
    assert_eq!(*heard.lock().unwrap(), [1, 2, 3]);
    assert_eq!(wire.receive(), [Value::Null; 0]);
}

/// N1, M5: progress and cancellations belong to requests, and are not told here; nor are junk and late answers.
#[test]
fn what_belongs_to_requests_is_not_told() {
    let (wire, client) = ClientWire::ready(host().roots([]));
    let mut notifications = client.notifications();
    let options = call_options(OnProgress::Report, None);
    let call = wire.start(client.request("test", None, options));
    let id = wire.receive_one()["id"].clone();
    wire.send(&notification(
        "notifications/progress",
        &json!({ "progressToken": id, "progress": 1 }),
    ));
    let params = json!({ "requestId": "q", "reason": "unknown" });
    wire.send(&notification("notifications/cancelled", &params));
    wire.send(&request("q", "roots/list", &json!({})));
    wire.send(&response(&id, &json!({})));
    wire.send(&response(&id, &json!({})));
    wire.input.push("junk\n");
    wire.world.run();
    assert!(call.take().is_some());
    assert_eq!(taken(&mut notifications), [""; 0]);
}

/// B5, M1: who does not listen holds up nobody: past the limit notifications are dropped, counted, and told by one `Lagged`
/// where they would have come.
#[test]
fn who_does_not_listen_lags() {
    let (wire, client) = ClientWire::ready(host());
    let (mut slow, mut quick) = (client.notifications(), client.notifications());
    for number in 0..1500 {
        wire.input.push(format!("{}\n", notification(&number.to_string(), &json!({}))));
        wire.world.run();
        assert_eq!(taken(&mut quick), [number.to_string()]);
    }
    let mut kept: Vec<String> = (0..1024).map(|number| number.to_string()).collect();
    kept.push("lagged 476".to_owned());
    assert_eq!(taken(&mut slow), kept);
    wire.send(&notification("after", &json!({})));
    assert_eq!(taken(&mut slow), ["after"]);
    // In bytes, too: of six with 3 MiB each, five fit into 16 MiB.
    let long = json!({ "x": "x".repeat(3 << 20) });
    for _ in 0..6 {
        wire.send(&notification("long", &long));
    }
    wire.send(&notification("short", &json!({})));
    let mut kept = vec!["long"; 5];
    kept.extend(["lagged 1", "short"]);
    assert_eq!(taken(&mut slow), kept);
    // What is taken makes room.
    for _ in 0..5 {
        wire.send(&notification("long", &long));
    }
    assert_eq!(taken(&mut slow), ["long"; 5]);
    assert_eq!(client.peer().buffered(), 0);
}

/// B5: what is dropped in between is told in between.
#[test]
fn lagging_is_told_in_order() {
    let (wire, client) = ClientWire::ready(host());
    let mut slow = client.notifications();
    let send = |method: &str, count: usize| {
        for _ in 0..count {
            wire.input.push(format!("{}\n", notification(method, &json!({}))));
        }
        wire.world.run();
    };
    send("a", 1026);
    for _ in 0..2 {
        assert!(poll(&mut slow).is_ready());
    }
    send("b", 2);
    let rest = taken(&mut slow);
    assert_eq!(rest.len(), 1022 + 3, "{:?}", &rest[1020..]);
    assert_eq!(rest[1021..], ["a", "lagged 2", "b", "lagged 1"]);
}

/// X3: what came before the end is still told after it; then the stream ends, for those too who begin to listen then.
#[test]
fn notifications_end_with_the_connection() {
    let (wire, client) = ClientWire::ready(host());
    let mut waiting = client.notifications();
    let seen = Rc::new(Cell::new(0));
    let see = Rc::clone(&seen);
    let listening = wire.start(async move {
        while waiting.next().await.is_some() {
            see.set(see.get() + 1);
        }
    });
    let mut late = client.notifications();
    wire.send(&notification("n", &json!({})));
    assert_eq!((seen.get(), listening.take()), (1, None));
    wire.input.push(notification("unterminated", &json!({})).to_string());
    wire.input.end();
    wire.world.run();
    assert_eq!(client.peer().closed(), Some(Closed::Eof));
    assert_eq!((seen.get(), listening.take()), (2, Some(())));
    assert_eq!(taken(&mut late), ["n", "unterminated"]);
    let mut after = client.notifications();
    let ended = wire.start(async move { (late.next().await, after.next().await) });
    assert_eq!(ended.take(), Some((None, None)));
}

/// X3, O3: the end comes to a listener on another thread, however the two meet.
#[test]
fn a_listener_elsewhere_learns_of_the_end() {
    for _ in 0..500 {
        let (wire, client) = ClientWire::ready(host());
        let notifications = client.notifications();
        let listening = thread::spawn(move || block_on(notifications.count()));
        wire.input.end();
        wire.world.run();
        assert_eq!(listening.join().unwrap(), 0);
    }
}

/// B1: a client's notifications wait for a server that reads too slowly, and are sent whole.
#[test]
fn notifications_wait_for_room() {
    let (wire, client) = ClientWire::ready(host().configure(|config| config.max_outbound = 1));
    wire.output.takes(Takes::Bytes(0));
    client.peer().try_notify("first", None).unwrap();
    let second = wire.start(async move { client.notify("second", None).await });
    assert_eq!(second.take(), None);
    wire.output.takes(Takes::All);
    let methods: Vec<Value> = wire.receive().iter().map(|it| it["method"].clone()).collect();
    assert_eq!((methods, second.take()), (vec![json!("first"), json!("second")], Some(Ok(()))));
    // That was the last clone.
    wire.world.advance(seconds(1));
    assert_eq!(wire.output.closes(), 1);
}

/// N1: progress that comes late is not told as a notification.
#[test]
fn late_progress_is_not_told() {
    let (wire, client) = ready();
    let mut notifications = client.notifications();
    let call = client.request("test", None, call_options(OnProgress::Report, None));
    let id = wire.receive_one()["id"].clone();
    drop(call);
    wire.send(&progress(&id, 1.0));
    let next = wire.start(async move { notifications.next().await });
    assert_eq!(next.take(), None);
}
