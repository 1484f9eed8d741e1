//! Handlers that ask the peer.

use crate::gate::signals;
use crate::harness::Harness;
use crate::messages::{ensure, ensure_same, request, result};
use crate::script::Script;
use crate::stage::{Side, by_hand, echo_server, pair, serve, serve_local_ready, serve_ready};
use futures_util::future::join;
use mcp_wire_driver::{
    CallError, CallOptions, Closed, Context, ErrorObject, Inbound, InputError, Json, Server,
};
use serde_json::{Value, json};
use std::time::Duration;

/// How many questions are open at once.
const PARALLEL: u64 = 32;

fn asking(server: Server) -> Server {
    server.method("ask", ask)
}

async fn ask(context: Context, params: Json) -> Result<Json, ErrorObject> {
    let call = context.request("elicitation/create", Some(params), CallOptions::default());
    call.await.map_err(|error| match error {
        CallError::Peer(error) => error,
        error => ErrorObject::new(1, error.to_string()),
    })
}

/// L1, O3: a handler asks the client, and answers with what it was told.
pub fn a_handler_asks_the_client<H: Harness>() -> Result<(), String> {
    let (mut script, _running) = serve_ready::<H>(asking(echo_server::<H>()))?;
    script.message(&request(1, "ask", json!({ "question": 1 })))?;
    let question = script.expect_where("the question", |message| {
        message["method"] == "elicitation/create" && message["params"]["question"] == 1
    })?;
    script.message(&result(question["id"].clone(), json!({ "action": "accept" })))?;
    script.expect(r#"{"jsonrpc":"2.0","id":1,"result":{"action":"accept"}}"#)
}

/// L1, O3: one after the other, of three kinds, while the client asks in between.
pub fn questions_nest<H: Harness>() -> Result<(), String> {
    let server = echo_server::<H>().method("ask", async |context: Context, _: Value| {
        let all = async {
            let first = context.elicit(Json::empty_object()).await?;
            let second = context.sample(first).await?;
            let third = context.input("third", "roots/list", Json::empty_object()).await?;
            Ok::<_, InputError>(json!([second.as_str(), third.as_str()]))
        };
        let answers = match all.await {
            Ok(answers) => answers,
            Err(error) => return error.into_outcome(),
        };
        Json::from_serialize(&answers).map_err(|_| ErrorObject::internal())
    });
    let (mut script, _running) = serve_ready::<H>(server)?;
    script.message(&request(1, "ask", json!({})))?;
    for (number, method) in
        ["elicitation/create", "sampling/createMessage", "roots/list"].into_iter().enumerate()
    {
        let question = script.expect_where(method, |message| message["method"] == method)?;
        script.message(&request("between", "echo", json!({ "n": number })))?;
        script.expect_where("the reply in between", |message| {
            message["id"] == "between" && message["result"]["n"] == number
        })?;
        script.message(&result(question["id"].clone(), json!({ "n": number })))?;
    }
    script.expect(r#"{"jsonrpc":"2.0","id":1,"result":["{\"n\":1}","{\"n\":2}"]}"#)
}

/// O3: many at once, answered in the opposite order.
pub fn many_questions_are_open_at_once<H: Harness>() -> Result<(), String> {
    let (mut script, _running) = serve_ready::<H>(asking(echo_server::<H>()))?;
    answer_many(&mut script)
}

/// O3: many at once, on a single task.
pub fn many_questions_are_open_on_one_task<H: Harness>() -> Result<(), String> {
    let (mut script, running) = serve_local_ready::<H>(|| {
        // What is not `Send` is fine there.
        let count = std::rc::Rc::new(std::cell::Cell::new(0));
        Server::local("conformance", "1").method("ask", move |context: Context, params: Json| {
            count.set(count.get() + 1);
            ask(context, params)
        })
    })?;
    answer_many(&mut script)?;
    script.hang_up()?;
    script.expect_end()?;
    running.expect(Closed::Eof)
}

fn answer_many(script: &mut Script) -> Result<(), String> {
    for number in 0..PARALLEL {
        script.message(&request(number, "ask", json!({ "n": number })))?;
    }
    let mut questions = Vec::new();
    for _ in 0..PARALLEL {
        questions.push(
            script
                .expect_where("a question", |message| message["method"] == "elicitation/create")?,
        );
    }
    for question in questions.iter().rev() {
        script.message(&result(question["id"].clone(), question["params"].clone()))?;
    }
    let mut answered = Vec::new();
    for _ in 0..PARALLEL {
        let answer = script.read_message()?;
        ensure(answer["result"]["n"] == answer["id"], || format!("somebody else's: {answer}"))?;
        answered.push(answer["id"].as_u64().unwrap_or(u64::MAX));
    }
    answered.sort_unstable();
    ensure_same("the answered requests", answered, (0..PARALLEL).collect())
}

/// E4, I3: the ids of the two directions are apart.
pub fn the_ids_of_both_sides_are_apart<H: Harness>() -> Result<(), String> {
    let (mut script, _running) = serve_ready::<H>(asking(echo_server::<H>()))?;
    script.message(&request("ask", "ask", json!({})))?;
    let question = script.expect_where("a question", |message| message["method"].is_string())?;
    let id = question["id"].clone();
    script.message(&request(id.clone(), "echo", json!({ "mine": 1 })))?;
    script.expect_where("the echo", |message| {
        message["id"] == id && message["result"]["mine"] == 1
    })?;
    script.message(&result(id, json!({ "yours": 1 })))?;
    script.expect(r#"{"jsonrpc":"2.0","id":"ask","result":{"yours":1}}"#)
}

/// L1: what the client did not declare is refused to the handler at once.
pub fn undeclared_capabilities_are_refused<H: Harness>() -> Result<(), String> {
    let server = echo_server::<H>().method("ask", async |context: Context, params: Json| {
        let refused = context.elicit(params).await;
        let missing = InputError::Undeclared("elicitation");
        let text = format!("{}", refused == Err(missing));
        Json::new(text).map_err(|_| ErrorObject::internal())
    });
    let (mut script, _running) = serve::<H>(server)?;
    script.shake_hands(&json!({}))?;
    script.message(&request(1, "ask", json!({})))?;
    script.expect(r#"{"jsonrpc":"2.0","id":1,"result":true}"#)
}

/// L1: a question waits until the client is ready.
pub fn questions_wait_for_the_client_to_be_ready<H: Harness>() -> Result<(), String> {
    let (mut script, _running) = serve::<H>(asking(echo_server::<H>()))?;
    let params = json!({ "protocolVersion": "2025-11-25", "capabilities": { "elicitation": {} } });
    script.message(&request(0, "initialize", params))?;
    script.expect_where("the answer to initialize", |message| message["result"].is_object())?;
    script.message(&request(1, "ask", json!({})))?;
    script.message(&request(2, "echo", json!({})))?;
    script.expect(r#"{"jsonrpc":"2.0","id":2,"result":{}}"#)?;
    script.expect_silence()?;
    script.line(r#"{"jsonrpc":"2.0","method":"notifications/initialized"}"#)?;
    let question = script.expect_where("the question", |message| message["method"].is_string())?;
    script.message(&result(question["id"].clone(), json!({})))?;
    script.expect(r#"{"jsonrpc":"2.0","id":1,"result":{}}"#)
}

/// O1: the client's error reaches the handler as it is. M4: so does what is no valid answer.
pub fn errors_reach_the_handler<H: Harness>() -> Result<(), String> {
    let (mut script, _running) = serve_ready::<H>(asking(echo_server::<H>()))?;
    script.message(&request(1, "ask", json!({})))?;
    let question = script.expect_where("a question", |message| message["method"].is_string())?;
    let id = &question["id"];
    script
        .line(format!(r#"{{"jsonrpc":"2.0","id":{id},"error":{{"code":-7,"message":"no"}}}}"#))?;
    script.expect(r#"{"jsonrpc":"2.0","id":1,"error":{"code":-7,"message":"no"}}"#)?;
    script.message(&request(2, "ask", json!({})))?;
    let question = script.expect_where("a question", |message| message["method"].is_string())?;
    script.line(format!(r#"{{"jsonrpc":"2.0","id":{},"error":"no"}}"#, question["id"]))?;
    script.expect_error(2, 1)?;
    script.expect_silence()
}

/// O2: a question has its time. C6: the client is told that nobody waits for it any more.
pub fn questions_time_out<H: Harness>() -> Result<(), String> {
    let server = echo_server::<H>().method("ask", async |context: Context, _: Value| {
        let mut options = CallOptions::default();
        options.timeout = Some(Duration::from_millis(100));
        let outcome = context.request("question", None, options).await;
        let text = format!("{}", outcome == Err(CallError::TimedOut));
        Json::new(text).map_err(|_| ErrorObject::internal())
    });
    let (mut script, _running) = serve_ready::<H>(server)?;
    script.message(&request(1, "ask", json!({})))?;
    let question =
        script.expect_where("the question", |message| message["method"] == "question")?;
    script.expect_where("its withdrawal", |message| {
        message["method"] == "notifications/cancelled"
            && message["params"]["requestId"] == question["id"]
    })?;
    script.expect(r#"{"jsonrpc":"2.0","id":1,"result":true}"#)
}

/// O3: both sides ask at once, in a loop of one's own.
pub fn a_client_answers_while_it_asks<H: Harness>() -> Result<(), String> {
    let (mut script, stream) = pair::<H>()?;
    let (answered, answered_signals) = signals(H::PATIENCE);
    let running =
        by_hand::<H, _>(stream, Side::client(|_| {})?, move |peer, mut incoming| async move {
            let call = peer.request("ask", None, CallOptions::default());
            let serve = async {
                if let Some(Inbound::Request(_, responder)) = incoming.next().await {
                    answered.send(
                        responder.respond(Json::new("1").map_err(|_| ErrorObject::internal())),
                    );
                }
            };
            join(call, serve).await.0
        });
    let call = script.expect_where("the call", |message| message["method"] == "ask")?;
    script.message(&request(call["id"].clone(), "question", json!({})))?;
    script.expect_where("the answer", |message| {
        message["id"] == call["id"] && message["result"] == 1
    })?;
    ensure(answered_signals.next("the answer")?.is_ok(), || "it was not taken".into())?;
    script.message(&result(call["id"].clone(), json!(2)))?;
    let outcome = running.outcome()?.map_err(|error| error.to_string())?;
    ensure_same("the outcome", outcome.as_str(), "2")
}
