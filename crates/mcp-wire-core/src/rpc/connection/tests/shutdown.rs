//! X4: this side ends the connection.

use super::*;

/// X4: closing cancels handlers unanswered, fails calls, writes what is left, and refuses to send.
#[test]
fn closing_flushes_and_ends() {
    for role in [Role::Server, Role::Client] {
        let mut harness = Harness::with(|config| config.role = role);
        harness.receive(lines([request("1", "m"), request("2", "m")]));
        harness.happened();
        harness.call("ask");
        harness.written();
        harness.answer("1", "{}").unwrap();
        harness.connection.close();
        harness.connection.close();
        assert!(!harness.connection.wants_input());
        let call = harness.connection.request(harness.now, "m", None, CallOptions::default());
        assert_eq!(call, Err(SendError::Closed));
        assert_eq!(harness.connection.notify("n", None), Err(SendError::Closed));
        harness.receive(request("3", "m"));
        // A client takes back what the server need not finish any more.
        let taken_back = r#"> notify notifications/cancelled {"requestId":1}"#;
        let mut expected = vec![
            "cancelled 2",
            "response 1 Closed(Local)",
            "> result 1 {}",
            taken_back,
            "closed Local",
        ];
        expected.retain(|line| role == Role::Client || *line != taken_back);
        harness.expect(&expected);
        harness.connection.close();
        harness.release("2");
        harness.expect(&[]);
        harness.expect_nothing_kept();
    }
}

/// X4, C6: a request whose call is open when this side closes takes the call with it.
#[test]
fn closing_cancels_calls_on_behalf() {
    let mut harness = Harness::new();
    harness.receive(request("1", "m"));
    harness.happened();
    harness.call_for("1", "ask");
    harness.written();
    harness.connection.close();
    harness.expect(&[
        "response 1 Cancelled",
        "cancelled 1",
        r#"> notify notifications/cancelled {"requestId":1}"#,
        "closed Local",
    ]);
}

/// X4: closing flushes under `flush_stall`.
#[test]
fn closing_does_not_wait_for_a_stalled_peer() {
    let mut harness = Harness::new();
    harness.receive(request("1", "m"));
    harness.happened();
    harness.answer("1", "{}").unwrap();
    harness.connection.close();
    harness.pass(Duration::from_millis(499));
    harness.expect_events(&[]);
    harness.pass(Duration::from_millis(1));
    harness.expect(&["closed Stalled"]);
}

/// X4: a shutdown admits nothing more, pings included, and waits for what is in flight, calls of ours too.
#[test]
fn a_shutdown_drains() {
    let mut harness = Harness::new();
    harness.receive(request("1", "m"));
    harness.happened();
    harness.connection.shutdown(harness.now, Some(5 * SECOND));
    harness.connection.shutdown(harness.now, None);
    harness.receive(lines([request("2", "m"), request("3", "ping")]));
    harness.expect(&["> error 2 -32603 server_busy", "> error 3 -32603 server_busy"]);
    harness.call_for("1", "ask");
    harness.receive(response("1", "{}"));
    harness.expect(&["response 1 {}", "> call 1 ask"]);
    harness.pass(4 * SECOND);
    harness.answer("1", "{}").unwrap();
    harness.expect(&["> result 1 {}", "closed Local"]);
    harness.expect_nothing_kept();
}

/// X4: after its grace a shutdown cancels the rest; without one it waits; with nothing in flight it is immediate.
#[test]
fn a_shutdown_ends_with_its_grace() {
    let begun = |grace| {
        let mut harness = Harness::new();
        harness.receive(request("1", "m"));
        harness.happened();
        harness.connection.shutdown(harness.now, grace);
        harness
    };
    for grace in [Duration::ZERO, 5 * SECOND] {
        let mut harness = begun(Some(grace));
        harness.pass(grace);
        harness.expect(&["cancelled 1", "closed Local"]);
    }
    let mut harness = begun(None);
    harness.pass(1_000_000 * SECOND);
    harness.answer("1", "{}").unwrap();
    harness.expect(&["> result 1 {}", "closed Local"]);
    let mut harness = Harness::new();
    harness.connection.shutdown(harness.now, None);
    harness.expect(&["closed Local"]);
}

/// X4, X1: the end of input during a shutdown cancels what waits for the peer, and keeps the cause.
#[test]
fn the_end_of_input_during_a_shutdown() {
    let mut harness = Harness::new();
    harness.receive(lines([request("1", "m"), request("2", "m")]));
    harness.happened();
    harness.connection.shutdown(harness.now, Some(5 * SECOND));
    harness.call_for("1", "ask");
    harness.written();
    harness.eof();
    harness.expect(&[
        "response 1 Cancelled",
        "cancelled 1",
        r#"> notify notifications/cancelled {"requestId":1}"#,
    ]);
    harness.answer("2", "{}").unwrap();
    harness.expect(&["> result 2 {}", "closed Local"]);
}

/// X4: cancellations are read during a shutdown.
#[test]
fn cancellations_are_read_during_a_shutdown() {
    let mut harness = Harness::new();
    harness.receive(request("1", "m"));
    harness.happened();
    harness.connection.shutdown(harness.now, None);
    harness.receive(cancel("1"));
    harness.expect(&["cancelled 1", "closed Local"]);
}

/// X4: a second shutdown can only shorten the grace, and the end of input shortens it to its own.
#[test]
fn a_grace_can_be_shortened() {
    for shorten in [
        |harness: &mut Harness| harness.connection.shutdown(harness.now, Some(SECOND)),
        |harness: &mut Harness| harness.eof(),
    ] {
        for first in [None, Some(5 * SECOND)] {
            let mut harness = Harness::new();
            harness.receive(request("1", "m"));
            harness.happened();
            harness.connection.shutdown(harness.now, first);
            shorten(&mut harness);
            harness.connection.shutdown(harness.now, None);
            harness.pass(SECOND - Duration::from_millis(1));
            harness.expect(&[]);
            harness.pass(Duration::from_millis(1));
            harness.expect(&["cancelled 1", "closed Local"]);
        }
    }
}

/// X3, X4: what is drained already can still be ended at once, and for the server's cause.
#[test]
fn a_drain_can_be_ended_at_once() {
    for begin in [
        |harness: &mut Harness| harness.connection.shutdown(harness.now, None),
        |harness: &mut Harness| harness.connection.drain(harness.now, None, Closed::ServerDown),
    ] {
        let mut harness = Harness::with(|config| config.eof_grace = None);
        harness.receive(request("1", "m"));
        harness.happened();
        begin(&mut harness);
        harness.connection.drain(harness.now, Some(Duration::ZERO), Closed::ServerDown);
        harness.expect(&["cancelled 1", "closed ServerDown"]);
    }
}
