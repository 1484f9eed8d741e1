//! Schemas of tools, derived from types.

use super::Tool;
use schemars::JsonSchema;
use schemars::generate::SchemaSettings;

/// With the feature `schemars`, schemas are derived from types, in the dialect that MCP takes for granted: JSON Schema
/// 2020-12 (revision 2025-11-25 and later).
impl Tool {
    /// A tool with the schema of its arguments' type, as that is read: members with a default may be left out.
    ///
    /// ```
    /// # use mcp_wire_driver::{Context, Server, Tool};
    /// #[derive(serde::Deserialize, schemars::JsonSchema)]
    /// struct Greet {
    ///     /// Whom to greet.
    ///     name: String,
    ///     #[serde(default)]
    ///     loudly: bool,
    /// }
    ///
    /// let tool = Tool::of::<Greet>("greet", "Greets someone by name");
    /// assert!(tool.input_schema.as_str().contains("Whom to greet."));
    /// let server = Server::new("greeter", "1.0.0")
    ///     .tool_now(tool, |_: &Context, Greet { name, .. }: Greet| format!("Hello, {name}!"));
    /// ```
    #[must_use]
    pub fn of<A: JsonSchema>(name: impl Into<String>, description: impl Into<String>) -> Self {
        let settings = SchemaSettings::draft2020_12().for_deserialize();
        Self::new(name, description, schema_of::<A>(settings))
    }

    /// The schema of its structured results, that of their type as it is written.
    ///
    /// ```
    /// # use mcp_wire_driver::{NoArguments, Tool};
    /// #[derive(serde::Serialize, schemars::JsonSchema)]
    /// struct Weather {
    ///     celsius: f64,
    /// }
    ///
    /// let tool = Tool::of::<NoArguments>("weather", "Tells of the weather").output_of::<Weather>();
    /// # let tool = serde_json::to_value(&tool).unwrap();
    /// # assert_eq!(tool["inputSchema"]["type"], "object");
    /// # assert_eq!(tool["outputSchema"]["required"], serde_json::json!(["celsius"]));
    /// ```
    #[must_use]
    pub fn output_of<T: JsonSchema>(self) -> Self {
        self.output_schema(schema_of::<T>(SchemaSettings::draft2020_12().for_serialize()))
    }
}

fn schema_of<T: JsonSchema>(settings: SchemaSettings) -> serde_json::Value {
    settings.into_generator().into_root_schema_for::<T>().into()
}
