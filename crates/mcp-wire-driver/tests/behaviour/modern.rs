//! Revision 2026-07-28, from a client to a server and back, in memory.

use crate::support::{ClientWire, World, response};
use mcp_wire_driver::{
    CallError, CallOptions, Client, Context, Denial, Eras, ErrorObject, Host, InputError,
    InputRequired, Json, LogLevel, NoArguments, Notice, OnProgress, Prompt, Resource, Revision,
    Root, SendError, Server, SubscriptionFilter, Tool, ToolError,
};
use serde_json::{Value, json};
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex};

/// A client and a server that speak with each other.
fn talk(host: Host, server: Server) -> (World, Client, Arc<Server>) {
    let world = World::default();
    let server = Arc::new(server);
    let runtime = world.runtime.clone();
    let connecting = world.start(Client::connect_server(runtime, host, server.clone()));
    world.run();
    let client = connecting.take().expect("it is over").expect("they agree");
    (world, client, server)
}

fn host(eras: Eras) -> Host {
    Host::new("test", "1").eras(eras)
}

fn server() -> Server {
    Server::new("test", "1")
}

fn tool(name: &str) -> Tool {
    Tool::new(name, "", json!({ "type": "object" }))
}

/// P3, P4: by default both sides speak the latest revision; each can be pinned to an era.
#[test]
fn the_latest_revision_is_found() {
    for (client, served, revision) in [
        (Eras::Both, Eras::Both, Revision::V2026_07_28),
        (Eras::Modern, Eras::Both, Revision::V2026_07_28),
        (Eras::Legacy, Eras::Both, Revision::V2025_11_25),
        (Eras::Both, Eras::Legacy, Revision::V2025_11_25),
        (Eras::Both, Eras::Modern, Revision::V2026_07_28),
    ] {
        let (_world, client, _server) = talk(host(client), server().eras(served));
        assert_eq!(client.server().revision, revision);
        assert_eq!(
            client.server().implementation.as_ref().map(|it| it.name.as_str()),
            Some("test")
        );
    }
    for (client, served) in [(Eras::Modern, Eras::Legacy), (Eras::Legacy, Eras::Modern)] {
        let world = World::default();
        let runtime = world.runtime.clone();
        let server = Arc::new(server().eras(served));
        let connecting = world.start(Client::connect_server(runtime, host(client), server));
        world.run();
        assert!(connecting.take().expect("it is over").is_err());
    }
}

/// What each era has of what a handler asks, in one place: the same handler serves both.
fn asking() -> Server {
    server()
        .tool(tool("all"), async |context: Context, _: NoArguments| {
            let name = context.elicit(json!({ "message": "name?" }).into()).await?;
            let answer = context.sample(json!({ "prompt": name.as_str() }).into()).await?;
            let roots = context.list_roots().await?;
            Ok::<_, ToolError>(format!("{name} {answer} {roots}"))
        })
        .tool(tool("approved"), async |context: Context, _: NoArguments| {
            match context.approve("really?").await {
                Ok(()) => Ok("done".to_owned()),
                Err(error) if error.denial() == Some(Denial::Declined) => Ok("declined".to_owned()),
                Err(error) => Err(error),
            }
        })
        .prompt(Prompt::new("asks"), async |context: Context, _: NoArguments| {
            let name = context.elicit(json!({ "message": "name?" }).into()).await?;
            Ok::<_, InputError>(name.to_string())
        })
        .resource(Resource::new("test://asks", "asks"), async |context: Context, _: String| {
            let name = context.elicit(json!({ "message": "name?" }).into()).await?;
            Ok::<_, InputError>(name.to_string())
        })
}

fn answering(eras: Eras, asked: &Arc<AtomicUsize>) -> Host {
    let asked = asked.clone();
    host(eras)
        .on_elicitation(move |_: Context, params: Value| {
            asked.fetch_add(1, Ordering::SeqCst);
            let yes = json!({ "action": "accept", "content": { "approved": true } });
            let name = json!({ "action": "accept", "content": { "name": "Ann \u{e9}" } });
            let answer = if params["message"] == "really?" { yes } else { name };
            async move { Ok(answer.into()) }
        })
        .on_sampling(async |_: Context, params: Value| {
            Ok(json!({ "said": params["prompt"] }).into())
        })
        .roots([Root::new("file:///r")])
}

