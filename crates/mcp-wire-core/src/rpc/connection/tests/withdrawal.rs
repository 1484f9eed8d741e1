//! C6: a call that ends before any byte of it is written leaves the output again.

use super::*;

/// From this size on a payload has a segment of its own, in bytes.
const LARGE: usize = 40 << 10;

fn large_params() -> Json {
    Json::new(format!(r#"{{"large":"{}"}}"#, "x".repeat(LARGE))).unwrap()
}

/// C6: nothing of it goes out, and the peer is not told.
#[test]
fn an_unwritten_call_is_withdrawn() {
    let mut harness = Harness::new();
    let call = harness.call("a");
    harness.connection.cancel(call, None).unwrap();
    harness.expect(&[]);
    assert_eq!(harness.connection.buffered(), 0);
    harness.call_with("b", CallOptions { timeout: Some(SECOND), ..CallOptions::default() });
    harness.pass(SECOND);
    harness.expect(&["response 2 TimedOut"]);
    assert_eq!(harness.connection.buffered(), 0);
}

/// C6, F13: one in the middle of several is taken out alone, whatever is written of the others; later ones can still be
/// taken out, and each line stays whole.
#[test]
fn calls_in_the_middle_are_withdrawn() {
    for large in [false, true] {
        for written in [0, 1, 20] {
            let mut harness = Harness::new();
            let mut calls = Vec::new();
            for method in ["a", "b", "c", "d", "e"] {
                let params = large.then(large_params);
                let options = CallOptions::default();
                calls.push(
                    harness.connection.request(harness.now, method, params, options).unwrap(),
                );
                harness.connection.notify("n", None).unwrap();
            }
            let beginning = harness.write(written);
            for middle in [1, 3] {
                harness.connection.cancel(calls[middle], None).unwrap();
            }
            let all = beginning + &harness.written();
            let seen: Vec<String> = all
                .lines()
                .map(|line| serde_json::from_str::<Value>(line).unwrap()["method"].to_string())
                .collect();
            let expected =
                ["a", "n", "n", "c", "n", "n", "e", "n"].map(|name| format!("\"{name}\""));
            assert_eq!(seen, expected, "{large} {written}");
            assert_eq!(harness.connection.buffered(), 0);
        }
    }
}

/// C6: in every order of cancelling, with every count of written bytes: a call is withdrawn while nothing of it is written,
/// and cancelled by a notification after that, so that the peer sees whole lines and a cancellation for each call it saw.
#[test]
fn every_call_is_withdrawn_or_cancelled() {
    let line = request("1", "a").len() + 1;
    for order in [[0, 1, 2], [0, 2, 1], [1, 0, 2], [1, 2, 0], [2, 0, 1], [2, 1, 0]] {
        for written in 0..=3 * line {
            let mut harness = Harness::new();
            let calls = ["a", "b", "c"].map(|method| harness.call(method));
            let mut all = harness.write(written);
            for at in order {
                harness.connection.cancel(calls[at], None).unwrap();
            }
            all += &harness.written();
            let seen: Vec<String> = all
                .lines()
                .map(|line| line_in_short(&serde_json::from_str(line).unwrap()))
                .collect();
            let begun = written.div_ceil(line);
            let mut expected: Vec<String> =
                (0..begun).map(|at| format!("call {} {}", at + 1, ["a", "b", "c"][at])).collect();
            expected.extend(
                order.iter().filter(|at| **at < begun).map(|at| {
                    format!(r#"notify notifications/cancelled {{"requestId":{}}}"#, at + 1)
                }),
            );
            assert_eq!(seen, expected, "{order:?} {written}");
        }
    }
}

/// C6: calls that were kept back can be withdrawn after they were released.
#[test]
fn released_calls_are_withdrawn() {
    let mut harness = Harness::new();
    harness.connection.hold_calls();
    let calls = ["a", "b", "c"].map(|method| harness.call(method));
    harness.connection.release_calls();
    harness.connection.cancel(calls[1], None).unwrap();
    harness.expect(&["> call 1 a", "> call 3 c"]);
    harness.connection.cancel(calls[2], None).unwrap();
    harness.expect(&[r#"> notify notifications/cancelled {"requestId":3}"#]);
}

/// C6, C1: a withdrawn call does not disturb the replies around it.
#[test]
fn replies_around_a_withdrawn_call_stay() {
    let mut harness = Harness::new();
    harness.receive(lines([request("7", "m"), request("8", "m")]));
    harness.happened();
    harness.connection.respond(harness.token("7"), Ok(large_params())).unwrap();
    let call = harness.connection.request(
        harness.now,
        "ask",
        Some(large_params()),
        CallOptions::default(),
    );
    harness.connection.respond(harness.token("8"), Ok(large_params())).unwrap();
    harness.connection.cancel(call.unwrap(), None).unwrap();
    let large = large_params();
    let expected =
        format!("{}\n{}\n", response("7", large.as_str()), response("8", large.as_str()));
    assert!(harness.written() == expected);
}

/// C6, C9: many calls that end at once are withdrawn at once, from between what stays; a call behind them, and one that was
/// made since, can still be.
#[test]
fn many_calls_are_withdrawn_at_once() {
    for closes in [false, true] {
        let mut harness = Harness::client();
        let short = CallOptions { timeout: Some(SECOND), ..CallOptions::default() };
        let long = CallOptions::default();
        let mut staying = Vec::new();
        for number in 0..100 {
            harness.call_with("short", short.clone());
            if number % 3 == 0 {
                staying.push(harness.call_with("long", long.clone()));
                harness.connection.notify("n", None).unwrap();
            }
        }
        // The first one is on its way.
        assert!(harness.write(5).starts_with("{"));
        if closes {
            harness.connection.close();
        } else {
            harness.pass(SECOND);
            staying.drain(..).step_by(2).for_each(|call| {
                harness.connection.cancel(call, None).unwrap();
            });
        }
        let lines = harness.written();
        let count = |name: &str| lines.matches(&format!("\"method\":\"{name}\"")).count();
        let long = if closes { 0 } else { 17 };
        let counts = ["long", "n", "short", "notifications/cancelled"].map(count);
        assert_eq!(counts, [long, 34, 1, 1], "{closes}");
        assert_eq!(
            lines.lines().filter(|line| serde_json::from_str::<Value>(line).is_err()).count(),
            1
        );
    }
}
