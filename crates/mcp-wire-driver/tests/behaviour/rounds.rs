//! Handlers that ask the client, in every revision: by requests of their own, or by rounds of the request (2026-07-28).

use crate::support::pair::{discovered, host_of, server, talk, tool};
use crate::support::{ClientWire, response};
use mcp_wire_driver::{
    CallError, CallOptions, Context, Denial, Elicited, Eras, ErrorObject, HandlerError, Host,
    InputError, InputRequired, Json, NoArguments, Prompt, Resource, Root, SendError, Server,
};
use serde_json::{Value, json};
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex};

#[derive(serde::Deserialize)]
struct Named {
    name: String,
}

/// What each era has of what a handler asks, in one place: the same handler serves both.
fn asking() -> Server {
    server()
        .tool(tool("all"), async |context: Context, _: NoArguments| {
            let name = context.elicit(json!({ "message": "name?" })).await?;
            let answer = context.sample(json!({ "prompt": name.as_str() })).await?;
            let roots = context.list_roots().await?;
            Ok::<_, HandlerError>(format!("{name} {answer} {roots:?}"))
        })
        .tool(tool("approved"), async |context: Context, _: NoArguments| {
            match context.approve("really?").await {
                Ok(()) => Ok("done".to_owned()),
                Err(InputError::Denied(Denial::Declined)) => Ok("declined".to_owned()),
                Err(error) => Err(error),
            }
        })
        .tool(tool("form"), async |context: Context, _: NoArguments| {
            let form = json!({ "type": "object", "properties": { "name": { "type": "string" } } });
            let Named { name } = context.ask("name?", form).await?;
            Ok::<_, HandlerError>(name)
        })
        .tool(tool("goes on"), async |context: Context, _: NoArguments| {
            match context.approve("really?").await {
                Err(InputError::Undeclared(capability)) => Ok(format!("without {capability}")),
                approved => approved.map(|()| "approved".to_owned()),
            }
        })
        .prompt(Prompt::new("asks"), async |context: Context, _: NoArguments| {
            let name = context.elicit(json!({ "message": "name?" })).await?;
            Ok::<_, InputError>(name.to_string())
        })
        .resource(Resource::new("test://asks", "asks"), async |context: Context, _: String| {
            let name = context.elicit(json!({ "message": "name?" })).await?;
            Ok::<_, InputError>(name.to_string())
        })
}

fn answering(eras: Eras, asked: &Arc<AtomicUsize>) -> Host {
    let asked = asked.clone();
    host_of(eras)
        .on_elicitation(move |_: Context, params: Value| {
            asked.fetch_add(1, Ordering::SeqCst);
            let yes = json!({ "action": "accept", "content": { "approved": true } });
            let name = json!({ "action": "accept", "content": { "name": "Ann \u{e9}" } });
            let answer = if params["message"] == "really?" { yes } else { name };
            async move { Ok(answer) }
        })
        .on_sampling(async |_: Context, params: Value| Ok(json!({ "said": params["prompt"] })))
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
        assert_eq!(call("form"), "Ann \u{e9}");
        for what in [0, 1] {
            let client = client.clone();
            let read = world.start(async move {
                match what {
                    0 => client.get_prompt("asks", &json!({})).await.map(|it| format!("{it:?}")),
                    _ => client.read_resource("test://asks").await.map(|it| format!("{it:?}")),
                }
            });
            world.run();
            let answer = read.take().expect("it is over").expect("an answer");
            assert!(answer.contains("Ann"), "{answer}");
        }
        assert_eq!(asked.load(Ordering::SeqCst), 5, "{eras:?}");
    }
    assert_eq!(texts[0], texts[1]);
}

/// L2: a refusal is one that the handler sees, in every revision.
#[test]
fn a_handler_sees_a_denial() {
    for eras in [Eras::Legacy, Eras::Modern] {
        let declines = host_of(eras).on_elicitation(async |_: Context, _: Value| {
            Ok(json!({ "action": "decline", "content": { "approved": true } }))
        });
        let (world, client, _server) = talk(declines, asking());
        let call = world.start(async move { client.call_tool("approved", &json!({})).await });
        world.run();
        let result = call.take().expect("it is over").expect("an answer");
        assert_eq!(result.as_text(), "declined");
    }
}

