//! Requests of the peer: in which order they are taken, which are refused, and that each is answered at most once.

use super::*;

/// Q1: requests are taken in read order, replies go out in completion order, and a slow one holds nothing up.
#[test]
fn replies_go_out_in_completion_order() {
    let mut harness = Harness::new();
    harness.receive(lines([request("1", "slow"), notification("n"), request("2", "fast")]));
    harness.expect(&["request 1 slow", "notification n", "request 2 fast"]);
    harness.answer("2", "{}").unwrap();
    harness.answer("1", "[1]").unwrap();
    harness.expect(&["> result 2 {}", "> result 1 [1]"]);
    assert_eq!((harness.connection.in_flight(), harness.connection.buffered()), (0, 0));
}

/// Q1: notifications stay in order, also with requests and progress among them.
#[test]
fn notifications_stay_in_order() {
    let mut harness = Harness::with(|config| config.max_events = 20_000);
    let many: Vec<String> = (0..10_000).map(|n| notification(&format!("n{n}"))).collect();
    harness.receive(many.join("\n"));
    let expected: Vec<String> = (0..10_000).map(|n| format!("notification n{n}")).collect();
    assert_eq!(harness.happened(), expected);
}

/// I1: ids come back as they came: zero and the empty string are ids too.
#[test]
fn ids_are_echoed() {
    let ids = [
        "0",
        "-1",
        r#""""#,
        r#""1""#,
        "1",
        "18446744073709551615",
        r#""null""#,
        "9007199254740993",
    ];
    let mut harness = Harness::new();
    for id in ids {
        harness.receive(request(id, "work"));
        harness.happened();
        harness.answer(id, "null").unwrap();
        assert_eq!(harness.written(), response(id, "null") + "\n");
    }
}

