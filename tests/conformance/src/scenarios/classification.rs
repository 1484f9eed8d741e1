//! What a line is taken for.

use crate::harness::Harness;
use crate::messages::{ensure_same, request};
use crate::stage::{echo_server, serve, serve_ready, with_hold};
use serde_json::json;

/// E1: a line that is not UTF-8 is a fault of that line alone.
pub fn bad_utf8_harms_its_own_line_alone<H: Harness>() -> Result<(), String> {
    let (mut script, _running) = serve_ready::<H>(echo_server::<H>())?;
    script.send(
        b"{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"echo\",\"params\":{\"a\":\"\xC3\x28\"}}\n",
    )?;
    script.expect_error(1, -32700)?;
    script.send(b"\xFF\xFE\x00\n")?;
    script.expect_silence()
}

/// E2: payload comes back byte for byte.
pub fn payload_is_carried_verbatim<H: Harness>() -> Result<(), String> {
    let (mut script, _running) = serve_ready::<H>(echo_server::<H>())?;
    let params = r#"{"b":1.0000000000000000000000001,"a":1e400,"a":123456789012345678901234567890,"s":"\u0000\ud800\/"}"#;
    script.line(format!(r#"{{"jsonrpc":"2.0","id":1,"method":"echo","params":{params}}}"#))?;
    script.expect(&format!(r#"{{"jsonrpc":"2.0","id":1,"result":{params}}}"#))
}

/// E3: nesting costs no stack, and is bounded.
pub fn deep_nesting_is_refused_with_its_id<H: Harness>() -> Result<(), String> {
    let (mut script, _running) = serve_ready::<H>(echo_server::<H>())?;
    let deep = format!("{}{}", "[".repeat(200_000), "]".repeat(200_000));
    script
        .line(format!(r#"{{"jsonrpc":"2.0","id":1,"method":"echo","params":{{"a":{deep}}}}}"#))?;
    script.expect_error(1, -32600)?;
    script.expect_silence()
}

/// E6: params of a kind that there is not are answered with the id.
pub fn wrong_params_are_answered<H: Harness>() -> Result<(), String> {
    let (mut script, _running) = serve_ready::<H>(echo_server::<H>())?;
    for params in [json!([1]), json!("x"), json!(7)] {
        script.message(&request(1, "echo", params))?;
        script.expect_error(1, -32602)?;
    }
    Ok(())
}

/// E8: a batch is answered with one array where the revision has them, and is a bad line where not.
pub fn batches_exist_in_one_revision<H: Harness>() -> Result<(), String> {
    let (mut script, _running) = serve::<H>(echo_server::<H>())?;
    script.message(&request(
        "init",
        "initialize",
        json!({ "protocolVersion": "2025-03-26", "capabilities": {} }),
    ))?;
    script.expect_where("the answer to initialize", |message| {
        message["result"]["protocolVersion"] == "2025-03-26"
    })?;
    let batch = json!([request(1, "echo", json!({})), request(2, "ping", json!({}))]);
    script.message(&batch)?;
    let answers = script.read_message()?;
    let mut ids: Vec<u64> = answers
        .as_array()
        .ok_or(format!("no array: {answers}"))?
        .iter()
        .filter_map(|answer| answer["id"].as_u64())
        .collect();
    ids.sort_unstable();
    ensure_same("the ids of the answers", ids, vec![1, 2])?;

    let (mut script, _running) = serve_ready::<H>(echo_server::<H>())?;
    script.message(&batch)?;
    script.expect_silence()
}

/// I1: ids come back exactly.
pub fn ids_come_back_exactly<H: Harness>() -> Result<(), String> {
    let (mut script, _running) = serve_ready::<H>(echo_server::<H>())?;
    for id in
        ["1", "\"1\"", "0", "\"\"", "-1", "9007199254740993", "123456789012345678901234567890"]
    {
        script.line(format!(r#"{{"jsonrpc":"2.0","id":{id},"method":"echo"}}"#))?;
        script.expect(&format!(r#"{{"jsonrpc":"2.0","id":{id},"result":{{}}}}"#))?;
    }
    Ok(())
}

/// I4: an id in flight cannot be used again; the first request with it is untouched.
pub fn an_id_in_flight_is_not_taken_twice<H: Harness>() -> Result<(), String> {
    let (server, holding) = with_hold::<H>(echo_server::<H>());
    let (mut script, _running) = serve_ready::<H>(server)?;
    script.message(&request(1, "hold", json!({ "n": 1 })))?;
    holding.began()?;
    script.message(&request(1, "echo", json!({})))?;
    script.expect_error(1, -32600)?;
    holding.release(1);
    script.expect(r#"{"jsonrpc":"2.0","id":1,"result":{"n":1}}"#)?;
    script.message(&request(1, "echo", json!({})))?;
    script.expect(r#"{"jsonrpc":"2.0","id":1,"result":{}}"#)
}

/// M2: whoever waits for the answer to a bad line gets one. M3: where that cannot be known, nothing is written.
pub fn bad_lines_are_answered_where_their_sender_is_known<H: Harness>() -> Result<(), String> {
    let (mut script, _running) = serve_ready::<H>(echo_server::<H>())?;
    script.line(r#"{"jsonrpc":"2.0","id":1,"method":"echo","params":{"a":"#)?;
    script.expect_error(1, -32700)?;
    script.line(r#"{"jsonrpc":"1.0","id":2,"method":"echo"}"#)?;
    script.expect_error(2, -32600)?;
    for line in ["{bad", "7", "null", "{}", r#"{"id":1.5,"x":"#] {
        script.line(line)?;
    }
    script.expect_silence()
}

/// M5, M7: unknown methods are answered, notifications and stray responses never.
pub fn unknown_methods_are_answered<H: Harness>() -> Result<(), String> {
    let (mut script, _running) = serve_ready::<H>(echo_server::<H>())?;
    script.message(&request(1, "no/such", json!({})))?;
    script.expect_error(1, -32601)?;
    script.message(&request(2, "notifications/cancelled", json!({ "requestId": 1 })))?;
    script.expect_error(2, -32601)?;
    script.line(r#"{"jsonrpc":"2.0","method":"echo"}"#)?;
    script.line(r#"{"jsonrpc":"2.0","method":"notifications/unknown","params":7}"#)?;
    script.line(r#"{"jsonrpc":"2.0","id":4242,"result":{}}"#)?;
    script.line(r#"{"jsonrpc":"2.0","id":null,"error":{"code":1,"message":"m"}}"#)?;
    script.expect_silence()
}

/// P1: before the handshake only `ping` is served.
pub fn the_handshake_comes_first<H: Harness>() -> Result<(), String> {
    let (mut script, _running) = serve::<H>(echo_server::<H>())?;
    script.message(&request(1, "echo", json!({})))?;
    script
        .expect_where("an error", |message| message["id"] == 1 && message["error"].is_object())?;
    script.expect_silence()?;
    script.shake_hands(&json!({}))?;
    script.message(&request(1, "echo", json!({})))?;
    script.expect(r#"{"jsonrpc":"2.0","id":1,"result":{}}"#)
}

/// F4, E8: what the handshake has agreed on holds for the very next line, also where both arrive in one piece.
pub fn the_handshake_holds_for_the_next_line<H: Harness>() -> Result<(), String> {
    let (mut script, _running) = serve::<H>(echo_server::<H>())?;
    let params = json!({ "protocolVersion": "2025-03-26", "capabilities": {} });
    let opening = request("init", "initialize", params);
    let batch = json!([request(1, "ping", json!({}))]);
    script.send(format!("{opening}\n{batch}\n"))?;
    script.expect_where("the answer to initialize", |message| message["id"] == "init")?;
    script.expect(r#"[{"jsonrpc":"2.0","id":1,"result":{}}]"#)
}
