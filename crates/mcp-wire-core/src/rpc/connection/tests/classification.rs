//! What a line is, and that what is no request is never answered.

use super::*;

/// E4: shape comes before ids: a request with the id of a call of ours is a request.
#[test]
fn a_request_with_a_pending_id_is_a_request() {
    let mut harness = Harness::new();
    harness.call("roots/list");
    harness.receive(request("1", "tools/list"));
    harness.expect(&["request 1 tools/list", "> call 1 roots/list"]);
    assert_eq!((harness.connection.calls(), harness.connection.in_flight()), (1, 1));
}

/// E4, E5: whatever the envelope lacks, its sender is told, by its id.
#[test]
fn requests_without_a_valid_envelope_are_refused() {
    let refused = [
        r#"{"id":3,"method":"ping"}"#,
        r#"{"jsonrpc":"1.0","id":3,"method":"ping"}"#,
        r#"{"jsonrpc":2.0,"id":3,"method":"ping"}"#,
        r#"{"jsonrpc":null,"id":3,"method":"ping"}"#,
        r#"{"JSONRPC":"2.0","id":3,"method":"ping"}"#,
        r#"{"jsonrpc":"2.0","id":3,"method":7}"#,
        r#"{"jsonrpc":"2.0","id":3,"method":"a","method":"b"}"#,
        r#"{"jsonrpc":"2.0","id":3,"Method":"a"}"#,
        r#"{"jsonrpc":"2.0","id":3,"method":"a","params":{},"params":{}}"#,
    ];
    for line in refused {
        let mut harness = Harness::new();
        harness.receive(line);
        harness.receive(request("4", "ping"));
        harness.expect(&["fault NotMessage", "request 4 ping", "> error 3 -32600"]);
    }
}

/// E4: keys and methods compare after unescaping, and the order of keys does not matter.
#[test]
fn escaped_names_are_the_same_names() {
    let mut harness = Harness::new();
    harness.receive(r#"{"m\u0065thod":"tools\/call","params":{},"id":1,"jsonrpc":"\u0032.0"}"#);
    harness.expect(&["request 1 tools/call"]);
    harness.receive(
        r#"{"params":{"r\u0065questId":1},"method":"notifications\/cancelled","jsonrpc":"2.0"}"#,
    );
    harness.expect(&["cancelled 1"]);
}

/// E6: params are an object, absent, or `null`, which is as absent; else the answer is `-32602`.
#[test]
fn params_are_an_object() {
    let mut harness = Harness::new();
    let line =
        |params: &str| format!(r#"{{"jsonrpc":"2.0","id":1,"method":"m","params":{params}}}"#);
    for params in ["7", "[1]", r#""x""#, "true"] {
        harness.receive(line(params));
        harness.expect(&["fault BadParams", "> error 1 -32602"]);
    }
    harness.receive(line("null"));
    let Some(Event::Request(_, request)) = harness.connection.poll_event() else {
        panic!("it is taken")
    };
    assert_eq!(request.params(), None);
    assert_eq!(request.into_params(), Json::empty_object());
}

/// M5, E6: a notification is never answered, whatever is wrong with it, and whatever is done about lines without an id.
#[test]
fn notifications_are_never_answered() {
    for unattributed in [Unattributed::Silent, Unattributed::NullId, Unattributed::OmitId] {
        let mut harness = Harness::with(|config| config.unattributed = unattributed);
        harness.receive(notification("notifications/roots/list_changed"));
        harness.receive(notification("_x/y"));
        harness.receive(r#"{"jsonrpc":"2.0","method":"n","params":7}"#);
        harness.receive(r#"{"jsonrpc":"1.0","method":"n"}"#);
        harness.receive(r#"{"method":"n"}"#);
        harness.receive(r#"{"jsonrpc":"2.0","method":"tools/call","params":{"name":"x"}}"#);
        harness.expect(&[
            "notification notifications/roots/list_changed",
            "notification _x/y",
            "fault BadParams",
            "fault NotMessage",
            "fault NotMessage",
            "notification tools/call",
        ]);
    }
}

/// I2: an id that is none makes the request invalid: it is not run, and not taken for a notification.
#[test]
fn requests_with_a_bad_id_are_not_run() {
    let mut harness = Harness::with(|config| config.unattributed = Unattributed::NullId);
    let long = format!("\"{}\"", "x".repeat(1100));
    for id in ["null", "1.5", "1e3", "true", "[1]", "{}", r#""\ud800""#, &long] {
        for method in ["tools/call", "notifications/x"] {
            harness.receive(request(id, method));
            harness.expect(&["fault BadId", "> error null -32600"]);
        }
    }
}

/// F9: the last line of the input needs no line end where it is a whole JSON text; else it is one fault.
#[test]
fn the_last_line_may_lack_its_end() {
    let mut harness = Harness::new();
    harness.receive_unterminated(request("1", "m"));
    harness.eof();
    harness.expect(&["request 1 m"]);
    harness.answer("1", "{}").unwrap();
    harness.expect(&["> result 1 {}", "closed Eof"]);
    for (rest, fault) in [
        (r#"{"jsonrpc":"2.0","id":1,"meth"#, "fault Truncated"),
        ("\u{e9}\"", "fault Truncated"),
        ("{}", "fault NotMessage"),
        ("[]", "fault Batch"),
    ] {
        let mut harness = Harness::new();
        harness.receive_unterminated(rest);
        harness.eof();
        harness.expect(&[fault, "closed Eof"]);
    }
    let mut harness = Harness::new();
    harness.receive_unterminated(&b"\xC3"[..]);
    harness.eof();
    harness.expect(&["fault Truncated", "closed Eof"]);
}

/// M2, F9: a request that was cut off at the end of input is answered where its id and method were seen.
#[test]
fn a_request_that_was_cut_off_is_answered() {
    let mut harness = Harness::new();
    harness.receive_unterminated(r#"{"jsonrpc":"2.0","id":1,"method":"m","params":{"#);
    harness.eof();
    harness.expect(&["fault Truncated", "> error 1 -32700", "closed Eof"]);
}