/// L2, L3: a handler that asks the client is written once: the client is asked one thing after the other, and answers.
#[test]
fn a_handler_asks_in_every_revision() {
    let mut texts = Vec::new();
    for eras in [Eras::Legacy, Eras::Modern] {
        let asked = Arc::new(AtomicUsize::new(0));
        let (world, client, _server) = talk(answering(eras, &asked), asking());
        let call = |name: &'static str| {
            let client = client.clone();
            let call = world.start(async move { client.call_tool(name, &json!({})).await });
            world.run();
            call.take().expect("it is over").expect("an answer").as_text()
        };
        texts.push(call("all"));
        assert_eq!(call("approved"), "done");
        for what in [0, 1] {
            let client = client.clone();
            let read = world.start(async move {
                match what {
                    0 => client.get_prompt("asks", &json!({})).await,
                    _ => client.read_resource("test://asks").await,
                }
            });
            world.run();
            let answer = read.take().expect("it is over").expect("an answer");
            assert!(answer.as_str().contains("Ann"), "{answer}");
        }
        assert_eq!(asked.load(Ordering::SeqCst), 4, "{eras:?}");
    }
    assert_eq!(texts[0], texts[1]);
}

/// L2: a refusal is one that the handler sees, in every revision.
#[test]
fn a_handler_sees_a_denial() {
    for eras in [Eras::Legacy, Eras::Modern] {
        let declines = host(eras).on_elicitation(async |_: Context, _: Value| {
            Ok(json!({ "action": "decline", "content": { "approved": true } }).into())
        });
        let (world, client, _server) = talk(declines, asking());
        let call = world.start(async move { client.call_tool("approved", &json!({})).await });
        world.run();
        let result = call.take().expect("it is over").expect("an answer");
        assert_eq!(result.as_text(), "declined");
    }
}

/// L1, L3: what the client did not declare is not asked for.
#[test]
fn what_is_not_declared_is_not_asked() {
    let (world, client, _server) = talk(host(Eras::Modern), asking());
    let call = world.start(async move { client.call_tool("all", &json!({})).await });
    world.run();
    let Some(Err(CallError::Peer(error))) = call.take() else { panic!("no error") };
    assert_eq!(error.code, ErrorObject::MISSING_CAPABILITY);
    let data: Value = error.data.expect("data").parse().unwrap();
    assert_eq!(data, json!({ "requiredCapabilities": { "elicitation": {} } }));
}

