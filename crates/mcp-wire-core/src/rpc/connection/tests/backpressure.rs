//! The peer writes and does not read.

use super::*;

const CAP: usize = 1000;

/// A server whose output is bounded by `CAP` and a reserve of half of that.
fn small(configure: impl FnOnce(&mut Config)) -> Harness {
    Harness::with(|config| {
        config.max_outbound = CAP;
        config.outbound_reserve = CAP / 2;
        configure(config);
    })
}

/// Fills the output up to the cap with the reply to a request, `excess` bytes past it.
fn fill(harness: &mut Harness, excess: usize) {
    harness.receive(request("0", "fill"));
    harness.happened();
    let frame = response("0", "\"\"").len() + 1;
    let missing = CAP + excess - frame - harness.unwritten();
    harness.answer("0", &format!("\"{}\"", "x".repeat(missing))).unwrap();
}

/// B1: below the cap nothing changes; at it new requests are answered "busy", and all else is handled.
#[test]
fn at_the_cap_requests_are_busy() {
    let mut harness = small(|_| {});
    harness.receive(lines([request("1", "m"), request("2", "m")]));
    harness.happened();
    let call = harness.call_for("1", "ask");
    fill(&mut harness, 0);
    harness.receive(lines([request("3", "m"), request("4", "ping"), notification("n")]));
    harness.receive(lines([response("1", "{}"), cancel("2")]));
    harness.expect_events(&["request 4 ping", "notification n", "response 1 {}", "cancelled 2"]);
    assert!(harness.connection.wants_input());
    harness.answer("4", "{}").unwrap();
    harness.answer("1", "{}").unwrap();
    let written = harness.written();
    let tail: Vec<&str> = written.lines().skip(2).collect();
    assert_eq!(tail.len(), 3, "busy, pong, and the reply of an admitted request: {tail:?}");
    assert!(tail[0].contains(r#""id":3,"error""#) && tail[0].contains("server_busy"));
    assert_eq!(tail[1..], [response("4", "{}"), response("1", "{}")]);
    assert_eq!(harness.connection.cancel(call, None), Err(Gone));
    harness.receive(request("3", "m"));
    harness.expect(&["request 3 m"]);
}

/// B1: one byte below the cap a request is still taken.
#[test]
fn below_the_cap_requests_are_taken() {
    let mut harness = small(|_| {});
    fill(&mut harness, 0);
    harness.write(1);
    harness.receive(request("1", "m"));
    harness.expect_events(&["request 1 m"]);
}

/// B1: sending is refused at the cap, and possible again once output is written.
#[test]
fn sending_is_refused_at_the_cap() {
    let mut harness = small(|_| {});
    fill(&mut harness, 0);
    let now = harness.now;
    let call = |harness: &mut Harness| {
        harness.connection.request(now, "ask", None, CallOptions::default()).map(drop)
    };
    assert_eq!(harness.connection.notify("n", None), Err(SendError::Full));
    assert_eq!(call(&mut harness), Err(SendError::Full));
    assert_eq!(harness.connection.calls(), 0);
    harness.write(1);
    assert_eq!(call(&mut harness), Ok(()));
    assert_eq!(harness.connection.notify("n", None), Err(SendError::Full));
    harness.written();
    assert_eq!(harness.connection.notify("n", None), Ok(()));
    harness.expect(&["> notify n"]);
}

/// B1: with the reserve full, reading stops, whatever fills it; it goes on once output is written.
#[test]
fn with_the_reserve_full_reading_stops() {
    for (line, answered) in
        [(request("1", "m"), false), (request("1", "ping"), true), (r#"{"id":1}"#.into(), false)]
    {
        let mut harness = small(|_| {});
        fill(&mut harness, 0);
        let mut received = 0;
        while harness.connection.wants_input() {
            harness.receive(&line);
            harness.happened();
            if answered {
                harness.tokens.insert("1".into(), harness.connection.inbound.tokens()[0]);
                harness.answer("1", "{}").unwrap();
            }
            received += 1;
            assert!(received < 100, "reading has to stop: {line}");
        }
        let unwritten = harness.unwritten();
        assert!((CAP + CAP / 2..CAP + CAP / 2 + 200).contains(&unwritten), "{line} {unwritten}");
        harness.write(unwritten - CAP);
        assert!(!harness.connection.wants_input(), "still at the cap");
        harness.write(1);
        assert!(harness.connection.wants_input());
    }
}

/// B1: the reserve is free again once output fell below the cap, also where admitted requests fill it up once more.
#[test]
fn the_reserve_becomes_free_again() {
    let mut harness = small(|_| {});
    harness.receive(request("1", "m"));
    harness.happened();
    fill(&mut harness, 0);
    for _ in 0..100 {
        harness.receive(request("2", "m"));
    }
    assert!(!harness.connection.wants_input());
    harness.written();
    harness.answer("1", &format!("\"{}\"", "x".repeat(CAP))).unwrap();
    assert!(harness.connection.wants_input(), "none of the reserve is in use");
    harness.receive(request("3", "m"));
    assert!(harness.connection.wants_input());
}

/// B1: replies of admitted requests are always taken.
#[test]
fn replies_of_admitted_requests_are_always_taken() {
    let mut harness = small(|_| {});
    let many: Vec<String> = (1..=20).map(|id| request(&id.to_string(), "m")).collect();
    harness.receive(many.join("\n"));
    harness.happened();
    for id in 1..=20 {
        harness.answer(&id.to_string(), &format!("\"{}\"", "x".repeat(CAP))).unwrap();
    }
    assert_eq!(harness.written().lines().count(), 20);
}

/// B3: a peer that writes 10,000 requests before it reads one reply gets an answer to each.
#[test]
fn a_peer_may_write_many_requests_before_it_reads() {
    let mut harness = Harness::with(|_| {});
    for id in 0..10_000 {
        harness.receive(request(&id.to_string(), "m"));
    }
    let admitted = harness.happened().len();
    assert_eq!(admitted, harness.connection.in_flight());
    for token in harness.connection.inbound.tokens() {
        harness.connection.respond(token, Ok(Json::null())).unwrap();
    }
    let written = harness.written();
    let results = written.lines().filter(|line| line.contains("result")).count();
    let busy = written.lines().filter(|line| line.contains("server_busy")).count();
    assert_eq!((results, results + busy), (admitted, 10_000));
}

/// B2: without any progress at the cap for `write_stall` the connection ends; each byte is progress.
#[test]
fn a_stalled_peer_is_given_up() {
    let mut harness = small(|config| config.write_stall = 60 * SECOND);
    harness.receive(request("1", "m"));
    harness.happened();
    fill(&mut harness, 10);
    harness.pass(59 * SECOND);
    harness.write(1);
    harness.pass(59 * SECOND);
    harness.write(1);
    harness.pass(60 * SECOND - Duration::from_nanos(1));
    harness.expect_events(&[]);
    harness.pass(60 * SECOND);
    harness.expect(&["cancelled 1", "closed Stalled"]);
    harness.release("1");
    harness.expect_nothing_kept();
}

/// B2: below the cap a peer may sleep for as long as it likes.
#[test]
fn below_the_cap_there_is_no_stall() {
    let mut harness = small(|_| {});
    fill(&mut harness, 0);
    harness.pass(30 * SECOND);
    harness.write(1);
    assert!(harness.unwritten() > 0);
    harness.pass(1000 * SECOND);
    harness.expect_events(&[]);
    assert_eq!(harness.connection.closed(), None);
}

/// B2: the stall is noticed by the next input as well, and what comes with it is not taken any more.
#[test]
fn a_stall_is_noticed_without_a_timer() {
    let mut harness = small(|_| {});
    fill(&mut harness, 0);
    harness.receive(notification("n"));
    harness.now += 61 * SECOND;
    harness.receive(notification("n"));
    harness.expect_events(&["notification n", "closed Stalled"]);
}

/// B2, E8: replies that wait for the rest of their batch are no stall: there is nothing that the peer could read.
#[test]
fn replies_that_wait_for_their_batch_are_no_stall() {
    let mut harness = small(|_| {});
    harness.connection.accept_batches();
    harness.receive(format!("[{},{}]", request("1", "m"), request("2", "m")));
    harness.happened();
    harness.answer("1", &format!("\"{}\"", "x".repeat(CAP))).unwrap();
    harness.receive(request("3", "m"));
    harness.expect(&["> error 3 -32603 server_busy"]);
    harness.pass(1000 * SECOND);
    harness.answer("2", "{}").unwrap();
    harness.expect_events(&[]);
    assert_eq!(harness.written().lines().count(), 1);
    assert_eq!(harness.connection.buffered(), 0);
}