/// I3: ids compare by type and value, so `1` and `"1"` are two requests.
#[test]
fn ids_of_two_types_are_two_requests() {
    let mut harness = Harness::new();
    harness.receive(lines([request("1", "a"), request(r#""1""#, "b"), cancel(r#""1""#)]));
    harness.expect(&["request 1 a"]);
    harness.answer("1", "{}").unwrap();
    harness.expect(&["> result 1 {}"]);
}

/// I4: a request that reuses an id in flight is refused and not run; the first is answered once; then the id is free.
#[test]
fn an_id_in_flight_is_not_taken_twice() {
    let mut harness = Harness::new();
    harness.receive(lines([request("1", "slow"), request("1", "ping")]));
    harness.expect(&["request 1 slow", "> error 1 -32600"]);
    harness.answer("1", "{}").unwrap();
    harness.receive(request("1", "again"));
    harness.expect(&["request 1 again", "> result 1 {}"]);
    harness.receive(cancel("1"));
    harness.receive(request("1", "once more"));
    harness.expect(&["cancelled 1", "request 1 once more"]);
    assert_eq!(harness.connection.in_flight(), 1);
}

/// I4: an id is taken while its request is queued or inline, too.
#[test]
fn queued_and_inline_requests_hold_their_id() {
    let mut harness = Harness::sharing(&Budget::new(1), |config| config.max_queued = 1);
    harness.receive(lines([request("1", "a"), request("2", "b"), request("2", "ping")]));
    harness.receive(lines([request("3", "ping"), request("3", "c")]));
    harness.expect(&["request 1 a", "request 3 ping", "> error 2 -32600", "> error 3 -32600"]);
}

/// Q2, Q4: inline methods are taken in read order, also when every slot is taken and the queue is full; so are
/// notifications, cancellations and responses.
#[test]
fn the_limit_stops_nothing_but_requests() {
    let mut harness = Harness::sharing(&Budget::new(1), |_| {});
    harness.receive(request("1", "a"));
    harness.expect(&["request 1 a"]);
    harness.call_for("1", "ask");
    harness.receive(lines([request("2", "ping"), request("3", "b"), notification("n")]));
    harness.receive(lines([response("1", "{}"), request("4", "ping"), cancel("1")]));
    harness.expect(&[
        "request 2 ping",
        "notification n",
        "response 1 {}",
        "request 4 ping",
        "cancelled 1",
        "> call 1 ask",
        "> error 3 -32603 server_busy",
    ]);
    assert_eq!(harness.connection.slots_held(), 1, "inline requests need no slot");
}

/// Q4: the exact shape of "busy". Nothing is registered: the id is free, and a cancellation finds nothing.
#[test]
fn busy_has_a_known_shape() {
    let mut harness = Harness::sharing(&Budget::new(1), |_| {});
    harness.receive(lines([request("1", "a"), request(r#""x""#, "b/\\\"c"), cancel(r#""x""#)]));
    harness.expect_events(&["request 1 a"]);
    assert_eq!(
        harness.written(),
        r#"{"jsonrpc":"2.0","id":"x","error":{"code":-32603,"message":"server busy","data":{"error":"server_busy","method":"b/\"c"}}}"#
            .to_owned()
            + "\n"
    );
    assert_eq!(harness.connection.in_flight(), 1);
    harness.answer("1", "{}").unwrap();
    harness.receive(request(r#""x""#, "b"));
    harness.expect(&[r#"request "x" b"#, "> result 1 {}"]);
}

/// Q4: the code of "busy" is a choice, which is checked.
#[test]
fn the_busy_code_is_checked() {
    let connection = |busy_code| {
        Connection::new(Config { busy_code, ..Config::default() }, Budget::default()).map(drop)
    };
    for code in [-32603, -32000, -32099, -31999, -32769, 0, 429] {
        assert_eq!(connection(code), Ok(()));
    }
    for code in [-32700, -32600, -32601, -32602, -32100, -32768] {
        assert_eq!(connection(code), Err(ConfigError::ReservedCode(code)));
    }
    let mut harness = Harness::sharing(&Budget::new(1), |config| config.busy_code = -32001);
    harness.receive(lines([request("1", "a"), request("2", "b")]));
    harness.expect(&["request 1 a", "> error 2 -32001 server_busy"]);
}

/// Q4: past the share there is a bounded queue, first come, first served; a queued request inherits a slot.
#[test]
fn queued_requests_inherit_slots() {
    let budget = Budget::with_share(2, 1);
    let mut harness = Harness::sharing(&budget, |config| config.max_queued = 2);
    let many: Vec<String> = (1..=4).map(|id| request(&id.to_string(), "m")).collect();
    harness.receive(many.join("\n"));
    harness.expect(&["request 1 m", "> error 4 -32603 server_busy"]);
    assert_eq!((harness.connection.queued(), harness.connection.in_flight()), (2, 3));
    harness.answer("1", "1").unwrap();
    harness.expect(&["request 2 m", "> result 1 1"]);
    assert_eq!((budget.taken(), harness.connection.queued()), (1, 1));
    harness.receive(cancel("2"));
    harness.expect(&["cancelled 2"]);
    assert_eq!(harness.connection.queued(), 1, "the slot is not free yet");
    harness.release("2");
    harness.expect(&["request 3 m"]);
    harness.answer("3", "3").unwrap();
    harness.expect(&["> result 3 3"]);
    assert_eq!((budget.taken(), harness.connection.slots_held()), (0, 0));
}

/// Q5: requests are bounded in bytes too, but one is always taken when none runs.
#[test]
fn requests_in_flight_are_bounded_in_bytes() {
    let size = request("1", "m").len();
    let mut harness = Harness::with(|config| config.max_in_flight_bytes = 2 * size);
    harness.receive(lines([request("1", "m"), request("2", "m"), request("3", "m")]));
    harness.expect(&["request 1 m", "request 2 m", "> error 3 -32603 server_busy"]);
    harness.receive(request("4", "ping"));
    harness.expect(&["request 4 ping"]);
    for id in ["1", "2", "4"] {
        harness.answer(id, "{}").unwrap();
    }
    harness.written();
    let long = "long".repeat(size);
    harness.receive(lines([request("5", &long), request("6", "m")]));
    harness.expect(&[&format!("request 5 {long}"), "> error 6 -32603 server_busy"]);
}

/// Q6, Q7: who is gone without an answer is answered for; a second answer is a no-op that says so.
#[test]
fn each_request_is_answered_once() {
    let mut harness = Harness::new();
    harness.receive(lines([request("1", "a"), request("2", "b")]));
    harness.expect(&["request 1 a", "request 2 b"]);
    harness.answer("1", "{}").unwrap();
    assert_eq!(harness.answer("1", "{}"), Err(Gone));
    harness.release("1");
    harness.release("2");
    harness.release("2");
    assert_eq!(harness.answer("2", "{}"), Err(Gone));
    harness.expect_events(&[]);
    let internal = r#"{"jsonrpc":"2.0","id":2,"error":{"code":-32603,"message":"internal error"}}"#;
    assert_eq!(harness.written(), format!("{}\n{internal}\n", response("1", "{}")));
}

/// Q7, C5: a token names one request of one connection: a used one, or another connection's, does nothing.
#[test]
fn stale_and_foreign_tokens_do_nothing() {
    let budget = Budget::default();
    let mut ours = Harness::sharing(&budget, |_| {});
    for mut others in [Harness::new(), Harness::sharing(&budget, |_| {})] {
        for harness in [&mut ours, &mut others] {
            harness.receive(request("1", "m"));
            harness.happened();
        }
        let foreign = others.token("1");
        assert!(!ours.connection.is_live(foreign));
        assert_eq!(ours.connection.respond(foreign, Ok(Json::null())), Err(Gone));
        ours.connection.release(foreign);
        let options = CallOptions { on_behalf_of: Some(foreign), ..CallOptions::default() };
        assert_eq!(
            ours.connection.request(ours.now, "ask", None, options),
            Err(SendError::RequestGone)
        );
        assert_eq!(ours.connection.notify_for(foreign, "n", None), Err(SendError::RequestGone));
        ours.receive(cancel("1"));
        ours.expect(&["cancelled 1"]);
        others.expect(&[]);
        assert!(others.connection.is_live(foreign), "C5: each cancels its own");
        ours.release("1");
    }
    let stale = ours.token("1");
    ours.receive(request("2", "m"));
    ours.expect(&["request 2 m"]);
    assert_eq!(ours.token("2").slot(), stale.slot(), "the place is used again");
    assert_eq!(ours.connection.respond(stale, Ok(Json::null())), Err(Gone));
    assert!(ours.connection.is_live(ours.token("2")));
}

/// N2, Q7: what belongs to a request is not sent after its end.
#[test]
fn progress_never_follows_the_reply() {
    let mut harness = Harness::new();
    harness.receive(request("1", "m"));
    harness.happened();
    let token = harness.token("1");
    assert_eq!(harness.connection.notify_for(token, "notifications/progress", None), Ok(()));
    harness.answer("1", "{}").unwrap();
    assert_eq!(
        harness.connection.notify_for(token, "notifications/progress", None),
        Err(SendError::RequestGone)
    );
    harness.expect(&["> notify notifications/progress", "> result 1 {}"]);
}
