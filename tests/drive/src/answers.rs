//! What our client answers when the server asks, and how often it was asked.

use mcp_wire_driver::{Context, ErrorObject, Host, Json, Root};
use serde_json::{Map, Value, json};
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

/// What the client's answers can be recognised by.
pub(crate) const ELICITED: &str = "interop";
pub(crate) const SAMPLED: &str = "sampled by the driver";
pub(crate) const ROOT: &str = "file:///project";

/// How often the client was asked what.
#[derive(Debug, Default)]
pub(crate) struct Asked {
    pub(crate) elicitation: AtomicUsize,
    pub(crate) roots: AtomicUsize,
    pub(crate) sampling: AtomicUsize,
}

/// A host that answers everything.
pub(crate) fn host(asked: &Arc<Asked>) -> Host {
    let elicited = asked.clone();
    let listed = asked.clone();
    let sampled = asked.clone();
    Host::new("interop", env!("CARGO_PKG_VERSION"))
        .on_elicitation(move |_: Context, params: Value| {
            elicited.elicitation.fetch_add(1, Ordering::SeqCst);
            async move {
                let content = example_of(&params["requestedSchema"]);
                Ok(Json::from(json!({ "action": "accept", "content": content })))
            }
        })
        .on_sampling(move |_: Context, _: Value| {
            sampled.sampling.fetch_add(1, Ordering::SeqCst);
            async {
                let content = json!({ "type": "text", "text": SAMPLED });
                Ok(Json::from(json!({
                    "role": "assistant",
                    "model": "interop-model",
                    "stopReason": "endTurn",
                    "content": content,
                })))
            }
        })
        .on_roots(move |_: Context| {
            listed.roots.fetch_add(1, Ordering::SeqCst);
            async { Ok::<_, ErrorObject>(vec![Root::new(ROOT).name("interop")]) }
        })
}

/// The smallest object that an object schema accepts: its required properties only.
pub(crate) fn example_of(schema: &Value) -> Value {
    let required = schema["required"].as_array().into_iter().flatten().filter_map(Value::as_str);
    let example: Map<String, Value> = required
        .map(|name| (name.to_owned(), example_value(&schema["properties"][name])))
        .collect();
    Value::Object(example)
}

fn example_value(schema: &Value) -> Value {
    if let Some(value) = schema["enum"].get(0).or_else(|| schema["oneOf"][0].get("const")) {
        return value.clone();
    }
    match schema["type"].as_str() {
        Some("array") => json!([]),
        Some("boolean") => json!(true),
        Some("integer" | "number") => schema.get("minimum").cloned().unwrap_or(json!(1)),
        Some("object") => example_of(schema),
        _ => match schema["format"].as_str() {
            Some("date") => json!("2026-01-01"),
            Some("email") => json!("someone@example.com"),
            Some("uri") => json!("https://example.com/"),
            _ => json!(ELICITED),
        },
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_example_has_what_is_required_and_no_more() {
        let schema = json!({
            "type": "object",
            "properties": {
                "name": { "type": "string" },
                "mail": { "type": "string", "format": "email" },
                "size": { "type": "integer", "minimum": 3 },
                "pet": { "enum": ["cat", "dog"] },
                "hero": { "oneOf": [{ "const": "first" }] },
                "more": { "type": "boolean" },
            },
            "required": ["name", "mail", "size", "pet", "hero"],
        });
        assert_eq!(
            example_of(&schema),
            json!({ "name": "interop", "mail": "someone@example.com", "size": 3, "pet": "cat", "hero": "first" })
        );
    }
}
