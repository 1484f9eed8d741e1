//! The result of a tool.

use super::{ResourceContents, content};
use crate::items;
use crate::null;
use mcp_wire_core::message::Json;
use mcp_wire_core::rpc::CallError;
use serde::de::{DeserializeOwned, Error};
use serde::{Deserialize, Deserializer, Serialize};

/// The result of a tool: content for the model, and structured content for programs.
///
/// ```
/// # use mcp_wire_driver::ToolResult;
/// let drawn = ToolResult::text("a circle").with_image("iVBORw0KGgo=", "image/png");
/// assert_eq!(drawn.as_text(), "a circle");
/// ```
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct ToolResult {
    content: Vec<Json>,
    #[serde(skip_serializing_if = "Option::is_none")]
    structured_content: Option<Json>,
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    is_error: bool,
    #[serde(rename = "_meta", skip_serializing_if = "Option::is_none")]
    meta: Option<Json>,
}

impl ToolResult {
    /// Some text. [`default`](Self::default) is a result without content.
    #[must_use]
    pub fn text(text: impl Into<String>) -> Self {
        Self::default().with_text(text)
    }

    /// A failure that the model is told of, so that it can do better.
    #[must_use]
    pub fn error(text: impl Into<String>) -> Self {
        Self { is_error: true, ..Self::text(text) }
    }

    /// The same with some more text.
    #[must_use]
    pub fn with_text(self, text: impl Into<String>) -> Self {
        self.with_content(content::text(&text.into()))
    }

    /// The same with an image of this media type, such as `image/png`. Its bytes are encoded as Base64 already: with the usual
    /// alphabet, and padding.
    #[must_use]
    pub fn with_image(self, base64: impl AsRef<str>, mime_type: impl AsRef<str>) -> Self {
        self.with_content(content::media("image", base64.as_ref(), mime_type.as_ref()))
    }

    /// The same with audio of this media type, such as `audio/wav` (since revision 2025-03-26). Its bytes are encoded as Base64
    /// already.
    #[must_use]
    pub fn with_audio(self, base64: impl AsRef<str>, mime_type: impl AsRef<str>) -> Self {
        self.with_content(content::media("audio", base64.as_ref(), mime_type.as_ref()))
    }

    /// The same with a resource of this URI embedded.
    #[must_use]
    pub fn with_resource(self, uri: impl Into<String>, contents: ResourceContents) -> Self {
        self.with_content(content::resource(uri, contents))
    }

    /// The same with one more block of content of any kind, such as `{"type":"resource_link","uri":..,"name":..}`.
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

    /// The same with what the protocol does not know of: an object.
    #[must_use]
    pub fn with_meta(self, meta: impl Into<Json>) -> Self {
        Self { meta: Some(meta.into()), ..self }
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

    /// What the protocol does not know of: an object.
    #[must_use]
    pub fn meta(&self) -> Option<&Json> {
        self.meta.as_ref()
    }

    /// The content for programs, read as a type.
    ///
    /// # Errors
    ///
    /// [`CallError::UnexpectedResult`] where the tool has failed, with its text, where it gave no such content, or one that does
    /// not fit.
    pub fn parse<T: DeserializeOwned>(&self) -> Result<T, CallError> {
        let unexpected = |why: String| Err(CallError::UnexpectedResult(why));
        match &self.structured_content {
            _ if self.is_error => unexpected(format!("the tool has failed: {}", self.as_text())),
            None => unexpected("it has no structured content".to_owned()),
            Some(content) => content.parse().or_else(|error| unexpected(error.to_string())),
        }
    }

    /// Did the tool fail? The model is to be told of it.
    #[must_use]
    pub fn is_error(&self) -> bool {
        self.is_error
    }
}

impl<'de> Deserialize<'de> for ToolResult {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        #[derive(Deserialize)]
        #[serde(rename_all = "camelCase")]
        struct Read {
            result_type: Option<String>,
            #[serde(default, deserialize_with = "items::bounded")]
            content: Vec<Json>,
            structured_content: Option<Json>,
            #[serde(default, deserialize_with = "null::as_default")]
            is_error: bool,
            #[serde(rename = "_meta")]
            meta: Option<Json>,
        }
        let Read { result_type, content, structured_content, is_error, meta } =
            Read::deserialize(deserializer)?;
        // A result that asks for input is none yet.
        match result_type.as_deref() {
            None | Some("complete") => Ok(Self { content, structured_content, is_error, meta }),
            Some(other) => Err(Error::custom(format!(
                "it is of type {other:?}: `Client::call_tool` and `call_tool_with` see to questions of the server"
            ))),
        }
    }
}
