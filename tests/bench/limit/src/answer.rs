//! A line in, a line out.

use serde::Deserialize;
use serde_json::value::RawValue;

#[derive(Deserialize)]
struct Request<'a> {
    #[serde(borrow)]
    id: Option<&'a RawValue>,
    method: Option<&'a str>,
    #[serde(borrow)]
    params: Option<&'a RawValue>,
}

#[derive(Deserialize)]
struct Call<'a> {
    #[serde(borrow)]
    arguments: Echo<'a>,
}

#[derive(Deserialize)]
struct Echo<'a> {
    /// The text as it stands, quotes included: an echo need not unescape it.
    #[serde(borrow)]
    message: &'a RawValue,
}

/// Appends the answer to a request. There is none to anything else.
pub(crate) fn answer(line: &[u8], output: &mut Vec<u8>) {
    let Ok(Request { id: Some(id), method: Some(method), params }) = serde_json::from_slice(line)
    else {
        return;
    };
    for part in ["{\"jsonrpc\":\"2.0\",\"id\":", id.get(), ",\"result\":"] {
        output.extend_from_slice(part.as_bytes());
    }
    match method {
        "tools/call" => echo(params, output),
        "initialize" => output.extend_from_slice(
            br#"{"protocolVersion":"2025-06-18","capabilities":{"tools":{}},"serverInfo":{"name":"limit","version":"1"}}"#,
        ),
        _ => output.extend_from_slice(b"{}"),
    }
    output.extend_from_slice(b"}\n");
}

fn echo(params: Option<&RawValue>, output: &mut Vec<u8>) {
    let call = params.and_then(|params| serde_json::from_str::<Call>(params.get()).ok());
    let message = call.map_or("\"\"", |call| call.arguments.message.get());
    for part in ["{\"content\":[{\"type\":\"text\",\"text\":", message, "}]}"] {
        output.extend_from_slice(part.as_bytes());
    }
}
