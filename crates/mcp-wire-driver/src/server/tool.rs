//! Tools: their declarations, and the table that finds them.

use super::Kind;
use mcp_wire_core::message::Json;
use serde::{Deserialize, Serialize};
use std::collections::HashMap;
use std::sync::OnceLock;

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
    /// A tool with the JSON Schema of its arguments, which has to be of type `object`.
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

/// A server's tools, in the order in which they were added.
pub(super) struct Tools<K: Kind> {
    declared: Vec<Tool>,
    handlers: HashMap<String, Box<K::Tool>>,
    list: OnceLock<Json>,
}

impl<K: Kind> Default for Tools<K> {
    fn default() -> Self {
        Self { declared: Vec::new(), handlers: HashMap::new(), list: OnceLock::new() }
    }
}

impl<K: Kind> Tools<K> {
    /// Adds a tool; one of the same name is replaced.
    pub(super) fn add(&mut self, tool: Tool, handler: Box<K::Tool>) {
        if self.handlers.insert(tool.name.clone(), handler).is_some() {
            self.declared.retain(|other| other.name != tool.name);
        }
        self.declared.push(tool);
        self.list = OnceLock::new();
    }

    pub(super) fn is_empty(&self) -> bool {
        self.declared.is_empty()
    }

    pub(super) fn find(&self, name: &str) -> Option<&K::Tool> {
        self.handlers.get(name).map(|handler| &**handler)
    }

    /// The result of `tools/list`, written once.
    pub(super) fn list(&self) -> Json {
        #[derive(Serialize)]
        struct List<'a> {
            tools: &'a [Tool],
        }
        let write = || {
            let list = Json::from_serialize(&List { tools: &self.declared });
            list.unwrap_or_else(|_| Json::empty_object())
        };
        self.list.get_or_init(write).clone()
    }
}
