//! What a client asks for by name, and what it makes of the answers.

use crate::support::{cancelled, error, notification, ready, response, start};
use mcp_wire_driver::{
    CallError, CallOptions, Completion, CompletionRequest, Json, LogLevel, Prompt, PromptArgument,
    PromptResult, Resource, ResourceContents, ResourceTemplate, SendError, Tool, ToolResult,
};
use serde_json::{Value, json};
use std::collections::HashMap;

/// O1: each feature asks under its own name, and gives what the server said.
#[test]
fn features_ask_by_name() {
    let (wire, client) = ready();
    let ask = |method: &str, params: Value, result: Value| {
        let sent = wire.receive_one();
        assert_eq!((&sent["method"], &sent["params"]), (&json!(method), &params));
        wire.send(&response(&sent["id"], &result));
    };
    let list = start(&wire, &client, |it| async move { it.list_tools().await });
    let tool = Tool::new("t", "does", json!({ "type": "object" })).title("T");
    ask("tools/list", json!({}), json!({ "tools": [tool] }));
    assert_eq!(list.take(), Some(Ok(vec![tool])));

    let called = start(&wire, &client, |it| async move { it.call_tool("t", &json!([1])).await });
    let text = json!({ "type": "text", "text": "no" });
    let params = json!({ "name": "t", "arguments": [1] });
    ask("tools/call", params, json!({ "content": [text], "isError": true }));
    let told = |result: ToolResult| (result.as_text(), result.is_error());
    assert_eq!(called.take().map(|it| it.map(told)), Some(Ok(("no".to_owned(), true))));

    let listed = start(&wire, &client, |it| async move { it.list_resources().await });
    let resource = json!({ "uri": "a:b", "name": "b", "mimeType": "x/y", "size": 7, "new": 1 });
    ask("resources/list", json!({}), json!({ "resources": [resource] }));
    let listed: Vec<Resource> = listed.take().unwrap().unwrap();
    assert_eq!((&*listed[0].uri, listed[0].size), ("a:b", Some(7)));
    assert_eq!(listed[0].mime_type.as_deref(), Some("x/y"));

    let listed = start(&wire, &client, |it| async move { it.list_resource_templates().await });
    let template = json!({ "uriTemplate": "a:{b}", "name": "b" });
    ask("resources/templates/list", json!({}), json!({ "resourceTemplates": [template] }));
    let listed: Vec<ResourceTemplate> = listed.take().unwrap().unwrap();
    assert_eq!(listed[0].uri_template, "a:{b}");

    let read = start(&wire, &client, |it| async move { it.read_resource("a:b").await });
    let text = json!({ "uri": "a:b", "mimeType": "x/y", "text": "c", "_meta": { "d": 1 } });
    let blob = json!({ "uri": "a:c", "blob": "AAEC", "new": 1 });
    ask("resources/read", json!({ "uri": "a:b" }), json!({ "contents": [text, blob], "ttlMs": 1 }));
    let text = ResourceContents::text("c").uri("a:b").mime_type("x/y").meta(json!({ "d": 1 }));
    let blob = ResourceContents::blob("AAEC").uri("a:c");
    assert_eq!(read.take(), Some(Ok(vec![text, blob])));

    let subscribed = start(&wire, &client, |it| async move { it.subscribe("a:b").await });
    ask("resources/subscribe", json!({ "uri": "a:b" }), json!({}));
    assert_eq!(subscribed.take(), Some(Ok(())));

    let left = start(&wire, &client, |it| async move { it.unsubscribe("a:b").await });
    ask("resources/unsubscribe", json!({ "uri": "a:b" }), json!({}));
    assert_eq!(left.take(), Some(Ok(())));

    let listed = start(&wire, &client, |it| async move { it.list_prompts().await });
    let prompt =
        json!({ "name": "p", "arguments": [{ "name": "a", "required": true }, { "name": "b" }] });
    ask("prompts/list", json!({}), json!({ "prompts": [prompt, { "name": "q" }] }));
    let listed: Vec<Prompt> = listed.take().unwrap().unwrap();
    let required: Vec<bool> = listed[0].arguments.iter().map(|it| it.required).collect();
    assert_eq!((required, listed[1].arguments.len()), (vec![true, false], 0));

    let got =
        start(&wire, &client, |it| async move { it.get_prompt("p", &json!({ "a": "x" })).await });
    ask(
        "prompts/get",
        json!({ "name": "p", "arguments": { "a": "x" } }),
        json!({ "messages": [{ "content": "x", "role": "user" }], "description": "says x" }),
    );
    let result = PromptResult::default().with_description("says x");
    let result = result.with_message(json!({ "content": "x", "role": "user" }));
    assert_eq!(got.take(), Some(Ok(result)));

    let reference = json!({ "type": "ref/prompt", "name": "p" });
    let completed = start(&wire, &client, {
        let reference = reference.clone();
        |it| async move { it.complete(&reference, "a", "x").await }
    });
    let params = json!({ "ref": reference, "argument": { "name": "a", "value": "x" } });
    let completion = json!({ "values": ["xy"], "total": 9, "hasMore": true });
    ask("completion/complete", params, json!({ "completion": completion }));
    let completion: Completion = completed.take().unwrap().unwrap();
    assert_eq!((completion.values, completion.total), (vec!["xy".to_owned()], Some(9)));
    assert!(completion.has_more);

    let set = start(&wire, &client, |it| async move { it.set_log_level(LogLevel::Error).await });
    ask("logging/setLevel", json!({ "level": "error" }), json!({}));
    assert_eq!(set.take(), Some(Ok(())));

    let pinged = start(&wire, &client, |it| async move { it.ping().await });
    ask("ping", Value::Null, json!({}));
    assert_eq!(pinged.take(), Some(Ok(())));

    let noted =
        start(
            &wire,
            &client,
            |it| async move { it.notify("test", Some(Json::empty_object())).await },
        );
    assert_eq!(wire.receive_one(), notification("test", &json!({})));
    assert_eq!(noted.take(), Some(Ok(())));
}

