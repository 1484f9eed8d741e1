//! Slots that the connections of a server share.

use super::*;

fn requests(harness: &mut Harness, ids: std::ops::RangeInclusive<u32>) -> usize {
    let many: Vec<String> = ids.map(|id| request(&id.to_string(), "m")).collect();
    harness.receive(many.join("\n"));
    harness.written();
    harness.happened().len()
}

/// Q3: by default a connection has half of the slots, and at least one.
#[test]
fn half_of_the_slots_is_the_default_share() {
    let shares = [(0, 1, 1), (1, 1, 1), (2, 2, 1), (5, 5, 2), (1024, 1024, 512)];
    for (slots, expected, share) in shares {
        let budget = Budget::new(slots);
        assert_eq!((budget.slots(), budget.share()), (expected, share));
    }
    assert_eq!(Budget::default().slots(), 1024);
    assert_eq!(Budget::with_share(4, 9).share(), 4, "no share is larger than the whole");
    assert_eq!(Budget::with_share(4, 0).share(), 1);
}

/// Q3: both limits hold, over two connections: the share of each, and the whole.
#[test]
fn the_share_and_the_whole_both_hold() {
    let budget = Budget::with_share(3, 2);
    let mut one = Harness::sharing(&budget, |_| {});
    let mut two = Harness::sharing(&budget, |_| {});
    assert_eq!(requests(&mut one, 1..=3), 2, "the share holds");
    assert_eq!(requests(&mut two, 1..=3), 1, "the whole holds");
    assert_eq!(budget.taken(), 3);
    one.answer("1", "{}").unwrap();
    assert_eq!(requests(&mut two, 2..=3), 1, "a slot that one gave back serves the other");
    assert_eq!(budget.taken(), 3);
}

/// Q3: parked requests count, inline ones and queued ones do not.
#[test]
fn parked_requests_count() {
    let budget = Budget::new(2);
    let mut harness = Harness::sharing(&budget, |config| config.max_queued = 1);
    harness.receive(lines([request("1", "m"), request("2", "ping"), request("3", "m")]));
    harness.expect(&["request 1 m", "request 2 ping"]);
    harness.call_for("1", "ask");
    assert_eq!((budget.taken(), harness.connection.slots_held()), (1, 1));
    assert_eq!((harness.connection.in_flight(), harness.connection.queued()), (3, 1));
}

/// Q4: with none in flight on this connection the answer is busy, queue or not: nothing would wake it.
#[test]
fn only_a_holder_of_a_slot_queues() {
    let budget = Budget::new(1);
    let mut one = Harness::sharing(&budget, |config| config.max_queued = 9);
    let mut two = Harness::sharing(&budget, |config| config.max_queued = 9);
    assert_eq!(requests(&mut one, 1..=2), 1);
    two.receive(request("1", "m"));
    two.expect(&["> error 1 -32603 server_busy"]);
    one.answer("1", "{}").unwrap();
    one.expect(&["request 2 m", "> result 1 {}"]);
    assert_eq!(budget.taken(), 1, "the slot was passed on, not given back");
}

/// Q4: slots that others gave back serve the queue with the next request, in order.
#[test]
fn the_queue_takes_slots_that_became_free_elsewhere() {
    let budget = Budget::with_share(2, 2);
    let mut one = Harness::sharing(&budget, |config| config.max_queued = 2);
    let mut two = Harness::sharing(&budget, |_| {});
    assert_eq!(requests(&mut two, 1..=1), 1);
    assert_eq!(requests(&mut one, 1..=2), 1);
    two.answer("1", "{}").unwrap();
    one.receive(request("3", "m"));
    one.expect(&["request 2 m"]);
    assert_eq!((one.connection.queued(), budget.taken()), (1, 2));
}

/// C1: the slot of a cancelled request is free once its handler is gone; at once where no handler has seen it.
#[test]
fn a_slot_is_free_once_the_handler_is_gone() {
    let budget = Budget::new(9);
    let mut harness = Harness::sharing(&budget, |_| {});
    harness.receive(lines([request("1", "m"), cancel("1")]));
    assert_eq!(budget.taken(), 0, "nobody has seen it");
    harness.expect(&[]);
    harness.receive(request("2", "m"));
    harness.expect(&["request 2 m"]);
    harness.receive(cancel("2"));
    harness.expect(&["cancelled 2"]);
    assert_eq!((budget.taken(), harness.connection.in_flight()), (1, 0));
    assert_eq!(harness.answer("2", "{}"), Err(Gone));
    assert_eq!(budget.taken(), 0, "who answers in vain is gone too");
    harness.expect(&[]);
}

/// X3: what a dropped connection held is free, the slots of cancelled requests included.
#[test]
fn dropping_a_connection_frees_its_slots() {
    let budget = Budget::new(9);
    let mut harness = Harness::sharing(&budget, |_| {});
    assert_eq!(requests(&mut harness, 1..=3), 3);
    harness.receive(cancel("1"));
    harness.connection.abort(Closed::Dropped);
    assert_eq!(budget.taken(), 3, "the handlers are still there");
    harness.release("2");
    assert_eq!(budget.taken(), 2);
    drop(harness);
    assert_eq!(budget.taken(), 0);
}
