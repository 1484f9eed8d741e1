//! What servers list beside tools: declared by a server, read by a client.

mod prompt;
mod resource;

pub use prompt::{Prompt, PromptArgument};
pub use resource::{Resource, ResourceTemplate};

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
}
