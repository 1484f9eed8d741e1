//! Two resources and a template.

use crate::json;
use mcp_wire_driver::{Context, ErrorObject, Json, Server};
use serde::Deserialize;
use serde_json::{Value, json as value};

const GREETING: &str = "text://greeting";
const BYTES: &str = "data://bytes";
const NUMBER: &str = "number://";

/// The code for a resource that does not exist. MCP 2024-11-05 to 2025-11-25, server/resources.
const NOT_FOUND: i64 = -32002;

#[derive(Deserialize)]
struct Read {
    uri: String,
}

pub(crate) fn add(server: Server) -> Server {
    server
        .capability("resources", Json::empty_object())
        .method("resources/list", async |_: Context, _: Value| Ok(json(list())))
        .method("resources/templates/list", async |_: Context, _: Value| Ok(json(templates())))
        .method("resources/read", async |_: Context, read: Read| contents(&read.uri))
}

fn list() -> Value {
    value!({ "resources": [
        { "uri": GREETING, "name": "greeting", "mimeType": "text/plain" },
        { "uri": BYTES, "name": "bytes", "mimeType": "application/octet-stream" },
    ] })
}

fn templates() -> Value {
    value!({ "resourceTemplates": [
        { "uriTemplate": "number://{number}", "name": "number", "mimeType": "text/plain" },
    ] })
}

fn contents(uri: &str) -> Result<Json, ErrorObject> {
    let content = match uri {
        GREETING => value!({ "uri": uri, "mimeType": "text/plain", "text": "hello" }),
        BYTES => value!({ "uri": uri, "mimeType": "application/octet-stream", "blob": "AAECAw==" }),
        _ => match uri.strip_prefix(NUMBER).map(str::parse::<u64>) {
            Some(Ok(number)) => {
                value!({ "uri": uri, "mimeType": "text/plain", "text": format!("the number {number}") })
            }
            _ => {
                let error = ErrorObject::new(NOT_FOUND, "resource not found");
                return Err(error.with_data(json(value!({ "uri": uri }))));
            }
        },
    };
    Ok(json(value!({ "contents": [content] })))
}
