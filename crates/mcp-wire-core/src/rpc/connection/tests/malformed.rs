//! Lines that are no messages. No such line ends a connection.

use super::*;

/// A server gets `line`; the lines that it writes are `expected`; a request behind it is taken.
#[track_caller]
fn check(line: impl AsRef<[u8]>, fault: &str, expected: &[&str]) {
    let mut harness = Harness::with(|config| {
        config.max_depth = 8;
        config.max_frame = 200;
    });
    harness.receive([line.as_ref(), b"\n", request("99", "ping").as_bytes()].concat());
    harness.expect_events(&[&format!("fault {fault}"), "request 99 ping"]);
    harness.expect(expected);
}

fn deep(levels: usize) -> String {
    format!("{}{}", "[".repeat(levels), "]".repeat(levels))
}

/// M2: where a legal id and a method were read before the fault, the sender is answered, by what is wrong.
#[test]
fn senders_are_answered_where_they_can_be_told() {
    check(
        r#"{"jsonrpc":"2.0","id":3,"method":"m","params":{x}}"#,
        "NotJson",
        &["> error 3 -32700"],
    );
    check(
        r#"{"jsonrpc":"2.0","id":3,"method":"m","params":{"a":NaN}}"#,
        "NotJson",
        &["> error 3 -32700"],
    );
    check(r#"{"jsonrpc":"2.0","id":3,"method":"m"} x"#, "NotJson", &["> error 3 -32700"]);
    check(
        b"{\"jsonrpc\":\"2.0\",\"id\":3,\"method\":\"m\",\"params\":{\"a\":\"\xFF\"}}",
        "NotUtf8",
        &["> error 3 -32700"],
    );
    check(
        b"{\"params\":{\"a\":\"\xC3\x28\"},\"jsonrpc\":\"2.0\",\"id\":3,\"method\":\"m\"}",
        "NotUtf8",
        &["> error 3 -32700"],
    );
    let long = "x".repeat(200);
    check(
        format!(r#"{{"jsonrpc":"2.0","id":3,"method":"m","params":{{"a":"{long}"}}}}"#),
        "Oversize",
        &["> error 3 -32600"],
    );
    check(
        format!(r#"{{"jsonrpc":"2.0","id":3,"method":"m","params":{{"a":{}}}}}"#, deep(9)),
        "TooDeep",
        &["> error 3 -32600"],
    );
    check(
        format!(r#"{{"params":{{"a":{}}},"jsonrpc":"2.0","id":3,"method":"m"}}"#, deep(9)),
        "TooDeep",
        &["> error 3 -32600"],
    );
    check(
        r#"{"jsonrpc":"2.0","id":3,"method":"m","params":[1]}"#,
        "BadParams",
        &["> error 3 -32602"],
    );
    check(r#"{"id":3,"method":"m"}"#, "NotMessage", &["> error 3 -32600"]);
}

/// M2: an id is never guessed.
#[test]
fn ids_are_never_guessed() {
    let silent: &[&str] = &[];
    check("hello", "NotJson", silent);
    check("{bad", "NotJson", silent);
    check(b"\xFF\xFE", "NotUtf8", silent);
    check(r#"{"jsonrpc":"2.0","id":3,"params":{x}}"#, "NotJson", silent);
    check(r#"{"jsonrpc":"2.0","params":{"id":3,"method":"m"},"x":}"#, "NotJson", silent);
    check(r#"{"jsonrpc":"2.0","id":1,"id":2,"method":"m"}"#, "NotMessage", silent);
    check(r#"{"jsonrpc":"2.0","id":1,"id":1,"method":"m"}"#, "NotMessage", silent);
    check(r#"{"jsonrpc":"2.0","id":3"#, "NotJson", silent);
    check(b"{\"jsonrpc\":\"2.0\",\"id\":\"\xFF\",\"method\":\"m\"}", "NotUtf8", silent);
    // A request that an aborted write has cut off, and one glued to it: the second id is not at the top level.
    check(format!(r#"{{"jsonrpc":"2.0","id":5,"meth{}"#, request("6", "ping")), "NotJson", silent);
    let long = "x".repeat(200);
    check(format!(r#"{{"params":"{long}","id":3,"method":"m"}}"#), "Oversize", silent);
    check("Content-Length: 46", "ContentLength", silent);
    check("[]", "Batch", silent);
    check(format!("[{}]", request("1", "m")), "Batch", silent);
    check("7", "NotMessage", silent);
}

/// M2, M5: what has a result or an error is never answered.
#[test]
fn responses_are_never_answered() {
    let silent: &[&str] = &[];
    check(r#"{"jsonrpc":"2.0","id":3,"method":"m","result":1}"#, "NotMessage", silent);
    check(r#"{"jsonrpc":"2.0","id":3,"method":"m","error":1}"#, "NotMessage", silent);
    check(r#"{"jsonrpc":"2.0","id":3,"result":1,"error":1}"#, "NotMessage", silent);
    check(r#"{"jsonrpc":"2.0","id":3,"result":x"#, "NotJson", silent);
    check(r#"{"jsonrpc":"2.0","id":3,"error":"x"}"#, "NotMessage", silent);
    check(r#"{"jsonrpc":"2.0","id":4242,"result":{}}"#, "UnknownResponse", silent);
}

/// M2, I4: a bad line with the id of a request in flight is not answered, or that one would be answered twice.
#[test]
fn a_bad_line_with_an_id_in_flight_is_not_answered() {
    let mut harness = Harness::new();
    harness.receive(request("3", "m"));
    harness.receive(r#"{"jsonrpc":"2.0","id":3,"method":"m","params":7}"#);
    harness.receive(r#"{"id":3}"#);
    harness.expect(&["request 3 m", "fault BadParams", "fault NotMessage"]);
    harness.answer("3", "{}").unwrap();
    harness.expect(&["> result 3 {}"]);
}

/// M3: lines without an id are answered by nothing, or in the shape that was chosen.
#[test]
fn unattributed_lines_are_answered_by_choice() {
    for (unattributed, start) in [
        (Unattributed::Silent, ""),
        (Unattributed::NullId, r#"{"jsonrpc":"2.0","id":null,"error":{"code":-32700,"#),
        (Unattributed::OmitId, r#"{"jsonrpc":"2.0","error":{"code":-32700,"#),
    ] {
        let mut harness = Harness::with(|config| config.unattributed = unattributed);
        harness.receive("{bad");
        harness.expect_events(&["fault NotJson"]);
        let written = harness.written();
        assert!(written.starts_with(start) && written.is_empty() == start.is_empty(), "{written}");
    }
}

/// M4: a client answers no bad line, and no pending call minds it.
#[test]
fn a_client_answers_no_bad_line() {
    let mut harness = Harness::with(|config| {
        config.role = Role::Client;
        config.unattributed = Unattributed::NullId;
    });
    harness.call("a");
    harness.written();
    let junk = [
        &b"Server running on stdio"[..],
        b"\xFF\xFE",
        br#"{"id":1,"level":"info","message":"log lines look like this"}"#,
        br#"{"id":1,"result":{}}"#,
        br#"{"id":3,"method":"m"}"#,
        br#"{"jsonrpc":"2.0","id":1,"method":7}"#,
        b"[]",
    ];
    for line in junk {
        harness.receive(line);
        assert!(matches!(&harness.happened()[..], [fault] if fault.starts_with("fault ")));
    }
    harness.receive(response("1", "{}"));
    harness.expect(&["response 1 {}"]);
}

/// M4: a line with a pending id that is no valid response ends that call at once, in both roles.
#[test]
fn an_invalid_response_ends_its_call() {
    let long = "x".repeat(200);
    let invalid = [
        (r#"{"jsonrpc":"2.0","id":1}"#.to_owned(), "NotMessage"),
        (r#"{"jsonrpc":"2.0","id":1,"error":"x"}"#.to_owned(), "NotMessage"),
        (r#"{"jsonrpc":"2.0","id":1,"error":{"code":"1","message":"x"}}"#.to_owned(), "NotMessage"),
        (r#"{"jsonrpc":"2.0","id":1,"error":{"code":1}}"#.to_owned(), "NotMessage"),
        (
            r#"{"jsonrpc":"2.0","id":1,"result":1,"error":{"code":1,"message":""}}"#.to_owned(),
            "NotMessage",
        ),
        (r#"{"jsonrpc":"2.0","id":1,"result":1,"result":2}"#.to_owned(), "NotMessage"),
        (format!(r#"{{"jsonrpc":"2.0","id":1,"result":{}}}"#, deep(9)), "TooDeep"),
        (format!(r#"{{"jsonrpc":"2.0","id":1,"result":"{long}"}}"#), "Oversize"),
        (r#"{"jsonrpc":"2.0","id":1,"result":x}"#.to_owned(), "NotJson"),
    ];
    for role in [Role::Client, Role::Server] {
        for (line, kind) in &invalid {
            let mut harness = Harness::with(|config| {
                config.role = role;
                config.max_depth = 8;
                config.max_frame = 200;
            });
            harness.call("a");
            harness.call("b");
            harness.written();
            harness.receive(line);
            harness.expect(&[
                &format!("response 1 InvalidResponse({kind})"),
                &format!("fault {kind}"),
            ]);
            assert_eq!(harness.connection.calls(), 1);
        }
    }
    let mut harness = Harness::client();
    harness.call("a");
    harness.written();
    harness.receive(b"{\"jsonrpc\":\"2.0\",\"id\":1,\"result\":\"\xFF\"}");
    harness.expect(&["response 1 InvalidResponse(NotUtf8)", "fault NotUtf8"]);
}

/// M6: an object with nothing but an id is answered, unless the id is of a call of ours.
#[test]
fn an_object_with_nothing_but_an_id_is_answered() {
    check(r#"{"jsonrpc":"2.0","id":3}"#, "NotMessage", &["> error 3 -32600"]);
    check(r#"{"id":"x"}"#, "NotMessage", &[r#"> error "x" -32600"#]);
    let mut harness = Harness::new();
    harness.call("a");
    harness.receive(r#"{"jsonrpc":"2.0","id":1}"#);
    harness.expect(&["response 1 InvalidResponse(NotMessage)", "fault NotMessage", "> call 1 a"]);
}

/// F5: a fault holds up nothing of its chunk.
#[test]
fn good_lines_around_a_bad_one_are_taken() {
    let mut harness = Harness::new();
    harness.receive(lines([request("41", "a"), "{bad".to_owned(), request("42", "b")]));
    harness.expect(&["request 41 a", "fault NotJson", "request 42 b"]);
}

/// F7: a message of its own framing is refused past the limit, like a line; at the limit it passes.
#[test]
fn messages_of_another_framing_have_the_same_limit() {
    let line = request("1", "m");
    for (max_frame, expected) in [(line.len(), "request 1 m"), (line.len() - 1, "fault Oversize")] {
        let mut harness = Harness::with(|config| config.max_frame = max_frame);
        harness.connection.handle_message(harness.now, line.as_bytes());
        assert_eq!(harness.happened(), [expected]);
    }
}

/// E3: no depth costs stack.
#[test]
fn depth_costs_no_stack() {
    let deep = deep(200_000);
    let line = |params: &str| {
        format!(r#"{{"jsonrpc":"2.0","id":1,"method":"m","params":{{"a":{params}}}}}"#)
    };
    let mut harness = Harness::new();
    harness.connection.accept_batches();
    harness.receive(line(&deep));
    harness.receive(&deep);
    harness.expect(&["fault TooDeep", "fault TooDeep", "> error 1 -32600"]);
}
