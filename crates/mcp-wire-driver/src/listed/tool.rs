//! Tools: their declarations.

use mcp_wire_core::message::Json;
use serde::{Deserialize, Serialize};
use std::borrow::Cow;

/// A tool, as `tools/list` shows it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
#[non_exhaustive]
pub struct Tool {
    /// Its name for programs.
    pub name: String,
    /// Its name for people.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub title: Option<String>,
    /// What it does, for the model.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub description: Option<String>,
    /// The JSON Schema of its arguments.
    pub input_schema: Json,
    /// The JSON Schema of its structured results.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub output_schema: Option<Json>,
    /// Hints on what it does, such as `{"readOnlyHint":true}`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub annotations: Option<Json>,
    /// Pictures for user interfaces: `[{"src":..}]`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub icons: Option<Json>,
    /// What the protocol does not know of.
    #[serde(rename = "_meta", skip_serializing_if = "Option::is_none")]
    pub meta: Option<Json>,
}

impl Tool {
    /// A tool with its name for programs, what it does, for the model, and the JSON Schema of its arguments, whose `type` has
    /// to be `object`: a server with another one is not served.
    #[must_use]
    pub fn new(
        name: impl Into<String>,
        description: impl Into<String>,
        input_schema: impl Into<Json>,
    ) -> Self {
        Self {
            name: name.into(),
            title: None,
            description: Some(description.into()),
            input_schema: input_schema.into(),
            output_schema: None,
            annotations: None,
            icons: None,
            meta: None,
        }
    }

    /// Hints on what it does, such as `{"readOnlyHint":true}`.
    #[must_use]
    pub fn annotations(self, annotations: impl Into<Json>) -> Self {
        Self { annotations: Some(annotations.into()), ..self }
    }

    /// The JSON Schema of its structured results.
    #[must_use]
    pub fn output_schema(self, schema: impl Into<Json>) -> Self {
        Self { output_schema: Some(schema.into()), ..self }
    }

    /// Its name for people: its title, or the one that its annotations give (as they do before revision 2025-06-18), or else the
    /// one for programs.
    #[must_use]
    pub fn display_name(&self) -> Cow<'_, str> {
        if let Some(title) = &self.title {
            return title.into();
        }
        let annotated =
            self.annotations.as_ref().and_then(|annotations| annotations.member("title"));
        let annotated = annotated.and_then(|title| title.parse::<String>().ok());
        annotated.map_or((&self.name).into(), Cow::Owned)
    }
}

setters!(Tool: icons, meta, title);

/// The arguments of a tool that takes none. Whatever the client sends along is ignored.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Deserialize)]
#[serde(expecting = "an object, of which nothing is read")]
pub struct NoArguments {}
