//! What a client says.

use serde_json::{Value, json};

pub(crate) fn initialize(id: impl Into<Value>) -> Value {
    let params = json!({
        "protocolVersion": "2025-11-25",
        "capabilities": {},
        "clientInfo": { "name": "streams", "version": "1" },
    });
    json!({ "jsonrpc": "2.0", "id": id.into(), "method": "initialize", "params": params })
}

pub(crate) fn initialized() -> Value {
    json!({ "jsonrpc": "2.0", "method": "notifications/initialized" })
}

pub(crate) fn ping(id: impl Into<Value>) -> Value {
    json!({ "jsonrpc": "2.0", "id": id.into(), "method": "ping" })
}

pub(crate) fn call(id: impl Into<Value>, tool: &str, arguments: Value) -> Value {
    let params = json!({ "name": tool, "arguments": arguments });
    json!({ "jsonrpc": "2.0", "id": id.into(), "method": "tools/call", "params": params })
}

pub(crate) fn big(id: impl Into<Value>, bytes: usize) -> Value {
    call(id, "big", json!({ "bytes": bytes }))
}

pub(crate) fn slow(id: impl Into<Value>, milliseconds: u64) -> Value {
    call(id, "slow", json!({ "ms": milliseconds, "steps": 1 }))
}

/// As lines.
pub(crate) fn lines(messages: &[Value]) -> String {
    messages.iter().map(|message| format!("{message}\n")).collect()
}

/// The text of a tool's result.
#[track_caller]
pub(crate) fn text(reply: &Value) -> &str {
    let text = reply["result"]["content"][0]["text"].as_str();
    text.unwrap_or_else(|| panic!("no text in {reply}"))
}
