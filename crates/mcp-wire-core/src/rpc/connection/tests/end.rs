//! The end of input.

use super::*;
use crate::rpc::ProcessExit;
use std::io::ErrorKind;
use std::process::ExitStatus;

fn with_grace(eof_grace: Option<Duration>) -> Harness {
    let mut harness = Harness::with(|config| config.eof_grace = eof_grace);
    harness.receive(lines([request("1", "m"), request("2", "m")]));
    harness.expect(&["request 1 m", "request 2 m"]);
    harness
}

/// X1: with nothing outstanding the end is immediate; replies already produced are written first.
#[test]
fn with_nothing_outstanding_the_end_is_immediate() {
    let mut harness = Harness::new();
    harness.eof();
    harness.expect_events(&["closed Eof"]);
    harness.expect_nothing_kept();
    let mut harness = with_grace(Some(SECOND));
    harness.answer("1", "{}").unwrap();
    harness.answer("2", "{}").unwrap();
    harness.eof();
    harness.expect_events(&[]);
    assert!(!harness.connection.wants_input());
    harness.expect(&["> result 1 {}", "> result 2 {}", "closed Eof"]);
    harness.expect_nothing_kept();
}

/// X1: requests in flight go on for the grace, 1 s by default, and then are cancelled unanswered.
#[test]
fn requests_in_flight_go_on_for_the_grace() {
    assert_eq!(Config::default().eof_grace, Some(SECOND));
    let mut harness = with_grace(Some(SECOND));
    harness.eof();
    harness.pass(SECOND - Duration::from_nanos(1));
    harness.answer("1", "{}").unwrap();
    harness.expect(&["> result 1 {}"]);
    harness.pass(Duration::from_nanos(1));
    assert_eq!(harness.answer("2", "{}"), Err(Gone));
    harness.expect(&["cancelled 2", "closed Eof"]);
    harness.expect_nothing_kept();
}

/// X1: once the last one is answered the end does not wait for the grace.
#[test]
fn the_last_answer_ends_the_grace() {
    let mut harness = with_grace(Some(60 * SECOND));
    harness.eof();
    harness.answer("2", "{}").unwrap();
    harness.release("1");
    harness.expect(&["> result 2 {}", "> error 1 -32603", "closed Eof"]);
}

/// X1: a grace of zero cancels requests at once.
#[test]
fn a_grace_of_zero_cancels_at_once() {
    let mut harness = with_grace(Some(Duration::ZERO));
    harness.eof();
    harness.expect(&["cancelled 1", "cancelled 2", "closed Eof"]);
}

/// X1: no grace waits for all, for batch use from a shell.
#[test]
fn without_a_grace_all_are_waited_for() {
    let mut harness = with_grace(None);
    harness.eof();
    harness.pass(1_000_000 * SECOND);
    harness.answer("1", "{}").unwrap();
    harness.expect(&["> result 1 {}"]);
    harness.answer("2", "{}").unwrap();
    harness.expect(&["> result 2 {}", "closed Eof"]);
}

/// X1: queued requests go on, too; their time-outs hold.
#[test]
fn queued_requests_go_on() {
    let mut harness = Harness::sharing(&Budget::new(1), |config| {
        config.max_queued = 2;
        config.eof_grace = None;
        config.callback_timeout = Some(SECOND);
    });
    harness.receive(lines([request("1", "a"), request("2", "b"), request("3", "c")]));
    harness.eof();
    harness.expect(&["request 1 a"]);
    harness.answer("1", "{}").unwrap();
    harness.expect(&["request 2 b", "> result 1 {}"]);
    harness.pass(SECOND);
    harness.expect(&["cancelled 2", "> error 2 -32603 callback_timeout"]);
    harness.release("2");
    harness.expect(&["request 3 c"]);
    harness.answer("3", "{}").unwrap();
    harness.expect(&["> result 3 {}", "closed Eof"]);
}

/// X1: at the end of the grace queued requests are dropped without ever being seen.
#[test]
fn queued_requests_end_with_the_grace() {
    let budget = Budget::new(1);
    let mut harness = Harness::sharing(&budget, |config| config.max_queued = 2);
    harness.receive(lines([request("1", "a"), request("2", "b"), request("3", "c")]));
    harness.expect(&["request 1 a"]);
    harness.eof();
    harness.pass(SECOND);
    harness.expect(&["cancelled 1", "closed Eof"]);
    harness.release("1");
    harness.expect_nothing_kept();
    assert_eq!(budget.taken(), 0);
}

