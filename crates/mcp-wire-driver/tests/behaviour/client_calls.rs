//! What a client asks for, what comes of it, and how it takes that back.

use crate::support::{ClientWire, Takes, Task, error, notification, response, seconds};
use mcp_wire_driver::{
    Call, CallError, CallOptions, Canceller, Client, Closed, Completion, Eras, Host, Json,
    LogLevel, OnProgress, Progress, Prompt, Resource, ResourceTemplate, SendError, Tool,
    ToolResult,
};
use serde_json::{Value, json};
use std::collections::HashMap;
use std::io::ErrorKind::BrokenPipe;
use std::time::Duration;

fn ready() -> (ClientWire, Client) {
    ClientWire::ready(Host::new("test", "1").eras(Eras::Legacy))
}

/// A client whose output has room for one message that waits.
fn narrow() -> (ClientWire, Client) {
    ClientWire::ready(
        Host::new("test", "1").eras(Eras::Legacy).configure(|config| config.max_outbound = 1),
    )
}

fn with(on_progress: OnProgress, timeout: Option<Duration>) -> CallOptions {
    let mut options = CallOptions::default();
    (options.on_progress, options.timeout) = (on_progress, timeout);
    options
}

fn progress(token: &Value, progress: f64) -> Value {
    notification("notifications/progress", &json!({ "progressToken": token, "progress": progress }))
}

fn cancelled(id: &Value) -> Value {
    notification("notifications/cancelled", &json!({ "requestId": id }))
}

/// Does something with the client, as a task.
fn start<T, F>(wire: &ClientWire, client: &Client, work: impl FnOnce(Client) -> F) -> Task<T>
where
    T: 'static,
    F: Future<Output = T> + 'static,
{
    wire.start(work(client.clone()))
}

/// A call that is awaited, and what cancels it.
fn start_call(wire: &ClientWire, mut call: Call) -> (Task<Result<Json, CallError>>, Canceller) {
    let canceller = call.canceller();
    (wire.start(call), canceller)
}

