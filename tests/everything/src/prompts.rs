//! A prompt.

use crate::json;
use mcp_wire_driver::{Context, ErrorObject, Json, Server};
use serde::Deserialize;
use serde_json::{Value, json as value};
use std::collections::HashMap;

pub(crate) const GREET: &str = "greet";

#[derive(Deserialize)]
struct Get {
    name: String,
    #[serde(default)]
    arguments: HashMap<String, String>,
}

pub(crate) fn add(server: Server) -> Server {
    server
        .capability("prompts", Json::empty_object())
        .method("prompts/list", async |_: Context, _: Value| Ok(json(list())))
        .method("prompts/get", async |_: Context, get: Get| prompt(&get))
}

fn list() -> Value {
    let argument =
        value!({ "name": "language", "description": "In which language", "required": true });
    value!({ "prompts": [
        { "name": GREET, "description": "Asks for a greeting", "arguments": [argument] },
    ] })
}

fn prompt(get: &Get) -> Result<Json, ErrorObject> {
    if get.name != GREET {
        return Err(ErrorObject::invalid_params(format!("there is no prompt {:?}", get.name)));
    }
    let language = get.arguments.get("language");
    let language = language.ok_or_else(|| ErrorObject::invalid_params("language is missing"))?;
    let text = format!("Please greet me in {language}.");
    let message = value!({ "role": "user", "content": { "type": "text", "text": text } });
    Ok(json(value!({ "messages": [message] })))
}
