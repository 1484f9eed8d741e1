//! The right answers.

use serde_json::{Value, json};

/// What `initialize` brings. The revision is the client's, whatever it is.
pub(crate) fn initialize_result(params: &Value) -> Value {
    json!({
        "protocolVersion": params["protocolVersion"],
        "capabilities": { "tools": {} },
        "serverInfo": { "name": "misbehave", "version": "1" },
        "instructions": format!("process {}", std::process::id()),
    })
}

/// What another method brings; `Err` where there is no such method.
pub(crate) fn result_of(method: &str, params: &Value) -> Result<Value, String> {
    match method {
        "ping" => Ok(json!({})),
        "tools/call" => Ok(echo(params)),
        "tools/list" => Ok(json!({ "tools": [{
            "name": "echo",
            "description": "Says what it is told",
            "inputSchema": { "type": "object", "properties": { "text": { "type": "string" } } },
        }] })),
        _ => Err(format!("there is no method {method}")),
    }
}

pub(crate) fn response(id: &Value, outcome: Result<Value, String>) -> Value {
    match outcome {
        Ok(result) => json!({ "jsonrpc": "2.0", "id": id, "result": result }),
        Err(message) => error(id, -32601, &message),
    }
}

pub(crate) fn error(id: &Value, code: i64, message: &str) -> Value {
    json!({ "jsonrpc": "2.0", "id": id, "error": { "code": code, "message": message } })
}

fn echo(params: &Value) -> Value {
    json!({ "content": [{ "type": "text", "text": params["arguments"]["text"] }] })
}