/// O1: a list is all of its pages, in order; each page is asked for with the cursor of the one before, as it was given.
#[test]
fn a_list_is_all_of_its_pages() {
    let (wire, client) = ready();
    let listed =
        start(&wire, &client, |it| async move { it.list::<i32>("test/list", "items").await });
    let pages = [
        (json!({}), r#"{"items":[1,2],"nextCursor":"two"}"#),
        (json!({ "cursor": "two" }), r#"{"items":[],"nextCursor":""}"#),
        (json!({ "cursor": "" }), r#"{"nextCursor":null,"items":[3]}"#),
    ];
    for (params, result) in pages {
        assert_eq!(listed.take(), None);
        let sent = wire.receive_one();
        assert_eq!((&sent["method"], &sent["params"]), (&json!("test/list"), &params));
        wire.send(&response(&sent["id"], &serde_json::from_str(result).unwrap()));
    }
    assert_eq!(listed.take(), Some(Ok(vec![1, 2, 3])));
    assert_eq!(wire.receive(), [Value::Null; 0]);
}

/// O1: a member that may be left out may be `null` as well: one prompt written so does not cost the list.
#[test]
fn what_may_be_left_out_may_be_null() {
    let (wire, client) = ready();
    let listed = start(&wire, &client, |it| async move { it.list_prompts().await });
    let sent = wire.receive_one();
    let argument = json!({ "name": "a", "title": null, "description": null, "required": null });
    let bare =
        json!({ "name": "p", "title": null, "arguments": null, "icons": null, "_meta": null });
    let other = json!({ "name": "q", "arguments": [argument] });
    wire.send(&response(&sent["id"], &json!({ "prompts": [bare, other], "nextCursor": null })));
    let other = Prompt::new("q").argument(PromptArgument::optional("a"));
    assert_eq!(listed.take(), Some(Ok(vec![Prompt::new("p"), other])));

    let result = json!({ "content": null, "structuredContent": null, "isError": null });
    assert_eq!(serde_json::from_value::<ToolResult>(result).unwrap(), ToolResult::default());
    let completion = json!({ "values": [], "total": null, "hasMore": null });
    let none = Completion::new([""; 0]);
    assert_eq!(serde_json::from_value::<Completion>(completion).unwrap(), none);
    for context in [json!(null), json!({ "arguments": null })] {
        let reference = json!({ "type": "ref/prompt", "name": "p" });
        let argument = json!({ "name": "a", "value": "" });
        let request = json!({ "ref": reference, "argument": argument, "context": context });
        let request: CompletionRequest = serde_json::from_value(request).unwrap();
        assert!(request.arguments.is_empty());
    }
}

/// O1: a list that goes round in circles has an end, whether it stands still or not.
#[test]
fn an_endless_list_is_given_up() {
    let ask = |cursor: fn(usize) -> usize, padding: usize| {
        let (wire, client) = ready();
        let listed = start(&wire, &client, |it| async move { it.list_tools().await });
        let mut pages = 0;
        while let [sent] = &wire.receive()[..] {
            pages += 1;
            let next = cursor(pages).to_string();
            wire.send(&response(
                &sent["id"],
                &json!({ "tools": [], "nextCursor": next, "padding": "x".repeat(padding) }),
            ));
        }
        let error = "the list of tools has no end".to_owned();
        assert_eq!(listed.take(), Some(Err(CallError::UnexpectedResult(error))));
        pages
    };
    assert_eq!(ask(|_| 7, 0), 2);
    assert_eq!(ask(|page| page % 2, 0), 3);
    // One that never comes round is ended by its size.
    assert_eq!(ask(|page| page, 10 << 20), 7);
}

/// O1: a page that is none fails the list, as does one that the server refuses.
#[test]
fn a_bad_page_fails_the_list() {
    let list = || {
        let (wire, client) = ready();
        let listed = start(&wire, &client, |it| async move { it.list_tools().await });
        let sent = wire.receive_one();
        (wire, listed, sent["id"].clone())
    };
    for page in [json!({}), json!({ "tool": [] }), json!({ "tools": {} }), json!([]), json!(null)] {
        let (wire, listed, id) = list();
        wire.send(&response(&id, &page));
        let failed = matches!(listed.take(), Some(Err(CallError::UnexpectedResult(_))));
        assert!(failed, "{page}");
    }
    let (wire, listed, id) = list();
    wire.send(&response(&id, &json!({ "tools": [], "nextCursor": "x" })));
    let id = &wire.receive_one()["id"];
    wire.send(&error(id, -32602, "which?"));
    assert!(
        matches!(listed.take(), Some(Err(CallError::Peer(error))) if error.message == "which?")
    );
}

/// C6: a list that is given up cancels the page that it waits for.
#[test]
fn a_list_may_be_given_up() {
    let (wire, client) = ready();
    let listed = start(&wire, &client, |it| async move { it.list_tools().await });
    let first = wire.receive_one();
    wire.send(&response(&first["id"], &json!({ "tools": [], "nextCursor": "x" })));
    let second = wire.receive_one();
    listed.cancel();
    assert_eq!(wire.receive_one(), cancelled(&second["id"]));
}

/// O1: a result is read as the type that is asked for, or the call says why it is not.
#[test]
fn results_have_a_type() {
    let (wire, client) = ready();
    let ask = |result: Value| {
        let params = json!({ "a": 1 });
        let called =
            start(&wire, &client, |it| async move { it.call::<u8>("test", &params).await });
        let sent = wire.receive_one();
        assert_eq!(sent["params"], json!({ "a": 1 }));
        wire.send(&response(&sent["id"], &result));
        called.take().expect("it is over")
    };
    assert_eq!(ask(json!(255)), Ok(255));
    for bad in [json!(256), json!("1"), json!(null), json!({})] {
        let outcome = ask(bad);
        let Err(CallError::UnexpectedResult(why)) = &outcome else { panic!("{outcome:?}") };
        assert!(why.contains("u8"), "{why}");
    }
    let called = start(&wire, &client, |it| async move { it.call_tool("t", &json!({})).await });
    let sent = wire.receive_one();
    wire.send(&response(&sent["id"], &json!({ "content": "text" })));
    assert!(matches!(called.take(), Some(Err(CallError::UnexpectedResult(_)))));
    assert_eq!(client.peer().closed(), None);
}

/// O1: params that cannot be written as JSON are an error at once, and nothing is sent.
#[test]
fn params_have_to_be_json() {
    let (wire, client) = ready();
    let params = HashMap::from([((1, 2), 3)]);
    let called = start(&wire, &client, |it| async move { it.call::<Value>("test", &params).await });
    let outcome = called.take();
    let is_it = matches!(outcome, Some(Err(CallError::NotSent(SendError::NotJson(_)))));
    assert!(is_it, "{outcome:?}");
    let mut call = client.start_tool("t", &HashMap::from([((), ())]), CallOptions::default());
    call.canceller().cancel(None);
    let tool = wire.start(async move { (call.progress().await, call.await) });
    let outcome = tool.take();
    let is_it = matches!(outcome, Some((None, Err(CallError::NotSent(SendError::NotJson(_))))));
    assert!(is_it, "{outcome:?}");
    assert_eq!(wire.receive(), [Value::Null; 0]);
}

/// E6: params of nothing are no params (JSON-RPC: a structured value, or left out).
#[test]
fn unit_params_are_left_out() {
    let (wire, client) = ready();
    let _call = start(&wire, &client, |it| async move { it.call::<Value>("test", &()).await });
    assert_eq!(wire.receive_one().get("params"), None);
    let _call = start(&wire, &client, |it| async move { it.call_tool("test", &()).await });
    assert_eq!(wire.receive_one()["params"], json!({ "name": "test" }));
}
