//! What a server offers beside tools: resources, templates, prompts, completion; and lists in pages.
//!
//! The rules are those of the specification of MCP, named by its pages.

use crate::support::{Wire, World, request, tool};
use mcp_wire_driver::{
    CompletionReference, CompletionRequest, Context, ErrorObject, Json, NoArguments, Prompt,
    PromptArgument, Resource, ResourceTemplate, ServeError, Server, Tool, memory, serve,
};
use serde::Deserialize;
use serde_json::{Value, json};
use std::cell::Cell;
use std::collections::BTreeMap;
use std::rc::Rc;
use std::sync::Arc;

impl Wire {
    /// The reply to a request.
    fn ask(&self, method: &str, params: &Value) -> Value {
        self.send(&request(1, method, params));
        self.receive_one()
    }

    fn result(&self, method: &str, params: &Value) -> Value {
        let reply = self.ask(method, params);
        assert_eq!(reply["error"], Value::Null, "{method} {params}");
        reply["result"].clone()
    }

    fn error_code(&self, method: &str, params: &Value) -> i64 {
        let reply = self.ask(method, params);
        reply["error"]["code"].as_i64().unwrap_or_else(|| panic!("no error: {reply}"))
    }

    /// The text of the first contents that reading gives.
    fn read(&self, uri: &str) -> Value {
        self.result("resources/read", &json!({ "uri": uri }))["contents"][0]["text"].clone()
    }
}

/// Five tools, and three of everything else.
fn server() -> Server {
    let mut server = Server::new("test", "1");
    for name in ["a", "b", "c", "d", "e"] {
        server = server.tool_now(tool(name), |_: &Context, _: Value| "done");
    }
    for name in ["a", "b", "c"] {
        server = server
            .fixed_resource(Resource::new(format!("test://{name}"), name), name)
            .resource_template(
                ResourceTemplate::new(format!("test://{name}/{{x}}"), name),
                async |context: Context, _: NoArguments| {
                    context.uri().unwrap_or_default().to_owned()
                },
            )
            .fixed_prompt(Prompt::new(name), name);
    }
    server
}

const LISTS: [(&str, &str); 4] = [
    ("tools/list", "tools"),
    ("resources/list", "resources"),
    ("resources/templates/list", "resourceTemplates"),
    ("prompts/list", "prompts"),
];

/// The names on all pages of a list, page by page.
fn pages(wire: &Wire, method: &str, member: &str) -> Vec<Vec<String>> {
    let mut pages = Vec::new();
    let mut params = json!({});
    loop {
        let page = wire.result(method, &params);
        let items = page[member].as_array().expect("a page has items");
        let name = |item: &Value| item["name"].as_str().expect("an item has a name").to_owned();
        pages.push(items.iter().map(name).collect());
        match page.get("nextCursor") {
            None => return pages,
            Some(cursor) => params = json!({ "cursor": cursor.as_str().expect("it is a string") }),
        }
    }
}

/// server/utilities/pagination: all pages make up the list, in its order; by default there is one. No page is empty, but for
/// that of an empty list.
#[test]
fn pages_make_up_the_list() {
    for (size, tools, others) in [
        (None, vec![5], vec![3]),
        (Some(0), vec![1; 5], vec![1; 3]),
        (Some(2), vec![2, 2, 1], vec![2, 1]),
        (Some(3), vec![3, 2], vec![3]),
        (Some(usize::MAX), vec![5], vec![3]),
    ] {
        let wire = match size {
            None => Wire::serve(server()).ready(),
            Some(size) => Wire::serve(server().page_size(size)).ready(),
        };
        for (method, member) in LISTS {
            let pages = pages(&wire, method, member);
            let expected = if member == "tools" { &tools } else { &others };
            assert_eq!(&pages.iter().map(Vec::len).collect::<Vec<_>>(), expected, "{method}");
            let names = pages.concat().concat();
            assert_eq!(names, if member == "tools" { "abcde" } else { "abc" }, "{method}");
        }
    }
    let wire = Wire::serve(Server::new("test", "1").fixed_resource(Resource::new("a", "a"), "a"));
    assert_eq!(pages(&wire.ready(), "resources/templates/list", "resourceTemplates"), [[""; 0]]);
}

