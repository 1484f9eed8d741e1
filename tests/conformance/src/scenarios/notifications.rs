//! What wants no answer.

use crate::gate::signals;
use crate::harness::Harness;
use crate::messages::{ensure, ensure_same, notification, request};
use crate::stage::{echo_server, serve, serve_ready, with_hold};
use mcp_wire_driver::{Context, ErrorObject, Json, LogLevel, Peer};
use serde_json::{Value, json};
use std::sync::Arc;

/// N1: what a handler sends comes before its reply, in order.
pub fn notifications_keep_their_order<H: Harness>() -> Result<(), String> {
    const COUNT: u64 = 200;
    let server = echo_server::<H>().method("tell", async |context: Context, _: Value| {
        for number in 0..COUNT {
            let params = Json::from_serialize(&json!({ "n": number })).ok();
            let sent = context.peer().notify("note", params).await;
            sent.map_err(|error| ErrorObject::new(1, error.to_string()))?;
        }
        Ok(Json::empty_object())
    });
    let (mut script, _running) = serve_ready::<H>(server)?;
    script.message(&request(1, "tell", json!({})))?;
    for number in 0..COUNT {
        script
            .expect(&format!(r#"{{"jsonrpc":"2.0","method":"note","params":{{"n":{number}}}}}"#))?;
    }
    script.expect(r#"{"jsonrpc":"2.0","id":1,"result":{}}"#)
}

/// N2: progress is told to those who ask for it, rises, and ends with the reply.
pub fn progress_rises_and_ends<H: Harness>() -> Result<(), String> {
    let (signal, contexts) = signals(H::PATIENCE);
    let server = echo_server::<H>().method("work", move |context: Context, _: Value| {
        signal.send(context.clone());
        async move {
            for progress in [1.0, 1.0, 0.5, f64::NAN, 2.0] {
                _ = context.progress(progress, Some(2.0), None);
            }
            Ok(Json::empty_object())
        }
    });
    let (mut script, _running) = serve_ready::<H>(server)?;
    script.message(&request(1, "work", json!({ "_meta": { "progressToken": "t" } })))?;
    for progress in [1.0, 2.0] {
        script.expect_where("progress", |message| {
            message["method"] == "notifications/progress"
                && message["params"]["progressToken"] == "t"
                && message["params"]["progress"] == progress
        })?;
    }
    script.expect(r#"{"jsonrpc":"2.0","id":1,"result":{}}"#)?;
    let context = contexts.next("the request")?;
    ensure(context.progress(3.0, None, None).is_err(), || "progress after the reply".into())?;
    script.message(&request(2, "work", json!({})))?;
    script.expect(r#"{"jsonrpc":"2.0","id":2,"result":{}}"#)?;
    script.expect_silence()
}

/// N3: before the client is ready it is told of no change; then of each once.
pub fn changes_wait_for_the_client<H: Harness>() -> Result<(), String> {
    const CHANGED: &str = "notifications/tools/list_changed";
    let (signal, peers) = signals(H::PATIENCE);
    let server = echo_server::<H>()
        .capability("tools", json!({ "listChanged": true }))
        .notification("knock", move |peer: &Peer, _: Value| signal.send(peer.clone()));
    let (mut script, _running) = serve::<H>(server)?;
    script.message(&notification("knock", json!({})))?;
    let peer = peers.next("the notification")?;
    for _ in 0..3 {
        peer.try_notify(CHANGED, None).map_err(|error| error.to_string())?;
    }
    ensure(peer.try_notify("other", None).is_err(), || "sent before the handshake".into())?;
    script.expect_silence()?;
    script.shake_hands(&json!({}))?;
    script.expect(r#"{"jsonrpc":"2.0","method":"notifications/tools/list_changed"}"#)?;
    script.expect_silence()?;
    peer.try_notify(CHANGED, None).map_err(|error| error.to_string())?;
    script.expect(r#"{"jsonrpc":"2.0","method":"notifications/tools/list_changed"}"#)
}

/// N6: log messages below the client's level are not sent.
pub fn log_messages_have_a_level<H: Harness>() -> Result<(), String> {
    let server = echo_server::<H>().capability("logging", Json::empty_object()).method(
        "work",
        async |context: Context, _: Value| {
            for level in [LogLevel::Debug, LogLevel::Warning, LogLevel::Error] {
                _ = context.log(level, None, Json::null());
            }
            Ok(Json::empty_object())
        },
    );
    let (mut script, _running) = serve_ready::<H>(server)?;
    script.message(&request(1, "logging/setLevel", json!({ "level": "warning" })))?;
    script.expect(r#"{"jsonrpc":"2.0","id":1,"result":{}}"#)?;
    script.message(&request(2, "work", json!({})))?;
    for level in ["warning", "error"] {
        script.expect_where(level, |message| {
            message["method"] == "notifications/message" && message["params"]["level"] == level
        })?;
    }
    script.expect(r#"{"jsonrpc":"2.0","id":2,"result":{}}"#)
}

/// Q1, M7: notifications are handled in the order they came, among each other and with requests.
pub fn notifications_are_handled_in_order<H: Harness>() -> Result<(), String> {
    const COUNT: u64 = 1000;
    let (signal, seen) = signals(H::PATIENCE);
    let server = echo_server::<H>().notification("note", move |_: &Peer, params: Value| {
        signal.send(params["n"].as_u64());
    });
    let (server, holding) = with_hold::<H>(server);
    let (mut script, _running) = serve_ready::<H>(server)?;
    let mut lines = String::new();
    for number in 0..COUNT {
        lines.push_str(&format!("{}\n", notification("note", json!({ "n": number }))));
    }
    script.send(lines)?;
    script.message(&request(1, "hold", json!({ "n": 1 })))?;
    holding.began()?;
    ensure_same("the notifications", seen.so_far(), (0..COUNT).map(Some).collect())
}

/// N1: a server can notify all of its connections.
pub fn all_connections_are_notified<H: Harness>() -> Result<(), String> {
    let server = Arc::new(echo_server::<H>());
    let (mut first, _first_running) = serve_ready::<H>(Arc::clone(&server))?;
    let (mut second, _second_running) = serve_ready::<H>(Arc::clone(&server))?;
    for script in [&mut first, &mut second] {
        script.expect_silence()?;
    }
    ensure_same("the connections", server.notify_all("note", None), 2)?;
    for script in [&mut first, &mut second] {
        script.expect(r#"{"jsonrpc":"2.0","method":"note"}"#)?;
        script.expect_silence()?;
    }
    Ok(())
}
