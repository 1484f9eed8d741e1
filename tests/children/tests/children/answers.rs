//! What a caller gets of a server that answers wrongly, or not. The session goes on in each case.

use crate::support::{
    SHORT, Server, code, connect, echo, exit_after, is_gone, on_every_runtime, process_of,
};
use children::{Adapter, Mode};
use mcp_wire_tokio::shutdown::Step;
use mcp_wire_tokio::{CallError, CallOptions, Client, Closed, ToolResult};
use serde_json::json;

on_every_runtime!(
    right_answers,
    an_answer_with_another_id,
    two_answers,
    an_answer_to_a_call_that_is_cancelled,
    an_answer_to_a_call_that_timed_out,
    an_answer_with_a_result_and_an_error,
    an_answer_without_a_version,
);

/// O1
fn right_answers<A: Adapter>() {
    session::<A>(Mode::Well, async |client| {
        assert_eq!(client.list_tools().await.unwrap()[0].name, "echo");
        assert_eq!(echo(client, "hello").await, Ok("hello".to_owned()));
        let large = "large ".repeat(100_000);
        assert_eq!(echo(client, &large).await, Ok(large));
        let missing = client.list_prompts().await;
        assert!(matches!(missing, Err(CallError::Peer(error)) if error.code == -32601));
    });
}

/// M5, O1: an id that was never issued settles nothing.
fn an_answer_with_another_id<A: Adapter>() {
    session::<A>(Mode::WrongId, async |client| {
        assert_eq!(echo_soon(client, "hello").await, Err(CallError::TimedOut));
    });
}

/// M5: the second one is for nobody.
fn two_answers<A: Adapter>() {
    session::<A>(Mode::AnswersTwice, async |client| {
        for text in ["one", "two", "three"] {
            assert_eq!(echo(client, text).await, Ok(text.to_owned()));
        }
    });
}

/// C6, M5: it is nobody else's answer.
fn an_answer_to_a_call_that_is_cancelled<A: Adapter>() {
    session::<A>(Mode::AnswersLate, async |client| {
        let mut first =
            client.start_tool("echo", &json!({ "text": "one" }), CallOptions::default());
        // It has read it before it answers this.
        assert_eq!(client.ping().await, Ok(()));
        first.canceller().cancel(Some("changed my mind"));
        assert_eq!(first.await, Err(CallError::Cancelled));
        for text in ["two", "three"] {
            assert_eq!(echo(client, text).await, Ok(text.to_owned()));
        }
    });
}

/// C6, M5, O2
fn an_answer_to_a_call_that_timed_out<A: Adapter>() {
    session::<A>(Mode::AnswersLate, async |client| {
        assert_eq!(echo_soon(client, "one").await, Err(CallError::TimedOut));
        for text in ["two", "three"] {
            assert_eq!(echo(client, text).await, Ok(text.to_owned()));
        }
    });
}

/// M4: the call ends at once, not with its time.
fn an_answer_with_a_result_and_an_error<A: Adapter>() {
    session::<A>(Mode::ResultAndError, async |client| {
        let answer = echo(client, "hello").await;
        assert!(matches!(answer, Err(CallError::InvalidResponse(_))), "{answer:?}");
    });
}

/// M4: it looks like a log line.
fn an_answer_without_a_version<A: Adapter>() {
    session::<A>(Mode::NoJsonrpc, async |client| {
        assert_eq!(echo_soon(client, "hello").await, Err(CallError::TimedOut));
    });
}

/// A session that goes on whatever happens in it, and ends well.
#[track_caller]
fn session<A: Adapter>(mode: Mode, play: impl AsyncFnOnce(&Client)) {
    let server = Server::new(mode);
    A::block_on(async {
        let client = connect::<A>(&server).await;
        play(&client).await;
        assert_eq!(client.ping().await, Ok(()));
        let end = client.close().await;
        assert_eq!(end.cause, Closed::Local);
        assert_eq!(exit_after(Step::CloseInput, end.child).status, code(0));
        assert!(is_gone(process_of(&client)), "its exit is not collected");
    });
    server.assert_nothing_is_left();
}

/// The same as `echo`, with little time.
async fn echo_soon(client: &Client, text: &str) -> Result<String, CallError> {
    let mut options = CallOptions::default();
    options.timeout = Some(SHORT);
    let result = client.start_tool("echo", &json!({ "text": text }), options).await?;
    Ok(result.parse::<ToolResult>().unwrap().as_text())
}