/// L2, L3: a form that is not filled in is a failure that the model is told of, in every revision.
#[test]
fn a_form_that_is_not_filled_in_is_a_failure() {
    for eras in [Eras::Legacy, Eras::Modern] {
        for (answer, told) in [
            (Elicited::cancel(), "the user has closed the question"),
            (Elicited::decline(), "the user has declined"),
            (Elicited::accept(json!({ "name": 7 })), "the user's answer is not clear"),
        ] {
            let host = host_of(eras).on_elicitation(move |_: Context, form: Value| {
                assert_eq!(
                    (&form["message"], &form["requestedSchema"]["type"]),
                    (&json!("name?"), &json!("object"))
                );
                std::future::ready(Ok(answer.clone()))
            });
            let (world, client, _server) = talk(host, asking());
            let call = world.start(async move { client.call_tool("form", &json!({})).await });
            world.run();
            let result = call.take().expect("it is over").expect("an answer");
            assert_eq!((result.as_text().as_str(), result.is_error()), (told, true), "{eras:?}");
        }
    }
}

/// L1, L3: what the client did not declare is not asked for, in every revision; a handler may do without.
#[test]
fn what_is_not_declared_is_not_asked() {
    for eras in [Eras::Legacy, Eras::Modern] {
        let (world, client, _server) = talk(host_of(eras), asking());
        let caller = client.clone();
        let call = world.start(async move { caller.call_tool("all", &json!({})).await });
        world.run();
        let Some(Err(CallError::Peer(error))) = call.take() else { panic!("no error") };
        assert_eq!(error.code, ErrorObject::MISSING_CAPABILITY);
        let data: Value = error.data.expect("data").parse().unwrap();
        assert_eq!(data, json!({ "requiredCapabilities": { "elicitation": {} } }));

        let call = world.start(async move { client.call_tool("goes on", &json!({})).await });
        world.run();
        let result = call.take().expect("it is over").expect("an answer");
        assert_eq!(result.as_text(), "without elicitation", "{eras:?}");
    }
}

/// L2, L3: a question that is asked again after its answer has another one, in every revision: a handler may insist on an
/// answer that fits, and one approval is not one for all that look alike.
#[test]
fn a_question_asked_again_is_another_one() {
    #[derive(serde::Deserialize)]
    struct Guests {
        number: usize,
    }
    for eras in [Eras::Legacy, Eras::Modern] {
        let asked = Arc::new(AtomicUsize::new(0));
        let counter = asked.clone();
        let host = host_of(eras).on_elicitation(move |_: Context, _: Value| {
            let number = counter.fetch_add(1, Ordering::SeqCst);
            let fields = json!({ "number": number, "approved": number < 4 });
            std::future::ready(Ok(Elicited::accept(fields)))
        });
        let asking = server().tool(tool("t"), async |context: Context, _: NoArguments| {
            // Where it was given the same answer each time, it would not come to an end.
            for _ in 0..100 {
                let form = json!({ "type": "object", "properties": {} });
                let Guests { number } = context.ask("how many?", form).await?;
                if number < 2 {
                    continue;
                }
                context.approve("one more?").await?;
                let second = context.approve("one more?").await;
                return Ok::<_, HandlerError>(format!("{number} {second:?}"));
            }
            Ok("no end".to_owned())
        });
        let (world, client, _server) = talk(host, asking);
        let call = world.start(async move { client.call_tool("t", &json!({})).await });
        world.run();
        let text = call.take().expect("it is over").expect("an answer").as_text();
        assert_eq!(text, "2 Err(Denied(Unclear))", "{eras:?}");
        assert_eq!(asked.load(Ordering::SeqCst), 5, "{eras:?}");
    }
}

/// L3: the request is made again with a new id, the same params, the answers, and the state byte for byte.
#[test]
fn rounds_repeat_the_request() {
    let host =
        host_of(Eras::Modern).on_elicitation(async |_: Context, _: Value| Ok(json!({ "a": 1 })));
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
    let host = host_of(Eras::Modern)
        .on_elicitation(async |_: Context, _: Value| Err::<Json, _>(ErrorObject::new(-1, "no")));
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
        CallError::UnexpectedResult(
            "it asks for sampling/createMessage, which is not offered".into()
        )
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

/// L3: a handler that keeps account itself gets the answers by their keys, and its state.
#[test]
fn handlers_may_keep_account_themselves() {
    let seen = Arc::new(Mutex::new(Vec::new()));
    let noted = seen.clone();
    let server = server().tool_now(tool("t"), move |context: &Context, _: NoArguments| {
        let answer = context.input_response("k");
        noted.lock().unwrap().push((answer.clone(), context.request_state().map(str::to_owned)));
        match answer {
            Some(answer) => Ok(answer.to_string()),
            None => Err(HandlerError::from(
                InputRequired::new()
                    .ask("k", "roots/list", Json::empty_object())
                    .state("kept \u{2028}"),
            )),
        }
    });
    let (world, client, _server) =
        talk(host_of(Eras::Modern).roots([Root::new("file:///r")]), server);
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
    let (world, client, _server) = talk(host_of(Eras::Modern), server);
    let call = world.start(async move { client.call_tool("t", &json!({})).await });
    world.run();
    assert_eq!(call.take().expect("it is over").expect("an answer").as_text(), "true");
}
