//! Nobody takes the events.

use super::*;

/// M1: a million junk lines cost no memory: as many faults as `max_faults` are kept, the rest is counted.
#[test]
fn a_million_junk_lines_cost_no_memory() {
    let mut harness = Harness::new();
    let junk = "junk\n".repeat(1000);
    for _ in 0..1000 {
        harness.receive_unterminated(&junk);
    }
    assert_eq!(harness.connection.events(), 64);
    assert!(harness.connection.buffered() < 64 * 100);
    harness.receive(request("1", "m"));
    let happened = harness.happened();
    assert_eq!(happened.len(), 66);
    assert_eq!(happened[64..], ["suppressed 999936", "request 1 m"]);
    assert!(happened[..64].iter().all(|event| event == "fault NotJson"));
    harness.receive("junk");
    harness.expect_events(&["fault NotJson"]);
}

/// M1: an excerpt is short, whatever the line, and shows no control characters.
#[test]
fn excerpts_are_short_and_safe() {
    let mut harness = Harness::new();
    harness.receive("\x1b[31m".repeat(1000));
    let Some(Event::Fault(fault)) = harness.connection.poll_event() else { panic!("a fault") };
    assert!(fault.excerpt().len() < 500 && fault.excerpt().chars().all(|c| !c.is_control()));
    assert_eq!(fault.size(), 5000);
}

/// M1: what was suppressed is told where it happened, between what came before and behind it.
#[test]
fn suppressed_faults_are_told_in_their_place() {
    let mut harness = Harness::with(|config| config.max_faults = 1);
    harness.receive(format!("a\n{}\nb\nc\n{}", notification("x"), notification("y")));
    harness.expect_events(&["fault NotJson", "notification x", "suppressed 2", "notification y"]);
    harness.receive("d");
    harness.expect_events(&["fault NotJson"]);
}

/// B5: past `max_events` notifications and faults are dropped, counted, and told by one `Lagged`; requests are busy,
/// responses settle their calls, and cancellations are told.
#[test]
fn past_the_limit_notifications_are_dropped() {
    let mut harness = Harness::with(|config| config.max_events = 3);
    harness.receive(request("1", "m"));
    harness.happened();
    harness.call("a");
    harness.written();
    let notifications = ["a", "b", "c", "d", "e"].map(notification);
    harness.receive(lines(notifications));
    harness.receive(lines(["junk".into(), request("2", "m"), response("1", "{}"), cancel("1")]));
    assert_eq!(harness.connection.events(), 5);
    harness.expect(&[
        "notification a",
        "notification b",
        "notification c",
        "lagged 3",
        "response 1 {}",
        "cancelled 1",
        "> error 2 -32603 server_busy",
    ]);
    harness.receive(lines([notification("f"), request("2", "m")]));
    harness.expect(&["notification f", "request 2 m"]);
}

/// B5: the limit in bytes holds as well: the event that reaches it is the last one kept.
#[test]
fn events_are_bounded_in_bytes() {
    let size = notification("n").len();
    let mut harness = Harness::with(|config| config.max_event_bytes = 2 * size);
    harness.receive(vec![notification("n"); 1000].join("\n"));
    assert!(harness.connection.buffered() <= 2 * size);
    harness.expect_events(&["notification n", "notification n", "lagged 998"]);
    assert_eq!(harness.connection.buffered(), 0);
}

/// B5: progress and late answers are dropped like notifications.
#[test]
fn progress_is_dropped_like_notifications() {
    let mut harness = Harness::with(|config| config.max_events = 1);
    harness.call("a");
    harness.receive(lines([notification("n"), progress("1"), response("1", "{}")]));
    harness.receive(response("1", "{}"));
    harness.expect_events(&["notification n", "lagged 2", "response 1 {}"]);
}

/// B5: what a layer above has taken but not passed on counts as untaken.
#[test]
fn a_backlog_above_counts() {
    let mut harness = Harness::with(|config| {
        config.max_events = 3;
        config.max_event_bytes = 1000;
    });
    harness.connection.set_backlog(2, 0);
    harness.receive(lines([notification("a"), notification("b")]));
    harness.expect_events(&["notification a", "lagged 1"]);
    harness.connection.set_backlog(0, 1000);
    harness.receive(lines([notification("a"), request("1", "m")]));
    harness.expect(&["lagged 1", "> error 1 -32603 server_busy"]);
    harness.connection.set_backlog(0, 0);
    harness.receive(notification("c"));
    harness.expect_events(&["notification c"]);
}

/// X4, B5: the close event comes whatever was dropped, and is the last.
#[test]
fn the_close_event_is_never_dropped() {
    let mut harness = Harness::with(|config| {
        config.max_events = 1;
        config.max_faults = 1;
    });
    harness.receive(format!("junk\njunk\n{}", notification("n")));
    harness.eof();
    harness.expect_events(&["fault NotJson", "suppressed 1", "lagged 1", "closed Eof"]);
}

/// C1, B5: a request that is cancelled before anybody saw it leaves no event, also between others and behind a gap.
#[test]
fn unseen_requests_leave_no_event() {
    let mut harness = Harness::with(|config| config.max_events = 3);
    harness.receive(lines([notification("a"), request("1", "m"), notification("b")]));
    harness.receive(lines([notification("c"), cancel("1"), notification("d")]));
    harness.expect_events(&["notification a", "notification b", "lagged 1", "notification d"]);
}
