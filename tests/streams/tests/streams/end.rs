//! The end of input.

use crate::support::message::{big, ping, slow, text};
use crate::support::{Session, Streams, on_every_stream, proc};

on_every_stream!(
    the_process_ends_after_its_input,
    a_handler_goes_on_within_its_grace,
    a_handler_is_cancelled_after_its_grace,
    queued_replies_are_written_whole,
    a_last_line_needs_no_end,
);

/// X1, X5: with nothing outstanding the end is immediate.
fn the_process_ends_after_its_input(runtime: &str, streams: Streams) {
    let session = Session::begin(runtime, streams, &["--eof-grace", "none"]);
    proc::until_idle(session.process.id());
    session.end();
}

/// X1: a request in flight is answered after the end of input, and the process ends with the answer, not with the grace.
fn a_handler_goes_on_within_its_grace(runtime: &str, streams: Streams) {
    let mut session = Session::begin(runtime, streams, &["--eof-grace", "3600000"]);
    session.peer.send(&slow(1, 100));
    session.peer.hang_up();
    let reply = session.peer.receive();
    assert_eq!((&reply["id"], text(&reply)), (&1.into(), "1 steps in 100 ms"));
    assert_eq!(session.peer.rest(), [""; 0]);
    session.process.wait_for_success();
}

/// X1: after the grace it is cancelled unanswered.
fn a_handler_is_cancelled_after_its_grace(runtime: &str, streams: Streams) {
    let mut session = Session::begin(runtime, streams, &["--eof-grace", "100"]);
    session.peer.send(&slow(1, 3_600_000));
    session.end();
}

/// X1: 200 large replies wait for a slow reader when the input ends. All of them arrive, and whole.
fn queued_replies_are_written_whole(runtime: &str, streams: Streams) {
    const REPLIES: usize = 200;
    const BYTES: usize = 40_000;

    let flags = ["--eof-grace", "none", "--flush-stall", "10000"];
    let mut session = Session::begin(runtime, streams, &flags);
    for number in 0..REPLIES {
        session.peer.send(&big(number, BYTES));
    }
    session.peer.hang_up();
    // It has made all replies, and waits for the first to be read.
    let first = session.peer.read(1).unwrap();
    proc::until_idle(session.process.id());
    session.peer.put_back(first);
    let mut missing: Vec<bool> = vec![true; REPLIES];
    session.peer.read_slowly();
    for reply in session.peer.rest() {
        assert_eq!(text(&reply).len(), BYTES);
        let number = reply["id"].as_u64().unwrap() as usize;
        assert!(std::mem::take(&mut missing[number]), "{number} came twice");
    }
    assert!(!missing.contains(&true));
    session.process.wait_for_success();
}

/// F9, X1: a last line without an end is answered when it is whole.
fn a_last_line_needs_no_end(runtime: &str, streams: Streams) {
    let mut session = Session::begin(runtime, streams, &["--eof-grace", "none"]);
    session.peer.write(ping(1).to_string().as_bytes()).unwrap();
    if streams == Streams::Terminal {
        // Within a line the first one only hands over what there is.
        session.peer.hang_up();
    }
    session.peer.hang_up();
    assert_eq!(session.peer.receive()["id"], 1);
    assert_eq!(session.peer.rest(), [""; 0]);
    session.process.wait_for_success();
}
