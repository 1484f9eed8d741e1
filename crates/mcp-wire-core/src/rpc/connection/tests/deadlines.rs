//! Every wait has an end.

use super::*;

fn options(timeout: u32, ceiling: u32, on_progress: OnProgress) -> CallOptions {
    CallOptions {
        timeout: Some(timeout * SECOND),
        ceiling: ceiling * SECOND,
        on_progress,
        ..CallOptions::default()
    }
}

/// O2: a call ends at its deadline and not before, and the peer is told.
#[test]
fn a_call_ends_at_its_deadline() {
    let mut harness = Harness::new();
    harness.call_with("a", options(5, 600, OnProgress::Ignore));
    harness.expect(&["> call 1 a"]);
    harness.pass(5 * SECOND - Duration::from_nanos(1));
    harness.expect(&[]);
    harness.pass(Duration::from_nanos(1));
    harness.expect(&["response 1 TimedOut", r#"> notify notifications/cancelled {"requestId":1}"#]);
    assert_eq!(harness.connection.poll_timeout(), None);
}

/// O2: by default a call waits 60 s; without a time-out its ceiling holds, 10 min.
#[test]
fn the_defaults_hold() {
    let mut harness = Harness::new();
    harness.call("a");
    harness.call_with("b", CallOptions { timeout: None, ..CallOptions::default() });
    harness.pass(59 * SECOND);
    harness.expect_events(&[]);
    harness.pass(SECOND);
    harness.expect_events(&["response 1 TimedOut"]);
    harness.pass(539 * SECOND);
    harness.expect_events(&[]);
    harness.pass(SECOND);
    harness.expect_events(&["response 2 TimedOut"]);
}

/// O2: progress starts the time-out again where that is asked for, else not.
#[test]
fn progress_may_restart_the_time_out() {
    let mut harness = Harness::new();
    harness.call_with("a", options(5, 600, OnProgress::Restart));
    harness.call_with("b", options(5, 600, OnProgress::Ignore));
    harness.written();
    harness.pass(3 * SECOND);
    harness.receive(lines([progress("1"), progress("2")]));
    harness.pass(2 * SECOND);
    harness.expect_events(&["progress 1", "progress 2", "response 2 TimedOut"]);
    harness.pass(2 * SECOND);
    harness.expect_events(&[]);
    harness.pass(SECOND);
    harness.expect_events(&["response 1 TimedOut"]);
}

/// O2: the ceiling always holds, however much progress there is.
#[test]
fn the_ceiling_holds() {
    let mut harness = Harness::new();
    harness.call_with("a", options(5, 12, OnProgress::Restart));
    for _ in 0..11 {
        harness.pass(SECOND);
        harness.receive(progress("1"));
        harness.expect_events(&["progress 1"]);
    }
    harness.pass(SECOND);
    harness.expect_events(&["response 1 TimedOut"]);
}

/// O2: a ceiling below the time-out holds, too.
#[test]
fn a_low_ceiling_holds() {
    let mut harness = Harness::new();
    harness.call_with("a", options(5, 2, OnProgress::Ignore));
    harness.pass(2 * SECOND);
    harness.expect_events(&["response 1 TimedOut"]);
}

/// N2, O2: progress of a call that is over, or that was never made, is a notification like any other.
#[test]
fn progress_of_no_call_is_a_notification() {
    let mut harness = Harness::new();
    harness.receive(lines([progress("1"), progress(r#""1""#)]));
    harness.receive(notification("notifications/progress"));
    harness.expect(&["notification notifications/progress"; 3]);
}

/// M1, O2: a flood of progress costs no memory: the deadlines that were put off are forgotten.
#[test]
fn a_flood_of_progress_costs_no_memory() {
    let mut harness = Harness::new();
    harness.call_with("a", options(5, 600, OnProgress::Restart));
    for _ in 0..10_000 {
        harness.pass(Duration::from_millis(1));
        harness.receive(progress("1"));
        harness.happened();
    }
    assert!(harness.connection.deadlines.len() <= 70);
}

/// F8: deadlines of calls that are over are forgotten.
#[test]
fn deadlines_of_finished_calls_are_forgotten() {
    let mut harness = Harness::new();
    for id in 1..=10_000 {
        harness.call("a");
        harness.receive(response(&id.to_string(), "{}"));
        harness.happened();
        harness.written();
        assert!(harness.connection.deadlines.len() <= 70);
    }
}

/// O2: "for ever" may be said with the longest duration there is.
#[test]
fn the_longest_durations_do_not_overflow() {
    let longest = Duration::MAX;
    let mut harness = Harness::with(|config| {
        config.callback_timeout = Some(longest);
        config.eof_grace = Some(longest);
        config.flush_stall = longest;
        config.write_stall = longest;
        config.max_outbound = 1;
    });
    harness.receive(request("1", "m"));
    harness.happened();
    harness.call_with(
        "a",
        CallOptions {
            ceiling: longest,
            on_progress: OnProgress::Restart,
            timeout: Some(longest),
            ..CallOptions::default()
        },
    );
    harness.receive(progress("1"));
    harness.pass(1000 * SECOND);
    harness.expect_events(&["progress 1"]);
    harness.connection.shutdown(harness.now, Some(longest));
    harness.eof();
    harness.answer("1", "{}").unwrap();
    harness.pass(1000 * SECOND);
    harness.expect(&["response 1 Closed(Eof)", "> call 1 a", "> result 1 {}", "closed Local"]);
}

/// Q8: a request that takes too long is answered so, and its handler is cancelled; only the first reply goes out.
#[test]
fn a_handler_has_a_time_limit_where_one_is_set() {
    let mut harness = Harness::with(|config| config.callback_timeout = Some(5 * SECOND));
    harness.receive(request("1", "m"));
    harness.happened();
    harness.pass(5 * SECOND - Duration::from_nanos(1));
    harness.expect_events(&[]);
    harness.pass(Duration::from_nanos(1));
    harness.expect_events(&["cancelled 1"]);
    assert_eq!(harness.answer("1", "{}"), Err(Gone));
    assert_eq!(
        harness.written(),
        r#"{"jsonrpc":"2.0","id":1,"error":{"code":-32603,"message":"the request took too long","data":{"error":"callback_timeout"}}}"#
            .to_owned()
            + "\n"
    );
    assert_eq!(harness.connection.slots_held(), 0);
}

/// Q8: without one, a request may run for ever.
#[test]
fn by_default_a_handler_has_no_time_limit() {
    let mut harness = Harness::new();
    harness.receive(request("1", "m"));
    harness.happened();
    assert_eq!(harness.connection.poll_timeout(), None);
    harness.pass(1_000_000 * SECOND);
    harness.answer("1", "{}").unwrap();
    harness.expect(&["> result 1 {}"]);
}

/// Q8: the time counts from when a request begins to run, not from when it was queued; inline ones have none.
#[test]
fn the_time_limit_counts_from_the_start() {
    let mut harness = Harness::sharing(&Budget::new(1), |config| {
        config.callback_timeout = Some(5 * SECOND);
        config.max_queued = 1;
    });
    harness.receive(lines([request("1", "m"), request("2", "m"), request("3", "ping")]));
    harness.expect(&["request 1 m", "request 3 ping"]);
    harness.pass(4 * SECOND);
    harness.answer("1", "{}").unwrap();
    harness.expect(&["request 2 m", "> result 1 {}"]);
    harness.pass(4 * SECOND);
    harness.expect(&[]);
    harness.pass(SECOND);
    harness.expect(&["cancelled 2", "> error 2 -32603 callback_timeout"]);
    harness.answer("3", "{}").unwrap();
    harness.expect(&["> result 3 {}"]);
}

/// Q8, C2: with a parked request its call ends, too.
#[test]
fn the_time_limit_ends_calls_on_behalf() {
    let mut harness = Harness::with(|config| config.callback_timeout = Some(5 * SECOND));
    harness.receive(request("1", "m"));
    harness.happened();
    harness.call_for("1", "ask");
    harness.written();
    harness.pass(5 * SECOND);
    harness.expect(&[
        "response 1 Cancelled",
        "cancelled 1",
        r#"> notify notifications/cancelled {"requestId":1}"#,
        "> error 1 -32603 callback_timeout",
    ]);
}

/// A call of `handle_timeout` too early, too often, or with a time that goes back does nothing.
#[test]
fn spurious_timeouts_do_nothing() {
    let mut harness = Harness::new();
    harness.call_with("a", options(5, 600, OnProgress::Ignore));
    let due = harness.connection.poll_timeout();
    harness.pass(SECOND);
    for _ in 0..10 {
        harness.connection.handle_timeout(harness.now);
        harness.connection.handle_timeout(harness.now - SECOND);
    }
    assert_eq!(harness.connection.poll_timeout(), due);
    harness.expect(&["> call 1 a"]);
}