/// L3: the request is made again with a new id, the same params, the answers, and the state byte for byte.
#[test]
fn rounds_repeat_the_request() {
    let host = host(Eras::Modern)
        .on_elicitation(async |_: Context, _: Value| Ok(json!({ "a": 1 }).into()));
    let wire = ClientWire::connect(host);
    let client = discovered(&wire);
    let call = wire.start(async move {
        let arguments = Json::new(r#"{"n":1.00}"#).unwrap();
        client.call_tool("t", &arguments).await
    });
    let first = wire.receive_one();
    let state = r#""s\u00e9\/\ud83d\ude00 \" ""#;
    wire.input.push(format!(
        r#"{{"jsonrpc":"2.0","id":{},"result":{{"resultType":"input_required","inputRequests":{{"k\u0031":{{"method":"elicitation/create","params":{{}}}}}},"requestState":{state}}}}}"#,
        first["id"]
    ) + "\n");
    let bytes = {
        wire.world.run();
        String::from_utf8(wire.output.take_bytes()).unwrap()
    };
    assert!(bytes.contains(&format!(r#""requestState":{state}"#)), "{bytes}");
    assert!(bytes.contains(r#""n":1.00"#), "{bytes}");
    let second: Value = serde_json::from_str(&bytes).unwrap();
    assert_ne!(second["id"], first["id"]);
    assert_eq!(second["params"]["inputResponses"], json!({ "k1": { "a": 1 } }));
    assert_eq!(second["params"]["name"], first["params"]["name"]);
    assert_eq!(second["params"]["_meta"], first["params"]["_meta"]);
    // A state alone is sent back alone.
    wire.send(&response(
        &second["id"],
        &json!({ "resultType": "input_required", "requestState": "2" }),
    ));
    let third = wire.receive_one();
    assert_eq!(third["params"]["requestState"], "2");
    assert_eq!(third["params"].get("inputResponses"), None);
    wire.send(&response(&third["id"], &json!({ "resultType": "complete", "content": [] })));
    assert!(call.take().expect("it is over").is_ok());
}

/// L3: a server that asks without end, for what is not offered, or whose question the host cannot answer, fails the call.
#[test]
fn rounds_have_an_end() {
    let host = host(Eras::Modern)
        .on_elicitation(async |_: Context, _: Value| Err(ErrorObject::new(-1, "no")));
    let wire = ClientWire::connect(host);
    let client = discovered(&wire);
    let ask = |method: &str| {
        let client = client.clone();
        let call = wire.start(async move { client.call_tool("t", &json!({})).await });
        let id = wire.receive_one()["id"].clone();
        let question = json!({ "k": { "method": method, "params": {} } });
        wire.send(&response(
            &id,
            &json!({ "resultType": "input_required", "inputRequests": question }),
        ));
        call.take().expect("it is over").expect_err("a failure")
    };
    assert_eq!(ask("elicitation/create"), CallError::InputFailed(ErrorObject::new(-1, "no")));
    assert_eq!(
        ask("sampling/createMessage"),
        CallError::InputFailed(ErrorObject::method_not_found())
    );

    let endless = client.clone();
    let call = wire.start(async move { endless.call_tool("t", &json!({})).await });
    let mut rounds = 0;
    let outcome = loop {
        if let Some(outcome) = call.take() {
            break outcome;
        }
        let id = wire.receive_one()["id"].clone();
        wire.send(&response(&id, &json!({ "resultType": "input_required", "requestState": "s" })));
        rounds += 1;
    };
    assert!(matches!(outcome, Err(CallError::UnexpectedResult(_))));
    assert_eq!(rounds, 33);
}

/// A client that has found a modern server.
fn discovered(wire: &ClientWire) -> Client {
    assert_eq!(wire.receive_one()["method"], "server/discover");
    let capabilities = json!({ "tools": {} });
    wire.send(&response(
        &json!(1),
        &json!({ "resultType": "complete", "supportedVersions": ["2026-07-28"], "capabilities": capabilities }),
    ));
    wire.connected().expect("it is over").expect("they agree")
}

/// L3: a handler that keeps account itself gets the answers by their keys, and its state.
#[test]
fn handlers_may_keep_account_themselves() {
    let seen = Arc::new(Mutex::new(Vec::new()));
    let noted = seen.clone();
    let server = server().tool_now(tool("t"), move |context: &Context, _: NoArguments| {
        let answer = context.input_response("k").cloned();
        noted.lock().unwrap().push((answer.clone(), context.request_state().map(str::to_owned)));
        match answer {
            Some(answer) => Ok(answer.to_string()),
            None => Err(ToolError::from(
                InputRequired::new().ask("k", "roots/list", None).state("kept \u{2028}"),
            )),
        }
    });
    let (world, client, _server) = talk(host(Eras::Modern).roots([Root::new("file:///r")]), server);
    let call = world.start(async move { client.call_tool("t", &json!({})).await });
    world.run();
    let text = call.take().expect("it is over").expect("an answer").as_text();
    assert_eq!(text, r#"{"roots":[{"uri":"file:///r"}]}"#);
    let roots = Json::new(r#"{"roots":[{"uri":"file:///r"}]}"#).unwrap();
    assert_eq!(
        *seen.lock().unwrap(),
        [(None, None), (Some(roots), Some("kept \u{2028}".to_owned()))]
    );
}

/// L3: a modern server sends no requests, which the handler is told at once.
#[test]
fn a_handler_cannot_send_requests() {
    let server = server().tool(tool("t"), async |context: Context, _: NoArguments| {
        let refused = context.request("ping", None, CallOptions::default()).await;
        let expected = CallError::NotSent(SendError::NotInRevision("ping".to_owned()));
        (refused == Err(expected)).to_string()
    });
    let (world, client, _server) = talk(host(Eras::Modern), server);
    let call = world.start(async move { client.call_tool("t", &json!({})).await });
    world.run();
    assert_eq!(call.take().expect("it is over").expect("an answer").as_text(), "true");
}

fn changing() -> Server {
    server()
        .tool_now(tool("t"), |_: &Context, _: NoArguments| ())
        .fixed_resource(Resource::new("test://a", "a"), "a")
        .fixed_resource(Resource::new("test://b", "b"), "b")
        .list_changed()
        .subscriptions()
}

fn method(notice: Option<Notice>) -> String {
    match notice {
        Some(Notice::Notification(notification)) => notification.method().to_owned(),
        other => format!("{other:?}"),
    }
}

/// N3, N4: being told of changes is asked for in one way, in every revision.
#[test]
fn a_client_listens_in_every_revision() {
    for eras in [Eras::Legacy, Eras::Modern] {
        let (world, client, server) = talk(host(eras), changing());
        let mut filter = SubscriptionFilter::new();
        filter.tools_list_changed = true;
        filter.resource_subscriptions = vec!["test://a".to_owned()];
        let listener = client.clone();
        let listening = world.start(async move { listener.listen(filter).await });
        world.run();
        let mut subscription = listening.take().expect("it is over").expect("it listens");
        assert!(subscription.honoured().tools_list_changed);

        let updated = |uri: &str| Json::from(json!({ "uri": uri }));
        server.notify_all("notifications/tools/list_changed", None);
        server.notify_all("notifications/prompts/list_changed", None);
        server.notify_all("notifications/resources/updated", Some(&updated("test://b")));
        server.notify_all("notifications/resources/updated", Some(&updated("test://a")));
        let heard = world.start(async move {
            let first = method(subscription.next().await);
            let second = method(subscription.next().await);
            (first, second, subscription)
        });
        world.run();
        let (first, second, mut subscription) = heard.take().expect("both came");
        assert_eq!(first, "notifications/tools/list_changed", "{eras:?}");
        assert_eq!(second, "notifications/resources/updated", "{eras:?}");

        // The end of the server ends it.
        server.shutdown(None);
        let ended = world.start(async move { (method(subscription.next().await), subscription) });
        world.run();
        let (last, subscription) = ended.take().expect("it ends");
        assert_eq!(last, "None");
        assert_eq!(subscription.end(), None, "{eras:?}");
    }
}

/// N4: dropping a subscription ends it on the server too; one with a lost connection tells why.
#[test]
fn a_subscription_ends_when_it_is_dropped() {
    let (world, client, server) = talk(host(Eras::Modern), changing());
    let listen = |client: &Client| {
        let client = client.clone();
        let mut filter = SubscriptionFilter::new();
        filter.tools_list_changed = true;
        let listening = world.start(async move { client.listen(filter).await });
        world.run();
        listening.take().expect("it is over").expect("it listens")
    };
    let streams = || server.connections()[0].in_flight();
    let first = listen(&client);
    let mut second = listen(&client);
    assert_eq!(streams(), 2);
    drop(first);
    world.run();
    assert_eq!(streams(), 1);
    client.peer().close();
    let ended = world.start(async move { (method(second.next().await), second.end().cloned()) });
    world.run();
    let (last, end) = ended.take().expect("it ends");
    assert_eq!(last, "None");
    assert!(matches!(end, Some(CallError::Closed(_))));
}

/// N3: before the modern era the last one who wanted to be told of a resource unsubscribes, also where another resource
/// could not be subscribed to.
#[test]
fn a_resource_that_nobody_wants_is_unsubscribed_from() {
    let (wire, client) = ClientWire::ready(host(Eras::Legacy));
    let listen = |uris: &[&str]| {
        let (client, mut filter) = (client.clone(), SubscriptionFilter::new());
        filter.resource_subscriptions = uris.iter().map(ToString::to_string).collect();
        wire.start(async move { client.listen(filter).await })
    };
    let subscribed = |uri: &str| {
        let asked = wire.receive_one();
        assert_eq!(
            (&asked["method"], &asked["params"]["uri"]),
            (&json!("resources/subscribe"), &json!(uri))
        );
        asked["id"].clone()
    };
    let first = listen(&["a:1"]);
    wire.send(&response(&subscribed("a:1"), &json!({})));
    let second = listen(&["a:1", "a:2"]);
    wire.send(&response(&subscribed("a:1"), &json!({})));
    let id = subscribed("a:2");
    wire.send(&json!({ "jsonrpc": "2.0", "id": id, "error": { "code": -32602, "message": "no" } }));
    assert!(matches!(second.take(), Some(Err(CallError::Peer(_)))));
    // The first one still wants to be told of the other.
    let given_up = wire.receive_one();
    assert_eq!(
        (&given_up["method"], &given_up["params"]["uri"]),
        (&json!("resources/unsubscribe"), &json!("a:2"))
    );
    drop(first.take());
    assert_eq!(wire.receive_one()["params"]["uri"], "a:1");
}

/// N4: a server that does not begin with an acknowledgement, or refuses, is not listened to.
#[test]
fn a_subscription_begins_with_its_acknowledgement() {
    let wire = ClientWire::connect(host(Eras::Modern));
    let client = discovered(&wire);
    let listen = || {
        let client = client.clone();
        let listening = wire.start(async move { client.listen(SubscriptionFilter::new()).await });
        let id = wire.receive_one()["id"].clone();
        (listening, id)
    };
    let (listening, id) = listen();
    wire.send(&json!({ "jsonrpc": "2.0", "id": id, "error": { "code": -32601, "message": "no" } }));
    assert!(matches!(listening.take(), Some(Err(CallError::Peer(_)))));
    let (listening, id) = listen();
    let meta = json!({ "_meta": { "io.modelcontextprotocol/subscriptionId": id } });
    wire.send(
        &json!({ "jsonrpc": "2.0", "method": "notifications/tools/list_changed", "params": meta }),
    );
    assert!(matches!(listening.take(), Some(Err(CallError::UnexpectedResult(_)))));
    // The stream that was not wanted after all is cancelled.
    assert_eq!(wire.receive_one()["method"], "notifications/cancelled");
}

/// N6: since the modern era each request asks for log messages; before, the connection does.
#[test]
fn logs_are_asked_for_in_every_revision() {
    for eras in [Eras::Legacy, Eras::Modern] {
        let logging = server().capability("logging", Json::empty_object()).tool(
            tool("t"),
            async |context: Context, _: NoArguments| {
                for level in [LogLevel::Info, LogLevel::Error] {
                    context.log(level, None, &Json::null()).unwrap();
                }
            },
        );
        let (world, client, _server) = talk(host(eras), logging);
        let mut notifications = client.notifications();
        let done = world.start(async move {
            client.set_log_level(LogLevel::Warning).await.unwrap();
            client.call_tool("t", &json!({})).await.unwrap();
            client.close().await
        });
        world.run();
        done.take().expect("it is over");
        let heard = world.start(async move {
            let first = notifications.next().await;
            (first, notifications.next().await)
        });
        world.run();
        let (first, second) = heard.take().expect("it is over");
        let Some(Notice::Notification(message)) = first else { panic!("{eras:?}: nothing") };
        assert!(message.params().unwrap().contains("error"));
        assert_eq!(second, None);
    }
}

/// P2: progress, pings and what is gone, in the modern era.
#[test]
fn small_things_work_in_the_modern_era() {
    let telling = server().tool(tool("t"), async |context: Context, _: NoArguments| {
        context.progress(1.0, Some(2.0), None).unwrap();
        assert_eq!(context.client().map(|client| client.name), Some("test".to_owned()));
        assert!(context.require("sampling").is_err() && context.require("roots").is_ok());
        format!("{:?}", context.revision())
    });
    let (world, client, _server) = talk(host(Eras::Modern).roots([]), telling);
    let done = world.start(async move {
        client.ping().await.unwrap();
        let refused = client.request("ping", None, CallOptions::default()).await;
        assert_eq!(refused, Err(CallError::NotSent(SendError::NotInRevision("ping".to_owned()))));
        let options = CallOptions::default().with_progress(OnProgress::Report);
        let mut call = client.start_tool("t", &json!({}), options);
        let progress = call.progress().await.map(|progress| progress.progress);
        (progress, call.await.unwrap().to_string())
    });
    world.run();
    let (progress, result) = done.take().expect("it is over");
    assert_eq!(progress, Some(1.0));
    assert!(result.contains("V2026_07_28") && result.contains("complete"), "{result}");
}

/// Q6, P2: what goes wrong in a handler has the form of the request's revision.
#[test]
fn a_lost_request_is_answered_in_its_revision() {
    let panics = server().tool(tool("t"), async |_: Context, _: NoArguments| -> String {
        std::panic::panic_any(())
    });
    let (world, client, _server) = talk(host(Eras::Modern), panics);
    let call = world.start(async move { client.call_tool("t", &json!({})).await });
    world.run();
    let Some(Err(CallError::Peer(error))) = call.take() else { panic!("no error") };
    assert_eq!(error, ErrorObject::internal());
}
