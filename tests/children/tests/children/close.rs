//! K2: the shutdown, step by step. When `close` returns, the exit is collected.

use crate::support::{
    AMPLE, SHORT, Server, code, connect, echo, exit_after, host, is_gone, on_every_runtime,
    process_of, signal,
};
use children::{Adapter, Mode};
use mcp_wire_tokio::shutdown::{Step, Times};
use mcp_wire_tokio::{CallError, CallOptions, Closed, SendError};
use serde_json::json;
use smol::future::{poll_once, zip};
use std::process::ExitStatus;
use std::time::Duration;

on_every_runtime!(
    a_server_that_ends_with_its_input,
    a_server_that_has_to_be_terminated,
    a_server_that_ends_with_its_input_only,
    a_server_that_has_to_be_killed,
    a_server_that_reads_slowly,
    a_server_that_never_reads,
    closing_twice,
    closing_in_a_call,
    closing_and_giving_up,
    servers_end_apart,
);

/// K2
fn a_server_that_ends_with_its_input<A: Adapter>() {
    let stderr = closed::<A>(Mode::Well, |_| {}, Step::CloseInput, code(0));
    assert!(stderr.starts_with("process "), "{stderr}");
}

/// K2
fn a_server_that_has_to_be_terminated<A: Adapter>() {
    let short = |times: &mut Times| times.close_input = SHORT;
    closed::<A>(Mode::IgnoresEndOfInput, short, Step::Terminate, signal(15));
}

/// K2: nothing is done that is not needed.
fn a_server_that_ends_with_its_input_only<A: Adapter>() {
    let stderr = closed::<A>(Mode::IgnoresTerminate, |_| {}, Step::CloseInput, code(0));
    assert!(!stderr.contains("terminate"), "{stderr}");
}

/// K2
fn a_server_that_has_to_be_killed<A: Adapter>() {
    let short = |times: &mut Times| (times.close_input, times.terminate) = (SHORT, SHORT);
    closed::<A>(Mode::IgnoresBoth, short, Step::Kill, signal(9));
}

/// K2: the flush is bounded, also where it gets on: all of it would take hours.
fn a_server_that_reads_slowly<A: Adapter>() {
    full::<A>(Mode::ReadsSlowly);
}

/// K2: the flush is bounded by the times of the command.
fn a_server_that_never_reads<A: Adapter>() {
    full::<A>(Mode::NeverReads);
}

/// X4, K2: all who close are told the same, whenever they come.
fn closing_twice<A: Adapter>() {
    let server = Server::new(Mode::Well);
    A::block_on(async {
        let client = connect::<A>(&server).await;
        let clone = client.clone();
        // Both wait at once.
        let (first, second) = zip(client.close(), clone.close()).await;
        assert_eq!(first, second);
        assert_eq!(client.close().await, first);
        assert_eq!(client.wait_closed().await, first);
        assert_eq!(exit_after(Step::CloseInput, first.child).status, code(0));
        assert_eq!(echo(&client, "late").await, Err(CallError::NotSent(SendError::Closed)));
    });
    server.assert_nothing_is_left();
}

/// O1, X4
fn closing_in_a_call<A: Adapter>() {
    // It withholds its first answer.
    let server = Server::new(Mode::AnswersLate);
    A::block_on(async {
        let client = connect::<A>(&server).await;
        let arguments = json!({ "text": "hello" });
        let call = client.start_tool("echo", &arguments, CallOptions::default());
        let end = client.close().await;
        assert_eq!(call.await, Err(CallError::Closed(Closed::Local)));
        assert_eq!(end.cause, Closed::Local);
    });
    server.assert_nothing_is_left();
}

/// K2: the session ends all the same, step by step.
fn closing_and_giving_up<A: Adapter>() {
    let server = Server::new(Mode::IgnoresEndOfInput).times(|times| times.close_input = SHORT);
    A::block_on(async {
        let client = connect::<A>(&server).await;
        _ = poll_once(client.close()).await;
        let end = client.wait_closed().await;
        assert_eq!(exit_after(Step::Terminate, end.child).status, signal(15));
    });
    server.assert_nothing_is_left();
}

/// K2, S1: no server holds an end of another one's pipes, so that the input of each ends.
fn servers_end_apart<A: Adapter>() {
    let servers = [Mode::Well; 4].map(Server::new);
    A::block_on(async {
        let mut clients = Vec::new();
        for server in &servers {
            clients.push(connect::<A>(server).await);
        }
        for (at, client) in clients.iter().enumerate() {
            let end = client.close().await;
            assert_eq!(exit_after(Step::CloseInput, end.child).status, code(0));
            for other in &clients[at + 1..] {
                assert_eq!(echo(other, "still there").await, Ok("still there".to_owned()));
            }
        }
    });
    for server in &servers {
        server.assert_nothing_is_left();
    }
}

/// Opens a session and closes it. Gives the last words.
#[track_caller]
fn closed<A: Adapter>(
    mode: Mode,
    times: impl FnOnce(&mut Times),
    step: Step,
    status: ExitStatus,
) -> String {
    let server = Server::new(mode).times(times);
    let stderr = A::block_on(async {
        let client = connect::<A>(&server).await;
        assert_eq!(echo(&client, "hello").await, Ok("hello".to_owned()));
        let end = client.close().await;
        assert_eq!(end.cause, Closed::Local);
        let exit = exit_after(step, end.child);
        assert_eq!(exit.status, status);
        assert!(is_gone(process_of(&client)), "its exit is not collected");
        exit.stderr.to_string()
    });
    server.assert_nothing_is_left();
    stderr
}

/// How much does not fit into any pipe, in bytes.
const LARGE: usize = 6_000_000;

/// Closes a session with more unwritten than fits into any pipe. The connection's own time is ample, the command's is short.
#[track_caller]
fn full<A: Adapter>(mode: Mode) {
    let server = Server::new(mode).times(|times| {
        (times.flush, times.close_input) = (SHORT, SHORT);
    });
    A::block_on(async {
        let host = host().configure(|config| config.flush_stall = AMPLE);
        let client = A::connect(host, server.command()).await.unwrap();
        let arguments = json!({ "text": "x".repeat(LARGE) });
        let call = client.start_tool("echo", &arguments, CallOptions::default());
        // What is not begun would be taken back. Nobody tells when the pipe is full.
        while client.peer().buffered() >= LARGE {
            A::sleep(Duration::from_millis(1)).await;
        }
        let end = client.close().await;
        assert!(call.await.is_err());
        assert_eq!(exit_after(Step::Terminate, end.child).status, signal(15));
    });
    server.assert_nothing_is_left();
}