/// X1, C2: requests with an open call to the peer are cancelled at once, since no answer can come.
#[test]
fn parked_requests_are_cancelled_at_once() {
    let mut harness = with_grace(None);
    harness.call_for("1", "ask");
    harness.call("other");
    harness.written();
    harness.eof();
    harness.expect(&[
        "response 1 Cancelled",
        "cancelled 1",
        "response 2 Closed(Eof)",
        r#"> notify notifications/cancelled {"requestId":1}"#,
    ]);
    harness.answer("2", "{}").unwrap();
    harness.expect(&["> result 2 {}", "closed Eof"]);
}

/// O1: after the end of input no call can be made, but notifications still go out.
#[test]
fn no_call_is_made_after_the_end_of_input() {
    let mut harness = with_grace(None);
    harness.eof();
    let token = harness.token("1");
    let options = CallOptions { on_behalf_of: Some(token), ..CallOptions::default() };
    for options in [options, CallOptions::default()] {
        let call = harness.connection.request(harness.now, "ask", None, options);
        assert_eq!(call, Err(SendError::Closed));
    }
    harness.connection.notify_for(token, "progress", None).unwrap();
    harness.expect(&["> notify progress"]);
    assert!(harness.connection.is_live(token));
}

/// X1: flushing ends after `flush_stall` without progress; each byte is progress.
#[test]
fn flushing_ends_without_progress() {
    let mut harness = with_grace(Some(SECOND));
    harness.answer("1", "{}").unwrap();
    harness.answer("2", "{}").unwrap();
    harness.eof();
    for _ in 0..3 {
        harness.pass(Duration::from_millis(499));
        harness.write(1);
    }
    harness.pass(Duration::from_millis(499));
    harness.expect_events(&[]);
    harness.pass(Duration::from_millis(500));
    harness.expect(&["closed Stalled"]);
    harness.expect_nothing_kept();
}

/// X1: after the end nothing is taken, and nothing happens.
#[test]
fn nothing_is_taken_after_the_end() {
    let mut harness = with_grace(Some(SECOND));
    harness.eof();
    harness.receive(lines([request("3", "m"), notification("n"), "junk".into(), cancel("1")]));
    harness.eof();
    harness.expect(&[]);
    harness.connection.close();
    harness.expect(&["cancelled 1", "cancelled 2", "closed Local"]);
    harness.receive(request("3", "m"));
    harness.eof();
    harness.connection.handle_write_error(harness.now, ErrorKind::BrokenPipe);
    harness.connection.handle_read_error(harness.now, ErrorKind::BrokenPipe);
    harness.connection.abort(Closed::Dropped);
    harness.connection.shutdown(harness.now, None);
    harness.pass(1000 * SECOND);
    harness.release("1");
    harness.release("2");
    harness.expect(&[]);
    harness.expect_nothing_kept();
}

/// X1: in the client role all calls fail at once with the cause, and the server's requests are cancelled.
#[test]
fn a_client_ends_at_once() {
    let mut harness = Harness::client();
    harness.call("a");
    harness.call("b");
    harness.receive(request("1", "elicitation/create"));
    harness.expect(&["request 1 elicitation/create", "> call 1 a", "> call 2 b"]);
    harness.eof();
    harness.expect(&[
        "cancelled 1",
        "response 1 Closed(Eof)",
        "response 2 Closed(Eof)",
        "closed Eof",
    ]);
    harness.release("1");
    harness.expect_nothing_kept();
}

/// X2: a read error is the end of input with its cause, in both roles.
#[test]
fn a_read_error_is_the_end_with_its_cause() {
    let mut harness = with_grace(Some(SECOND));
    harness.connection.handle_read_error(harness.now, ErrorKind::ConnectionReset);
    harness.answer("1", "{}").unwrap();
    harness.expect(&["> result 1 {}"]);
    harness.pass(SECOND);
    harness.expect(&["cancelled 2", "closed ReadFailed(ConnectionReset)"]);
    let mut harness = Harness::client();
    harness.call("a");
    harness.written();
    harness.connection.handle_read_error(harness.now, ErrorKind::ConnectionReset);
    harness.expect(&[
        "response 1 Closed(ReadFailed(ConnectionReset))",
        "closed ReadFailed(ConnectionReset)",
    ]);
}

