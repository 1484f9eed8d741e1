//! What a prompt gives.

use super::resource_output::ResourceContents;
use super::{HandlerError, RawResult, content};
use crate::items;
use mcp_wire_core::message::{ErrorObject, Json};
use serde::{Deserialize, Serialize};

/// A prompt, filled in: messages for the model.
///
/// ```
/// # use mcp_wire_driver::{PromptResult, ResourceContents};
/// use serde_json::json;
///
/// let image = json!({ "type": "image", "data": "AAEC", "mimeType": "image/png" });
/// let prompt = PromptResult::text("What is wrong here?")
///     .with_resource("file:///main.rs", ResourceContents::text("fn main() {").mime_type("text/x-rust"))
///     .with_message(json!({ "role": "user", "content": image }))
///     .with_assistant("A brace is missing.");
/// # _ = prompt;
/// ```
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[non_exhaustive]
pub struct PromptResult {
    /// What the messages are for.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub description: Option<String>,
    /// The messages, as they were written: `{"role":..,"content":..}`.
    #[serde(deserialize_with = "items::bounded")]
    pub messages: Vec<Json>,
    /// What the protocol does not know of: an object.
    #[serde(rename = "_meta", skip_serializing_if = "Option::is_none")]
    pub meta: Option<Json>,
}

impl PromptResult {
    /// Some text of the user's.
    #[must_use]
    pub fn text(text: impl Into<String>) -> Self {
        Self::default().with_user(text)
    }

    /// The same with one more text of the user's.
    #[must_use]
    pub fn with_user(self, text: impl Into<String>) -> Self {
        self.with_block("user", &content::text(&text.into()))
    }

    /// The same with one more text of the assistant's.
    #[must_use]
    pub fn with_assistant(self, text: impl Into<String>) -> Self {
        self.with_block("assistant", &content::text(&text.into()))
    }

    /// The same with a resource of this URI embedded, as the user's.
    #[must_use]
    pub fn with_resource(self, uri: impl Into<String>, contents: ResourceContents) -> Self {
        self.with_block("user", &content::resource(uri, contents))
    }

    /// The same with one more message of any kind, such as `{"role":"user","content":{"type":"image",..}}`.
    #[must_use]
    pub fn with_message(mut self, message: impl Into<Json>) -> Self {
        self.messages.push(message.into());
        self
    }

    /// The same with a description of what the messages are for.
    #[must_use]
    pub fn with_description(self, description: impl Into<String>) -> Self {
        Self { description: Some(description.into()), ..self }
    }

    /// The same with what the protocol does not know of: an object.
    #[must_use]
    pub fn with_meta(self, meta: impl Into<Json>) -> Self {
        Self { meta: Some(meta.into()), ..self }
    }

    fn with_block(self, role: &str, block: &Json) -> Self {
        let message = format!(r#"{{"role":"{role}","content":{block}}}"#);
        self.with_message(Json::trusted(message))
    }
}

/// What a prompt may give: text of the user's, a [`PromptResult`], a [`RawResult`], or a `Result` of these, whose error may be
/// any that can be displayed: the client is told of it.
#[diagnostic::on_unimplemented(
    message = "a prompt cannot give `{Self}`",
    label = "no output of a prompt",
    note = "a prompt gives text, a `PromptResult`, or a `Result` of these with an error that implements `Display`"
)]
pub trait PromptOutput {
    /// The outcome of `prompts/get`.
    ///
    /// # Errors
    ///
    /// An error of the protocol.
    fn into_outcome(self) -> Result<Json, ErrorObject>;
}

impl PromptOutput for PromptResult {
    fn into_outcome(self) -> Result<Json, ErrorObject> {
        Ok(Json::from_serialize(&self)?)
    }
}

impl PromptOutput for String {
    fn into_outcome(self) -> Result<Json, ErrorObject> {
        PromptResult::text(self).into_outcome()
    }
}

impl PromptOutput for &str {
    fn into_outcome(self) -> Result<Json, ErrorObject> {
        PromptResult::text(self).into_outcome()
    }
}

impl PromptOutput for RawResult {
    fn into_outcome(self) -> Result<Json, ErrorObject> {
        Ok(self.0)
    }
}

impl<O: PromptOutput, E: Into<HandlerError>> PromptOutput for Result<O, E> {
    fn into_outcome(self) -> Result<Json, ErrorObject> {
        match self {
            Ok(output) => output.into_outcome(),
            Err(error) => error.into().into_error(),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::{Value, json};

    fn outcome(output: impl PromptOutput) -> Value {
        output.into_outcome().expect("it is a result").parse().expect("it is JSON")
    }

    #[test]
    fn outputs_become_messages() {
        let text = json!({ "role": "user", "content": { "type": "text", "text": "hello" } });
        let result = json!({ "messages": [text] });
        assert_eq!(outcome("hello"), result);
        assert_eq!(outcome(String::from("hello")), result);
        assert_eq!(outcome(Ok::<_, ErrorObject>("hello")), result);
        assert_eq!(outcome(RawResult(result.clone().into())), result);

        let image = json!({ "role": "user", "content": { "type": "image", "data": "AAEC" } });
        let whole = PromptResult::text("hello")
            .with_resource("a://b", ResourceContents::text("b"))
            .with_message(image.clone())
            .with_assistant("bye")
            .with_description("Says hello");
        let resource = json!({ "type": "resource", "resource": { "uri": "a://b", "text": "b" } });
        let resource = json!({ "role": "user", "content": resource });
        let bye = json!({ "role": "assistant", "content": { "type": "text", "text": "bye" } });
        let messages = json!([text, resource, image, bye]);
        assert_eq!(outcome(whole), json!({ "description": "Says hello", "messages": messages }));
    }

    #[test]
    fn failures_are_errors_of_the_protocol() {
        let error = ErrorObject::internal();
        assert_eq!(Err::<&str, _>(error.clone()).into_outcome(), Err(error));
        let told = ErrorObject::new(ErrorObject::INTERNAL_ERROR, "no such file");
        let error = std::io::Error::other("no such file");
        assert_eq!(Err::<&str, _>(error).into_outcome(), Err(told));
    }
}
