//! The peer cancels a request of its own.

use super::*;

const WITH_REASON: &str = r#"{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"reason":"no \u2603","requestId":1}}"#;

fn with_running(id: &str) -> Harness {
    let mut harness = Harness::new();
    harness.receive(request(id, "work"));
    harness.happened();
    harness
}

/// C1: a running request is cancelled with the reason, its id is free, and nothing more is written for it.
#[test]
fn running() {
    let mut harness = with_running("1");
    harness.receive(WITH_REASON);
    harness.expect(&["cancelled 1: no \u{2603}"]);
    assert_eq!(harness.connection.in_flight(), 0);
    assert_eq!(
        harness.connection.notify_for(harness.token("1"), "n", None),
        Err(SendError::RequestGone)
    );
    let first = harness.token("1");
    harness.receive(request("1", "again"));
    harness.expect(&["request 1 again"]);
    assert_eq!(harness.connection.respond(first, Ok(Json::null())), Err(Gone));
    harness.answer("1", "{}").unwrap();
    harness.expect(&["> result 1 {}"]);
}

/// C1: whatever a handler does after the cancellation, nothing is written and the slot is free.
#[test]
fn a_handler_may_end_in_any_way_after_the_cancellation() {
    for end in [Harness::release, |harness: &mut Harness, id: &str| {
        assert_eq!(harness.answer(id, "{}"), Err(Gone));
    }] {
        let mut harness = with_running("1");
        harness.receive(cancel("1"));
        end(&mut harness, "1");
        harness.expect(&["cancelled 1"]);
        assert_eq!((harness.connection.slots_held(), harness.connection.buffered()), (0, 0));
    }
}

/// C1: a queued request is never run, and the next in the queue takes its turn.
#[test]
fn queued() {
    let mut harness = Harness::sharing(&Budget::new(1), |config| config.max_queued = 2);
    harness.receive(lines([request("1", "a"), request("2", "b"), request("3", "c"), cancel("2")]));
    harness.expect(&["request 1 a"]);
    assert_eq!((harness.connection.queued(), harness.connection.in_flight()), (1, 2));
    harness.answer("1", "{}").unwrap();
    harness.expect(&["request 3 c", "> result 1 {}"]);
}

