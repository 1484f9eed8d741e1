//! The result of a tool.

use mcp_wire_core::message::{Json, push_string};
use serde::{Deserialize, Deserializer, Serialize};

/// The result of a tool: content for the model, and structured content for programs.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct ToolResult {
    #[serde(rename = "resultType", skip_serializing, deserialize_with = "complete", default)]
    _kind: (),
    #[serde(default)]
    content: Vec<Json>,
    #[serde(skip_serializing_if = "Option::is_none", default)]
    structured_content: Option<Json>,
    #[serde(skip_serializing_if = "std::ops::Not::not", default)]
    is_error: bool,
}

impl ToolResult {
    /// Some text.
    #[must_use]
    pub fn text(text: impl Into<String>) -> Self {
        let mut block = String::new();
        push_text_block(&mut block, &text.into());
        Self { content: vec![Json::trusted(block)], ..Self::default() }
    }

    /// A failure that the model is told of, so that it can do better.
    #[must_use]
    pub fn error(text: impl Into<String>) -> Self {
        Self { is_error: true, ..Self::text(text) }
    }

    /// The same with one more block of content, such as `{"type":"image","data":..,"mimeType":..}`.
    #[must_use]
    pub fn with_content(mut self, block: impl Into<Json>) -> Self {
        self.content.push(block.into());
        self
    }

    /// The same with content for programs, an object that fits the tool's output schema.
    #[must_use]
    pub fn with_structured(mut self, content: impl Into<Json>) -> Self {
        self.structured_content = Some(content.into());
        self
    }

    /// The text for the model: of all blocks of text, with a line break between them.
    #[must_use]
    pub fn as_text(&self) -> String {
        #[derive(Deserialize)]
        struct Block {
            r#type: String,
            text: Option<String>,
        }
        let blocks = self.content.iter().filter_map(|block| block.parse::<Block>().ok());
        let texts = blocks.filter(|block| block.r#type == "text").filter_map(|block| block.text);
        texts.collect::<Vec<_>>().join("\n")
    }

    /// All blocks of content, as they were written.
    #[must_use]
    pub fn content(&self) -> &[Json] {
        &self.content
    }

    /// The content for programs.
    #[must_use]
    pub fn structured(&self) -> Option<&Json> {
        self.structured_content.as_ref()
    }

    /// Did the tool fail? The model is to be told of it.
    #[must_use]
    pub fn is_error(&self) -> bool {
        self.is_error
    }
}

pub(super) fn push_text_block(out: &mut String, text: &str) {
    out.push_str(r#"{"type":"text","text":"#);
    push_string(out, text);
    out.push('}');
}

/// A result that asks for input is none yet.
fn complete<'de, D: Deserializer<'de>>(kind: D) -> Result<(), D::Error> {
    match Option::<String>::deserialize(kind)?.as_deref() {
        None | Some("complete") => Ok(()),
        Some(other) => Err(serde::de::Error::custom(format!(
            "it is of type {other:?}: `Client::call_tool` and `call_tool_with` see to questions of the server"
        ))),
    }
}