/// server/utilities/pagination: a cursor that is none of ours is -32602, and so is one that is no string.
#[test]
fn a_bad_cursor_is_refused() {
    for server in [server(), server().page_size(2)] {
        let wire = Wire::serve(server).ready();
        for (method, _) in LISTS {
            for cursor in [json!("x"), json!(""), json!("7"), json!("-1"), json!(1)] {
                assert_eq!(wire.error_code(method, &json!({ "cursor": cursor })), -32602);
            }
        }
    }
}

/// server/resources: contents have the URI that was read and the declared media type. What does not exist is -32002, with
/// the URI: no resource of that name, variables that do not fit their type, and what the handler says does not exist.
#[test]
fn resources_are_read() {
    #[derive(Deserialize)]
    struct Number {
        number: u8,
    }
    let server = Server::new("test", "1")
        .resource(
            Resource::new("test://live", "live").mime_type("text/plain"),
            async |_: Context, uri: String| format!("read {uri}"),
        )
        .resource_template(
            ResourceTemplate::new("number://{number}", "number").mime_type("text/plain"),
            async |_: Context, Number { number }| (number > 5).then(|| number.to_string()),
        );
    let wire = Wire::serve(server).ready();
    for (uri, text) in [("test://live", "read test://live"), ("number://7", "7")] {
        let contents = json!([{ "uri": uri, "mimeType": "text/plain", "text": text }]);
        let read = wire.result("resources/read", &json!({ "uri": uri }));
        assert_eq!(read, json!({ "contents": contents }));
    }
    for uri in ["test://dead", "number://5", "number://256", "number://x", "number://"] {
        let error = wire.ask("resources/read", &json!({ "uri": uri }))["error"].clone();
        let data = json!({ "uri": uri });
        assert_eq!(error, json!({ "code": -32002, "message": "resource not found", "data": data }));
    }
    assert_eq!(wire.error_code("resources/read", &json!({})), -32602);
}

