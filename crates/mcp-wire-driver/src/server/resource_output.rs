//! What reading a resource gives.

use super::resources::not_found;
use super::{HandlerError, RawResult};
use mcp_wire_core::message::{ErrorObject, Json};
use serde::{Deserialize, Serialize};

/// Contents of a resource: text, or bytes as Base64. A server's have the URI that was read, and the media type of the
/// declaration, unless they say others.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
#[non_exhaustive]
pub struct ResourceContents {
    /// Their URI: the one that was read, or another.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub uri: Option<String>,
    /// Their media type.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub mime_type: Option<String>,
    /// Bytes as Base64, with the usual alphabet, and padding.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub blob: Option<String>,
    /// Text.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub text: Option<String>,
    /// What the protocol does not know of: an object.
    #[serde(rename = "_meta", skip_serializing_if = "Option::is_none")]
    pub meta: Option<Json>,
}

impl ResourceContents {
    /// Some text.
    #[must_use]
    pub fn text(text: impl Into<String>) -> Self {
        Self { text: Some(text.into()), ..Self::empty() }
    }

    /// Some bytes, which are encoded as Base64 already: with the usual alphabet, and padding.
    #[must_use]
    pub fn blob(base64: impl Into<String>) -> Self {
        Self { blob: Some(base64.into()), ..Self::empty() }
    }

    fn empty() -> Self {
        Self { uri: None, mime_type: None, blob: None, text: None, meta: None }
    }

    /// Their URI, where it is not the one that was read: of a file in a directory, say.
    #[must_use]
    pub fn uri(self, uri: impl Into<String>) -> Self {
        Self { uri: Some(uri.into()), ..self }
    }

    /// Their media type.
    #[must_use]
    pub fn mime_type(self, mime_type: impl Into<String>) -> Self {
        Self { mime_type: Some(mime_type.into()), ..self }
    }

    /// What the protocol does not know of: an object.
    #[must_use]
    pub fn meta(self, meta: impl Into<Json>) -> Self {
        Self { meta: Some(meta.into()), ..self }
    }

    fn or(mut self, uri: &str, mime_type: Option<&str>) -> Self {
        self.uri.get_or_insert_with(|| uri.to_owned());
        self.mime_type = self.mime_type.or_else(|| mime_type.map(str::to_owned));
        self
    }
}

/// What a resource may give: text, [`ResourceContents`] or several of them, a [`RawResult`]; an `Option` of these, where
/// `None` does not exist; or a `Result` of these, whose error may be any that can be displayed: the client is told of it.
#[diagnostic::on_unimplemented(
    message = "a resource cannot give `{Self}`",
    label = "no output of a resource",
    note = "a resource gives text, `ResourceContents` (bytes too, by `ResourceContents::blob`), a `Vec` of these, an `Option` of \
            any, or a `Result` of any with an error that implements `Display`"
)]
pub trait ResourceOutput {
    /// The outcome of `resources/read`, for the URI that was read and the declared media type.
    ///
    /// # Errors
    ///
    /// An error of the protocol.
    fn into_outcome(self, uri: &str, mime_type: Option<&str>) -> Result<Json, ErrorObject>;
}

impl ResourceOutput for Vec<ResourceContents> {
    fn into_outcome(self, uri: &str, mime_type: Option<&str>) -> Result<Json, ErrorObject> {
        #[derive(Serialize)]
        struct Outcome {
            contents: Vec<ResourceContents>,
        }
        let contents = self.into_iter().map(|contents| contents.or(uri, mime_type)).collect();
        Ok(Json::from_serialize(&Outcome { contents })?)
    }
}

impl ResourceOutput for ResourceContents {
    fn into_outcome(self, uri: &str, mime_type: Option<&str>) -> Result<Json, ErrorObject> {
        vec![self].into_outcome(uri, mime_type)
    }
}

impl ResourceOutput for String {
    fn into_outcome(self, uri: &str, mime_type: Option<&str>) -> Result<Json, ErrorObject> {
        ResourceContents::text(self).into_outcome(uri, mime_type)
    }
}

impl ResourceOutput for &str {
    fn into_outcome(self, uri: &str, mime_type: Option<&str>) -> Result<Json, ErrorObject> {
        ResourceContents::text(self).into_outcome(uri, mime_type)
    }
}

impl ResourceOutput for RawResult {
    fn into_outcome(self, _: &str, _: Option<&str>) -> Result<Json, ErrorObject> {
        Ok(self.0)
    }
}

impl<O: ResourceOutput> ResourceOutput for Option<O> {
    fn into_outcome(self, uri: &str, mime_type: Option<&str>) -> Result<Json, ErrorObject> {
        self.ok_or_else(|| not_found(uri))?.into_outcome(uri, mime_type)
    }
}

impl<O: ResourceOutput, E: Into<HandlerError>> ResourceOutput for Result<O, E> {
    fn into_outcome(self, uri: &str, mime_type: Option<&str>) -> Result<Json, ErrorObject> {
        match self {
            Ok(output) => output.into_outcome(uri, mime_type),
            Err(error) => error.into().into_error(),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::{Value, json};

    fn outcome(output: impl ResourceOutput) -> Value {
        let outcome = output.into_outcome("a://b", Some("text/plain")).expect("it is a result");
        outcome.parse().expect("it is JSON")
    }

    #[test]
    fn outputs_become_contents() {
        let text =
            json!({ "contents": [{ "uri": "a://b", "mimeType": "text/plain", "text": "hello" }] });
        assert_eq!(outcome("hello"), text);
        assert_eq!(outcome(String::from("hello")), text);
        assert_eq!(outcome(Some("hello")), text);
        assert_eq!(outcome(Ok::<_, ErrorObject>(Some("hello"))), text);
        assert_eq!(outcome(RawResult(text.clone().into())), text);

        let blob = ResourceContents::blob("AAEC")
            .uri("a://c")
            .mime_type("image/png")
            .meta(json!({ "x/y": 1 }));
        let several = vec![ResourceContents::text("hello"), blob];
        let blob = json!({ "uri": "a://c", "mimeType": "image/png", "blob": "AAEC", "_meta": { "x/y": 1 } });
        assert_eq!(outcome(several), json!({ "contents": [text["contents"][0], blob] }));
        assert_eq!(outcome(Vec::new()), json!({ "contents": [] }));
    }

    #[test]
    fn a_media_type_may_be_unknown() {
        let outcome = "hello".into_outcome("a://b", None).expect("it is a result");
        assert_eq!(outcome.as_str(), r#"{"contents":[{"uri":"a://b","text":"hello"}]}"#);
    }

    #[test]
    fn failures_are_errors_of_the_protocol() {
        let none = None::<&str>.into_outcome("a://b", None);
        assert_eq!(none, Err(not_found("a://b")));
        let error = ErrorObject::internal();
        assert_eq!(Err::<&str, _>(error.clone()).into_outcome("a://b", None), Err(error));
        let told = ErrorObject::new(ErrorObject::INTERNAL_ERROR, "no such file");
        let error = std::io::Error::other("no such file");
        assert_eq!(Err::<&str, _>(error).into_outcome("a://b", None), Err(told));
    }
}
