//! What servers list: declared by a server, read by a client.

/// Setters of optional members, which are the same wherever they are.
macro_rules! setters {
    ($type:ident: $($setter:ident),+) => {
        impl $type {
            $(setters!(@$setter);)+
        }
    };
    (@annotations) => {
        /// Hints on its use, such as `{"audience":["user"]}`.
        #[must_use]
        pub fn annotations(self, annotations: impl Into<Json>) -> Self {
            Self { annotations: Some(annotations.into()), ..self }
        }
    };
    (@description) => {
        /// What it is, or is for, for the model and for people.
        #[must_use]
        pub fn description(self, description: impl Into<String>) -> Self {
            Self { description: Some(description.into()), ..self }
        }
    };
    (@icons) => {
        /// Pictures for user interfaces: `[{"src":..}]`.
        #[must_use]
        pub fn icons(self, icons: impl Into<Json>) -> Self {
            Self { icons: Some(icons.into()), ..self }
        }
    };
    (@meta) => {
        /// What the protocol does not know of: an object.
        #[must_use]
        pub fn meta(self, meta: impl Into<Json>) -> Self {
            Self { meta: Some(meta.into()), ..self }
        }
    };
    (@mime_type) => {
        /// Its media type. Contents that do not say theirs have it too.
        #[must_use]
        pub fn mime_type(self, mime_type: impl Into<String>) -> Self {
            Self { mime_type: Some(mime_type.into()), ..self }
        }
    };
    (@title) => {
        /// Its name for people.
        #[must_use]
        pub fn title(self, title: impl Into<String>) -> Self {
            Self { title: Some(title.into()), ..self }
        }
    };
}

#[cfg(feature = "schemars")]
mod form;
mod prompt;
mod resource;
#[cfg(feature = "schemars")]
mod schemas;
mod tool;

pub use prompt::{Prompt, PromptArgument};
pub use resource::{Resource, ResourceTemplate};
pub use tool::{NoArguments, Tool};

#[cfg(test)]
mod tests {
    use super::*;
    use mcp_wire_core::message::Json;
    use serde::Serialize;
    use serde::de::DeserializeOwned;
    use serde_json::{Value, json};
    use std::fmt;

    fn same<T: Serialize + DeserializeOwned + PartialEq + fmt::Debug>(item: &T, expected: &Value) {
        let written = Json::from_serialize(item).expect("it is JSON");
        assert_eq!(written.parse::<Value>().ok().as_ref(), Some(expected));
        assert_eq!(written.parse::<T>().ok().as_ref(), Some(item));
    }

    /// What a server declares is what a client reads, under the names of the specification; what is not given is not shown.
    #[test]
    fn declarations_are_written_and_read() {
        same(&Resource::new("a://b", "b"), &json!({ "uri": "a://b", "name": "b" }));
        let all = json!({
            "uri": "a://b", "name": "b", "title": "B", "description": "Is b", "mimeType": "text/plain", "size": 7,
            "annotations": { "priority": 1 }, "icons": [{ "src": "data:" }], "_meta": { "x/y": 1 },
        });
        let resource = Resource::new("a://b", "b")
            .title("B")
            .description("Is b")
            .mime_type("text/plain")
            .size(7)
            .annotations(json!({ "priority": 1 }))
            .icons(json!([{ "src": "data:" }]))
            .meta(json!({ "x/y": 1 }));
        same(&resource, &all);

        same(
            &ResourceTemplate::new("a://{b}", "b"),
            &json!({ "uriTemplate": "a://{b}", "name": "b" }),
        );
        let mut all = all;
        let members = all.as_object_mut().expect("it is an object");
        members.retain(|name, _| name != "uri" && name != "size");
        members.insert("uriTemplate".into(), "a://{b}".into());
        let template = ResourceTemplate::new("a://{b}", "b")
            .title("B")
            .description("Is b")
            .mime_type("text/plain")
            .annotations(json!({ "priority": 1 }))
            .icons(json!([{ "src": "data:" }]))
            .meta(json!({ "x/y": 1 }));
        same(&template, &all);

        let bare =
            json!({ "name": "b", "description": "Is b", "inputSchema": { "type": "object" } });
        same(&Tool::new("b", "Is b", json!({ "type": "object" })), &bare);
        let all = json!({
            "name": "b", "title": "B", "description": "Is b", "inputSchema": { "type": "object" },
            "outputSchema": { "type": "object" }, "annotations": { "title": "A" }, "icons": [{ "src": "data:" }],
            "_meta": { "x/y": 1 },
        });
        let tool = Tool::new("b", "Is b", json!({ "type": "object" }))
            .title("B")
            .output_schema(json!({ "type": "object" }))
            .annotations(json!({ "title": "A" }))
            .icons(json!([{ "src": "data:" }]))
            .meta(json!({ "x/y": 1 }));
        same(&tool, &all);

        same(&Prompt::new("b"), &json!({ "name": "b" }));
        let whole = PromptArgument::required("whole").title("Whole").description("Is whole");
        let prompt = Prompt::new("b")
            .title("B")
            .description("Is b")
            .argument(PromptArgument::optional("bare"))
            .argument(whole)
            .icons(json!([{ "src": "data:" }]))
            .meta(json!({ "x/y": 1 }));
        let bare = json!({ "name": "bare" });
        let whole = json!({ "name": "whole", "title": "Whole", "description": "Is whole", "required": true });
        let all = json!({
            "name": "b", "title": "B", "description": "Is b", "arguments": [bare, whole],
            "icons": [{ "src": "data:" }], "_meta": { "x/y": 1 },
        });
        same(&prompt, &all);
    }

    /// A title goes before the one of the annotations, and that before the name.
    #[test]
    fn a_tool_has_a_name_for_people() {
        let mut tool = Tool::new("b", "Is b", json!({ "type": "object" }));
        assert_eq!(tool.display_name(), "b");
        tool = tool.annotations(json!({ "title": "A" }));
        assert_eq!(tool.display_name(), "A");
        assert_eq!(tool.title("B").display_name(), "B");
    }
}
