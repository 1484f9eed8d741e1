//! What is too long, too deep, or cannot work.

use crate::harness::Harness;
use crate::messages::{ensure, ensure_same, request};
use crate::stage::{echo_server, pair, serve_ready, serve_stream};
use mcp_wire_driver::{Context, Json};
use serde_json::{Value, json};

/// F7: a line of exactly the limit passes, a longer one is refused, and what follows is read, wherever the pieces end.
pub fn the_longest_line_passes<H: Harness>() -> Result<(), String> {
    const LIMIT: usize = 1000;
    let server = echo_server::<H>().configure(|config| config.max_frame = LIMIT);
    let (mut script, _running) = serve_ready::<H>(server)?;
    let line = |id: u64, size: usize| {
        let empty = request(id, "echo", json!({ "a": "" })).to_string();
        empty.replace(r#""a":"""#, &format!(r#""a":"{}""#, "x".repeat(size - empty.len())))
    };
    for piece in [1, 7, 999, 10_000] {
        script.line(line(1, LIMIT))?;
        script.expect_where("the echo", |message| message["result"]["a"].is_string())?;
        let lines =
            [line(1, LIMIT) + "\r", line(2, LIMIT + 1), line(3, 10 * LIMIT), line(4, LIMIT)];
        for bytes in format!("{}\n", lines.join("\n")).as_bytes().chunks(piece) {
            script.send(bytes)?;
        }
        let mut answers = Vec::new();
        for _ in &lines {
            answers.push(script.read_message()?);
        }
        answers.sort_by_key(|answer| answer["id"].as_u64());
        let passed: Vec<bool> = answers.iter().map(|answer| answer["error"].is_null()).collect();
        ensure_same("which lines passed", passed, vec![true, false, false, true])?;
    }
    script.expect_silence()
}

/// F7, M2: the sender of a line that is too long is told, where its id comes early enough.
pub fn the_sender_of_a_long_line_is_told<H: Harness>() -> Result<(), String> {
    let server = echo_server::<H>().configure(|config| config.max_frame = 1000);
    let (mut script, _running) = serve_ready::<H>(server)?;
    script.line(format!(
        r#"{{"jsonrpc":"2.0","id":1,"method":"echo","params":{{"a":"{}"}}}}"#,
        "x".repeat(1 << 20)
    ))?;
    script.expect_error(1, -32600)?;
    script.expect_silence()
}

/// F14: a reply that is too long becomes an error that says so.
pub fn a_reply_that_is_too_long_becomes_an_error<H: Harness>() -> Result<(), String> {
    let server = echo_server::<H>().configure(|config| config.max_frame_out = 5000).method(
        "long",
        async |_: Context, params: Value| {
            let size = params["size"].as_u64().and_then(|size| usize::try_from(size).ok());
            let text = "x".repeat(size.unwrap_or_default());
            Ok(Json::from_serialize(&text).unwrap_or_else(|_| Json::null()))
        },
    );
    let (mut script, _running) = serve_ready::<H>(server)?;
    script.message(&request(1, "long", json!({ "size": 5000 })))?;
    script.expect_where("the error", |message| {
        message["error"]["code"] == -32603
            && message["error"]["data"]["error"] == "reply_too_large"
            && message["error"]["data"]["limit"] == 5000
    })?;
    let around = r#"{"jsonrpc":"2.0","id":1,"result":""}"#.len();
    script.message(&request(1, "long", json!({ "size": 5000 - around })))?;
    script.expect_where("the reply", |message| message["result"].is_string())?;
    Ok(())
}

/// E3: how deep a message may nest can be set.
pub fn the_depth_can_be_set<H: Harness>() -> Result<(), String> {
    let server = echo_server::<H>().configure(|config| config.max_depth = 8);
    let (mut script, _running) = serve_ready::<H>(server)?;
    let line = |levels: usize| {
        let (open, close) = ("[".repeat(levels), "]".repeat(levels));
        format!(r#"{{"jsonrpc":"2.0","id":1,"method":"echo","params":{{"a":{open}{close}}}}}"#)
    };
    script.line(line(6))?;
    script.expect_where("the echo", |message| message["result"]["a"].is_array())?;
    script.line(line(7))?;
    script.expect_error(1, -32600)?;
    Ok(())
}

/// F7: a configuration that cannot work is refused before anything is read.
pub fn a_configuration_that_cannot_work_is_refused<H: Harness>() -> Result<(), String> {
    let (mut script, stream) = pair::<H>()?;
    let running =
        serve_stream::<H>(echo_server::<H>().configure(|config| config.max_frame = 0), stream);
    match running.outcome() {
        Err(error) if error.contains("max_frame") => {}
        other => return Err(format!("it was not refused: {other:?}")),
    }
    script.expect_end()?;
    ensure(script.read_next().is_ok(), || "the end does not last".into())
}
