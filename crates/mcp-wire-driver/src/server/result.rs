//! What a tool gives back.

use crate::approval::Denial;
use crate::input::{InputError, InputRequired};
use mcp_wire_core::message::{ErrorObject, Json, push_string};
use serde::{Deserialize, Deserializer, Serialize};
use std::fmt;

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
    pub fn with_content(mut self, block: serde_json::Value) -> Self {
        self.content.push(block.into());
        self
    }

    /// The same with content for programs, an object that fits the tool's output schema.
    #[must_use]
    pub fn with_structured(mut self, content: Json) -> Self {
        self.structured_content = Some(content);
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

fn push_text_block(out: &mut String, text: &str) {
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

/// The arguments of a tool that takes none. Whatever the client sends along is ignored.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, serde::Deserialize)]
#[cfg_attr(feature = "schemars", derive(schemars::JsonSchema))]
pub struct NoArguments {}

/// What a tool may return: text, a [`ToolResult`], a result as raw [`Json`], nothing, or a `Result` of these with a
/// [`ToolError`] or an [`ErrorObject`].
pub trait ToolOutput {
    /// The outcome of `tools/call`.
    ///
    /// # Errors
    ///
    /// An error of the protocol, which the model is not told of.
    fn into_outcome(self) -> Result<Json, ErrorObject>;
}

impl ToolOutput for ToolResult {
    fn into_outcome(self) -> Result<Json, ErrorObject> {
        Json::from_serialize(&self).map_err(|_| ErrorObject::internal())
    }
}

impl ToolOutput for String {
    fn into_outcome(self) -> Result<Json, ErrorObject> {
        self.as_str().into_outcome()
    }
}

/// Most tools give back one text, which is written at once.
impl ToolOutput for &str {
    fn into_outcome(self) -> Result<Json, ErrorObject> {
        let mut result = String::with_capacity(self.len() + 64);
        result.push_str(r#"{"content":["#);
        push_text_block(&mut result, self);
        result.push_str("]}");
        Ok(Json::trusted(result))
    }
}

impl ToolOutput for () {
    fn into_outcome(self) -> Result<Json, ErrorObject> {
        ToolResult::default().into_outcome()
    }
}

impl<T: ToolOutput> ToolOutput for Result<T, ToolError> {
    fn into_outcome(self) -> Result<Json, ErrorObject> {
        match self {
            Ok(output) => output.into_outcome(),
            Err(ToolError(Failure::Input(input))) => input.into_outcome(),
            Err(ToolError(Failure::Refused(error))) => Err(error),
            Err(error) => ToolResult::error(error.message()).into_outcome(),
        }
    }
}

/// The result of `tools/call` as it is.
impl ToolOutput for Json {
    fn into_outcome(self) -> Result<Json, ErrorObject> {
        Ok(self)
    }
}

/// An error of the protocol, which the model is not told of.
impl<T: ToolOutput> ToolOutput for Result<T, ErrorObject> {
    fn into_outcome(self) -> Result<Json, ErrorObject> {
        self?.into_outcome()
    }
}

/// A tool's failure, which the model is told of as text. Any error that can be displayed becomes one with `?`.
///
/// It is also how a tool gives back what it needs to know first: see [`Context::input`](crate::Context::input).
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ToolError(Failure);

#[derive(Debug, Clone, PartialEq, Eq)]
enum Failure {
    Denied(Denial),
    Input(InputRequired),
    Refused(ErrorObject),
    Text(String),
}

impl ToolError {
    /// An error of the protocol, which the model is not told of.
    #[must_use]
    pub fn refused(error: ErrorObject) -> Self {
        Self(Failure::Refused(error))
    }

    pub(crate) fn denied(denial: Denial) -> Self {
        Self(Failure::Denied(denial))
    }

    /// Why the user did not approve, where that is the failure.
    #[must_use]
    pub fn denial(&self) -> Option<Denial> {
        match self.0 {
            Failure::Denied(denial) => Some(denial),
            _ => None,
        }
    }

    /// What the client is asked, where this is no failure.
    #[must_use]
    pub fn input_required(&self) -> Option<&InputRequired> {
        match &self.0 {
            Failure::Input(input) => Some(input),
            _ => None,
        }
    }

    /// What the model is told.
    #[must_use]
    pub fn message(&self) -> String {
        match &self.0 {
            Failure::Denied(denial) => denial.to_string(),
            Failure::Input(_) => "input is required".to_owned(),
            Failure::Refused(error) => error.to_string(),
            Failure::Text(text) => text.clone(),
        }
    }
}

// It must not be displayable itself: whatever can be displayed becomes one.
impl<E: fmt::Display> From<E> for ToolError {
    fn from(error: E) -> Self {
        Self(Failure::Text(error.to_string()))
    }
}

impl From<InputError> for ToolError {
    fn from(error: InputError) -> Self {
        match error {
            InputError::Failed(error) => error.into(),
            InputError::Required(input) => input.into(),
        }
    }
}

impl From<InputRequired> for ToolError {
    fn from(input: InputRequired) -> Self {
        Self(Failure::Input(input))
    }
}

/// Arguments that do not fit are told to the model too: it chose them.
pub(super) fn bad_arguments(error: &serde_json::Error) -> Result<Json, ErrorObject> {
    ToolResult::error(format!("invalid arguments: {error}")).into_outcome()
}
