//! Our requests to the peer, and what settles them.

use super::*;

/// O1, I5: a call is settled by the peer's result or error. Ids are counted from 1, for each connection.
#[test]
fn results_and_errors_settle_calls() {
    for mut harness in [Harness::new(), Harness::client()] {
        assert_eq!(harness.connection.next_call().number(), 1);
        for method in ["a", "b", "c"] {
            harness.call(method);
        }
        harness.expect(&["> call 1 a", "> call 2 b", "> call 3 c"]);
        harness.receive(response("2", r#"{"x": 1.0}"#));
        harness.receive(r#"{"jsonrpc":"2.0","id":1,"error":{"code":-32601,"message":"no"}}"#);
        harness.receive(response("3", "null"));
        harness.expect(&[r#"response 2 {"x": 1.0}"#, "response 1 error -32601", "response 3 null"]);
        assert_eq!(harness.connection.calls(), 0);
    }
}

/// O1: the peer's error comes whole.
#[test]
fn errors_come_whole() {
    let mut harness = Harness::new();
    let call = harness.call("a");
    harness.receive(
        r#"{"jsonrpc":"2.0","id":1,"error":{"code":-1,"message":"no \u0041","data":[1.0]}}"#,
    );
    let error = ErrorObject::new(-1, "no A").with_data(Json::new("[1.0]").unwrap());
    assert_eq!(
        harness.connection.poll_event(),
        Some(Event::Response { call, outcome: Err(CallError::Peer(error)) })
    );
}

/// O1: a call is pending from the moment it is made, so that a reply cannot come too early.
#[test]
fn a_reply_may_come_before_the_request_is_written() {
    let mut harness = Harness::new();
    harness.call("a");
    harness.receive(response("1", "{}"));
    harness.expect(&["response 1 {}", "> call 1 a"]);
}

/// O3: calls go both ways at once, with the same ids, without touching each other.
#[test]
fn both_directions_have_ids_of_their_own() {
    let mut harness = Harness::new();
    harness.receive(request("1", "theirs"));
    harness.call("ours");
    harness.receive(response("1", r#""to ours""#));
    harness.expect(&["request 1 theirs", r#"response 1 "to ours""#, "> call 1 ours"]);
    harness.answer("1", r#""to theirs""#).unwrap();
    harness.expect(&[r#"> result 1 "to theirs""#]);
}

/// M5: an answer to a call that is over is `Late`, once for each, and is never answered.
#[test]
fn late_answers_are_told_apart() {
    let mut harness = Harness::new();
    let options = CallOptions { timeout: Some(SECOND), ..CallOptions::default() };
    harness.call_with("a", options);
    harness.expect(&["> call 1 a"]);
    harness.pass(SECOND);
    harness.receive(lines([response("1", "{}"), response("1", "{}")]));
    harness.expect(&[
        "response 1 TimedOut",
        "late 1",
        "late 1",
        r#"> notify notifications/cancelled {"requestId":1}"#,
    ]);
}

/// M5: a response to what was never asked is a fault, and never answered, in both roles.
#[test]
fn unknown_responses_are_faults() {
    for mut harness in [Harness::new(), Harness::client()] {
        harness.call("a");
        harness.written();
        for id in ["2", "0", "-1", r#""1""#, r#""x""#, "1.5e3", "99999999999999999999"] {
            harness.receive(response(id, "{}"));
            let fault = if id == "1.5e3" { "fault NotMessage" } else { "fault UnknownResponse" };
            harness.expect(&[fault]);
        }
        assert_eq!(harness.connection.calls(), 1);
    }
}

/// I2: an error response without an id, or with `null`, is a fault: it settles nothing and is not answered.
#[test]
fn errors_without_an_id_settle_nothing() {
    for mut harness in [Harness::new(), Harness::client()] {
        harness.call("a");
        harness.written();
        for id in ["", r#""id":null,"#] {
            let error = r#""error":{"code":-32700,"message":"x"}"#;
            harness.receive(format!(r#"{{"jsonrpc":"2.0",{id}{error}}}"#));
        }
        harness.expect(&["fault ErrorWithoutId", "fault ErrorWithoutId"]);
        harness.receive(response("1", "{}"));
        harness.expect(&["response 1 {}"]);
    }
}

/// I3: by choice the digits in a string match, where nothing else does.
#[test]
fn lenient_ids_match_digits() {
    let mut harness = Harness::with(|config| config.id_matching = IdMatching::Lenient);
    harness.call("a");
    harness.written();
    for unknown in [r#""2""#, r#""one""#, r#""""#] {
        harness.receive(response(unknown, "{}"));
        harness.expect(&["fault UnknownResponse"]);
    }
    harness.receive(lines([response(r#""1""#, "{}"), response(r#""1""#, "{}")]));
    harness.expect(&["response 1 {}", "late 1"]);
    harness.call("b");
    harness.receive(response("2", "{}"));
    harness.expect(&["response 2 {}", "> call 2 b"]);
}

/// C6: dropping a call tells the peer once, and nobody else: there is no response, and what comes later is `Late`.
#[test]
fn cancelling_a_call_tells_the_peer_once() {
    let mut harness = Harness::new();
    let call = harness.call("a");
    harness.expect(&["> call 1 a"]);
    assert_eq!(harness.connection.cancel(call, None), Ok(()));
    assert_eq!(harness.connection.cancel(call, None), Err(Gone));
    harness.receive(response("1", "{}"));
    harness.expect(&["late 1", r#"> notify notifications/cancelled {"requestId":1}"#]);
    let answered = harness.call("b");
    harness.receive(response("2", "{}"));
    assert_eq!(harness.connection.cancel(answered, None), Err(Gone));
    harness.expect(&["response 2 {}", "> call 2 b"]);
}

/// C6: `initialize` and a probe are never cancelled on the wire.
#[test]
fn some_methods_are_never_cancelled_on_the_wire() {
    let mut harness = Harness::client();
    let dropped = harness.call("initialize");
    harness.call("server/discover");
    harness.expect(&["> call 1 initialize", "> call 2 server/discover"]);
    harness.connection.cancel(dropped, None).unwrap();
    harness.pass(60 * SECOND);
    harness.receive(response("1", "{}"));
    harness.expect(&["response 2 TimedOut", "late 1"]);
}

/// C2: a call on behalf of a request that is over is not made.
#[test]
fn a_call_on_behalf_of_a_finished_request_is_not_made() {
    let mut harness = Harness::new();
    harness.receive(lines([request("7", "m"), request("8", "m")]));
    harness.happened();
    harness.receive(cancel("7"));
    harness.answer("8", "{}").unwrap();
    for id in ["7", "8"] {
        let on_behalf_of = Some(harness.token(id));
        let options = CallOptions { on_behalf_of, ..CallOptions::default() };
        let made = harness.connection.request(harness.now, "ask", None, options);
        assert_eq!(made, Err(SendError::RequestGone));
    }
    harness.expect(&["cancelled 7", "> result 8 {}"]);
    assert_eq!((harness.connection.calls(), harness.connection.next_call().number()), (0, 1));
}

/// O1: calls that are kept back go out in order once they may; inline ones are not kept back.
#[test]
fn held_calls_go_out_in_order() {
    let mut harness = Harness::new();
    harness.connection.hold_calls();
    for method in ["a", "ping", "b"] {
        harness.call(method);
    }
    harness.expect(&["> call 2 ping"]);
    harness.connection.release_calls();
    harness.call("c");
    harness.expect(&["> call 1 a", "> call 3 b", "> call 4 c"]);
    harness.receive(lines([response("3", "3"), response("1", "1")]));
    harness.expect(&["response 3 3", "response 1 1"]);
}

/// O2, C6: a call that times out or is cancelled while it is kept back leaves no trace on the wire.
#[test]
fn held_calls_may_end_unsent() {
    let mut harness = Harness::new();
    harness.connection.hold_calls();
    let dropped = harness.call("a");
    harness.call_with("b", CallOptions { timeout: Some(SECOND), ..CallOptions::default() });
    harness.call("c");
    harness.connection.cancel(dropped, None).unwrap();
    harness.pass(SECOND);
    harness.expect(&["response 2 TimedOut"]);
    harness.connection.release_calls();
    harness.expect(&["> call 3 c"]);
}

/// B1: calls that are kept back are bounded like output.
#[test]
fn held_calls_are_bounded() {
    let line = request("1", "ask").len();
    let mut harness = Harness::with(|config| config.max_outbound = 2 * line);
    harness.connection.hold_calls();
    let first = harness.call("ask");
    harness.call("ask");
    assert_eq!(harness.connection.buffered(), 2 * line);
    let third = harness.connection.request(harness.now, "ask", None, CallOptions::default());
    assert_eq!(third, Err(SendError::Full));
    harness.connection.cancel(first, None).unwrap();
    harness.call("ask");
    harness.connection.release_calls();
    harness.expect(&["> call 2 ask", "> call 3 ask"]);
    assert_eq!(harness.connection.buffered(), 0);
}

/// C6: the reason goes out with the cancellation, as a string; without one there is none.
#[test]
fn a_cancellation_has_its_reason() {
    let mut harness = Harness::client();
    let calls = ["a", "b", "c"].map(|method| harness.call(method));
    harness.written();
    for (call, reason) in calls.into_iter().zip([Some("no \"need\"\n"), Some(""), None]) {
        harness.connection.cancel(call, reason).unwrap();
    }
    harness.expect(&[
        r#"> notify notifications/cancelled {"reason":"no \"need\"\n","requestId":1}"#,
        r#"> notify notifications/cancelled {"reason":"","requestId":2}"#,
        r#"> notify notifications/cancelled {"requestId":3}"#,
    ]);
    assert_eq!(harness.connection.calls(), 0);
}

/// C6: with a reason, too, nothing is told of a call of which nothing is written.
#[test]
fn what_is_withdrawn_needs_no_reason() {
    let mut harness = Harness::client();
    let kept = harness.call("kept");
    let withdrawn = harness.call("withdrawn");
    harness.call("behind");
    harness.connection.cancel(withdrawn, Some("bored")).unwrap();
    harness.expect(&["> call 1 kept", "> call 3 behind"]);
    harness.connection.cancel(kept, Some("bored")).unwrap();
    harness.expect(&[r#"> notify notifications/cancelled {"reason":"bored","requestId":1}"#]);
    harness.connection.hold_calls();
    let held = harness.call("held");
    harness.connection.cancel(held, Some("bored")).unwrap();
    harness.connection.release_calls();
    harness.expect(&[]);
    assert_eq!(harness.connection.buffered(), 0);
}

/// I5: a call has the number that was foretold, and one that is refused takes none.
#[test]
fn the_next_number_is_foretold() {
    let mut harness = Harness::with(|config| config.max_frame_out = Config::MIN_FRAME_OUT);
    let next = harness.connection.next_call();
    let long = Some(Json::new(format!("\"{}\"", "x".repeat(5000))).unwrap());
    let refused = harness.connection.request(harness.now, "a", long, CallOptions::default());
    assert!(matches!(refused, Err(SendError::TooLarge { .. })), "{refused:?}");
    assert_eq!(harness.connection.next_call(), next);
    assert_eq!(harness.call("b"), next);
    harness.expect(&["> call 1 b"]);
}

/// N2: progress is told of calls that are open, under their number, and of nothing else.
#[test]
fn progress_is_told_of_open_calls() {
    let mut harness = Harness::client();
    harness.call("a");
    harness.written();
    harness.receive(lines([progress("1"), progress("2"), progress("\"1\""), progress("null")]));
    let unknown = "notification notifications/progress";
    harness.expect(&["progress 1", unknown, unknown, unknown]);
    harness.receive(lines([response("1", "{}"), progress("1")]));
    // It comes late, and nobody waits for it.
    harness.expect(&["response 1 {}"]);
}
