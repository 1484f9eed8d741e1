//! Who is answered when, and how many at once.

use crate::harness::Harness;
use crate::messages::{cancel, ensure, is_busy, request, result};
use crate::stage::{echo_server, serve_ready, with_hold};
use mcp_wire_driver::{Budget, Context, Json};
use serde_json::{Value, json};
use std::sync::Arc;

/// Q1: a slow request holds up nobody, and replies go out as they are done.
pub fn slow_requests_hold_up_nobody<H: Harness>() -> Result<(), String> {
    let (server, holding) = with_hold::<H>(echo_server::<H>());
    let (mut script, _running) = serve_ready::<H>(server)?;
    for number in 1..=3 {
        script.message(&request(number, "hold", json!({ "n": number })))?;
    }
    script.message(&request(4, "echo", json!({})))?;
    script.expect(r#"{"jsonrpc":"2.0","id":4,"result":{}}"#)?;
    for number in [2, 3, 1] {
        holding.release(number);
        script
            .expect(&format!(r#"{{"jsonrpc":"2.0","id":{number},"result":{{"n":{number}}}}}"#))?;
    }
    Ok(())
}

/// Q2: inline methods are answered in read order.
pub fn inline_methods_are_answered_in_read_order<H: Harness>() -> Result<(), String> {
    let server = echo_server::<H>().inline("here", |_: &Context, params: Json| Ok(params));
    let (mut script, _running) = serve_ready::<H>(server)?;
    let mut lines = String::new();
    for id in 0..500 {
        let method = if id % 2 == 0 { "here" } else { "ping" };
        lines.push_str(&format!("{}\n", request(id, method, json!({}))));
    }
    script.send(lines)?;
    for id in 0..500 {
        script.expect(&format!(r#"{{"jsonrpc":"2.0","id":{id},"result":{{}}}}"#))?;
    }
    Ok(())
}

/// Q3, Q4: past its share a connection is told that the server is busy, and the share is free again later.
pub fn a_connection_has_its_share<H: Harness>() -> Result<(), String> {
    let (server, holding) = with_hold::<H>(echo_server::<H>().budget(Budget::with_share(8, 3)));
    let (mut script, _running) = serve_ready::<H>(server)?;
    for number in 1..=3 {
        script.message(&request(number, "hold", json!({ "n": number })))?;
    }
    script.message(&request(4, "hold", json!({ "n": 4 })))?;
    script.expect(r#"{"jsonrpc":"2.0","id":4,"error":{"code":-32603,"message":"server busy","data":{"error":"server_busy","method":"hold"}}}"#)?;
    holding.release(2);
    script.expect_where("the second reply", |message| message["id"] == 2)?;
    script.message(&request(5, "echo", json!({})))?;
    script.expect(r#"{"jsonrpc":"2.0","id":5,"result":{}}"#)
}

/// Q3: the connections of one server share its slots.
pub fn connections_share_the_slots<H: Harness>() -> Result<(), String> {
    let (server, holding) = with_hold::<H>(echo_server::<H>().budget(Budget::with_share(2, 2)));
    let server = Arc::new(server);
    let (mut first, _first_running) = serve_ready::<H>(Arc::clone(&server))?;
    let (mut second, _second_running) = serve_ready::<H>(server)?;
    for number in 1..=2 {
        first.message(&request(number, "hold", json!({ "n": number })))?;
        holding.began()?;
    }
    second.message(&request(1, "echo", json!({})))?;
    second.expect_where("busy", is_busy)?;
    holding.release(1);
    first.expect_where("the first reply", |message| message["id"] == 1)?;
    second.message(&request(1, "echo", json!({})))?;
    second.expect(r#"{"jsonrpc":"2.0","id":1,"result":{}}"#)
}

/// Q4: a queued request runs once a slot of its connection is free.
pub fn queued_requests_run_later<H: Harness>() -> Result<(), String> {
    let server = echo_server::<H>()
        .budget(Budget::with_share(1, 1))
        .configure(|config| config.max_queued = 2);
    let (server, holding) = with_hold::<H>(server);
    let (mut script, _running) = serve_ready::<H>(server)?;
    for number in 1..=4 {
        script.message(&request(number, "hold", json!({ "n": number })))?;
    }
    script.expect_where("busy", |message| message["id"] == 4 && is_busy(message))?;
    for number in 1..=3 {
        holding.release(number);
        script
            .expect(&format!(r#"{{"jsonrpc":"2.0","id":{number},"result":{{"n":{number}}}}}"#))?;
    }
    Ok(())
}

/// Q2, Q4: at the limit pings are answered, answers are taken, and cancellations work.
pub fn the_limit_holds_up_no_answers<H: Harness>() -> Result<(), String> {
    let server = echo_server::<H>().budget(Budget::with_share(1, 1)).method(
        "ask",
        async |context: Context, _: Value| match context.elicit(Json::empty_object()).await {
            Ok(answer) => Ok(answer),
            Err(error) => error.into_outcome(),
        },
    );
    let (mut script, _running) = serve_ready::<H>(server)?;
    script.message(&request("a", "ask", json!({})))?;
    let question =
        script.expect_where("a question", |message| message["method"] == "elicitation/create")?;
    script.message(&request("b", "ask", json!({})))?;
    script.expect_where("busy", |message| message["id"] == "b" && is_busy(message))?;
    script.expect_silence()?;
    script.message(&result(question["id"].clone(), json!({ "ok": 1 })))?;
    script.expect(r#"{"jsonrpc":"2.0","id":"a","result":{"ok":1}}"#)
}

/// C1, Q4: the slot of a cancelled request goes to one that waits for it.
pub fn a_cancelled_request_gives_its_slot_away<H: Harness>() -> Result<(), String> {
    let server = echo_server::<H>()
        .budget(Budget::with_share(1, 1))
        .configure(|config| config.max_queued = 1);
    let (server, holding) = with_hold::<H>(server);
    let (mut script, _running) = serve_ready::<H>(server)?;
    for number in 1..=5 {
        script.message(&request("held", "hold", json!({ "n": number })))?;
        holding.began()?;
        script.message(&request("waiting", "echo", json!({})))?;
        script.message(&cancel("held"))?;
        script.expect(r#"{"jsonrpc":"2.0","id":"waiting","result":{}}"#)?;
        holding.expect_gone(number)?;
    }
    Ok(())
}

/// Q5: what is held in bytes is bounded as well.
pub fn bytes_in_flight_are_bounded<H: Harness>() -> Result<(), String> {
    let server = echo_server::<H>().configure(|config| config.max_in_flight_bytes = 1000);
    let (server, holding) = with_hold::<H>(server);
    let (mut script, _running) = serve_ready::<H>(server)?;
    let large = "x".repeat(2000);
    // Alone it is admitted, whatever its size.
    script.message(&request(1, "hold", json!({ "n": 1, "a": large })))?;
    holding.began()?;
    script.message(&request(2, "echo", json!({})))?;
    script.expect_where("busy", is_busy)?;
    holding.release(1);
    let reply = script.read_message()?;
    ensure(reply["result"]["a"] == large, || format!("not the large one: {reply}"))?;
    script.message(&request(2, "echo", json!({})))?;
    script.expect(r#"{"jsonrpc":"2.0","id":2,"result":{}}"#)
}