/// RFC 6570: variables come percent-decoded; `{name}` ends at a slash, `{+name}` does not. Of several that fit the resource
/// of that very URI counts, then the first template.
#[test]
fn templates_are_matched() {
    let show = |name: &'static str| {
        move |_: Context, variables: BTreeMap<String, String>| {
            std::future::ready(format!("{name} {variables:?}"))
        }
    };
    let server = Server::new("test", "1")
        .resource_template(ResourceTemplate::new("test://{x}", "one"), show("one"))
        .resource_template(ResourceTemplate::new("test://{x}/{y}", "two"), show("two"))
        .resource_template(ResourceTemplate::new("test://{+rest}", "all"), show("all"))
        .fixed_resource(Resource::new("test://fixed", "fixed"), "fixed");
    let wire = Wire::serve(server).ready();
    assert_eq!(wire.read("test://fixed"), "fixed");
    assert_eq!(wire.read("test://a%20b"), r#"one {"x": "a b"}"#);
    assert_eq!(wire.read("test://a%2Fb/c"), r#"two {"x": "a/b", "y": "c"}"#);
    assert_eq!(wire.read("test://a/b/c?d"), r#"all {"rest": "a/b/c?d"}"#);
}

/// A resource, template or prompt of the same key replaces the first, and is listed where it was added last.
#[test]
fn the_same_key_replaces() {
    let server = server()
        .fixed_resource(Resource::new("test://a", "a"), "replaced")
        .fixed_prompt(Prompt::new("b"), "replaced");
    let wire = Wire::serve(server).ready();
    assert_eq!(pages(&wire, "resources/list", "resources"), [["b", "c", "a"]]);
    assert_eq!(pages(&wire, "prompts/list", "prompts"), [["a", "c", "b"]]);
    assert_eq!(
        (wire.read("test://a"), wire.read("test://b"), wire.read("test://c")),
        (json!("replaced"), json!("b"), json!("c"))
    );
}

/// server/prompts: arguments reach the handler; a required one that is missing, one that does not fit, and a prompt that does
/// not exist are -32602.
#[test]
fn prompts_are_filled_in() {
    #[derive(Deserialize)]
    struct Review {
        lines: u8,
        style: Option<String>,
    }
    let server = Server::new("test", "1")
        .prompt(
            Prompt::new("review")
                .argument(PromptArgument::required("lines"))
                .argument(PromptArgument::optional("style")),
            async |_: Context, Review { lines, style }| format!("{lines} {style:?}"),
        )
        .prompt(
            Prompt::new("any").argument(PromptArgument::required("x")),
            async |_: Context, _: Value| Err::<&str, _>(ErrorObject::new(7, "refused")),
        );
    let wire = Wire::serve(server).ready();
    for (arguments, text) in [
        (json!({ "lines": "5" }), "5 None"),
        (json!({ "lines": "6", "style": "short", "unknown": "x" }), "6 Some(\"short\")"),
    ] {
        let content = json!({ "type": "text", "text": text });
        let messages = json!([{ "role": "user", "content": content }]);
        let result =
            wire.result("prompts/get", &json!({ "name": "review", "arguments": arguments }));
        assert_eq!(result, json!({ "messages": messages }));
    }
    for params in [
        json!({ "name": "review" }),
        json!({ "name": "review", "arguments": null }),
        json!({ "name": "review", "arguments": { "style": "short" } }),
        json!({ "name": "review", "arguments": { "lines": 5 } }),
        json!({ "name": "review", "arguments": { "lines": "x" } }),
        json!({ "name": "any", "arguments": {} }),
        json!({ "name": "unknown" }),
        json!({}),
    ] {
        assert_eq!(wire.error_code("prompts/get", &params), -32602, "{params}");
    }
    let refused = json!({ "name": "any", "arguments": { "x": "" } });
    assert_eq!(wire.error_code("prompts/get", &refused), 7);
}

fn complete(reference: &Value, context: &Value) -> Value {
    let argument = json!({ "name": "x", "value": "7" });
    json!({ "ref": reference, "argument": argument, "context": context })
}

/// server/utilities/completion: at most 100 values go out, and how many there are; known arguments reach the handler; a
/// reference to no prompt, or of no known kind, is -32602; without a handler the method is not there.
#[test]
fn completions_are_given() {
    let numbers = async |_: Context, request: CompletionRequest| {
        assert_eq!((&*request.argument, &*request.value), ("x", "7"));
        let count = request.arguments.get("count").map_or(Ok(0), |count| count.parse());
        let count: u32 = count.map_err(ErrorObject::invalid_params)?;
        let numbers: Vec<String> = (0..count).map(|number| number.to_string()).collect();
        match request.reference {
            CompletionReference::Resource { uri } if uri == "test://{x}" => Ok(vec![uri]),
            _ => Ok::<_, ErrorObject>(numbers),
        }
    };
    let wire = Wire::serve(server().completion(numbers)).ready();
    let prompt = json!({ "type": "ref/prompt", "name": "a" });
    let of = |reference: &Value, context: Value| {
        wire.result("completion/complete", &complete(reference, &context))["completion"].clone()
    };
    let template = of(&json!({ "type": "ref/resource", "uri": "test://{x}" }), json!({}));
    assert_eq!(template, json!({ "values": ["test://{x}"], "hasMore": false }));
    let hundred = of(&prompt, json!({ "arguments": { "count": "100" } }));
    assert_eq!((hundred["values"][99].clone(), &hundred["hasMore"]), (json!("99"), &json!(false)));
    let more = of(&prompt, json!({ "arguments": { "count": "101" } }));
    let values = more["values"].as_array().map(Vec::len);
    assert_eq!((values, &more["total"], &more["hasMore"]), (Some(100), &json!(101), &json!(true)));
    for reference in [
        json!({ "type": "ref/prompt", "name": "unknown" }),
        json!({ "type": "ref/other", "name": "a" }),
        json!({}),
    ] {
        let params = complete(&reference, &json!({}));
        assert_eq!(wire.error_code("completion/complete", &params), -32602, "{reference}");
    }
    let wire = Wire::serve(server()).ready();
    let params = complete(&prompt, &json!({}));
    assert_eq!(wire.error_code("completion/complete", &params), -32601);
}

/// M7: what a server does not have at all is an unknown method.
#[test]
fn what_is_not_there_is_unknown() {
    let wire = Wire::serve(Server::new("test", "1")).ready();
    for (method, _) in LISTS {
        assert_eq!(wire.error_code(method, &json!({})), -32601);
    }
    for method in ["resources/read", "prompts/get", "tools/call", "completion/complete"] {
        assert_eq!(wire.error_code(method, &json!({})), -32601);
    }
}

/// A method that was added by hand goes before the built-in one, whichever came first; the others stay.
#[test]
fn a_method_by_hand_wins() {
    let by_hand = async |_: Context, _: Value| Ok(Json::from(json!({ "by": "hand" })));
    let server = Server::new("test", "1")
        .method("resources/read", by_hand)
        .fixed_resource(Resource::new("test://a", "a"), "a")
        .fixed_prompt(Prompt::new("a"), "a")
        .method("prompts/list", by_hand);
    let wire = Wire::serve(server).ready();
    let a = json!({ "uri": "test://a", "name": "a" });
    assert_eq!(wire.result("resources/read", &a), json!({ "by": "hand" }));
    assert_eq!(wire.result("prompts/list", &a), json!({ "by": "hand" }));
    assert_eq!(wire.result("resources/list", &json!({})), json!({ "resources": [a] }));
    assert_eq!(wire.result("prompts/get", &a)["messages"][0]["content"]["text"], "a");
}

/// N2: reading, filling in and completing can tell of their progress, as tools can.
#[test]
fn all_can_tell_of_progress() {
    fn tell(context: &Context) -> &'static str {
        context.progress(1.0, None, None).expect("there is room");
        "done"
    }
    let server = Server::new("test", "1")
        .resource(Resource::new("a", "a"), async |context: Context, _: String| tell(&context))
        .resource_template(
            ResourceTemplate::new("b{x}", "b"),
            async |context: Context, _: NoArguments| tell(&context),
        )
        .prompt(Prompt::new("a"), async |context: Context, _: NoArguments| tell(&context))
        .completion(async |context: Context, _: CompletionRequest| vec![tell(&context)]);
    let wire = Wire::serve(server).ready();
    let completion = complete(&json!({ "type": "ref/prompt", "name": "a" }), &json!({}));
    for (method, mut params) in [
        ("resources/read", json!({ "uri": "a" })),
        ("resources/read", json!({ "uri": "b1" })),
        ("prompts/get", json!({ "name": "a" })),
        ("completion/complete", completion),
    ] {
        params["_meta"] = json!({ "progressToken": "token" });
        wire.send(&request(1, method, &params));
        let messages = wire.receive();
        assert_eq!(messages.len(), 2, "{messages:?}");
        assert_eq!(messages[0]["params"], json!({ "progressToken": "token", "progress": 1.0 }));
        assert!(messages[1]["result"].is_object(), "{messages:?}");
    }
}

/// A local server has the same features, and its handlers need not be `Send`.
#[test]
fn a_local_server_has_them_too() {
    let count = Rc::new(Cell::new(0));
    let counted = |count: &Rc<Cell<u32>>| {
        let count = Rc::clone(count);
        move || {
            count.set(count.get() + 1);
            std::future::ready(count.get().to_string())
        }
    };
    let (read, fill, of) = (counted(&count), counted(&count), counted(&count));
    let server = Server::local("test", "1")
        .resource(Resource::new("a", "a"), move |_, _| read())
        .resource_template(ResourceTemplate::new("b{x}", "b"), move |_, _: NoArguments| of())
        .prompt(Prompt::new("a"), move |_, _: NoArguments| fill())
        .completion(move |_, _| {
            let count = Rc::clone(&count);
            async move { vec![count.get().to_string()] }
        });
    let wire = Wire::serve(server).ready();
    assert_eq!((wire.read("a"), wire.read("b1")), (json!("1"), json!("2")));
    let filled = wire.result("prompts/get", &json!({ "name": "a" }));
    assert_eq!(filled["messages"][0]["content"]["text"], "3");
    let params = complete(&json!({ "type": "ref/prompt", "name": "a" }), &json!({}));
    let completed = wire.result("completion/complete", &params);
    assert_eq!(completed["completion"]["values"], json!(["3"]));
}

/// What clients would choke on is the server's error, when it is served.
#[test]
fn what_cannot_work_is_not_served() {
    fn refused(server: Server) -> ServeError {
        let ((reader, writer), _) = memory::pair(1);
        let runtime = World::default().runtime;
        serve(runtime, Arc::new(server), reader, writer).expect_err("it cannot be served")
    }
    for schema in [json!(true), json!({}), json!({ "type": "string" }), json!("object")] {
        let tool = Tool::new("a", "A tool of a test", schema);
        let server = Server::new("test", "1").tool_now(tool, |_: &Context, _: Value| "done");
        assert_eq!(refused(server), ServeError::InputSchema("a".into()));
    }
    let template = ResourceTemplate::new("test://{?x}", "a");
    let server = Server::new("test", "1")
        .resource_template(template, async |_: Context, _: NoArguments| "a");
    let error = refused(server);
    assert!(matches!(&error, ServeError::UriTemplate(template, _) if template == "test://{?x}"));
    assert!(error.to_string().contains("only {name} and {+name} are understood"), "{error}");
}