/// O1: each feature asks under its own name, and gives what the server said.
#[test]
fn features_ask_by_name() {
    let (wire, client) = ready();
    let ask = |method: &str, params: Value, result: Value| {
        let sent = wire.receive_one();
        assert_eq!((&sent["method"], &sent["params"]), (&json!(method), &params));
        wire.send(&response(&sent["id"], &result));
    };
    let list = start(&wire, &client, |it| async move { it.list_tools().await });
    let tool = Tool::new("t", "does", json!({ "type": "object" })).title("T");
    ask("tools/list", json!({}), json!({ "tools": [tool] }));
    assert_eq!(list.take(), Some(Ok(vec![tool])));

    let called = start(&wire, &client, |it| async move { it.call_tool("t", &json!([1])).await });
    let text = json!({ "type": "text", "text": "no" });
    let params = json!({ "name": "t", "arguments": [1] });
    ask("tools/call", params, json!({ "content": [text], "isError": true }));
    assert_eq!(called.take(), Some(Ok(ToolResult::error("no"))));

    let listed = start(&wire, &client, |it| async move { it.list_resources().await });
    let resource = json!({ "uri": "a:b", "name": "b", "mimeType": "x/y", "size": 7, "new": 1 });
    ask("resources/list", json!({}), json!({ "resources": [resource] }));
    let listed: Vec<Resource> = listed.take().unwrap().unwrap();
    assert_eq!((&*listed[0].uri, listed[0].size), ("a:b", Some(7)));
    assert_eq!(listed[0].mime_type.as_deref(), Some("x/y"));

    let listed = start(&wire, &client, |it| async move { it.list_resource_templates().await });
    let template = json!({ "uriTemplate": "a:{b}", "name": "b" });
    ask("resources/templates/list", json!({}), json!({ "resourceTemplates": [template] }));
    let listed: Vec<ResourceTemplate> = listed.take().unwrap().unwrap();
    assert_eq!(listed[0].uri_template, "a:{b}");

    let read = start(&wire, &client, |it| async move { it.read_resource("a:b").await });
    ask("resources/read", json!({ "uri": "a:b" }), json!({ "contents": [] }));
    assert_eq!(read.take(), Some(Ok(Json::new(r#"{"contents":[]}"#).unwrap())));

    let subscribed = start(&wire, &client, |it| async move { it.subscribe("a:b").await });
    ask("resources/subscribe", json!({ "uri": "a:b" }), json!({}));
    assert_eq!(subscribed.take(), Some(Ok(())));

    let left = start(&wire, &client, |it| async move { it.unsubscribe("a:b").await });
    ask("resources/unsubscribe", json!({ "uri": "a:b" }), json!({}));
    assert_eq!(left.take(), Some(Ok(())));

    let listed = start(&wire, &client, |it| async move { it.list_prompts().await });
    let prompt =
        json!({ "name": "p", "arguments": [{ "name": "a", "required": true }, { "name": "b" }] });
    ask("prompts/list", json!({}), json!({ "prompts": [prompt, { "name": "q" }] }));
    let listed: Vec<Prompt> = listed.take().unwrap().unwrap();
    let required: Vec<bool> = listed[0].arguments.iter().map(|it| it.required).collect();
    assert_eq!((required, listed[1].arguments.len()), (vec![true, false], 0));

    let got =
        start(&wire, &client, |it| async move { it.get_prompt("p", &json!({ "a": "x" })).await });
    ask(
        "prompts/get",
        json!({ "name": "p", "arguments": { "a": "x" } }),
        json!({ "messages": [] }),
    );
    assert_eq!(got.take(), Some(Ok(Json::new(r#"{"messages":[]}"#).unwrap())));

    let reference = json!({ "type": "ref/prompt", "name": "p" });
    let completed = start(&wire, &client, {
        let reference = reference.clone();
        |it| async move { it.complete(&reference, "a", "x").await }
    });
    let params = json!({ "ref": reference, "argument": { "name": "a", "value": "x" } });
    let completion = json!({ "values": ["xy"], "total": 9, "hasMore": true });
    ask("completion/complete", params, json!({ "completion": completion }));
    let completion: Completion = completed.take().unwrap().unwrap();
    assert_eq!((completion.values, completion.total), (vec!["xy".to_owned()], Some(9)));
    assert!(completion.has_more);

    let set = start(&wire, &client, |it| async move { it.set_log_level(LogLevel::Error).await });
    ask("logging/setLevel", json!({ "level": "error" }), json!({}));
    assert_eq!(set.take(), Some(Ok(())));

    let pinged = start(&wire, &client, |it| async move { it.ping().await });
    ask("ping", Value::Null, json!({}));
    assert_eq!(pinged.take(), Some(Ok(())));

    let noted =
        start(
            &wire,
            &client,
            |it| async move { it.notify("test", Some(Json::empty_object())).await },
        );
    assert_eq!(wire.receive_one(), notification("test", &json!({})));
    assert_eq!(noted.take(), Some(Ok(())));
}

/// O1: a list is all of its pages, in order; each page is asked for with the cursor of the one before, as it was given.
#[test]
fn a_list_is_all_of_its_pages() {
    let (wire, client) = ready();
    let listed =
        start(&wire, &client, |it| async move { it.list::<i32>("test/list", "items").await });
    let pages = [
        (json!({}), r#"{"items":[1,2],"nextCursor":"two"}"#),
        (json!({ "cursor": "two" }), r#"{"items":[],"nextCursor":""}"#),
        (json!({ "cursor": "" }), r#"{"nextCursor":null,"items":[3]}"#),
    ];
    for (params, result) in pages {
        assert_eq!(listed.take(), None);
        let sent = wire.receive_one();
        assert_eq!((&sent["method"], &sent["params"]), (&json!("test/list"), &params));
        wire.send(&response(&sent["id"], &serde_json::from_str(result).unwrap()));
    }
    assert_eq!(listed.take(), Some(Ok(vec![1, 2, 3])));
    assert_eq!(wire.receive(), [Value::Null; 0]);
}

/// O1: a list that goes round in circles has an end, whether it stands still or not.
#[test]
fn an_endless_list_is_given_up() {
    let ask = |cursor: fn(usize) -> usize| {
        let (wire, client) = ready();
        let listed = start(&wire, &client, |it| async move { it.list_tools().await });
        let mut pages = 0;
        while let [sent] = &wire.receive()[..] {
            pages += 1;
            let next = cursor(pages).to_string();
            wire.send(&response(&sent["id"], &json!({ "tools": [], "nextCursor": next })));
        }
        let error = "the list of tools has no end".to_owned();
        assert_eq!(listed.take(), Some(Err(CallError::UnexpectedResult(error))));
        pages
    };
    assert_eq!(ask(|_| 7), 2);
    assert_eq!(ask(|page| page % 2), 10_000);
}

/// O1: a page that is none fails the list, as does one that the server refuses.
#[test]
fn a_bad_page_fails_the_list() {
    let list = || {
        let (wire, client) = ready();
        let listed = start(&wire, &client, |it| async move { it.list_tools().await });
        let sent = wire.receive_one();
        (wire, listed, sent["id"].clone())
    };
    for page in [json!({}), json!({ "tool": [] }), json!({ "tools": {} }), json!([]), json!(null)] {
        let (wire, listed, id) = list();
        wire.send(&response(&id, &page));
        let failed = matches!(listed.take(), Some(Err(CallError::UnexpectedResult(_))));
        assert!(failed, "{page}");
    }
    let (wire, listed, id) = list();
    wire.send(&response(&id, &json!({ "tools": [], "nextCursor": "x" })));
    let id = &wire.receive_one()["id"];
    wire.send(&error(id, -32602, "which?"));
    assert!(
        matches!(listed.take(), Some(Err(CallError::Peer(error))) if error.message == "which?")
    );
}

/// C6: a list that is given up cancels the page that it waits for.
#[test]
fn a_list_may_be_given_up() {
    let (wire, client) = ready();
    let listed = start(&wire, &client, |it| async move { it.list_tools().await });
    let first = wire.receive_one();
    wire.send(&response(&first["id"], &json!({ "tools": [], "nextCursor": "x" })));
    let second = wire.receive_one();
    listed.cancel();
    assert_eq!(wire.receive_one(), cancelled(&second["id"]));
}

/// O1: a result is read as the type that is asked for, or the call says why it is not.
#[test]
fn results_have_a_type() {
    let (wire, client) = ready();
    let ask = |result: Value| {
        let params = json!({ "a": 1 });
        let called =
            start(&wire, &client, |it| async move { it.call::<u8>("test", &params).await });
        let sent = wire.receive_one();
        assert_eq!(sent["params"], json!({ "a": 1 }));
        wire.send(&response(&sent["id"], &result));
        called.take().expect("it is over")
    };
    assert_eq!(ask(json!(255)), Ok(255));
    for bad in [json!(256), json!("1"), json!(null), json!({})] {
        let outcome = ask(bad);
        let Err(CallError::UnexpectedResult(why)) = &outcome else { panic!("{outcome:?}") };
        assert!(why.contains("u8"), "{why}");
    }
    let called = start(&wire, &client, |it| async move { it.call_tool("t", &json!({})).await });
    let sent = wire.receive_one();
    wire.send(&response(&sent["id"], &json!({ "content": "text" })));
    assert!(matches!(called.take(), Some(Err(CallError::UnexpectedResult(_)))));
    assert_eq!(client.peer().closed(), None);
}

/// O1: params that cannot be written as JSON are an error at once, and nothing is sent.
#[test]
fn params_have_to_be_json() {
    let (wire, client) = ready();
    let params = HashMap::from([((1, 2), 3)]);
    let called = start(&wire, &client, |it| async move { it.call::<Value>("test", &params).await });
    let outcome = called.take();
    let is_it = matches!(outcome, Some(Err(CallError::NotSent(SendError::NotJson(_)))));
    assert!(is_it, "{outcome:?}");
    let mut call = client.start_tool("t", &HashMap::from([((), ())]), CallOptions::default());
    call.canceller().cancel(None);
    let tool = wire.start(async move { (call.progress().await, call.await) });
    let outcome = tool.take();
    let is_it = matches!(outcome, Some((None, Err(CallError::NotSent(SendError::NotJson(_))))));
    assert!(is_it, "{outcome:?}");
    assert_eq!(wire.receive(), [Value::Null; 0]);
}

/// I5: with its progress wanted a request carries the call's number as its token, beside what the caller wrote; without, it
/// goes out as it is.
#[test]
fn the_token_is_the_number_of_the_call() {
    let (wire, client) = ready();
    let sent = |on_progress, params: &'static str| {
        let params = Some(Json::new(params).unwrap());
        let call = client.request("test", params, with(on_progress, None));
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

    let call = client.start_tool("t", &json!({}), with(OnProgress::Report, None));
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
    let late = wire.start(client.request("late", None, with(OnProgress::Report, None)));
    let early = wire.start(client.request("early", None, with(OnProgress::Report, None)));
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

/// Takes all progress of a call, then its outcome.
async fn follow(mut call: Call) -> (Vec<f64>, Result<Json, CallError>) {
    let mut seen = Vec::new();
    while let Some(progress) = call.progress().await {
        seen.push(progress.progress);
    }
    (seen, call.await)
}

/// N2: progress comes in order, to the call that it belongs to, and not after the answer.
#[test]
fn progress_finds_its_call() {
    let (wire, client) = ready();
    let [one, other] = [1, 2]
        .map(|_| wire.start(follow(client.request("test", None, with(OnProgress::Report, None)))));
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
    let mut call = client.request("test", None, with(OnProgress::Report, None));
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

/// B5: progress that nobody takes is kept up to a limit, and the latest says the most; it holds up nobody.
#[test]
fn untaken_progress_is_bounded() {
    let (wire, client) = ready();
    let call = client.request("test", None, with(OnProgress::Report, None));
    let ignored = wire.start(client.request("test", None, with(OnProgress::Report, None)));
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

/// O2: progress starts the clock again where that is asked for, and only there.
#[test]
fn progress_restarts_the_clock_by_choice() {
    let (wire, client) = ready();
    let two = Some(seconds(2));
    let [restarted, reported, ignored] =
        [OnProgress::Restart, OnProgress::Report, OnProgress::Ignore]
            .map(|on_progress| wire.start(client.request("test", None, with(on_progress, two))));
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
    let mut low = with(OnProgress::Restart, Some(seconds(2)));
    low.ceiling = seconds(5);
    let default = with(OnProgress::Restart, Some(seconds(60)));
    let mut unlimited = with(OnProgress::Ignore, None);
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
        let options = with(OnProgress::Ignore, Some(seconds(timeout)));
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
    let mut options = with(OnProgress::Ignore, None);
    options.ceiling = seconds(5);
    let [unsent, sent] =
        [(); 2].map(|()| wire.start(client.request("test", None, options.clone())));
    wire.world.advance(seconds(4));
    unsent.cancel();
    wire.output.takes(Takes::All);
    wire.world.advance(Duration::from_millis(999));
    assert_eq!((sent.take(), wire.receive().len()), (None, 2));
    wire.world.advance(Duration::from_millis(1));
    assert_eq!(sent.take(), Some(Err(CallError::TimedOut)));
}

/// C6: a canceller cancels what is written with one notification, which carries the reason; whoever awaits the call is told.
#[test]
fn a_canceller_tells_the_reason_once() {
    let (wire, client) = ready();
    for reason in [None, Some("bored"), Some("two\nlines \u{2028} \"quoted\"")] {
        let (call, canceller) = start_call(&wire, client.request("test", None, Default::default()));
        let id = wire.receive_one()["id"].clone();
        let same = canceller.clone();
        canceller.cancel(reason);
        wire.world.run();
        assert_eq!(call.take(), Some(Err(CallError::Cancelled)));
        let told = wire.receive_one();
        assert_eq!(
            (&told["method"], &told["params"]["requestId"]),
            (&json!("notifications/cancelled"), &id)
        );
        assert_eq!(told["params"].get("reason").and_then(Value::as_str), reason);
        canceller.cancel(Some("again"));
        same.cancel(Some("and again"));
        drop(call);
        // The late answer settles nothing, and is not answered.
        wire.send(&response(&id, &json!({})));
        assert_eq!(wire.receive(), [Value::Null; 0]);
    }
    assert_eq!(client.peer().buffered(), 0);
}

/// C6: what is cancelled before a byte of it is written is withdrawn; a byte is enough to tell the peer.
#[test]
fn a_canceller_withdraws_what_is_unwritten() {
    for written in 0..3 {
        let (wire, client) = ready();
        wire.output.takes(Takes::Bytes(written));
        let (call, canceller) = start_call(&wire, client.request("test", None, Default::default()));
        canceller.cancel(Some("bored"));
        wire.world.run();
        assert_eq!(call.take(), Some(Err(CallError::Cancelled)));
        wire.output.takes(Takes::All);
        client.peer().try_notify("after", None).unwrap();
        let methods: Vec<Value> = wire.receive().iter().map(|it| it["method"].clone()).collect();
        if written == 0 {
            assert_eq!(methods, ["after"]);
        } else {
            assert_eq!(methods, ["test", "notifications/cancelled", "after"]);
        }
    }
}

/// C6: a canceller reaches a call that waits for room, whether it was polled or not, and one that has found room meanwhile.
#[test]
fn a_canceller_reaches_a_call_without_room() {
    for is_polled in [false, true] {
        let (wire, client) = narrow();
        wire.output.takes(Takes::Bytes(0));
        client.peer().try_notify("fills the output", None).unwrap();
        let mut call = client.request("test", None, Default::default());
        let canceller = call.canceller();
        let mut call = Some(call);
        let polled = is_polled.then(|| wire.start(call.take().expect("it is still there")));
        canceller.cancel(Some("bored"));
        wire.world.run();
        let awaited = polled.unwrap_or_else(|| wire.start(call.take().expect("it is still there")));
        assert_eq!(awaited.take(), Some(Err(CallError::Cancelled)));
        wire.output.takes(Takes::All);
        assert_eq!(wire.receive_one()["method"], "fills the output");
    }
    let (wire, client) = narrow();
    wire.output.takes(Takes::Bytes(0));
    client.peer().try_notify("fills the output", None).unwrap();
    let (call, canceller) = start_call(&wire, client.request("test", None, Default::default()));
    wire.output.takes(Takes::All);
    let sent = wire.receive();
    assert_eq!(sent[1]["method"], "test");
    canceller.cancel(Some("bored"));
    assert_eq!(
        wire.receive_one()["params"],
        json!({ "requestId": sent[1]["id"], "reason": "bored" })
    );
    assert_eq!(call.take(), Some(Err(CallError::Cancelled)));
}

/// C6, O1: a call that is settled stays so.
#[test]
fn a_canceller_comes_too_late() {
    let (wire, client) = ready();
    let mut answered = client.request("test", None, Default::default());
    let canceller = answered.canceller();
    let id = wire.receive_one()["id"].clone();
    wire.send(&response(&id, &json!(1)));
    canceller.cancel(Some("late"));
    wire.world.run();
    assert_eq!(wire.start(answered).take(), Some(Ok(Json::new("1").unwrap())));

    let mut timed_out = client.request("test", None, with(OnProgress::Ignore, Some(seconds(1))));
    let canceller = timed_out.canceller();
    let id = wire.receive_one()["id"].clone();
    wire.world.advance(seconds(1));
    canceller.cancel(Some("late"));
    assert_eq!(wire.receive_one(), cancelled(&id));
    assert_eq!(wire.start(timed_out).take(), Some(Err(CallError::TimedOut)));

    let mut cut_off = client.request("test", None, Default::default());
    let canceller = cut_off.canceller();
    let id = wire.receive_one()["id"].clone();
    client.peer().close();
    canceller.cancel(Some("late"));
    // Closing has taken it back.
    assert_eq!(wire.receive_one(), cancelled(&id));
    assert_eq!(wire.start(cut_off).take(), Some(Err(CallError::Closed(Closed::Local))));
    let mut unsent = client.request("test", None, Default::default());
    unsent.canceller().cancel(None);
    let closed = CallError::NotSent(SendError::Closed);
    assert_eq!(wire.start(unsent).take(), Some(Err(closed)));
    assert_eq!(wire.receive(), [Value::Null; 0]);
}

/// C6: cancelling and dropping, in either order, tell the peer once; the canceller outlives the call.
#[test]
fn a_canceller_and_a_drop_tell_the_peer_once() {
    let (wire, client) = ready();
    for canceller_first in [true, false] {
        let mut call = client.request("test", None, Default::default());
        let canceller = call.canceller();
        let id = wire.receive_one()["id"].clone();
        if canceller_first {
            canceller.cancel(Some("bored"));
            drop(call);
        } else {
            drop(call);
            canceller.cancel(Some("bored"));
        }
        let told = wire.receive_one();
        assert_eq!(told["params"]["requestId"], id);
        assert_eq!(told["params"].get("reason").is_some(), canceller_first);
    }
    // In the room where it waits, neither leaves a trace.
    let (wire, client) = narrow();
    wire.output.takes(Takes::Bytes(0));
    client.peer().try_notify("fills the output", None).unwrap();
    let (call, canceller) = start_call(&wire, client.request("test", None, Default::default()));
    call.cancel();
    canceller.cancel(None);
    wire.output.takes(Takes::All);
    assert_eq!(wire.receive_one()["method"], "fills the output");
}

/// C6: a canceller ends the wait for progress.
#[test]
fn a_canceller_ends_the_wait_for_progress() {
    let (wire, client) = ready();
    let mut call = client.request("test", None, with(OnProgress::Report, None));
    let canceller = call.canceller();
    let followed = wire.start(follow(call));
    let id = wire.receive_one()["id"].clone();
    wire.send(&progress(&id, 1.0));
    canceller.cancel(None);
    wire.world.run();
    assert_eq!(followed.take(), Some((vec![1.0], Err(CallError::Cancelled))));
}

/// C6, F13: waiting for progress may be given up, and nothing is lost.
#[test]
fn waiting_for_progress_may_be_given_up() {
    let (wire, client) = ready();
    let mut call = client.request("test", None, with(OnProgress::Report, None));
    let id = wire.receive_one()["id"].clone();
    let waker = std::task::Waker::noop();
    let mut context = std::task::Context::from_waker(waker);
    assert!(std::pin::pin!(call.progress()).poll(&mut context).is_pending());
    wire.send(&progress(&id, 1.0));
    wire.send(&response(&id, &json!({})));
    let followed = wire.start(follow(call));
    assert_eq!(followed.take(), Some((vec![1.0], Ok(Json::empty_object()))));
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

/// O1, X1: when the connection ends, every call settles with the cause, wherever it is; what comes later is refused.
#[test]
fn each_call_settles_with_the_cause() {
    let ends: [(fn(&ClientWire, &Client), Closed); 4] = [
        (|wire, _| wire.input.end(), Closed::Eof),
        (|wire, _| wire.input.fail(BrokenPipe), Closed::ReadFailed(BrokenPipe)),
        (|_, client| client.peer().close(), Closed::Local),
        (|_, client| client.peer().shutdown(None), Closed::Local),
    ];
    for (end, cause) in ends {
        let (wire, client) = ready();
        let followed =
            wire.start(follow(client.request("a", None, with(OnProgress::Report, None))));
        let typed =
            start(&wire, &client, |it| async move { it.call::<Value>("b", &json!({})).await });
        let listed = start(&wire, &client, |it| async move { it.list_tools().await });
        let unpolled = client.request("c", None, Default::default());
        end(&wire, &client);
        wire.world.run();
        let closed = CallError::Closed(cause.clone());
        assert_eq!(followed.take(), Some((vec![], Err(closed.clone()))));
        assert_eq!(typed.take(), Some(Err(closed.clone())));
        assert_eq!(listed.take(), Some(Err(closed.clone())));
        assert_eq!(wire.start(unpolled).take(), Some(Err(closed)));
        let late = wire.start(client.request("late", None, Default::default()));
        assert_eq!(late.take(), Some(Err(CallError::NotSent(SendError::Closed))));
        let ended = start(&wire, &client, |it| async move { it.wait_closed().await }).take();
        assert_eq!(ended.map(|end| (end.cause, end.child)), Some((cause, None)));
    }
}

/// X4: closing twice, or giving up on it, ends the session once; all who wait are told the same.
#[test]
fn closing_is_idempotent() {
    let (wire, client) = ready();
    let waiting =
        [(); 3].map(|()| start(&wire, &client, |it| async move { it.wait_closed().await }));
    let given_up = start(&wire, &client, |it| async move { it.wait_closed().await });
    given_up.cancel();
    wire.output.takes(Takes::Bytes(0));
    client.peer().try_notify("unwritten", None).unwrap();
    let first = start(&wire, &client, |it| async move { it.close().await });
    first.cancel();
    let second = start(&wire, &client, |it| async move { it.close().await });
    assert_eq!(second.take(), None);
    assert_eq!(client.peer().try_notify("late", None), Err(SendError::Closed));
    wire.output.takes(Takes::All);
    assert_eq!(wire.receive_one()["method"], "unwritten");
    for waiting in waiting.iter().chain([&second]) {
        assert_eq!(waiting.take().map(|end| end.cause), Some(Closed::Local));
    }
    let third = start(&wire, &client, |it| async move { it.close().await });
    assert_eq!(third.take().map(|end| end.cause), Some(Closed::Local));
    assert_eq!((wire.output.closes(), wire.world.alive()), (1, 0));
}

/// X3: the last clone ends the session; a call does not keep it, nor does a handle to the connection.
#[test]
fn the_last_clone_ends_the_session() {
    let (wire, client) = ready();
    let call = wire.start(client.request("test", None, Default::default()));
    let (clone, peer) = (client.clone(), client.peer().clone());
    drop(client);
    wire.world.run();
    assert_eq!((call.take(), peer.closed()), (None, None));
    drop(clone);
    wire.world.run();
    assert_eq!(call.take(), Some(Err(CallError::Closed(Closed::Local))));
    assert_eq!(peer.closed(), Some(Closed::Local));
    assert_eq!((wire.output.closes(), wire.world.alive()), (1, 0));
}