/// C2: a request that waits for the peer's answer is dropped unanswered; our request to the peer is cancelled, and a later
/// answer is ignored.
#[test]
fn parked_on_the_peer() {
    let mut harness = with_running("7");
    harness.call_for("7", "elicitation/create");
    harness.expect(&["> call 1 elicitation/create"]);
    harness.receive(cancel("7"));
    harness.expect(&[
        "response 1 Cancelled",
        "cancelled 7",
        r#"> notify notifications/cancelled {"requestId":1}"#,
    ]);
    harness.receive(response("1", r#"{"action":"accept"}"#));
    assert_eq!(harness.answer("7", "{}"), Err(Gone));
    harness.expect(&["late 1"]);
}

/// C2: if the answer came first and the work runs, the work is cancelled, and the peer is told nothing of the call.
#[test]
fn answered_by_the_peer_and_running() {
    let mut harness = with_running("7");
    harness.call_for("7", "elicitation/create");
    harness.receive(lines([response("1", "{}"), cancel("7")]));
    harness.expect(&["response 1 {}", "cancelled 7", "> call 1 elicitation/create"]);
}

/// C1, C2: several calls on behalf of one request are all cancelled, those of another request are not.
#[test]
fn only_calls_on_behalf_of_the_request_are_cancelled() {
    let mut harness = with_running("7");
    harness.receive(request("8", "work"));
    harness.happened();
    harness.call_for("7", "a");
    harness.call_for("8", "b");
    harness.call_for("7", "c");
    harness.call("d");
    harness.expect(&["> call 1 a", "> call 2 b", "> call 3 c", "> call 4 d"]);
    harness.receive(cancel("7"));
    harness.expect(&[
        "response 1 Cancelled",
        "response 3 Cancelled",
        "cancelled 7",
        r#"> notify notifications/cancelled {"requestId":1}"#,
        r#"> notify notifications/cancelled {"requestId":3}"#,
    ]);
    harness.answer("8", "{}").unwrap();
    harness.expect(&[
        "response 2 Cancelled",
        r#"> notify notifications/cancelled {"requestId":2}"#,
        "> result 8 {}",
    ]);
    assert_eq!(harness.connection.calls(), 1);
}

/// C3: cancellations of finished and unknown requests do nothing, and unknown ids are not remembered.
#[test]
fn finished_and_unknown() {
    let mut harness = with_running("1");
    harness.answer("1", "{}").unwrap();
    harness.receive(lines([cancel("1"), cancel("77"), request("77", "work")]));
    harness.expect(&["request 77 work", "> result 1 {}"]);
    harness.answer("77", "{}").unwrap();
    harness.expect(&["> result 77 {}"]);
}

/// C3, M5: wrongly typed and malformed cancellations do nothing.
#[test]
fn wrongly_typed_and_malformed() {
    let mut harness = with_running("7");
    for id in [r#""7""#, "7.0", "null", "[7]", "{}", "true"] {
        harness.receive(cancel(id));
    }
    let bare = notification("notifications/cancelled");
    let empty = r#"{"jsonrpc":"2.0","method":"notifications/cancelled","params":{}}"#;
    let other = r#"{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"id":7}}"#;
    harness.receive([&bare, empty, other].join("\n"));
    harness.expect(&[]);
    harness.receive(r#"{"jsonrpc":"2.0","method":"notifications/cancelled","params":7}"#);
    harness.expect(&["fault BadParams"]);
    assert!(harness.connection.is_live(harness.token("7")));
    let odd_reason = r#"{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":7,"reason":[1]}}"#;
    harness.receive(odd_reason);
    harness.expect(&["cancelled 7"]);
}

/// C3: inline methods cannot be cancelled, `initialize` least of all.
#[test]
fn inline() {
    let mut harness = Harness::new();
    harness.receive(lines([request("1", "initialize"), cancel("1"), request("2", "ping")]));
    harness.receive(cancel("2"));
    harness.expect(&["request 1 initialize", "request 2 ping"]);
    harness.receive(cancel("1"));
    harness.answer("1", "{}").unwrap();
    harness.answer("2", "{}").unwrap();
    harness.expect(&["> result 1 {}", "> result 2 {}"]);
}

/// C3: a cancellation sent as a request is a request like any other, of an unknown method.
#[test]
fn sent_as_a_request() {
    let mut harness = with_running("1");
    let line =
        r#"{"jsonrpc":"2.0","id":2,"method":"notifications/cancelled","params":{"requestId":1}}"#;
    harness.receive(line);
    harness.expect(&["request 2 notifications/cancelled"]);
    assert!(harness.connection.is_live(harness.token("1")));
}

/// C1, C4: a cancellation in the same chunk as its request finds it, and nobody ever sees the request.
#[test]
fn in_the_same_chunk_as_its_request() {
    let mut harness = Harness::new();
    harness.receive(lines([request("0", "work"), cancel("0"), request("0", "work")]));
    harness.expect(&["request 0 work"]);
    assert_eq!((harness.connection.in_flight(), harness.connection.slots_held()), (1, 1));
    harness.answer("0", "{}").unwrap();
    harness.expect(&["> result 0 {}"]);
}

/// C4: a reply produced before the cancellation was read still goes out.
#[test]
fn after_the_reply_was_produced() {
    let mut harness = with_running("1");
    harness.answer("1", "{}").unwrap();
    harness.receive(cancel("1"));
    harness.expect(&["> result 1 {}"]);
}

/// C5: ids are per direction: the peer cannot cancel what we asked, nor does it hit our call of the same number.
#[test]
fn our_own_calls_are_not_meant() {
    for mut harness in [Harness::new(), Harness::client()] {
        harness.call("work");
        harness.receive(request("1", "work"));
        harness.expect(&["request 1 work", "> call 1 work"]);
        harness.receive(cancel("1"));
        harness.expect(&["cancelled 1"]);
        harness.receive(cancel("1"));
        harness.receive(response("1", "{}"));
        harness.expect(&["response 1 {}"]);
    }
}
