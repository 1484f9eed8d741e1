//! Tools: their declarations.

use super::ServeError;
use super::table::Table;
use serde::{Deserialize, Serialize};

/// A tool's declaration, as `tools/list` shows it.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Tool {
    name: String,
    #[serde(skip_serializing_if = "Option::is_none", default)]
    title: Option<String>,
    #[serde(default)]
    description: String,
    input_schema: serde_json::Value,
    #[serde(skip_serializing_if = "Option::is_none", default)]
    output_schema: Option<serde_json::Value>,
    #[serde(skip_serializing_if = "Option::is_none", default)]
    annotations: Option<serde_json::Value>,
}

impl Tool {
    /// A tool with the JSON Schema of its arguments, whose `type` has to be `object`: a server with another one is not
    /// served.
    #[must_use]
    pub fn new(
        name: impl Into<String>,
        description: impl Into<String>,
        input_schema: serde_json::Value,
    ) -> Self {
        Self {
            name: name.into(),
            title: None,
            description: description.into(),
            input_schema,
            output_schema: None,
            annotations: None,
        }
    }

    /// Its name for programs.
    #[must_use]
    pub fn name(&self) -> &str {
        &self.name
    }

    /// Its name for people, or else the one for programs.
    #[must_use]
    pub fn display_name(&self) -> &str {
        self.title.as_deref().unwrap_or(&self.name)
    }

    /// What it does, for the model. Empty where the server does not say.
    #[must_use]
    pub fn description(&self) -> &str {
        &self.description
    }

    /// The JSON Schema of its arguments.
    #[must_use]
    pub fn input_schema(&self) -> &serde_json::Value {
        &self.input_schema
    }

    /// Its name for people.
    #[must_use]
    pub fn title(mut self, title: impl Into<String>) -> Self {
        self.title = Some(title.into());
        self
    }

    /// The JSON Schema of its structured results.
    #[must_use]
    pub fn output_schema(mut self, schema: serde_json::Value) -> Self {
        self.output_schema = Some(schema);
        self
    }

    /// Hints on what it does, such as `{"readOnlyHint":true}`.
    #[must_use]
    pub fn annotations(mut self, annotations: serde_json::Value) -> Self {
        self.annotations = Some(annotations);
        self
    }
}

/// Clients refuse a tool whose schema is none of an object.
pub(super) fn check<H>(tools: &Table<Tool, H>) -> Result<(), ServeError> {
    match tools.iter().find(|(tool, _)| tool.input_schema["type"] != "object") {
        Some((tool, _)) => Err(ServeError::InputSchema(tool.name.clone())),
        None => Ok(()),
    }
}
