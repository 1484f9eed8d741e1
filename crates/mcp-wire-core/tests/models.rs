//! The core against naive models, with random operations. What the models check is told in the crate `model`; the same
//! bodies are fuzz targets.

use proptest::collection::vec;
use proptest::prelude::*;
use proptest::sample::select;

/// Bytes that matter to framing, and few others.
fn stream() -> impl Strategy<Value = Vec<u8>> {
    let pieces: Vec<&[u8]> =
        vec![b"\n", b"\r", b"\xEF\xBB\xBF", b"\xEF", b"\xBB", b" ", b"a", b"bcdefghijklm"];
    (any::<[u8; 2]>(), vec(select(pieces), 0..60))
        .prop_map(|(choices, pieces)| [&choices[..], &pieces.concat()].concat())
}

/// Lines that are nearly messages.
fn line() -> impl Strategy<Value = Vec<u8>> {
    let members: Vec<&[u8]> = vec![
        br#""jsonrpc":"2.0""#,
        br#""json\u0072pc":"2\u002e0""#,
        br#""jsonrpc":2.0"#,
        br#""id":1"#,
        br#""id":-0"#,
        br#""id":1e3"#,
        br#""id":null"#,
        br#""id":"\ud83c\udf78""#,
        br#""id":"\ud83c""#,
        br#""id" : 123456789012345678901234567890"#,
        br#""method":"a\/b""#,
        br#""method":7"#,
        br#""params":{"a":[{},[],"\\\""]}"#,
        br#""params":null"#,
        br#""params":[1]"#,
        br#""result":null"#,
        br#""result":{"x":1.5e-7}"#,
        br#""error":{"code":-1,"message":"m","data":[0]}"#,
        br#""error":{"c\u006fde":1,"message":"\ud800","message":"n"}"#,
        br#""error":"x""#,
        br#""x":01"#,
        br#""x":NaN"#,
        b"\"x\":\"\xC3\x28\"",
        b"\"x\":\"\xE2\x80\xA8\x7f\"",
        b"\"x\":\"\x01\"",
        br#""x":"\u12""#,
        br#""id""#,
    ];
    let around: Vec<(&[u8], &[u8])> =
        vec![(b"{", b"}"), (b" {", b"} "), (b"{", b""), (b"{", b"}}"), (b"[{", b"}]"), (b"", b"")];
    (select(around), vec(select(members), 0..5))
        .prop_map(|((open, close), members)| [open, &members.join(&b','), close].concat())
}

fn choices() -> impl Strategy<Value = Vec<u8>> {
    vec(any::<u8>(), 0..1500)
}

proptest! {
    // A failure is told in full, and becomes an entry of the corpus or a test of its own.
    #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::default() })]

    /// F1 to F5, F7, F9, F10
    #[test]
    fn frames_are_those_of_the_whole_stream(data in stream()) {
        model::frame(&data);
    }

    /// E1 to E7, F11, I1, I2
    #[test]
    fn lines_are_read_as_the_rules_say(line in line()) {
        model::message(&line);
    }

    /// E1 to E7
    #[test]
    fn any_bytes_are_read_as_the_rules_say(line in vec(any::<u8>(), 0..40)) {
        model::message(&line);
    }

    /// B1, C1, C2, C4, C6, F12, F14, I4, I5, M3, M5, O1, Q3, Q4, Q6, Q7, X2, X3, X4
    #[test]
    fn a_connection_keeps_its_promises(data in choices()) {
        model::connection(&data);
    }

    /// F4, F13, I5, O1, O3, X1, X2
    #[test]
    fn two_connections_settle_every_call(data in choices()) {
        model::duplex(&data);
    }
}

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::default() })]

    /// L3, N4, O1, P2, P3, P4, Q7, X1, X4
    #[test]
    fn two_sessions_keep_to_their_revision(data in choices()) {
        model::session(&data);
    }
}

/// The corpus as the fuzz targets see it.
#[test]
fn the_models_hold_for_the_corpus() {
    for entry in model::corpus::entries() {
        let input = entry.input(0);
        model::frame(&[&[39, 3], &input[..]].concat());
        input.split(|byte| *byte == b'\n').for_each(model::message);
        model::connection(&model::connection_seed(&input, entry.is_client()));
    }
}
