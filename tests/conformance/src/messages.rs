//! Messages as a peer writes them.

use serde_json::{Value, json};

pub(crate) fn request(id: impl Into<Value>, method: &str, params: Value) -> Value {
    json!({ "jsonrpc": "2.0", "id": id.into(), "method": method, "params": params })
}

pub(crate) fn notification(method: &str, params: Value) -> Value {
    json!({ "jsonrpc": "2.0", "method": method, "params": params })
}

pub(crate) fn result(id: impl Into<Value>, result: Value) -> Value {
    json!({ "jsonrpc": "2.0", "id": id.into(), "result": result })
}

pub(crate) fn cancel(id: impl Into<Value>) -> Value {
    notification("notifications/cancelled", json!({ "requestId": id.into() }))
}

pub(crate) fn is_busy(message: &Value) -> bool {
    message["error"]["code"] == -32603 && message["error"]["data"]["error"] == "server_busy"
}

/// Fails unless it holds.
pub(crate) fn ensure(holds: bool, what: impl FnOnce() -> String) -> Result<(), String> {
    if holds { Ok(()) } else { Err(what()) }
}

/// Fails unless both are the same.
pub(crate) fn ensure_same<T: PartialEq + std::fmt::Debug>(
    what: &str,
    got: T,
    expected: T,
) -> Result<(), String> {
    ensure(got == expected, || format!("{what}: expected {expected:?}\n     got {got:?}"))
}
