//! C4: everything that can end one request, in every order.

use super::*;

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Step {
    Respond,
    CancelByPeer,
    Timeout,
    Eof,
    Release,
    Close,
}

const STEPS: [Step; 6] =
    [Step::Respond, Step::CancelByPeer, Step::Timeout, Step::Eof, Step::Release, Step::Close];

/// How the request stands when the first step comes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Stand {
    /// Its event is not taken yet.
    Unseen,
    Running,
    /// A call to the peer is open on its behalf.
    Parked,
    /// The peer has answered that call.
    Answered,
    /// It came in a batch, and runs.
    InBatch,
}

const STANDS: [Stand; 5] =
    [Stand::Unseen, Stand::Running, Stand::Parked, Stand::Answered, Stand::InBatch];

const TIMEOUT: Duration = Duration::from_secs(5);

/// Every order of every selection of steps.
fn orders() -> Vec<Vec<Step>> {
    let mut orders = vec![Vec::new()];
    let mut from = 0;
    while from < orders.len() {
        for step in STEPS {
            if !orders[from].contains(&step) {
                let mut longer = orders[from].clone();
                longer.push(step);
                orders.push(longer);
            }
        }
        from += 1;
    }
    orders
}

fn arrange(stand: Stand, eof_grace: Option<Duration>) -> (Harness, Budget) {
    let budget = Budget::default();
    let mut harness = Harness::sharing(&budget, |config| {
        config.callback_timeout = Some(TIMEOUT);
        config.eof_grace = eof_grace;
    });
    harness.connection.accept_batches();
    match stand {
        Stand::InBatch => harness.receive(format!("[{}]", request("1", "work"))),
        _ => harness.receive(request("1", "work")),
    }
    if stand == Stand::Unseen {
        // The token is known all the same, from a look at the event.
        let Some(Event::Request(token, request)) = harness.connection.events.pop() else {
            panic!("there is a request")
        };
        harness.connection.events.push(Event::Request(token, request));
        harness.tokens.insert("1".into(), token);
        harness.ids.insert(token, "1".into());
    } else {
        harness.happened();
    }
    if matches!(stand, Stand::Parked | Stand::Answered) {
        harness.call_for("1", "ask");
        harness.written();
    }
    if stand == Stand::Answered {
        harness.receive(response("1", "{}"));
    }
    (harness, budget)
}

/// The reply that the first step which ends the request stands for, if any.
fn expected_reply(
    order: &[Step],
    stand: Stand,
    eof_grace: Option<Duration>,
) -> Option<&'static str> {
    let mut reads = true;
    for step in order {
        match step {
            Step::CancelByPeer if !reads => {}
            Step::Respond => return Some(r#""result":{"done":true}"#),
            Step::Release => return Some(r#""message":"internal error""#),
            Step::Timeout => return Some("callback_timeout"),
            Step::CancelByPeer | Step::Close => return None,
            Step::Eof if eof_grace == Some(Duration::ZERO) || stand == Stand::Parked => {
                return None;
            }
            Step::Eof => reads = false,
        }
    }
    None
}

fn take(step: Step, harness: &mut Harness) {
    match step {
        Step::Respond => _ = harness.answer("1", r#"{"done":true}"#),
        Step::CancelByPeer => harness.receive(cancel("1")),
        Step::Timeout => harness.pass(TIMEOUT),
        Step::Eof => harness.eof(),
        Step::Release => harness.release("1"),
        Step::Close => harness.connection.close(),
    }
}

fn check(order: &[Step], stand: Stand, eof_grace: Option<Duration>) {
    let context = format!("{order:?} {stand:?} {eof_grace:?}");
    let (mut harness, budget) = arrange(stand, eof_grace);
    // Whatever the order leaves open is ended in the end.
    let order = [order, &[Step::Eof, Step::Release, Step::Close]].concat();
    let (mut written, mut happened) = (String::new(), Vec::new());
    for step in &order {
        take(*step, &mut harness);
        // The writer is quick, so what was written counts; the request itself may still be unseen.
        written += &harness.written();
        if stand != Stand::Unseen {
            happened.extend(harness.happened());
        }
    }
    happened.extend(harness.happened());
    written += &harness.written();
    happened.extend(harness.happened());

    let replies: Vec<&str> = written.lines().filter(|line| !line.contains(r#""method""#)).collect();
    match expected_reply(&order, stand, eof_grace) {
        Some(reply) => {
            assert!(replies.len() == 1 && replies[0].contains(reply), "{context}: {replies:?}");
        }
        None => assert!(replies.is_empty(), "{context}: {replies:?}"),
    }
    let closed = happened.iter().filter(|event| event.starts_with("closed")).count();
    assert_eq!(closed, 1, "{context}: {happened:?}");
    assert!(happened.last().is_some_and(|last| last.starts_with("closed")), "{context}");
    assert!(happened.iter().filter(|event| event.starts_with("cancelled")).count() <= 1);
    assert_eq!(budget.taken(), 0, "{context}");
    harness.expect_nothing_kept();
}

/// C4, Q7, X4: in all orders there is at most one reply, the one of whatever came first; exactly one close event, which is
/// the last; nothing panics; and nothing is left behind.
#[test]
fn every_order_is_safe() {
    for order in orders() {
        for stand in STANDS {
            for eof_grace in [Some(Duration::ZERO), Some(60 * SECOND), None] {
                check(&order, stand, eof_grace);
            }
        }
    }
}
