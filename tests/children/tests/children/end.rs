//! What a caller gets of a server that ends, or cuts a stream, by itself.

use crate::support::{
    SHORT, Server, cause_of, code, connect, echo, exit_after, exit_in, is_gone, on_every_runtime,
    process_of, signal,
};
use children::{Adapter, Mode};
use mcp_wire_tokio::message::FaultKind;
use mcp_wire_tokio::shutdown::Step;
use mcp_wire_tokio::{CallError, Client, Closed, SendError};
use std::io::ErrorKind;

on_every_runtime!(
    a_server_that_exits_in_a_call,
    a_server_that_is_killed_within_an_answer,
    a_server_that_exits_after_its_last_answer,
    a_server_that_closes_its_output,
    a_server_that_closes_its_input,
);

/// K4, O1: the call fails with the exit and the last words. So does what comes later.
fn a_server_that_exits_in_a_call<A: Adapter>() {
    session::<A>(Server::new(Mode::DiesMidCall), async |client| {
        let call = exit_in(cause_of(echo(client, "hello").await.unwrap_err()));
        assert_eq!(call.status, code(3));
        assert!(call.stderr.ends_with("dies in a call\n"), "{call}");
        assert_eq!(echo(client, "late").await, Err(CallError::NotSent(SendError::Closed)));
        let end = client.wait_closed().await;
        assert_eq!(exit_in(end.cause), call);
        assert_eq!(exit_after(Step::Flush, end.child), call);
    });
}

/// F9, M4, K4: a part of an answer is none, and the session ends with the exit.
fn a_server_that_is_killed_within_an_answer<A: Adapter>() {
    session::<A>(Server::new(Mode::DiesAfterBytes).argument("100000"), async |client| {
        let call = echo(client, &"large ".repeat(100_000)).await;
        assert_eq!(call, Err(CallError::InvalidResponse(FaultKind::Truncated)));
        let end = client.wait_closed().await;
        assert_eq!(exit_in(end.cause).status, signal(9));
        assert_eq!(exit_after(Step::Flush, end.child).status, signal(9));
    });
}

/// K4: what it wrote before it exited is read first, though a process that it leaves holds the pipe.
fn a_server_that_exits_after_its_last_answer<A: Adapter>() {
    session::<A>(Server::new(Mode::LeavesGrandchild), async |client| {
        let large = "large ".repeat(100_000);
        assert_eq!(echo(client, &large).await, Ok(large));
        let end = client.wait_closed().await;
        assert_eq!(exit_in(end.cause).status, code(0));
        assert_eq!(exit_after(Step::Flush, end.child).status, code(0));
    });
}

/// X1, K2: calls fail at once, and it is shut down.
fn a_server_that_closes_its_output<A: Adapter>() {
    session::<A>(Server::new(Mode::ClosesStdout), async |client| {
        assert_eq!(cause_of(echo(client, "hello").await.unwrap_err()), Closed::Eof);
        let end = client.wait_closed().await;
        assert_eq!(end.cause, Closed::Eof);
        assert_eq!(exit_after(Step::CloseInput, end.child).status, code(0));
    });
}

/// X2, K2: nobody takes what is written. It does not end by itself.
fn a_server_that_closes_its_input<A: Adapter>() {
    let server = Server::new(Mode::ClosesStdin).times(|times| times.close_input = SHORT);
    session::<A>(server, async |client| {
        assert_eq!(echo(client, "hello").await, Ok("hello".to_owned()));
        let broken = Closed::WriteFailed(ErrorKind::BrokenPipe);
        assert_eq!(cause_of(echo(client, "lost").await.unwrap_err()), broken);
        let end = client.wait_closed().await;
        assert_eq!(end.cause, broken);
        assert_eq!(exit_after(Step::Terminate, end.child).status, signal(15));
    });
}

/// A session that ends in the play. Its exit is collected by then, and nothing is left.
#[track_caller]
fn session<A: Adapter>(server: Server, play: impl AsyncFnOnce(&Client)) {
    A::block_on(async {
        let client = connect::<A>(&server).await;
        play(&client).await;
        assert!(is_gone(process_of(&client)), "its exit is not collected");
    });
    server.assert_nothing_is_left();
}
