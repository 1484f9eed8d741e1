//! E8: arrays of messages.

use super::*;

fn accepting(configure: impl FnOnce(&mut Config)) -> Harness {
    let mut harness = Harness::with(configure);
    harness.connection.accept_batches();
    harness
}

fn batch<const N: usize>(items: [String; N]) -> String {
    format!("[{}]", items.join(","))
}

/// E8: the replies go out as one array, once the last item is answered, in completion order.
#[test]
fn replies_go_out_as_one_array() {
    let mut harness = accepting(|_| {});
    harness.receive(batch([request("1", "a"), notification("n"), request("2", "b")]));
    harness.receive(request("3", "c"));
    harness.expect(&["request 1 a", "notification n", "request 2 b", "request 3 c"]);
    harness.answer("2", "2").unwrap();
    harness.answer("3", "3").unwrap();
    harness.expect(&["> result 3 3"]);
    assert!(harness.connection.buffered() > 0, "waiting replies are counted");
    harness.answer("1", "1").unwrap();
    assert_eq!(harness.written(), format!("[{},{}]\n", response("2", "2"), response("1", "1")));
    assert_eq!(harness.connection.buffered(), 0);
}

/// E8: responses and cancellations in a batch run as if on lines of their own.
#[test]
fn responses_and_cancellations_are_items() {
    let mut harness = accepting(|_| {});
    harness.receive(lines([request("1", "a"), request("2", "b")]));
    harness.expect(&["request 1 a", "request 2 b"]);
    harness.call_for("1", "ask");
    harness.expect(&["> call 1 ask"]);
    harness.receive(batch([response("1", "{}"), cancel("2"), request("3", "c"), cancel("3")]));
    harness.expect(&["response 1 {}", "cancelled 2"]);
}

/// E8: cancelled items are left out, whenever they are cancelled; where none is left, nothing is written.
#[test]
fn cancelled_items_are_left_out() {
    let mut harness = accepting(|_| {});
    harness.receive(batch([request("1", "a"), request("2", "b")]));
    harness.happened();
    harness.answer("1", "1").unwrap();
    harness.receive(cancel("2"));
    harness.expect(&["cancelled 2", "> [result 1 1]"]);
    harness.receive(batch([request("3", "a"), request("4", "b")]));
    harness.happened();
    harness.receive(lines([cancel("3"), cancel("4")]));
    harness.expect(&["cancelled 3", "cancelled 4"]);
    assert_eq!(harness.connection.buffered(), harness.connection.inbound.bytes());
}

/// E8, Q8: an item that takes too long is answered in its array.
#[test]
fn items_that_take_too_long_are_answered() {
    let mut harness = accepting(|config| config.callback_timeout = Some(SECOND));
    harness.receive(batch([request("1", "a"), request("2", "b")]));
    harness.happened();
    harness.answer("2", "2").unwrap();
    harness.pass(SECOND);
    harness.expect(&["cancelled 1", "> [result 2 2, error 1 -32603 callback_timeout]"]);
}

/// E8: at the end of the grace the replies that are there go out; none there: nothing.
#[test]
fn the_grace_ends_batches() {
    let mut harness = accepting(|_| {});
    harness.receive(batch([request("1", "a"), request("2", "b")]));
    harness.receive(batch([request("3", "a")]));
    harness.happened();
    harness.answer("1", "1").unwrap();
    harness.eof();
    harness.expect(&[]);
    harness.pass(SECOND);
    harness.expect(&["cancelled 2", "cancelled 3", "> [result 1 1]", "closed Eof"]);
}

/// E8: closing ends them, too; an end at once writes nothing.
#[test]
fn closing_ends_batches() {
    for abort in [false, true] {
        let mut harness = accepting(|_| {});
        harness.receive(batch([request("1", "a"), request("2", "b")]));
        harness.happened();
        harness.answer("1", "1").unwrap();
        if abort {
            harness.connection.abort(Closed::Dropped);
            harness.expect(&["cancelled 2", "closed Dropped"]);
        } else {
            harness.connection.close();
            harness.expect(&["cancelled 2", "> [result 1 1]", "closed Local"]);
        }
        harness.release("2");
        harness.expect_nothing_kept();
    }
}

/// X2, E8: a client whose writes fail writes no array any more.
#[test]
fn a_write_error_drops_waiting_replies() {
    let mut harness = accepting(|config| config.role = Role::Client);
    harness.receive(batch([request("1", "a"), request("2", "b")]));
    harness.happened();
    harness.answer("1", "1").unwrap();
    harness.connection.handle_write_error(harness.now, std::io::ErrorKind::BrokenPipe);
    harness.receive(batch([request("3", "a")]));
    harness.expect(&["cancelled 2"]);
    harness.release("2");
    assert_eq!(harness.connection.buffered(), 0);
}

