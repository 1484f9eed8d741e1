//! Handlers and streams that fail.

use crate::gate::Gate;
use crate::harness::Harness;
use crate::messages::{ensure, request};
use crate::script::Script;
use crate::stage::{Side, by_hand, echo_server, pair, serve_local_ready, serve_ready, with_hold};
use mcp_wire_driver::{Budget, Closed, Context, ErrorObject, Inbound, Json, Peer, Server, Tool};
use serde_json::{Value, json};
use std::future::pending;
use std::time::Duration;

const INTERNAL: &str =
    r#"{"jsonrpc":"2.0","id":1,"error":{"code":-32603,"message":"internal error"}}"#;

/// A panic of a test is no news.
fn explode() -> Json {
    std::panic::resume_unwind(Box::new("a panic that belongs to a scenario"))
}

/// Q6: a handler that panics, wherever it does, is answered for, and the connection goes on.
pub fn panics_are_answered_for<H: Harness>() -> Result<(), String> {
    let tool = Tool::new("now", "Panics", json!({ "type": "object" }));
    let server = echo_server::<H>()
        .method("within", async |_: Context, _: Value| Ok(explode()))
        .method("before", |_: Context, _: Value| {
            explode();
            pending::<Result<Json, ErrorObject>>()
        })
        .inline("inline", |_: &Context, _: Value| Ok(explode()))
        .tool_now(tool, |_: &Context, _: Value| explode().as_str().to_owned())
        .notification("note", |_: &Peer, _: Value| drop(explode()));
    let (mut script, _running) = serve_ready::<H>(server)?;
    for method in ["within", "before", "inline"] {
        script.message(&request(1, method, json!({})))?;
        script.expect(INTERNAL)?;
    }
    script.message(&request(1, "tools/call", json!({ "name": "now" })))?;
    script.expect(INTERNAL)?;
    script.line(r#"{"jsonrpc":"2.0","method":"note"}"#)?;
    script.message(&request(1, "echo", json!({})))?;
    script.expect(r#"{"jsonrpc":"2.0","id":1,"result":{}}"#)
}

/// Q6: the same on the connection's own task, where other handlers wait.
pub fn panics_on_one_task_harm_nobody<H: Harness>() -> Result<(), String> {
    let gate = Gate::default();
    let opened = gate.clone();
    let (mut script, _running) = serve_local_ready::<H>(move || {
        Server::local("conformance", "1")
            .method("within", async |_: Context, _: Value| Ok(explode()))
            .method("wait", move |_: Context, params: Json| {
                let gate = opened.clone();
                async move {
                    gate.await;
                    Ok(params)
                }
            })
    })?;
    script.message(&request(2, "wait", json!({})))?;
    script.message(&request(1, "within", json!({})))?;
    script.expect(INTERNAL)?;
    gate.open();
    script.expect(r#"{"jsonrpc":"2.0","id":2,"result":{}}"#)
}

/// Q6: a responder that is dropped answers for itself. Q7: a used one is gone.
pub fn dropped_responders_are_answered_for<H: Harness>() -> Result<(), String> {
    let (mut script, stream) = pair::<H>()?;
    let side = Side::server(|_| {}, Budget::default())?;
    let running = by_hand::<H, _>(stream, side, |_, mut incoming| async move {
        while let Some(inbound) = incoming.next().await {
            if let Inbound::Request(request, responder) = inbound
                && request.method() == "keep"
            {
                let answered = responder.respond(Ok(Json::empty_object()));
                if answered.is_err() {
                    return Err("the answer was not taken");
                }
            }
        }
        Ok(())
    });
    script.shake_hands(&json!({}))?;
    script.message(&request(1, "lose", json!({})))?;
    script.expect(INTERNAL)?;
    script.message(&request(1, "keep", json!({})))?;
    script.expect(r#"{"jsonrpc":"2.0","id":1,"result":{}}"#)?;
    script.hang_up()?;
    script.expect_end()?;
    running.outcome()?.map_err(str::to_owned)
}

/// Q8: a handler that takes too long is answered for, and dropped.
pub fn handlers_may_have_a_time_limit<H: Harness>() -> Result<(), String> {
    let limit = Some(Duration::from_millis(20));
    let server = echo_server::<H>().configure(|config| config.callback_timeout = limit);
    let (server, holding) = with_hold::<H>(server);
    let (mut script, _running) = serve_ready::<H>(server)?;
    script.message(&request(1, "hold", json!({ "n": 1 })))?;
    script.expect_where("the time-out", |message| {
        message["id"] == 1 && message["error"]["data"]["error"] == "callback_timeout"
    })?;
    holding.expect_gone(1)?;
    script.expect_silence()
}

/// X2: where nobody listens any more, handlers are cancelled and the connection ends.
pub fn a_write_error_ends_the_connection<H: Harness>() -> Result<(), String> {
    let server = echo_server::<H>().configure(|config| config.eof_grace = None);
    let (server, holding) = with_hold::<H>(server);
    let (mut script, running) = serve_ready::<H>(server)?;
    for number in 1..=2 {
        script.message(&request(number, "hold", json!({ "n": number })))?;
        holding.began()?;
    }
    drop(script);
    // The end of input does not end them; that their answers cannot be written does.
    holding.release(1);
    let cause = running.outcome()?;
    ensure(matches!(cause, Closed::WriteFailed(_)), || format!("it ended with {cause:?}"))?;
    let gone = [holding.gone.next("a drop")?, holding.gone.next("the other drop")?];
    ensure(gone.contains(&1) && gone.contains(&2), || format!("dropped: {gone:?}"))
}

/// M1: junk costs no memory, and harms nobody.
pub fn a_flood_of_junk_harms_nobody<H: Harness>() -> Result<(), String> {
    let (server, holding) = with_hold::<H>(echo_server::<H>());
    let (mut script, _running) = serve_ready::<H>(server)?;
    script.message(&request(1, "hold", json!({ "n": 1 })))?;
    let (_, context) = holding.began()?;
    let junk = "server running on stdio\n".repeat(1000);
    for _ in 0..20 {
        script.send(&junk)?;
        script.expect_silence()?;
        let buffered = context.peer().buffered();
        ensure(buffered < 64 << 10, || format!("{buffered} bytes are buffered"))?;
    }
    holding.release(1);
    finish(&mut script)
}

fn finish(script: &mut Script) -> Result<(), String> {
    script.expect(r#"{"jsonrpc":"2.0","id":1,"result":{"n":1}}"#)?;
    script.expect_silence()
}
