use super::*;
use serde_json::value::RawValue;

fn read(line: &[u8]) -> Result<Message, Box<Fault>> {
    Message::read(line, &Rules::default())
}

fn request(line: &str) -> Request {
    match read(line.as_bytes()) {
        Ok(Message::Request(request)) => request,
        other => panic!("{line} should be a request, not {other:?}"),
    }
}

fn response(line: &str) -> Response {
    match read(line.as_bytes()) {
        Ok(Message::Response(response)) => response,
        other => panic!("{line} should be a response, not {other:?}"),
    }
}

fn fault(line: impl AsRef<[u8]>) -> Fault {
    let line = line.as_ref();
    match read(line) {
        Err(fault) => *fault,
        Ok(message) => panic!("{} should be a fault, not {message:?}", line.escape_ascii()),
    }
}

fn kind(line: impl AsRef<[u8]>) -> FaultKind {
    fault(line).kind()
}

fn echoed(id: &Id) -> String {
    id.to_string()
}

/// E1: bytes that are not UTF-8 fault their line alone, whatever is wrong with them, and are never repaired.
#[test]
fn invalid_utf8_is_a_fault() {
    for bad in
        [&b"\xFF"[..], b"\xC3\x28", b"\xC0\xAF", b"\xED\xA0\x80", b"\xF5\x80\x80\x80", b"\xE2\x82"]
    {
        let line =
            [br#"{"jsonrpc":"2.0","id":1,"method":"x","params":{"p":""#, bad, br#""}}"#].concat();
        let fault = fault(&line);
        assert_eq!((fault.kind(), fault.id()), (FaultKind::NotUtf8, Some(&Id::number(1))));
    }
    assert_eq!(kind(b"\xFF\xFE"), FaultKind::NotUtf8);
    assert_eq!(fault(b"{\"id\":\"\xFF\",\"method\":\"x\"}").id(), None, "an id is never guessed");
}

/// E2: payload is kept byte for byte.
#[test]
fn payload_is_kept_verbatim() {
    let params = r#"{ "n":1.000000000000000000001e400, "z":1,"a":2,"a":3, "s":"\u0000\ud800\/" }"#;
    let line = format!(r#"{{"jsonrpc":"2.0","id":1,"method":"x","params":{params}}}"#);
    assert_eq!(request(&line).params(), Some(params));
    assert_eq!(request(&line).into_params().as_str(), params);
    let line = format!(r#"{{"result":{params},"id":1,"jsonrpc":"2.0"}}"#);
    assert_eq!(response(&line).outcome().map(Json::as_str), Ok(params));
    let line = format!(
        r#"{{"jsonrpc":"2.0","id":1,"error":{{"code":-1,"message":"m","data":{params}}}}}"#
    );
    let error = response(&line).into_outcome().expect_err("an error");
    assert_eq!(error.data.expect("data").as_str(), params);
}

/// E3: nesting costs no stack, and past the bound the id is kept.
#[test]
fn nesting_is_bounded_without_recursion() {
    let nested = |levels: usize| {
        let (open, close) = ("[".repeat(levels), "]".repeat(levels));
        format!(r#"{{"jsonrpc":"2.0","id":1,"method":"x","params":{{"p":{open}{close}}}}}"#)
    };
    assert_eq!(request(&nested(510)).size(), nested(510).len());
    for levels in [511, 200_000] {
        let fault = fault(nested(levels));
        assert_eq!((fault.kind(), fault.id()), (FaultKind::TooDeep, Some(&Id::number(1))));
    }
    let unlimited = Rules { max_depth: usize::MAX, ..Rules::default() };
    assert!(Message::read(nested(200_000).into_bytes(), &unlimited).is_ok());
    assert!(Json::new("[".repeat(100_000)).is_err());
    let mixed = r#"[{"a":"#.repeat(1000) + "1" + &"}]".repeat(1000);
    assert!(Json::new(mixed.clone()).is_ok());
    assert!(Json::new(mixed.replacen("}]", "]}", 1)).is_err());
}

/// E4: the envelope is judged by presence and shape.
#[test]
fn shape_decides() {
    assert_eq!(
        request(r#"{"jsonrpc":"2.0","id":1,"method":"tools\/call"}"#).method(),
        "tools/call"
    );
    assert_eq!(request(r#"{"json\u0072pc":"2.0","i\u0064":1,"method":"x"}"#).method(), "x");
    assert_eq!(request(r#"{"jsonrpc":"\u0032.0","id":1,"method":"x"}"#).method(), "x");
    assert_eq!(
        request(r#"{"method":"x","id":1,"extra":{"id":2},"jsonrpc":"2.0"}"#).id(),
        &Id::number(1)
    );
    assert_eq!(
        response(r#"{"jsonrpc":"2.0","id":1,"result":null}"#).outcome().map(Json::as_str),
        Ok("null")
    );
    assert!(matches!(read(br#"{"jsonrpc":"2.0","method":"x"}"#), Ok(Message::Notification(_))));
    for (line, expected) in [
        (r#"{"id":1,"method":"x"}"#, FaultKind::NotMessage),
        (r#"{"jsonrpc":"1.0","id":1,"method":"x"}"#, FaultKind::NotMessage),
        (r#"{"jsonrpc":2.0,"id":1,"method":"x"}"#, FaultKind::NotMessage),
        (r#"{"jsonrpc":"2.0","id":1,"Method":"x"}"#, FaultKind::NotMessage),
        (r#"{"jsonrpc":"2.0","id":1,"method":7}"#, FaultKind::NotMessage),
        (r#"{"jsonrpc":"2.0","id":1}"#, FaultKind::NotMessage),
        (r#"{"jsonrpc":"2.0","id":1,"method":"x","result":1}"#, FaultKind::NotMessage),
        (
            r#"{"jsonrpc":"2.0","id":1,"result":1,"error":{"code":1,"message":""}}"#,
            FaultKind::NotMessage,
        ),
        (r#"{"jsonrpc":"2.0","id":1,"error":"x"}"#, FaultKind::NotMessage),
        (r#"{"jsonrpc":"2.0","id":1,"error":{"code":"1","message":""}}"#, FaultKind::NotMessage),
        (r#"{"jsonrpc":"2.0","id":1,"error":{"code":1.5,"message":""}}"#, FaultKind::NotMessage),
        (r#"{"jsonrpc":"2.0","id":1,"error":{"code":1}}"#, FaultKind::NotMessage),
        (r#"{"jsonrpc":"2.0","result":1}"#, FaultKind::NotMessage),
        (
            r#"{"jsonrpc":"2.0","id":null,"error":{"code":1,"message":""}}"#,
            FaultKind::ErrorWithoutId,
        ),
        (r#"{"jsonrpc":"2.0","error":{"code":1,"message":""}}"#, FaultKind::ErrorWithoutId),
        ("7", FaultKind::NotMessage),
        ("[]", FaultKind::Batch),
        (r#"[{"jsonrpc":"2.0","id":1,"method":"x"}]"#, FaultKind::Batch),
    ] {
        assert_eq!(kind(line), expected, "{line}");
    }
}

/// E5: a repeated envelope key spoils the message; a repeated id is not recovered, unknown keys may repeat.
#[test]
fn repeated_keys_spoil_the_message() {
    let twice = fault(r#"{"jsonrpc":"2.0","id":1,"id":2,"method":"x"}"#);
    assert_eq!((twice.kind(), twice.id()), (FaultKind::NotMessage, None));
    let twice = fault(r#"{"jsonrpc":"2.0","id":1,"method":"x","m\u0065thod":"y"}"#);
    assert_eq!((twice.kind(), twice.id()), (FaultKind::NotMessage, Some(&Id::number(1))));
    request(r#"{"jsonrpc":"2.0","id":1,"method":"x","z":1,"z":2,"Id":3}"#);
}

/// E6: params are absent, null or an object.
#[test]
fn params_are_an_object_or_nothing() {
    assert_eq!(request(r#"{"jsonrpc":"2.0","id":1,"method":"x"}"#).params(), None);
    assert_eq!(request(r#"{"jsonrpc":"2.0","id":1,"method":"x","params":null}"#).params(), None);
    for params in ["[]", "7", "\"s\"", "true"] {
        let fault = fault(format!(r#"{{"jsonrpc":"2.0","id":1,"method":"x","params":{params}}}"#));
        assert_eq!((fault.kind(), fault.id()), (FaultKind::BadParams, Some(&Id::number(1))));
        assert_eq!(fault.answer().code, -32602);
    }
    let plain = Rules { params: Params::ObjectOrArray, ..Rules::default() };
    assert!(
        Message::read(&br#"{"jsonrpc":"2.0","id":1,"method":"x","params":[1]}"#[..], &plain)
            .is_ok()
    );
}

/// E7: what is not JSON is not read as JSON.
#[test]
fn json_is_checked_to_the_letter() {
    for value in [
        "NaN",
        "-Infinity",
        "\"\u{1}\"",
        "\"a\0\"",
        "01",
        "1.",
        ".5",
        "1e",
        "-",
        "+1",
        "tru",
        "\"\\x\"",
        "\"\\u12g4\"",
        "[1,]",
        "{\"a\"}",
        "{\"a\":1,}",
        "{a:1}",
        "'a'",
        "\"",
        "[",
        "[1 2]",
        "1 2",
    ] {
        let line = format!(r#"{{"jsonrpc":"2.0","method":"x","id":1,"params":{{"v":{value}}}}}"#);
        assert_eq!(kind(&line), FaultKind::NotJson, "{line}");
        assert!(Json::new(value.to_owned()).is_err(), "{value}");
    }
    assert_eq!(kind(r#"{"jsonrpc":"2.0","id":1,"method":"x"} x"#), FaultKind::NotJson);
    assert_eq!(kind(""), FaultKind::NotJson);
}

/// F11: a header of the other framing is named.
#[test]
fn language_server_framing_is_named() {
    assert_eq!(kind("Content-Length: 46"), FaultKind::ContentLength);
    assert_eq!(kind("content-length:46"), FaultKind::ContentLength);
}

/// I1: ids are echoed exactly.
#[test]
fn ids_are_echoed_exactly() {
    let long = format!("\"{}\"", "x".repeat(MAX_ID_BYTES - 2));
    for id in [
        "1",
        "\"1\"",
        "0",
        "\"\"",
        "-1",
        "-0",
        "9007199254740993",
        "18446744073709551615",
        "123456789012345678901234567890",
        "\"null\"",
        "\"a\\\"\\\\\u{1F600}\"",
        &long,
    ] {
        let line = format!(r#"{{"jsonrpc":"2.0","id":{id},"method":"x"}}"#);
        assert_eq!(echoed(request(&line).id()), id);
    }
    let id = request(r#"{"jsonrpc":"2.0","id":"\ud83c\udf78\/\u0000","method":"x"}"#).id;
    assert_eq!(id.as_str(), Some("\u{1F378}/\0"));
    assert_eq!(echoed(&id), "\"\u{1F378}/\\u0000\"");
}

/// I2: other ids are refused on requests.
#[test]
fn other_ids_are_refused() {
    let long = "1".repeat(MAX_ID_BYTES + 1);
    for id in ["null", "1.5", "1e3", "1.0", "true", "[1]", "{}", "\"\\ud800\"", &long] {
        let fault = fault(format!(r#"{{"jsonrpc":"2.0","id":{id},"method":"x"}}"#));
        assert_eq!((fault.kind(), fault.id()), (FaultKind::BadId, None), "{id}");
    }
    let plain = Rules { ids: IdRules::StringIntegerOrNull, ..Rules::default() };
    assert!(Message::read(&br#"{"jsonrpc":"2.0","id":null,"method":"x"}"#[..], &plain).is_ok());
}

/// I3: ids compare by type and value.
#[test]
fn ids_compare_by_type_and_value() {
    let id = |text: &str| request(&format!(r#"{{"jsonrpc":"2.0","id":{text},"method":"x"}}"#)).id;
    assert_ne!(id("5"), id("\"5\""));
    assert_eq!(id("\"a\""), id("\"\\u0061\""));
    assert_eq!(id("99999999999999999999"), id("99999999999999999999"));
}

/// M1: an excerpt is short and safe to log.
#[test]
fn an_excerpt_is_short_and_safe() {
    let fault = fault([&b"\x1B[31m\n\xFF"[..], &[b'x'; 500]].concat());
    assert!(fault.excerpt().starts_with("\\u{1b}[31m\\n\u{FFFD}"));
    assert!(fault.excerpt().len() < 200);
    assert_eq!(fault.size(), 507);
}

/// M2: an id is recovered only where it is complete, and seen before the first syntax error.
#[test]
fn an_id_is_recovered_but_never_guessed() {
    let recovered = |line: &str| {
        let fault = fault(line);
        (fault.id().map(echoed), fault.seen().method)
    };
    assert_eq!(
        recovered(r#"{"jsonrpc":"2.0","id":5,"method":"x","params":{"a":"#),
        (Some("5".into()), true)
    );
    assert_eq!(recovered(r#"{"jsonrpc":"2.0","id":5,"method":"x""#), (Some("5".into()), true));
    assert_eq!(recovered(r#"{"jsonrpc":"2.0","id":5,"method":"x"]"#), (Some("5".into()), true));
    assert_eq!(recovered(r#"{"jsonrpc":"2.0","id":5,"method":"x"#), (Some("5".into()), false));
    assert_eq!(recovered(r#"{"method":"x","id":"a""#), (Some("\"a\"".into()), true));
    assert_eq!(recovered(r#"{"method":"x","id":5 "#), (None, true));
    assert_eq!(recovered(r#"{"jsonrpc":"2.0","id":5"#), (None, false));
    assert_eq!(recovered(r#"{"jsonrpc":"2.0","id":5x,"method":"x"}"#), (None, false));
    assert_eq!(recovered(r#"{"params":{"id":5,"method":"x"},"#), (None, false));
    assert_eq!(
        recovered(r#"{"id":99,"method":"tools/list","params":{}}"#),
        (Some("99".into()), true)
    );
}

/// An object that is put together is one, whatever the names.
#[test]
fn members_are_added_and_replaced() {
    let json = |text: &'static str| Json::new(text).unwrap();
    let object =
        json(r#"{"a":1.0,"\"":2}"#).with_members(&[("a", &json("[]")), ("b\"", &json("{}"))]);
    assert_eq!(object.as_str(), r#"{"a":[],"b\"":{},"\"":2}"#);
    assert_eq!(json("7").with_members(&[("a", &json("1"))]).as_str(), r#"{"a":1}"#);
    assert_eq!(object.merged(&json(r#"{"a":null}"#)).member("a"), Some(Json::null()));
}

/// F12: what is written stays on one line for every reader.
#[test]
fn output_stays_on_one_line() {
    let mut out = Vec::new();
    write::string(&mut out, "a\"\\\n\r\t\u{1}\u{85}\u{2028}\u{2029}\u{E9}\u{2027}");
    assert_eq!(out, "\"a\\\"\\\\\\n\\r\\t\\u0001\\u0085\\u2028\\u2029\u{E9}\u{2027}\"".as_bytes());
    let mut out = Vec::new();
    write::raw(&mut out, "[1,\r\n \"\u{85}\u{A9}\u{2029}\u{20AC}\"]".as_bytes());
    assert_eq!(out, "[1, \"\\u0085\u{A9}\\u2029\u{20AC}\"]".as_bytes());
}

#[test]
fn json_goes_through_serde_unchanged() {
    #[derive(serde::Serialize, serde::Deserialize)]
    struct Outer {
        inner: Json,
    }
    let text = r#"{"inner":{"b":1.50,"a":[1 ,2]}}"#;
    let outer: Outer = serde_json::from_str(text).expect("valid");
    assert_eq!(outer.inner.as_str(), r#"{"b":1.50,"a":[1 ,2]}"#);
    assert_eq!(serde_json::to_string(&outer).expect("serialises"), text);
}

/// Text that is nearly JSON.
fn nearly_json() -> impl proptest::strategy::Strategy<Value = String> {
    let tokens = [
        "{",
        "}",
        "[",
        "]",
        ",",
        ":",
        "\"a\"",
        "\"id\"",
        "\"method\"",
        "\"\\u00e9\"",
        "\"\\ud800\"",
        "1",
        "-0",
        "1e5",
        "0.5",
        "01",
        "null",
        "true",
        "falsE",
        " ",
        "\t",
        "\"",
        "\\",
        "\u{85}",
        "\u{1}",
    ];
    use proptest::strategy::Strategy;
    proptest::collection::vec(proptest::sample::select(tokens.to_vec()), 0..24)
        .prop_map(|tokens| tokens.concat())
}

proptest::proptest! {
    /// E7: `serde_json` accepts and rejects the same texts.
    #[test]
    fn agrees_with_serde_json(text in nearly_json()) {
        let theirs = serde_json::from_str::<&RawValue>(&text);
        let ours = Json::new(text.clone());
        proptest::prop_assert_eq!(ours.is_ok(), theirs.is_ok(), "{}", text);
        if let (Ok(ours), Ok(theirs)) = (ours, theirs) {
            proptest::prop_assert_eq!(ours.as_str(), theirs.get());
        }
    }

    /// F12: a string that we write is read back the same.
    #[test]
    fn written_strings_are_read_back(text in ".*") {
        let mut out = Vec::new();
        write::string(&mut out, &text);
        let read: String = serde_json::from_slice(&out).expect("we write JSON");
        proptest::prop_assert_eq!(&read, &text);
        let mut out = String::new();
        push_string(&mut out, &text);
        let read: String = serde_json::from_str(&out).expect("we write JSON");
        proptest::prop_assert_eq!(read, text);
    }
}

/// E7: long strings are looked at in blocks: what ends or spoils one is found at every place in them.
#[test]
fn what_is_special_in_a_string_is_found_at_every_place() {
    for length in [0, 1, 7, 8, 9, 31, 32, 33, 95, 96, 97, 300] {
        let plain = "\u{e9}".repeat(length / 2) + &"x".repeat(length % 2);
        assert_eq!(plain.len(), length);
        assert!(Json::new(format!("\"{plain}\"")).is_ok(), "{length}");
        assert!(Json::new(format!("\"{plain}")).is_err(), "{length}: without an end");
        for at in (0..length).filter(|at| plain.is_char_boundary(*at)) {
            let with =
                |part: &str| Json::new(format!("[\"{}{part}{}\"]", &plain[..at], &plain[at..]));
            assert!(with("\\\\").is_ok() && with("\\\"").is_ok(), "{length} {at}");
            for wrong in ["\"", "\\x", "\u{1f}", "\n"] {
                assert!(with(wrong).is_err(), "{length} {at} {wrong:?}");
            }
        }
    }
}

/// Members are found by value, whatever their escapes, and where they lie a part can be cut out.
#[test]
fn members_are_found_where_they_lie() {
    let text = r#" {"a" : [1, 2], "\u0062":{"c":3}, "d":null}"#;
    let [b, d, e] = members(text, ["b", "d", "e"]).unwrap();
    assert_eq!((&text[b.clone().unwrap()], &text[d.unwrap()], e), (r#"{"c":3}"#, "null", None));
    let object = Json::new(text).unwrap();
    let [c] = members(object.as_str(), ["c"]).unwrap();
    assert_eq!(c, None, "only the object's own");
    // A `Json` knows of no space around it.
    let b = b.map(|range| range.start - 1..range.end - 1).unwrap();
    let part = object.clone().part(b).unwrap();
    assert_eq!(part.as_str(), r#"{"c":3}"#);
    assert_eq!(part.part(5..6).unwrap().as_str(), "3");
    assert_eq!(object.part(0..1000), None);
    assert_eq!(members(r#"{"a":1,"a":2}"#, ["a"]), None, "a member twice");
    assert_eq!(members("[1]", ["a"]), None);
}

/// M2, M4, M6: to whom a faulty line belongs, as far as it can be told.
#[test]
fn a_fault_knows_whom_it_concerns() {
    let of = |frame: Frame<'_>| {
        let fault = Message::read_frame(frame, &Rules::default()).unwrap_err();
        (fault.kind(), fault.request_id().map(echoed), fault.response_id().map(echoed))
    };
    let line = |text: &'static str| Frame::Line(text.as_bytes().into());
    let id = || Some("7".to_owned());
    for (frame, expected) in [
        (
            line(r#"{"jsonrpc":"2.0","id":7,"method":"m","params":}"#),
            (FaultKind::NotJson, id(), None),
        ),
        (line(r#"{"jsonrpc":"2.0","id":7}"#), (FaultKind::NotMessage, id(), id())),
        (line(r#"{"jsonrpc":"2.0","id":7,"result":}"#), (FaultKind::NotJson, None, id())),
        (line(r#"{"id":7,"result":1,"method":"m"}"#), (FaultKind::NotMessage, None, None)),
        (line(r#"{"jsonrpc":"2.0","id":7,"#), (FaultKind::NotJson, None, id())),
        (
            Frame::Unterminated(br#"{"jsonrpc":"2.0","method":"m","id":7,"#.into()),
            (FaultKind::Truncated, id(), None),
        ),
        (
            Frame::Oversize { head: br#"{"id":7,"method":"m","params":{"#.into() },
            (FaultKind::Oversize, id(), None),
        ),
        (Frame::Unterminated(b"7".into()), (FaultKind::NotMessage, None, None)),
    ] {
        assert_eq!(of(frame.clone()), expected, "{frame:?}");
    }
}