/// E8, F14: an array past `max_frame_out` goes out as single lines; an item past it becomes an error.
#[test]
fn arrays_past_the_limit_go_out_as_lines() {
    let limit = Config::MIN_FRAME_OUT;
    let frame = response("1", "").len();
    let sized = |total: usize| format!("\"{}\"", "x".repeat(total - frame - 2));
    let answered = |one: usize, two: usize| {
        let mut harness = accepting(|config| config.max_frame_out = limit);
        harness.receive(batch([request("1", "a"), request("2", "b")]));
        harness.happened();
        harness.answer("1", &sized(one)).unwrap();
        harness.answer("2", &sized(two)).unwrap();
        assert_eq!(harness.connection.batches.bytes(), 0);
        harness.written()
    };
    // Two brackets and a comma.
    let fits = answered(100, limit - 103);
    assert_eq!((fits.len(), fits.lines().count()), (limit + 1, 1));
    let lines = answered(100, limit - 102);
    assert_eq!(
        lines,
        format!("{}\n{}\n", response("1", &sized(100)), response("2", &sized(limit - 102)))
    );
    let replaced = answered(100, limit + 1);
    assert!(replaced.starts_with('[') && replaced.contains("reply_too_large"));
}

/// E8: items that are no messages are answered in the array where their sender can be told, else left out.
#[test]
fn bad_items_are_answered_in_the_array() {
    let mut harness = accepting(|_| {});
    let items = [
        r#"{"id":1}"#.to_owned(),
        "7".into(),
        batch([request("2", "m")]),
        r#"{"jsonrpc":"2.0","id":3,"method":"m","params":7}"#.into(),
        "[]".into(),
    ];
    harness.receive(batch(items));
    harness.expect(&[
        "fault NotMessage",
        "fault NotMessage",
        "fault NotMessage",
        "fault BadParams",
        "fault NotMessage",
        "> [error 1 -32600, error 3 -32602]",
    ]);
    let mut harness = accepting(|config| config.unattributed = Unattributed::NullId);
    harness.receive(batch(["1".into(), request("1", "ping")]));
    harness.expect(&["fault NotMessage", "request 1 ping"]);
    harness.answer("1", "{}").unwrap();
    harness.expect(&["> [error null -32600, result 1 {}]"]);
}

/// E8, M4: an item that is an invalid response ends its call.
#[test]
fn an_invalid_response_in_a_batch_ends_its_call() {
    let mut harness = accepting(|_| {});
    harness.call("a");
    harness.written();
    harness.receive(batch([r#"{"jsonrpc":"2.0","id":1}"#.into()]));
    harness.expect(&["response 1 InvalidResponse(NotMessage)", "fault NotMessage"]);
}

/// E8: an array that needs no answer gets none.
#[test]
fn notifications_alone_are_not_answered() {
    let mut harness = accepting(|_| {});
    harness.receive(batch([notification("a"), notification("b")]));
    harness.expect(&["notification a", "notification b"]);
    assert!(harness.connection.batches.bytes() == 0);
}

/// E8: `initialize` cannot be part of a batch.
#[test]
fn initialize_in_a_batch_is_refused() {
    let mut harness = accepting(|_| {});
    harness.receive(batch([request("1", "initialize"), request("2", "ping")]));
    harness.expect(&["request 2 ping"]);
    harness.answer("2", "{}").unwrap();
    harness.expect(&["> [error 1 -32600, result 2 {}]"]);
}

/// E8, M3: an empty array, or a batch where none is accepted, is one invalid message; no item runs.
#[test]
fn batches_where_none_is_accepted_are_one_invalid_message() {
    for unattributed in [Unattributed::Silent, Unattributed::NullId] {
        let mut harness = Harness::with(|config| config.unattributed = unattributed);
        let answers: &[&str] = match unattributed {
            Unattributed::NullId => &["fault Batch", "> error null -32600"],
            _ => &["fault Batch"],
        };
        for line in ["[]", "[1]", &batch([request("1", "m"), request("2", "m")])] {
            harness.receive(line);
            harness.expect(answers);
        }
        harness.connection.accept_batches();
        harness.receive("[ ]");
        harness.expect(answers);
        harness.receive(batch([notification("n")]));
        harness.expect(&["notification n"]);
        harness.connection.refuse_batches();
        harness.receive(batch([notification("n")]));
        harness.expect(answers);
    }
}

/// E8, E7: an array that is not JSON is no batch, and nothing in it runs.
#[test]
fn a_broken_array_is_one_fault() {
    let mut harness = accepting(|_| {});
    harness.receive(format!("[{},", request("1", "m")));
    harness.receive(format!("[{}] x", request("1", "m")));
    harness.expect(&["fault NotJson", "fault NotJson"]);
}

/// E8, Q4, I4: items are admitted like lines: busy ones and repeated ids are answered in the array.
#[test]
fn items_are_admitted_like_lines() {
    let mut harness = Harness::sharing(&Budget::new(1), |_| {});
    harness.connection.accept_batches();
    harness.receive(batch([request("1", "a"), request("1", "a"), request("2", "b")]));
    harness.expect(&["request 1 a"]);
    harness.answer("1", "{}").unwrap();
    harness.expect(&["> [error 1 -32600, error 2 -32603 server_busy, result 1 {}]"]);
}

/// E8, M2: a batch of more messages than allowed is one invalid message, and none of it runs.
#[test]
fn a_batch_holds_so_many_messages() {
    let mut harness = accepting(|config| {
        config.max_batch = 2;
        config.unattributed = Unattributed::OmitId;
    });
    harness.receive(batch([request("1", "a"), request("2", "b")]));
    harness.expect(&["request 1 a", "request 2 b"]);
    harness.receive(batch([request("3", "a"), request("4", "b"), request("5", "c")]));
    harness.expect(&["fault Batch", "> error -32600"]);
}
