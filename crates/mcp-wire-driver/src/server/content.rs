//! Blocks of content, as results of tools and messages of prompts have them.

use super::ResourceContents;
use mcp_wire_core::message::{Json, push_string};
use serde::Serialize;

/// Most content is text, which is written at once.
pub(super) fn push_text(out: &mut String, text: &str) {
    out.push_str(r#"{"type":"text","text":"#);
    push_string(out, text);
    out.push('}');
}

pub(super) fn text(text: &str) -> Json {
    let mut block = String::new();
    push_text(&mut block, text);
    Json::trusted(block)
}

/// An image or audio, as `kind` says. Its bytes are Base64 already.
pub(super) fn media(kind: &str, base64: &str, mime_type: &str) -> Json {
    serde_json::json!({ "type": kind, "data": base64, "mimeType": mime_type }).into()
}

/// A resource of this URI, embedded.
pub(super) fn resource(uri: impl Into<String>, contents: ResourceContents) -> Json {
    #[derive(Serialize)]
    struct Block {
        r#type: &'static str,
        resource: ResourceContents,
    }
    let block = Block { r#type: "resource", resource: contents.uri(uri) };
    // Strings and JSON can always be written.
    Json::from_serialize(&block).unwrap_or_else(|_| Json::empty_object())
}
