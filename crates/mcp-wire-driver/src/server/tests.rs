//! What a server declares, and what its tools make of arguments and results.

use super::table::Table;
use super::{
    CompletionRequest, HandlerError, Local, ResourceContents, Server, Structured, ToolOutput,
    ToolResult, tool_output,
};
use crate::context::Context;
use crate::elicitation::Denial;
use crate::input::InputError;
use crate::listed::{Prompt, Resource, ResourceTemplate, Tool};
use mcp_wire_core::message::{ErrorObject, Json};
use mcp_wire_core::rpc::CallError;
use serde::Deserialize;
use serde_json::{Value, json};
use std::collections::BTreeMap;

fn tool(name: &str) -> Tool {
    Tool::new(name, "A tool of a test", json!({ "type": "object" }))
}

fn value(json: &Json) -> Value {
    json.parse().expect("it is JSON")
}

fn outcome(output: impl ToolOutput) -> Value {
    value(&output.into_outcome().expect("it is a result"))
}

fn names<H>(tools: &Table<Tool, H>) -> Vec<String> {
    let list = value(&tools.list("{}").expect("it is a list"));
    let tools = list["tools"].as_array().expect("it is a list");
    tools.iter().map(|tool| tool["name"].as_str().expect("it has a name").to_owned()).collect()
}

/// Tools are listed in the order in which they were added, also after the list was written once.
#[test]
fn tools_are_listed_in_order() {
    let mut server = Server::new("test", "1");
    assert!(server.tools.is_empty());
    for name in ["b", "a", "c"] {
        server = server.tool_now(tool(name), |_: &Context, _: Value| "done");
    }
    assert_eq!(names(&server.tools), ["b", "a", "c"]);
    let server = server.tool_now(tool("d"), |_: &Context, _: Value| "done");
    assert_eq!(names(&server.tools), ["b", "a", "c", "d"]);
    assert!(server.tools.find("a").is_some() && server.tools.find("e").is_none());
}

/// A tool of the same name is replaced, and listed where the last one was added.
#[test]
fn a_tool_of_the_same_name_is_replaced() {
    let server = Server::local("test", "1")
        .tool_now(tool("a"), |_: &Context, _: Value| "first")
        .tool_now(tool("b"), |_: &Context, _: Value| "second")
        .tool_now(tool("a"), |_: &Context, _: Value| "third");
    assert_eq!(names(&server.tools), ["b", "a"]);
}

/// A declaration shows what is given, under the names of the specification, and nothing else.
#[test]
fn a_declaration_shows_what_is_given() {
    let mut tools = Table::default();
    let full = tool("full")
        .title("Full")
        .output_schema(json!({ "type": "object" }))
        .annotations(json!({ "readOnlyHint": true }));
    for tool in [tool("bare"), full] {
        tools.add(tool, ());
    }
    let bare = json!({
        "name": "bare", "description": "A tool of a test", "inputSchema": { "type": "object" },
    });
    let full = json!({
        "name": "full", "title": "Full", "description": "A tool of a test",
        "inputSchema": { "type": "object" }, "outputSchema": { "type": "object" },
        "annotations": { "readOnlyHint": true },
    });
    let list = tools.list("{}").expect("it is a list");
    assert_eq!(value(&list), json!({ "tools": [bare, full] }));
}

/// A server declares by itself what it has, and whether that changes, unless it was told how.
#[test]
fn capabilities_are_declared() {
    let empty = || Server::<Local>::local("test", "1");
    assert_eq!(value(&empty().list_changed().subscriptions().declared()), json!({}));
    let full = || {
        empty()
            .tool_now(tool("a"), |_: &Context, _: Value| "done")
            .fixed_resource(Resource::new("a", "a"), "a")
            .fixed_prompt(Prompt::new("a"), "a")
            .completion(async |_: Context, _: CompletionRequest| vec!["a"])
    };
    let bare = json!({ "completions": {}, "prompts": {}, "resources": {}, "tools": {} });
    assert_eq!(value(&full().declared()), bare);
    let changing = json!({
        "completions": {},
        "prompts": { "listChanged": true },
        "resources": { "listChanged": true, "subscribe": true },
        "tools": { "listChanged": true },
    });
    assert_eq!(value(&full().list_changed().subscriptions().declared()), changing);
    let server = empty()
        .resource_template(ResourceTemplate::new("{a}", "a"), async |_, _: Value| "a")
        .subscriptions();
    assert_eq!(value(&server.declared()), json!({ "resources": { "subscribe": true } }));
    let by_hand = json!({ "tools": { "listChanged": false }, "logging": {} });
    let server = empty()
        .tool_now(tool("a"), |_: &Context, _: Value| "done")
        .capability("tools", by_hand["tools"].clone())
        .logging()
        .list_changed();
    assert_eq!(value(&server.declared()), by_hand);
}

