//! How long a line of ours may be, and what it may hold.

use super::*;

const LIMIT: usize = Config::MIN_FRAME_OUT;

fn small() -> Harness {
    Harness::with(|config| config.max_frame_out = LIMIT)
}

/// A JSON string that makes `frame` bytes around it `total`.
fn padded(frame: usize, total: usize) -> String {
    format!("\"{}\"", "x".repeat(total - frame - 2))
}

/// F14: a reply at the limit passes, one past it becomes an error that says so.
#[test]
fn a_reply_past_the_limit_becomes_an_error() {
    let mut harness = small();
    harness.receive(lines([request("1", "m"), request("2", "m")]));
    harness.happened();
    let frame = response("1", "").len();
    let fits = padded(frame, LIMIT);
    harness.answer("1", &fits).unwrap();
    assert_eq!(harness.written(), response("1", &fits) + "\n");
    harness.answer("2", &padded(frame, LIMIT + 1)).unwrap();
    assert_eq!(
        harness.written(),
        format!(
            r#"{{"jsonrpc":"2.0","id":2,"error":{{"code":-32603,"message":"the reply is too large","data":{{"error":"reply_too_large","size":{},"limit":{LIMIT}}}}}}}"#,
            LIMIT + 1
        ) + "\n"
    );
}

/// F14: so does a large error, and a reply so large that it is kept by reference.
#[test]
fn every_large_reply_becomes_an_error() {
    let large = Json::new(padded(0, 100_000)).unwrap();
    for outcome in [Ok(large.clone()), Err(ErrorObject::new(1, "x").with_data(large))] {
        let mut harness = small();
        harness.connection.notify("before", None).unwrap();
        harness.receive(request("1", "m"));
        harness.happened();
        harness.connection.respond(harness.token("1"), outcome).unwrap();
        harness.connection.notify("behind", None).unwrap();
        harness.expect(&["> notify before", "> error 1 -32603 reply_too_large", "> notify behind"]);
    }
}

/// F14, Q4: replies to requests that were not admitted keep to the limit, too: "busy" holds the method's name.
#[test]
fn busy_replies_keep_to_the_limit() {
    let mut harness = Harness::sharing(&Budget::new(1), |config| config.max_frame_out = LIMIT);
    harness.receive(lines([request("1", "m"), request("2", &"m".repeat(LIMIT))]));
    harness.expect(&["request 1 m", "> error 2 -32603 reply_too_large"]);
}

/// F14, I1: an error reply with the longest id fits into the smallest limit.
#[test]
fn the_longest_id_fits_into_the_smallest_limit() {
    let id = format!("\"{}\"", "\u{85}".repeat(511));
    let mut harness = small();
    harness.receive(request(&id, "m"));
    let Some(Event::Request(token, _)) = harness.connection.poll_event() else {
        panic!("an id of 1 KiB is legal")
    };
    harness.connection.respond(token, Ok(Json::new(padded(0, LIMIT)).unwrap())).unwrap();
    let written = harness.written();
    assert!(written.contains("reply_too_large") && written.len() <= LIMIT + 1, "{}", written.len());
}

/// F14: a send past the limit is refused to the caller and leaves nothing behind; at the limit it passes.
#[test]
fn a_send_past_the_limit_is_refused() {
    for held in [false, true] {
        let mut harness = small();
        if held {
            harness.connection.hold_calls();
        }
        let frame = r#"{"jsonrpc":"2.0","id":1,"method":"m","params":}"#.len();
        let params = |total| Some(Json::new(padded(frame, total)).unwrap());
        let send = |harness: &mut Harness, total| {
            harness.connection.request(harness.now, "m", params(total), CallOptions::default())
        };
        let error = SendError::TooLarge { size: LIMIT + 1, limit: LIMIT };
        assert_eq!(send(&mut harness, LIMIT + 1), Err(error));
        assert_eq!((harness.connection.calls(), harness.connection.buffered()), (0, 0));
        assert_eq!(send(&mut harness, LIMIT).map(Call::number), Ok(1));
        harness.connection.release_calls();
        assert_eq!(harness.written().len(), LIMIT + 1);
        let large = Some(Json::new(padded(0, 100_000)).unwrap());
        assert!(matches!(
            harness.connection.notify("n", large),
            Err(SendError::TooLarge { limit: LIMIT, .. })
        ));
        harness.expect(&[]);
    }
}

/// F12: whatever a handler gives, a message is one line, for any reader's idea of a line.
#[test]
fn messages_are_single_lines() {
    for size in [1, 100_000] {
        let mut harness = Harness::new();
        harness.receive(request("\"\u{2028}\"", "m"));
        let Some(Event::Request(token, _)) = harness.connection.poll_event() else {
            panic!("it is taken")
        };
        let result =
            format!("{{\r\n  \"a\u{85}\": [1,\n2], \"b\": \"{}\u{2029}\"\n}}", "x".repeat(size));
        harness.connection.respond(token, Ok(Json::new(result.clone()).unwrap())).unwrap();
        let written = harness.written();
        assert!(written.ends_with('\n') && !written[..written.len() - 1].contains(['\n', '\r']));
        assert!(written.is_ascii());
        let (read, expected): (Value, Value) =
            (serde_json::from_str(&written).unwrap(), serde_json::from_str(&result).unwrap());
        assert_eq!((&read["result"], &read["id"]), (&expected, &Value::from("\u{2028}")));
        assert!(written.contains(r#"{  "a"#), "other spaces are kept");
    }
}

/// F7, F14: limits that cannot work are refused.
#[test]
fn limits_of_zero_are_refused() {
    type Set = fn(&mut Config);
    let limits: [(&str, Set); 5] = [
        ("max_depth", |config| config.max_depth = 0),
        ("max_event_bytes", |config| config.max_event_bytes = 0),
        ("max_events", |config| config.max_events = 0),
        ("max_frame", |config| config.max_frame = 0),
        ("max_outbound", |config| config.max_outbound = 0),
    ];
    for (name, set) in limits {
        let mut config = Config::default();
        set(&mut config);
        let error = Connection::new(config, Budget::default()).map(drop);
        assert_eq!(error, Err(ConfigError::Zero(name)));
    }
    let config = Config { max_frame_out: LIMIT - 1, ..Config::default() };
    let error = Connection::new(config, Budget::default()).map(drop);
    assert_eq!(error, Err(ConfigError::FrameOutTooSmall(LIMIT - 1)));
}