/// The exit of a process that the peer was, and the cause that it is.
fn exit() -> (ProcessExit, String) {
    let exit = ProcessExit::new(ExitStatus::default(), "bye\n");
    let cause = format!("{:?}", Closed::Exited(exit.clone()));
    (exit, cause)
}

/// K4, X1: the exit of the process at the other end is the end of input with its cause: in the client role at once.
#[test]
fn an_exit_is_the_end_with_its_cause() {
    let (exit, cause) = exit();
    let mut harness = Harness::client();
    harness.call("a");
    harness.receive(request("1", "m"));
    harness.happened();
    harness.written();
    harness.connection.handle_exit(harness.now, exit.clone());
    harness.expect(&[
        "cancelled 1",
        &format!("response 1 Closed({cause})"),
        &format!("closed {cause}"),
    ]);
    harness.release("1");
    harness.expect_nothing_kept();
    let mut harness = with_grace(Some(SECOND));
    harness.connection.handle_exit(harness.now, exit);
    harness.answer("1", "{}").unwrap();
    harness.pass(SECOND);
    harness.expect(&["cancelled 2", "> result 1 {}", &format!("closed {cause}")]);
}

/// X2: in the client role the exit outranks the broken pipe that it led to; no other end of input does.
#[test]
fn an_exit_outranks_a_broken_pipe() {
    let (exit, cause) = exit();
    let broken = || {
        let mut harness = Harness::client();
        harness.call("a");
        harness.call("b");
        harness.written();
        harness.connection.handle_write_error(harness.now, ErrorKind::BrokenPipe);
        harness.receive(response("2", "{}"));
        harness.expect(&["response 2 {}"]);
        harness
    };
    let mut harness = broken();
    harness.connection.handle_exit(harness.now, exit);
    harness.expect(&[&format!("response 1 Closed({cause})"), &format!("closed {cause}")]);
    harness.expect_nothing_kept();
    let ends: [fn(&mut Harness); 2] = [Harness::eof, |harness| {
        harness.connection.handle_read_error(harness.now, ErrorKind::ConnectionReset);
    }];
    for end in ends {
        let mut harness = broken();
        end(&mut harness);
        let cause = "WriteFailed(BrokenPipe)";
        harness.expect(&[&format!("response 1 Closed({cause})"), &format!("closed {cause}")]);
    }
}

/// X4: an end that is under way keeps its cause, whatever becomes of the process meanwhile.
#[test]
fn an_exit_changes_no_cause_that_there_is() {
    let begun: [fn(&mut Harness); 3] = [
        |harness| harness.connection.close(),
        |harness| harness.connection.shutdown(harness.now, None),
        |harness| harness.connection.handle_eof(harness.now),
    ];
    for (begin, cause) in begun.into_iter().zip(["Local", "Local", "Eof"]) {
        let mut harness = Harness::client();
        harness.call("a");
        harness.connection.notify("n", None).unwrap();
        begin(&mut harness);
        let closed = format!("response 1 Closed({cause})");
        harness.expect_events(&[&closed]);
        harness.connection.handle_exit(harness.now, exit().0);
        harness.expect_events(&[]);
        let closed = format!("closed {cause}");
        let mut expected = vec!["> call 1 a", "> notify n", &closed];
        // What is closed by this side is taken back.
        expected.retain(|line| cause == "Eof" || *line != "> call 1 a");
        harness.expect(&expected);
        harness.connection.handle_exit(harness.now, exit().0);
        harness.expect(&[]);
    }
}

/// X2: a client that is about to end knows a better cause than a peer that does not listen any more.
#[test]
fn a_write_error_changes_no_cause_that_a_client_has() {
    let (exit, cause) = exit();
    let mut harness = Harness::client();
    harness.call("a");
    harness.connection.handle_exit(harness.now, exit);
    harness.expect_events(&[&format!("response 1 Closed({cause})")]);
    harness.connection.handle_write_error(harness.now, ErrorKind::BrokenPipe);
    harness.expect(&[&format!("closed {cause}")]);
}
