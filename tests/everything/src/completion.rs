//! Completion of the prompt's argument.

use crate::{json, prompts};
use mcp_wire_driver::{Context, ErrorObject, Json, Server};
use serde::Deserialize;
use serde_json::json as value;

const LANGUAGES: [&str; 5] = ["English", "Esperanto", "French", "German", "Greek"];

#[derive(Deserialize)]
struct Complete {
    #[serde(rename = "ref")]
    reference: Reference,
    argument: Argument,
}

#[derive(Deserialize)]
struct Reference {
    name: Option<String>,
}

#[derive(Deserialize)]
struct Argument {
    name: String,
    value: String,
}

pub(crate) fn add(server: Server) -> Server {
    server
        .capability("completions", Json::empty_object())
        .method("completion/complete", async |_: Context, complete: Complete| suggest(&complete))
}

fn suggest(complete: &Complete) -> Result<Json, ErrorObject> {
    let known = complete.reference.name.as_deref() == Some(prompts::GREET)
        && complete.argument.name == "language";
    let begun = complete.argument.value.to_lowercase();
    let fits = |language: &&str| known && language.to_lowercase().starts_with(&begun);
    let values: Vec<&str> = LANGUAGES.into_iter().filter(fits).collect();
    Ok(json(value!({ "completion": { "values": values, "hasMore": false } })))
}
