//! What does not exist is refused, not ignored.

use crate::report::{Failure, Report, ensure};
use crate::session::Session;
use mcp_wire_driver::{CallError, CallOptions, Runtime};
use serde_json::{Value, json};

const METHOD_NOT_FOUND: i64 = -32601;

pub(super) async fn run<Rt: Runtime>(report: &mut Report<Rt>, session: &Session) {
    report.step("unknown method", unknown_method(session)).await;
    report.step("unknown tool", unknown_tool(session)).await;
}

async fn unknown_method(session: &Session) -> Result<Value, Failure> {
    match session.client.request("interop/no-such-method", None, CallOptions::default()).await {
        Err(CallError::Peer(error)) => {
            ensure(error.code == METHOD_NOT_FOUND, format_args!("{error} is {METHOD_NOT_FOUND}"))?;
            Ok(json!({ "message": error.message }))
        }
        other => Err(format!("an unknown method ended with {other:?}").into()),
    }
}

/// The servers differ in how: with an error, or with a result that is one. Clients take both.
async fn unknown_tool(session: &Session) -> Result<Value, Failure> {
    match session.client.call_tool("no-such-tool", &json!({})).await {
        Err(CallError::Peer(error)) => Ok(json!({ "as": "error", "code": error.code })),
        Ok(result) if result.is_error() => Ok(json!({ "as": "result", "text": result.as_text() })),
        other => Err(format!("an unknown tool ended with {other:?}").into()),
    }
}
