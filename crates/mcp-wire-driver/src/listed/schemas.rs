//! Schemas of tools, derived from types.

use super::{NoArguments, Tool, form};
use crate::context::Context;
use crate::input::InputError;
use schemars::generate::SchemaSettings;
use schemars::transform::RecursiveTransform;
use schemars::{JsonSchema, Schema, SchemaGenerator, json_schema};
use serde::de::DeserializeOwned;
use std::borrow::Cow;

/// With the feature `schemars`, schemas are derived from types, in the dialect that MCP takes for granted: JSON Schema
/// 2020-12 (revision 2025-11-25 and later). The types derive `schemars::JsonSchema`, of the package `schemars` in version 1.
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

impl JsonSchema for NoArguments {
    fn inline_schema() -> bool {
        true
    }

    fn schema_name() -> Cow<'static, str> {
        "NoArguments".into()
    }

    fn json_schema(_: &mut SchemaGenerator) -> Schema {
        json_schema!({ "type": "object" })
    }
}

impl Context {
    /// Like [`ask`](Self::ask), with the schema of the form's type: a struct of text, numbers, truth values and choices.
    ///
    /// # Errors
    ///
    /// As [`ask`](Self::ask).
    ///
    /// ```
    /// # use mcp_wire_driver::{Context, InputError};
    /// #[derive(serde::Deserialize, schemars::JsonSchema)]
    /// struct Guests {
    ///     /// How many will be there?
    ///     number: u32,
    /// }
    ///
    /// async fn book(context: Context) -> Result<String, InputError> {
    ///     let guests: Guests = context.ask_for("When shall it be, and for how many?").await?;
    ///     Ok(format!("a table for {}", guests.number))
    /// }
    /// ```
    pub async fn ask_for<T: DeserializeOwned + JsonSchema>(
        &self,
        message: &str,
    ) -> Result<T, InputError> {
        self.ask(message, form_of::<T>()).await
    }
}

/// Clients know of no schemas but plain ones here: nothing is kept elsewhere, and the dialect is not named.
fn form_of<T: JsonSchema>() -> serde_json::Value {
    let settings = SchemaSettings::draft2020_12().for_deserialize().with(|settings| {
        settings.inline_subschemas = true;
        settings.meta_schema = None;
    });
    schema_of::<T>(settings.with_transform(RecursiveTransform(form::make_plain)))
}

fn schema_of<T: JsonSchema>(settings: SchemaSettings) -> serde_json::Value {
    settings.into_generator().into_root_schema_for::<T>().into()
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[derive(JsonSchema)]
    #[allow(dead_code, reason = "only its schema counts")]
    enum Seat {
        Inside,
        Outside,
    }

    #[derive(JsonSchema)]
    #[allow(dead_code, reason = "only its schema counts")]
    enum Menu {
        Everything,
        Nothing,
        /// Without meat.
        Vegetarian,
    }

    #[derive(JsonSchema)]
    #[allow(dead_code, reason = "only its schema counts")]
    struct Booking {
        /// Who comes?
        name: Option<String>,
        #[serde(default)]
        children: Option<bool>,
        seat: Option<Seat>,
        menu: Menu,
        other_menu: Option<Menu>,
        number: i64,
    }

    /// L3: clients refuse forms whose fields have more than one type, which optional ones have in other schemas.
    #[test]
    fn forms_are_plain() {
        let menu = json!({ "type": "string", "enum": ["Everything", "Nothing", "Vegetarian"] });
        let fields = json!({
            "name": { "type": "string", "description": "Who comes?" },
            "children": { "type": "boolean" },
            "seat": { "type": "string", "enum": ["Inside", "Outside"] },
            "menu": menu,
            "other_menu": menu,
            "number": { "type": "integer" },
        });
        let form = json!({
            "type": "object", "properties": fields, "required": ["menu", "number"],
        });
        assert_eq!(form_of::<Booking>(), form);
    }
}
