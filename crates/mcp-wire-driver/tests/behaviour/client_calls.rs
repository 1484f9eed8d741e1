//! A client's calls: their answers, their progress, their time.

use crate::support::{
    ClientWire, Takes, agreed, call_options, cancelled, error, follow, host, narrow, notification,
    progress, ready, response, seconds,
};
use mcp_wire_driver::message::FaultKind;
use mcp_wire_driver::{CallError, CallOptions, Json, OnProgress, Progress};
use serde_json::{Value, json};
use std::cell::Cell;
use std::rc::Rc;
use std::time::Duration;

/// I5: with its progress wanted a request carries the call's number as its token, beside what the caller wrote; without, it
/// goes out as it is.
#[test]
fn the_token_is_the_number_of_the_call() {
    let (wire, client) = ready();
    let sent = |on_progress, params: &'static str| {
        let params = Some(Json::new(params).unwrap());
        let call = client.request("test", params, call_options(on_progress, None));
        let sent = wire.receive_one();
        drop(call);
        wire.receive();
        (sent["id"].clone(), sent["params"].clone())
    };
    for on_progress in [OnProgress::Report, OnProgress::Restart] {
        let (id, params) = sent(on_progress, r#"{"a":1}"#);
        assert_eq!(params, json!({ "a": 1, "_meta": { "progressToken": id } }));
        let (id, params) = sent(on_progress, r#"{"_meta":{"b":2,"progressToken":"mine"}}"#);
        assert_eq!(params, json!({ "_meta": { "b": 2, "progressToken": id } }));
    }
    let (_, params) = sent(OnProgress::Ignore, r#"{"_meta":{"progressToken":"mine"}}"#);
    assert_eq!(params, json!({ "_meta": { "progressToken": "mine" } }));

    let call = client.start_tool("t", &json!({}), call_options(OnProgress::Report, None));
    let sent = wire.receive_one();
    let params = json!({ "name": "t", "arguments": {}, "_meta": { "progressToken": sent["id"] } });
    assert_eq!(sent["params"], params);
    drop(call);
}

/// I5: a call that had to wait for room carries the number that it has in the end.
#[test]
fn a_call_that_waited_has_the_right_token() {
    let (wire, client) = narrow();
    wire.output.takes(Takes::Bytes(0));
    client.peer().try_notify("fills the output", None).unwrap();
    let late = wire.start(client.request("late", None, call_options(OnProgress::Report, None)));
    let early = wire.start(client.request("early", None, call_options(OnProgress::Report, None)));
    for _ in 0..3 {
        wire.output.takes(Takes::All);
        wire.world.run();
    }
    let sent = wire.receive();
    assert_eq!(sent.len(), 3, "{sent:?}");
    for call in &sent[1..] {
        assert_eq!(call["params"]["_meta"]["progressToken"], call["id"]);
        wire.send(&response(&call["id"], &call["method"]));
    }
    assert_eq!(late.take(), Some(Ok(Json::new("\"late\"").unwrap())));
    assert_eq!(early.take(), Some(Ok(Json::new("\"early\"").unwrap())));
}

/// N2: progress comes in order, to the call that it belongs to, and not after the answer.
#[test]
fn progress_finds_its_call() {
    let (wire, client) = ready();
    let [one, other] = [OnProgress::Report, OnProgress::Restart].map(|on_progress| {
        wire.start(follow(client.request("test", None, call_options(on_progress, None))))
    });
    let sent = wire.receive();
    let (first, second) = (&sent[0]["id"], &sent[1]["id"]);
    wire.send(&progress(first, 1.0));
    wire.send(&progress(second, 10.0));
    // What is not told of a call of ours, or not well, is passed over.
    wire.send(&progress(&json!("x"), 99.0));
    wire.send(&progress(&json!(first.to_string()), 99.0));
    wire.send(&progress(&json!(999), 99.0));
    wire.send(&notification("notifications/progress", &json!({ "progressToken": first })));
    wire.send(&progress(first, 2.0));
    // It need not rise.
    wire.send(&progress(first, 1.5));
    let lines = [response(first, &json!({})), progress(first, 3.0), progress(second, 11.0)];
    wire.input.push(lines.map(|line| line.to_string() + "\n").concat());
    wire.world.run();
    assert_eq!(one.take(), Some((vec![1.0, 2.0, 1.5], Ok(Json::empty_object()))));
    wire.send(&error(second, 1, "no"));
    let (seen, outcome) = other.take().unwrap();
    assert_eq!(seen, [10.0, 11.0]);
    assert!(matches!(outcome, Err(CallError::Peer(_))));
}

/// N2: progress is told whole: how far, of what, and in words.
#[test]
fn progress_is_told_whole() {
    let (wire, client) = ready();
    let mut call = client.request("test", None, call_options(OnProgress::Report, None));
    let token = wire.receive_one()["id"].clone();
    let params = json!({ "progressToken": token, "progress": 1, "total": 4.5, "message": "one" });
    wire.send(&notification("notifications/progress", &params));
    wire.send(&response(&token, &json!({})));
    let taken = wire.start(async move { (call.progress().await, call.progress().await) });
    let (Some(Some(Progress { progress, total, message, .. })), after) =
        taken.take().map_or((None, None), |(first, second)| (Some(first), second))
    else {
        panic!("there is some");
    };
    assert_eq!((progress, total, message.as_deref()), (1.0, Some(4.5), Some("one")));
    assert_eq!(after, None);
}

/// N2: progress is told as soon as it comes.
#[test]
fn progress_is_told_at_once() {
    let (wire, client) = ready();
    let seen = Rc::new(Cell::new(0.0));
    let mut call = client.request("test", None, call_options(OnProgress::Report, None));
    let see = Rc::clone(&seen);
    let _following = wire.start(async move {
        while let Some(progress) = call.progress().await {
            see.set(progress.progress);
        }
    });
    let token = wire.receive_one()["id"].clone();
    for step in [1.0, 2.0] {
        wire.send(&progress(&token, step));
        assert_eq!(seen.get(), step);
    }
}

/// B5: progress that nobody takes is kept up to a limit, and the latest says the most; it holds up nobody.
#[test]
fn untaken_progress_is_bounded() {
    let (wire, client) = ready();
    let call = client.request("test", None, call_options(OnProgress::Report, None));
    let ignored = wire.start(client.request("test", None, call_options(OnProgress::Report, None)));
    let sent = wire.receive();
    for token in [&sent[0]["id"], &sent[1]["id"]] {
        for step in 0..10_000 {
            wire.input.push(format!("{}\n", progress(token, step.into())));
        }
        wire.send(&response(token, &json!({})));
    }
    assert_eq!(ignored.take(), Some(Ok(Json::empty_object())));
    let (seen, outcome) = wire.start(follow(call)).take().unwrap();
    assert_eq!(seen, (9_936..10_000).map(f64::from).collect::<Vec<_>>());
    assert_eq!(outcome, Ok(Json::empty_object()));
    assert_eq!(client.peer().buffered(), 0);
}

/// O1: whoever wants no progress gets none, and learns of the end.
#[test]
fn a_call_without_progress_has_none() {
    let (wire, client) = ready();
    let followed = wire.start(follow(client.request("test", None, CallOptions::default())));
    let id = wire.receive_one()["id"].clone();
    wire.send(&progress(&id, 1.0));
    assert_eq!(followed.take(), None);
    wire.send(&response(&id, &json!({})));
    assert_eq!(followed.take(), Some((vec![], Ok(Json::empty_object()))));
}

/// C6, F13: waiting for progress may be given up, and nothing is lost.
#[test]
fn waiting_for_progress_may_be_given_up() {
    let (wire, client) = ready();
    let mut call = client.request("test", None, call_options(OnProgress::Report, None));
    let id = wire.receive_one()["id"].clone();
    let waker = std::task::Waker::noop();
    let mut context = std::task::Context::from_waker(waker);
    assert!(std::pin::pin!(call.progress()).poll(&mut context).is_pending());
    wire.send(&progress(&id, 1.0));
    wire.send(&response(&id, &json!({})));
    let followed = wire.start(follow(call));
    assert_eq!(followed.take(), Some((vec![1.0], Ok(Json::empty_object()))));
}

/// O2: progress starts the clock again where that is asked for, and only there.
#[test]
fn progress_restarts_the_clock_by_choice() {
    let (wire, client) = ready();
    let two = Some(seconds(2));
    let [restarted, reported, ignored] =
        [OnProgress::Restart, OnProgress::Report, OnProgress::Ignore].map(|on_progress| {
            wire.start(client.request("test", None, call_options(on_progress, two)))
        });
    let ids: Vec<Value> = wire.receive().iter().map(|sent| sent["id"].clone()).collect();
    for id in &ids {
        wire.world.advance(Duration::from_millis(300));
        wire.send(&progress(id, 1.0));
    }
    // The restarted one had its progress after 300 ms.
    wire.world.advance(Duration::from_millis(1100));
    let timed_out = Some(Err(CallError::TimedOut));
    assert_eq!(
        (restarted.take(), reported.take(), ignored.take()),
        (None, timed_out.clone(), timed_out.clone())
    );
    assert_eq!(wire.receive(), [cancelled(&ids[1]), cancelled(&ids[2])]);
    wire.world.advance(Duration::from_millis(299));
    assert_eq!(restarted.take(), None);
    wire.world.advance(Duration::from_millis(1));
    assert_eq!(restarted.take(), timed_out);
    assert_eq!(wire.receive_one(), cancelled(&ids[0]));
}

/// O2: whatever the progress, the ceiling holds; by default it is ten minutes.
#[test]
fn the_ceiling_holds() {
    let (wire, client) = ready();
    let mut low = call_options(OnProgress::Restart, Some(seconds(2)));
    low.ceiling = seconds(5);
    let default = call_options(OnProgress::Restart, Some(seconds(60)));
    let mut unlimited = call_options(OnProgress::Ignore, None);
    unlimited.ceiling = seconds(7);
    let calls =
        [low, default, unlimited].map(|options| wire.start(client.request("test", None, options)));
    let ids: Vec<Value> = wire.receive().iter().map(|sent| sent["id"].clone()).collect();
    let mut ended = [None; 3];
    for second in 1..=600_u64 {
        for id in &ids {
            wire.input.push(format!("{}\n", progress(id, 1.0)));
        }
        wire.world.advance(seconds(1));
        for (call, ended) in calls.iter().zip(&mut ended) {
            if let Some(outcome) = call.take() {
                assert_eq!(outcome, Err(CallError::TimedOut));
                *ended = Some(second);
            }
        }
    }
    assert_eq!(ended, [Some(5), Some(600), Some(7)]);
}

/// O2: the deadline counts from the call, the wait for room included; a call that never got room is never sent.
#[test]
fn the_deadline_counts_the_wait_for_room() {
    let (wire, client) = narrow();
    wire.output.takes(Takes::Bytes(0));
    client.peer().try_notify("fills the output", None).unwrap();
    let [short, long] = [3, 5].map(|timeout| {
        let options = call_options(OnProgress::Ignore, Some(seconds(timeout)));
        wire.start(client.request("test", None, options))
    });
    wire.world.advance(seconds(3));
    assert_eq!((short.take(), long.take()), (Some(Err(CallError::TimedOut)), None));
    wire.output.takes(Takes::All);
    let sent = wire.receive();
    assert_eq!(sent.len(), 2, "{sent:?}");
    wire.world.advance(Duration::from_millis(1999));
    assert_eq!(long.take(), None);
    wire.world.advance(Duration::from_millis(1));
    assert_eq!(long.take(), Some(Err(CallError::TimedOut)));
    assert_eq!(wire.receive_one(), cancelled(&sent[1]["id"]));
}

/// O2: the ceiling counts the wait for room, too.
#[test]
fn the_ceiling_counts_the_wait_for_room() {
    let (wire, client) = narrow();
    wire.output.takes(Takes::Bytes(0));
    client.peer().try_notify("fills the output", None).unwrap();
    let mut options = call_options(OnProgress::Ignore, None);
    options.ceiling = seconds(5);
    let mut low = call_options(OnProgress::Ignore, Some(seconds(60)));
    low.ceiling = seconds(3);
    let low = wire.start(client.request("test", None, low));
    let [unsent, sent] =
        [(); 2].map(|()| wire.start(client.request("test", None, options.clone())));
    wire.world.advance(seconds(3));
    assert_eq!(low.take(), Some(Err(CallError::TimedOut)));
    wire.world.advance(seconds(1));
    unsent.cancel();
    wire.output.takes(Takes::All);
    wire.world.advance(Duration::from_millis(999));
    assert_eq!((sent.take(), wire.receive().len()), (None, 2));
    wire.world.advance(Duration::from_millis(1));
    assert_eq!(sent.take(), Some(Err(CallError::TimedOut)));
}

/// M4: an answer that is no valid response fails its call at once; stray lines fail nothing.
#[test]
fn a_bad_answer_fails_its_call_alone() {
    let (wire, client) = ready();
    let call = wire.start(client.request("test", None, Default::default()));
    let other = wire.start(client.request("test", None, Default::default()));
    let sent = wire.receive();
    let id = &sent[0]["id"];
    wire.send(&json!({ "id": id, "result": {} }));
    wire.send(&json!({ "jsonrpc": "1.0", "id": id, "result": {} }));
    wire.input.push(format!("[debug] request {id} done\n"));
    wire.send(&json!({ "jsonrpc": "2.0", "id": id, "method": "no", "params": 7 }));
    assert_eq!((call.take(), other.take()), (None, None));
    wire.send(&json!({ "jsonrpc": "2.0", "id": id, "error": "no" }));
    assert!(matches!(call.take(), Some(Err(CallError::InvalidResponse(_)))));
    wire.send(&response(&sent[1]["id"], &json!({})));
    assert_eq!(other.take(), Some(Ok(Json::empty_object())));
    assert_eq!(wire.receive(), [Value::Null; 0]);
}

/// M4: an answer that is too long to be read, or too deep, or no UTF-8, fails its call at once.
#[test]
fn an_unreadable_answer_fails_its_call() {
    let (wire, client) = ClientWire::ready(host().configure(|config| config.max_frame = 1000));
    let results: [(FaultKind, Vec<u8>); 3] = [
        (FaultKind::Oversize, format!("\"{}\"", "x".repeat(2000)).into()),
        (FaultKind::NotUtf8, b"\"\xff\"".into()),
        (FaultKind::NotJson, b"NaN".into()),
    ];
    for (kind, result) in results {
        let call = wire.start(client.request("test", None, CallOptions::default()));
        let id = &wire.receive()[0]["id"];
        let head = format!(r#"{{"jsonrpc":"2.0","id":{id},"result":"#);
        wire.input.push([head.as_bytes(), &result, b"}\n"].concat());
        wire.world.run();
        assert_eq!(call.take(), Some(Err(CallError::InvalidResponse(kind))));
    }
    assert_eq!(wire.receive(), [Value::Null; 0]);
}

/// E8: answers may come in one array where the revision has those.
#[test]
fn answers_may_come_in_a_batch() {
    let wire = ClientWire::connect(host());
    wire.send(&agreed("2025-03-26"));
    let client = wire.connected().unwrap().unwrap();
    let calls = [(); 2].map(|()| wire.start(client.request("test", None, CallOptions::default())));
    let sent = wire.receive();
    let answers: Vec<Value> = sent[2..].iter().map(|it| response(&it["id"], &it["id"])).collect();
    wire.send(&json!(answers));
    for (call, sent) in calls.iter().zip(&sent[2..]) {
        assert_eq!(call.take(), Some(Ok(Json::from(sent["id"].clone()))));
    }
    assert_eq!(wire.receive(), [Value::Null; 0]);
}

/// O2: progress starts the whole clock again, however long the call has waited for room.
#[test]
fn progress_restarts_the_whole_clock() {
    let (wire, client) = narrow();
    wire.output.takes(Takes::Bytes(0));
    client.peer().try_notify("fills the output", None).unwrap();
    let options = call_options(OnProgress::Restart, Some(seconds(10)));
    let call = wire.start(client.request("test", None, options));
    wire.world.advance(seconds(8));
    wire.output.takes(Takes::All);
    let id = wire.receive()[1]["id"].clone();
    wire.world.advance(seconds(1));
    wire.send(&progress(&id, 1.0));
    wire.world.advance(seconds(9));
    assert_eq!(call.take(), None);
}