/// Text, numbers, nothing, values for programs, and a whole result are what a tool may give.
#[test]
fn outputs_become_results() {
    let text = json!({ "content": [{ "type": "text", "text": "hello" }] });
    assert_eq!(outcome("hello"), text);
    assert_eq!(outcome(String::from("hello")), text);
    assert_eq!(outcome(Ok::<_, HandlerError>("hello")), text);
    assert_eq!(outcome(()), json!({ "content": [] }));
    assert_eq!(outcome(4.5)["content"][0]["text"], "4.5");
    assert_eq!(outcome(true)["content"][0]["text"], "true");
    let value = json!({ "celsius": 21.5 });
    let expected = json!({
        "content": [{ "type": "text", "text": r#"{"celsius":21.5}"# }], "structuredContent": value,
    });
    assert_eq!(outcome(Structured(&value)), expected);
    let expected = json!({ "content": [{ "type": "text", "text": "[1]" }] });
    assert_eq!(outcome(Ok::<_, HandlerError>(Structured([1]))), expected);
    let structured = ToolResult::text("hello").with_structured(Json::empty_object());
    let expected = json!({ "content": text["content"], "structuredContent": {} });
    assert_eq!(outcome(structured), expected);
}

/// Each kind of content has the form of the specification, and what a tool gives is what a client reads.
#[test]
fn results_have_all_kinds_of_content() {
    let result = ToolResult::text("hello")
        .with_image("AAEC", "image/png")
        .with_audio("AAEC", "audio/wav")
        .with_resource("a://b", ResourceContents::text("b"))
        .with_structured(json!({ "n": 1 }))
        .with_meta(json!({ "x/y": 1 }));
    let content = json!([
        { "type": "text", "text": "hello" },
        { "type": "image", "data": "AAEC", "mimeType": "image/png" },
        { "type": "audio", "data": "AAEC", "mimeType": "audio/wav" },
        { "type": "resource", "resource": { "uri": "a://b", "text": "b" } },
    ]);
    let meta = json!({ "x/y": 1 });
    let expected = json!({ "content": content, "structuredContent": { "n": 1 }, "_meta": meta });
    assert_eq!(outcome(result.clone()), expected);
    let written = Json::from_serialize(&result).expect("it is JSON");
    assert_eq!(written.parse::<ToolResult>().expect("it is a result"), result);
}

/// What a program reads of a result says why there is nothing to read.
#[test]
fn results_are_read_as_types() {
    let read = |result: ToolResult| result.parse::<BTreeMap<String, u8>>();
    let result = ToolResult::default().with_structured(json!({ "n": 1 }));
    assert_eq!(read(result.clone()), Ok(BTreeMap::from([("n".to_owned(), 1)])));
    for (result, why) in [
        (ToolResult::error("no such file"), "the tool has failed: no such file"),
        (ToolResult::text("hello"), "it has no structured content"),
        (
            result.with_structured(json!({ "n": "one" })),
            "invalid type: string \"one\", expected u8",
        ),
    ] {
        let Err(CallError::UnexpectedResult(told)) = read(result) else { panic!("{why}") };
        assert!(told.starts_with(why), "{told}");
    }
}

/// A failure is told to the model as a result, whatever its type.
#[test]
fn failures_become_results() {
    let expected =
        json!({ "content": [{ "type": "text", "text": "no such file" }], "isError": true });
    let error = std::io::Error::other("no such file");
    assert_eq!(outcome(Err::<(), _>(HandlerError::from(error))), expected);
    assert_eq!(outcome(ToolResult::error("no such file")), expected);
    assert_eq!(outcome(Err::<(), &str>("no such file")), expected);
    assert_eq!(outcome(Err::<(), Box<dyn std::error::Error>>("no such file".into())), expected);
}

/// An error of the protocol stays one, whatever `?` makes of it on the way.
#[test]
fn errors_of_the_protocol_are_no_results() {
    let error = ErrorObject::missing_capability("sampling");
    let failed = Err::<(), _>(error.clone());
    assert_eq!(failed.clone().into_outcome(), Err(error.clone()));
    let work = || -> Result<(), HandlerError> { Ok(failed.clone()?) };
    assert_eq!(work().into_outcome(), Err(error.clone()));
    let work = || -> Result<(), Box<dyn std::error::Error>> { Ok(failed.clone()?) };
    assert_eq!(work().into_outcome(), Err(error.clone()));
    let work = || -> Result<(), Box<dyn std::error::Error + Send + Sync>> { Ok(failed.clone()?) };
    assert_eq!(work().into_outcome(), Err(error.clone()));
    let undeclared = Box::<dyn std::error::Error>::from(InputError::Undeclared("sampling"));
    assert_eq!(Err::<(), _>(undeclared).into_outcome(), Err(error));
}

/// A denial stays one too: who looks at the failure can tell it from others.
#[test]
fn a_denial_is_told_from_other_failures() {
    for error in [Denial::Declined.into(), InputError::Denied(Denial::Declined).into()] {
        let error: HandlerError = error;
        assert_eq!(error.denial(), Some(Denial::Declined));
        assert_eq!(error.message(), "the user has declined");
    }
    assert_eq!(HandlerError::from("the user has declined").denial(), None);
}

/// Arguments that do not fit are told to the model, params that do not fit to the caller.
#[test]
fn what_does_not_fit_is_told() {
    #[derive(Debug, Deserialize)]
    struct Greet {
        #[allow(dead_code, reason = "only whether it is there counts")]
        name: String,
    }
    let told = value(&tool_output::bad_arguments("missing field `name`").expect("it is a result"));
    assert_eq!(told["isError"], true);
    let text = told["content"][0]["text"].as_str().expect("it is a text");
    assert!(text.contains("missing field `name`"), "{text}");
    let error = super::parse::<Greet>("{}").expect_err("the name is missing");
    assert_eq!(error.code, ErrorObject::INVALID_PARAMS);
}
