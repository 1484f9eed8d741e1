//! How a client and a server begin.

use crate::harness::Harness;
use crate::messages::{ensure, ensure_same, request, result};
use crate::script::{Next, Script};
use crate::stage::{client, connecting, halves, host, on_thread, pair};
use mcp_wire_driver::{
    CallError, Closed, ConnectError, ErrorObject, HandshakeError, Host, Json, Revision,
};
use serde_json::{Value, json};
use std::future::poll_fn;
use std::pin::pin;
use std::task::Poll;
use std::time::Duration;

/// How far connecting gets before it is given up, in calls of `poll`.
const POLLS: std::ops::Range<usize> = 0..10;

/// P1: the client says what it is and can do, and keeps what the server says.
pub fn they_agree<H: Harness>() -> Result<(), String> {
    let host = host::<H>().title("Conformance").roots([]);
    let (mut script, running) = client::<H, _>(host, async |client| client.server_info().clone())?;
    script.expect_end()?;
    let server = running.outcome()?;
    ensure_same("the revision", server.revision, Revision::V2025_11_25)?;
    ensure(server.has("tools") && !server.has("prompts"), || format!("wrong: {server:?}"))
}

/// P1: the client asks for the revision that it is told to, and takes another one.
pub fn another_revision_will_do<H: Harness>() -> Result<(), String> {
    let host = host::<H>().revision(Revision::V2025_03_26).roots([]);
    let (mut script, running) = connecting::<H>(host)?;
    let asked = script.read_message()?;
    let params = json!({
        "protocolVersion": "2025-03-26", "capabilities": { "roots": {} },
        "clientInfo": { "name": "conformance", "version": "1" },
    });
    ensure_same("the handshake", asked, request(1, "initialize", params))?;
    script.message(&result(1, json!({ "protocolVersion": "2024-11-05", "capabilities": {} })))?;
    script.expect(r#"{"jsonrpc":"2.0","method":"notifications/initialized"}"#)?;
    ensure_same("connecting", running.outcome()?, Ok(()))?;
    script.expect_end()
}

/// M4: stray lines before the answer are passed over, and none of them is answered; the server's ping is.
pub fn stray_lines_before_the_answer_do_no_harm<H: Harness>() -> Result<(), String> {
    let (mut script, running) = connecting::<H>(host::<H>())?;
    script.expect_where("initialize", |message| message["method"] == "initialize")?;
    script.send(
        b"Starting ...\n\n\xff\xfe\n{\"id\":1}\n[]\n{\"jsonrpc\":\"2.0\",\"id\":2,\"result\":{}}\n",
    )?;
    script.line("junk ".repeat(100_000))?;
    script.expect_silence()?;
    script.message(&result(1, json!({ "protocolVersion": "2025-11-25", "capabilities": {} })))?;
    script.expect_where("the end of the handshake", |message| {
        message["method"] == "notifications/initialized"
    })?;
    ensure_same("connecting", running.outcome()?, Ok(()))
}

/// O1: a server that does not agree is the reason; the stream is closed, and nothing more is written.
pub fn a_server_that_does_not_agree_is_left<H: Harness>() -> Result<(), String> {
    let cases = [
        (
            json!({ "jsonrpc": "2.0", "id": 1, "error": { "code": -32602, "message": "no" } }),
            HandshakeError::Call(CallError::Peer(ErrorObject::new(-32602, "no"))),
        ),
        (
            result(1, json!({ "protocolVersion": "1999-01-01", "capabilities": {} })),
            HandshakeError::UnknownRevision("1999-01-01".into()),
        ),
    ];
    for (answer, error) in cases {
        let (mut script, running) = connecting::<H>(host::<H>())?;
        script.expect_where("initialize", |message| message["method"] == "initialize")?;
        script.message(&answer)?;
        script.expect_end()?;
        let expected = Err(ConnectError::Handshake { error, child: None, earlier: None });
        ensure_same("connecting", running.outcome()?, expected)?;
    }
    Ok(())
}

/// O2: a server that never answers is given up in time; `initialize` is not cancelled on the wire (C6).
pub fn a_silent_server_is_given_up<H: Harness>() -> Result<(), String> {
    let host = host::<H>().connect_timeout(Duration::from_millis(200));
    failure::<H>(host, CallError::TimedOut, |_| Ok(()))
}

/// X1: a server that hangs up before it answers is the reason.
pub fn an_end_before_the_answer_is_the_reason<H: Harness>() -> Result<(), String> {
    failure::<H>(host::<H>(), CallError::Closed(Closed::Eof), Script::hang_up)
}

fn failure<H: Harness>(
    host: Host,
    error: CallError,
    then: impl FnOnce(&mut Script) -> Result<(), String>,
) -> Result<(), String> {
    let (mut script, running) = connecting::<H>(host)?;
    script.expect_where("initialize", |message| message["method"] == "initialize")?;
    then(&mut script)?;
    script.expect_end()?;
    let error = HandshakeError::Call(error);
    let expected = Err(ConnectError::Handshake { error, child: None, earlier: None });
    ensure_same("connecting", running.outcome()?, expected)
}

/// X3, F13: connecting may be given up at any point: the stream is closed, and what was written is whole but for the last
/// line.
pub fn connecting_may_be_given_up<H: Harness>() -> Result<(), String> {
    for polls in POLLS {
        let (mut script, stream) = pair::<H>()?;
        let running = on_thread::<H, _>(move || {
            H::block_on(async {
                let (reader, writer) = halves::<H>(stream)?;
                let mut connecting = pin!(H::connect_streams(host::<H>(), reader, writer));
                let mut left = polls;
                let outcome = poll_fn(|context| {
                    if left == 0 {
                        return Poll::Ready(None);
                    }
                    left -= 1;
                    context.waker().wake_by_ref();
                    connecting.as_mut().poll(context).map(Some)
                })
                .await;
                Ok(outcome.is_none())
            })
        });
        let given_up = running.outcome()?;
        ensure(given_up, || "it connected to nobody".into())?;
        match script.read_next()? {
            Next::Line(line) => {
                let read: Value = serde_json::from_str(&line)
                    .map_err(|error| format!("not JSON: {error}: {line}"))?;
                ensure_same("the request", &read["method"], &json!("initialize"))?;
                script.expect_end()?;
            }
            Next::Cut(_) | Next::End => {}
        }
    }
    Ok(())
}

/// S4: a client and a server in memory, of the same program.
pub fn a_server_in_memory_is_like_any_other<H: Harness>() -> Result<(), String> {
    let (called, end) = on_thread::<H, _>(|| {
        H::block_on(async {
            let client = H::connect_server(host::<H>(), crate::stage::echo_server::<H>().into())
                .await
                .map_err(|error| error.to_string())?;
            let params = Json::from(json!({ "n": "x".repeat(200_000) }));
            let called = client.call::<Json>("echo", &params).await;
            Ok((called == Ok(params), client.close().await.cause))
        })
    })
    .outcome()?;
    ensure(called, || "it does not come back as it was".into())?;
    ensure_same("the cause", end, Closed::Local)
}
