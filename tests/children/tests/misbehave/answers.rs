//! What it answers.

use crate::process::Process;
use serde_json::{Value, json};

/// The right answer to a call.
fn right(id: u64) -> Value {
    let content = json!([{ "type": "text", "text": format!("call {id}") }]);
    json!({ "jsonrpc": "2.0", "id": id, "result": { "content": content } })
}

#[test]
fn well() {
    let mut process = Process::ready(&["well"]);
    process.request(1, "ping", json!({}));
    assert_eq!(process.receive(), json!({ "jsonrpc": "2.0", "id": 1, "result": {} }));
    process.request(2, "tools/list", json!({}));
    assert_eq!(process.receive()["result"]["tools"][0]["name"], "echo");
    process.call(3);
    assert_eq!(process.receive(), right(3));
    process.request(4, "prompts/list", json!({}));
    assert_eq!(process.receive()["error"]["code"], -32601);
    process.hang_up();
    assert!(process.wait().success());
    assert_eq!(process.rest(), "");
}

#[test]
fn wrong_id() {
    let mut process = Process::ready(&["wrong-id"]);
    process.call(1);
    let mut expected = right(1);
    expected["id"] = 1_000_000.into();
    assert_eq!(process.receive(), expected);
}

#[test]
fn answers_twice() {
    let mut process = Process::ready(&["answers-twice"]);
    process.call(1);
    assert_eq!([process.receive(), process.receive()], [right(1), right(1)]);
}

#[test]
fn answers_late() {
    let mut process = Process::ready(&["answers-late"]);
    for id in 1..=3 {
        process.call(id);
    }
    assert_eq!([process.receive(), process.receive()], [right(2), right(1)]);
    assert_eq!(process.receive(), right(3));
}

#[test]
fn result_and_error() {
    let mut process = Process::ready(&["result-and-error"]);
    process.call(1);
    let answer = process.receive();
    assert_eq!(
        (&answer["result"], &answer["error"]["code"]),
        (&right(1)["result"], &json!(-32603))
    );
}

#[test]
fn no_jsonrpc() {
    let mut process = Process::ready(&["no-jsonrpc"]);
    process.call(1);
    assert_eq!(process.receive(), json!({ "id": 1, "result": right(1)["result"] }));
}

#[test]
fn speaks_unknown_revision() {
    let mut process = Process::ready(&["speaks-unknown-revision"]);
    process.request(1, "initialize", json!({ "protocolVersion": "2025-06-18" }));
    assert_eq!(process.receive()["result"]["protocolVersion"], "2099-12-31");
}

#[test]
fn refuses() {
    let mut process = Process::spawn(&["refuses"]);
    process.initialize();
    assert_eq!(process.receive()["error"]["message"], "no licence for this machine");
}

#[test]
fn never_answers() {
    let mut process = Process::spawn(&["never-answers"]);
    process.initialize();
    process.call(1);
    process.hang_up();
    assert_eq!(process.rest(), "");
    assert!(process.wait().success());
}
