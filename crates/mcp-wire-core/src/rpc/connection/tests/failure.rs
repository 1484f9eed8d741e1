//! X2, X3: writing fails, or the transport is gone.

use super::*;
use std::io::ErrorKind::BrokenPipe;

/// X2: a write error ends a server's connection: handlers are cancelled, calls fail, output is dropped.
#[test]
fn a_write_error_ends_a_server() {
    let mut harness = Harness::new();
    harness.receive(lines([request("1", "m"), request("2", "m")]));
    harness.happened();
    harness.call("ask");
    harness.call_for("2", "ask");
    harness.connection.handle_write_error(harness.now, BrokenPipe);
    harness.expect(&[
        "cancelled 1",
        "response 2 Cancelled",
        "cancelled 2",
        "response 1 Closed(WriteFailed(BrokenPipe))",
        "closed WriteFailed(BrokenPipe)",
    ]);
    assert_eq!(harness.connection.notify("n", None), Err(SendError::Closed));
    harness.release("1");
    harness.release("2");
    harness.expect_nothing_kept();
}

/// X2: a write error during the grace or the flush ends them.
#[test]
fn a_write_error_ends_the_grace() {
    for answered in [false, true] {
        let mut harness = Harness::new();
        harness.receive(request("1", "m"));
        harness.happened();
        if answered {
            harness.answer("1", "{}").unwrap();
        }
        harness.eof();
        harness.connection.handle_write_error(harness.now, BrokenPipe);
        let closed = "closed WriteFailed(BrokenPipe)";
        let expected = ["cancelled 1", closed];
        harness.expect(&expected[usize::from(answered)..]);
    }
}

/// A client whose writes fail while a call and a request of the server are open.
fn lingering() -> Harness {
    let mut harness = Harness::client();
    harness.call("a");
    harness.call("b");
    harness.receive(request("1", "m"));
    harness.happened();
    harness.call_for("1", "c");
    harness.written();
    harness.connection.handle_write_error(harness.now, BrokenPipe);
    harness.expect(&["response 3 Cancelled", "cancelled 1"]);
    assert!(harness.connection.wants_input());
    harness
}

/// X2: in the client role replies that are still there settle their calls, up to the end of output.
#[test]
fn a_client_reads_on_after_a_write_error() {
    let mut harness = lingering();
    harness.receive(lines([response("2", "{}"), notification("n")]));
    harness.expect(&["response 2 {}", "notification n"]);
    harness.eof();
    harness
        .expect(&["response 1 Closed(WriteFailed(BrokenPipe))", "closed WriteFailed(BrokenPipe)"]);
    harness.release("1");
    harness.expect_nothing_kept();
}

/// X2: for at most 1 s.
#[test]
fn a_client_reads_on_for_a_second() {
    let mut harness = lingering();
    harness.pass(SECOND - Duration::from_nanos(1));
    harness.connection.handle_write_error(harness.now, BrokenPipe);
    harness.expect(&[]);
    harness.pass(Duration::from_nanos(1));
    harness.expect(&[
        "response 1 Closed(WriteFailed(BrokenPipe))",
        "response 2 Closed(WriteFailed(BrokenPipe))",
        "closed WriteFailed(BrokenPipe)",
    ]);
}

/// X2: meanwhile nothing is sent or written, whatever comes.
#[test]
fn nothing_is_written_after_a_write_error() {
    let mut harness = lingering();
    harness.receive(lines([request("2", "m"), request("3", "ping"), request("2", "m")]));
    let call = harness.connection.request(harness.now, "d", None, CallOptions::default());
    assert_eq!(call, Err(SendError::Closed));
    assert_eq!(harness.connection.notify("n", None), Err(SendError::Closed));
    assert_eq!(harness.answer("1", "{}"), Err(Gone));
    harness.expect(&[]);
    assert_eq!((harness.connection.in_flight(), harness.connection.buffered()), (0, 0));
    harness.pass(Duration::from_millis(999));
    assert_eq!(harness.connection.closed(), None);
}

/// X3: dropping the transport ends everything at once, unwritten output included, with the cause that was given.
#[test]
fn aborting_ends_at_once() {
    for cause in [Closed::Dropped, Closed::ServerDown] {
        let mut harness = Harness::new();
        harness.receive(lines([request("1", "m"), request("2", "m")]));
        harness.happened();
        harness.answer("1", "{}").unwrap();
        harness.call("ask");
        harness.connection.abort(cause.clone());
        harness.connection.abort(Closed::Local);
        harness.expect(&[
            "cancelled 2",
            &format!("response 1 Closed({cause:?})"),
            &format!("closed {cause:?}"),
        ]);
        assert_eq!(harness.connection.closed(), Some(&cause));
        harness.release("2");
        harness.expect_nothing_kept();
    }
}
