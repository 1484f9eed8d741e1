//! What is made of lines.

use crate::support::{Peer, call, pair, receive, receive_as_server};
use mcp_wire_rmcp::SendError;
use rmcp::model::{
    ClientJsonRpcMessage, ClientRequest, PingRequest, RequestId, ServerJsonRpcMessage,
    ServerRequest,
};
use rmcp::service::{RoleClient, RoleServer};
use rmcp::transport::Transport;
use serde_json::json;
use std::pin::pin;

async fn refusal(line: &str) -> (i64, serde_json::Value) {
    let (mut transport, mut peer) = pair(1 << 20);
    peer.write(format!("{line}\n{}", call(99))).await;
    assert_eq!(receive_as_server(&mut transport).await.unwrap()["id"], 99, "the session goes on");
    Transport::<RoleServer>::close(&mut transport).await.unwrap();
    let answer = peer.message().await;
    assert_eq!(peer.rest().await, "", "one answer");
    (answer["error"]["code"].as_i64().unwrap(), answer["id"].clone())
}

/// M2: who sends a bad line is told, where an id can be read.
#[tokio::test(start_paused = true)]
async fn bad_lines_are_answered_and_end_nothing() {
    let deep = |levels| format!("{}{}", "[".repeat(levels), "]".repeat(levels));
    for (line, expected) in [
        (r#"{"jsonrpc":"2.0","id":7,"method":"ping","params":}"#.to_owned(), (-32700, json!(7))),
        (r#"{"jsonrpc":"2.0","id":"7","method":"ping","params":1}"#.into(), (-32602, json!("7"))),
        (
            r#"{"jsonrpc":"2.0","id":7,"method":"x","params":{"\ud800":1}}"#.into(),
            (-32602, json!(7)),
        ),
        (
            r#"{"jsonrpc":"2.0","id":7,"method":"x","params":{"a":1e999}}"#.into(),
            (-32602, json!(7)),
        ),
        (r#"{"id":7,"method":"ping"}"#.into(), (-32600, json!(7))),
        (r#"{"jsonrpc":"2.0","id":7}"#.into(), (-32600, json!(7))),
        (
            r#"{"jsonrpc":"2.0","id":9223372036854775808,"method":"ping"}"#.into(),
            (-32600, json!(9_223_372_036_854_775_808_u64)),
        ),
        (
            format!(r#"{{"jsonrpc":"2.0","id":7,"method":"x","params":{{"a":{}}}}}"#, deep(126)),
            (-32600, json!(7)),
        ),
    ] {
        assert_eq!(refusal(&line).await, expected, "{line}");
    }
}

/// E3: what is nested no deeper than `rmcp` can read reaches it.
#[tokio::test(start_paused = true)]
async fn the_deepest_message_is_read() {
    let (mut transport, mut peer) = pair(1 << 20);
    let deep = format!("{}{}", "[".repeat(125), "]".repeat(125));
    peer.write(format!(
        "{{\"jsonrpc\":\"2.0\",\"id\":7,\"method\":\"x\",\"params\":{{\"a\":{deep}}}}}\n"
    ))
    .await;
    assert_eq!(receive_as_server(&mut transport).await.unwrap()["id"], 7);
}

/// F4: how the stream is cut makes no difference, and neither does a receive that is given up.
#[tokio::test(start_paused = true)]
async fn messages_come_whole_however_they_are_cut() {
    let (mut transport, mut peer) = pair(1);
    for byte in call(1).bytes().chain(call(2).bytes()) {
        // As `rmcp` does whenever anything else happens.
        _ = crate::support::poll_once(pin!(receive_as_server(&mut transport))).await;
        if byte == b'\n' {
            let received = async { receive_as_server(&mut transport).await.unwrap()["id"].clone() };
            let (_, id) = tokio::join!(peer.write([byte]), received);
            assert!(id == 1 || id == 2, "{id}");
        } else {
            peer.write([byte]).await;
        }
    }
}

/// F9: the last line needs no newline, and half a line is answered before the session ends.
#[tokio::test(start_paused = true)]
async fn the_last_line_counts() {
    let (mut transport, mut peer) = pair(1 << 10);
    peer.write(call(1).trim_end()).await;
    peer.end().await;
    assert_eq!(receive_as_server(&mut transport).await.unwrap()["id"], 1);
    assert_eq!(receive_as_server(&mut transport).await, None);

    let (mut transport, mut peer) = pair(1 << 10);
    peer.write(r#"{"jsonrpc":"2.0","id":2,"method":"tools/call","par"#).await;
    peer.end().await;
    assert_eq!(receive_as_server(&mut transport).await, None);
    // No `close`: a server whose handshake fails does not get that far.
    assert_eq!(peer.message().await["error"]["code"], -32700);
}

/// X1: who asked the peer something does not wait past the end of its input, so that a handler can still answer.
#[tokio::test(start_paused = true)]
async fn open_questions_end_with_the_input() {
    let (mut transport, mut peer) = pair(1 << 10);
    for id in [1, 2] {
        let ping = ServerRequest::PingRequest(PingRequest::default());
        let message = ServerJsonRpcMessage::request(ping, RequestId::Number(id));
        Transport::<RoleServer>::send(&mut transport, message).await.unwrap();
    }
    // Some peers turn numbers into strings, and `rmcp` lets them.
    peer.write("{\"jsonrpc\":\"2.0\",\"id\":\"1\",\"result\":{}}\n").await;
    peer.end().await;
    assert_eq!(receive_as_server(&mut transport).await.unwrap()["id"], "1");
    let settled = receive_as_server(&mut transport).await.unwrap();
    assert_eq!((&settled["id"], &settled["error"]["code"]), (&json!(2), &json!(-32603)));
    assert_eq!(receive_as_server(&mut transport).await, None);
}

async fn client_that_asked() -> (impl Transport<RoleClient, Error = SendError>, Peer) {
    let (mut transport, mut peer) = pair(1 << 10);
    let ping = ClientRequest::PingRequest(PingRequest::default());
    let message = ClientJsonRpcMessage::request(ping, RequestId::Number(1));
    Transport::<RoleClient>::send(&mut transport, message).await.unwrap();
    assert_eq!(peer.message().await["id"], 1);
    (transport, peer)
}

/// M4: a client answers no line that is no message, and a bad answer ends the call that waits for it.
#[tokio::test(start_paused = true)]
async fn a_client_is_not_confused_by_stray_output() {
    for bad in [
        r#"{"jsonrpc":"2.0","id":1,"result":{"#,
        r#"{"jsonrpc":"2.0","id":1}"#,
        r#"{"jsonrpc":"2.0","id":1,"result":{"a":"\ud800"}}"#,
        r#"{"jsonrpc":"2.0","id":"1","result":1,"error":2}"#,
    ] {
        let (mut transport, mut peer) = client_that_asked().await;
        peer.write(format!("listening on 8080\n{{\"id\":5,\"method\":\"x\"}}\n{bad}\n")).await;
        let settled = receive::<RoleClient>(&mut transport).await.unwrap();
        let id = if bad.contains("\"1\"") { json!("1") } else { json!(1) };
        assert_eq!((&settled["error"]["code"], &settled["id"]), (&json!(-32603), &id), "{bad}");
        Transport::<RoleClient>::close(&mut transport).await.unwrap();
        assert_eq!(peer.rest().await, "", "nothing is answered");
    }
}

/// M5: what nobody waits for is not made up.
#[tokio::test(start_paused = true)]
async fn a_bad_answer_to_nothing_settles_nothing() {
    let (mut transport, mut peer) = client_that_asked().await;
    peer.write("{\"jsonrpc\":\"2.0\",\"id\":2,\"result\":{\n{\"jsonrpc\":\"2.0\",\"id\":1,\"result\":{}}\n")
        .await;
    let answer = receive::<RoleClient>(&mut transport).await.unwrap();
    assert_eq!(answer, json!({ "jsonrpc": "2.0", "id": 1, "result": {} }));
}
