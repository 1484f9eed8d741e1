//! What the corpus's application says.

use super::{cause_name, kind_name};
use mcp_wire_driver::{CallError, ErrorObject, Json};
use serde_json::Value;

/// How a call of ours ended, as an event.
pub(crate) fn answered(number: usize, outcome: &Result<Json, CallError>) -> String {
    let what = match outcome {
        Ok(result) => format!("result {}", result.as_str()),
        Err(CallError::Peer(error)) => {
            let data = error.data.as_ref().map(|data| format!(" {}", data.as_str()));
            let message = Value::from(error.message.as_ref());
            format!("error {} {message}{}", error.code, data.unwrap_or_default())
        }
        Err(CallError::InvalidResponse(kind)) => format!("invalid {}", kind_name(*kind)),
        Err(CallError::Cancelled) => "cancelled".into(),
        Err(CallError::TimedOut) => "timed-out".into(),
        Err(CallError::Closed(cause)) => format!("closed {}", cause_name(cause)),
        Err(other) => format!("unexpected {other:?}"),
    };
    format!("answer {number} {what}")
}

/// The answer to `long`.
pub(crate) fn long(params: &Json) -> Result<Json, ErrorObject> {
    let size = member(params, "size").as_u64().and_then(|size| usize::try_from(size).ok());
    let text = "a".repeat(size.unwrap_or_default());
    Json::from_serialize(&text).map_err(|_| ErrorObject::internal())
}

/// A member of some params, `null` where there is none.
pub(crate) fn member(params: &Json, name: &str) -> Value {
    params.parse::<Value>().map(|mut params| params[name].take()).unwrap_or_default()
}
