//! K3, K4: processes that a server has started, or that have started the server.

use crate::support::{
    SHORT, Server, cause_of, code, connect, echo, exit_after, exit_in, on_every_runtime, pid_of,
    process_of, shell, signal, until,
};
use children::{Adapter, Mode};
use mcp_wire_tokio::shutdown::Step;
use mcp_wire_tokio::{Client, Closed};
use rustix::process::{Signal, getpgid, kill_process};

on_every_runtime!(
    a_wrapper_that_waits,
    a_wrapper_that_ignores_everything,
    a_wrapper_that_leaves_the_server_behind,
    a_server_that_leaves_a_process_when_it_is_closed,
    a_wrapper_whose_client_is_dropped,
    a_process_that_has_left_the_group,
    a_process_that_has_left_the_group_and_writes,
);

/// K3: the group is terminated, not the wrapper alone.
fn a_wrapper_that_waits<A: Adapter>() {
    let server = shell(r#""$0" ignores-end-of-input; exit 7"#);
    let server = server.times(|times| times.close_input = SHORT);
    A::block_on(async {
        let client = connect::<A>(&server).await;
        until("the wrapper is there too", || server.processes().len() == 2);
        let end = client.close().await;
        assert_eq!(exit_after(Step::Terminate, end.child).status, signal(15));
    });
    server.assert_nothing_is_left();
}

/// K3: so is it killed.
fn a_wrapper_that_ignores_everything<A: Adapter>() {
    let server = shell(r#"trap "" TERM; "$0" ignores-both; "$0" ignores-both"#)
        .times(|times| (times.close_input, times.terminate) = (SHORT, SHORT));
    A::block_on(async {
        let client = connect::<A>(&server).await;
        let end = client.close().await;
        assert_eq!(exit_after(Step::Kill, end.child).status, signal(9));
    });
    server.assert_nothing_is_left();
}

/// K3, K4: the wrapper's exit is the end, and its server does not outlive it.
fn a_wrapper_that_leaves_the_server_behind<A: Adapter>() {
    let server = shell(r#"trap "exit 7" TERM; exec 3<&0; "$0" ignores-both <&3 & wait"#);
    A::block_on(async {
        let client = connect::<A>(&server).await;
        let mut processes = server.processes();
        processes.retain(|process| *process != process_of(&client));
        kill_process(pid_of(processes[0]), Signal::TERM).unwrap();
        let end = client.wait_closed().await;
        assert_eq!(exit_in(end.cause).status, code(7));
        assert_eq!(exit_after(Step::Flush, end.child).status, code(7));
    });
    server.assert_nothing_is_left();
}

/// K3, K4: what it has started holds all its streams.
fn a_server_that_leaves_a_process_when_it_is_closed<A: Adapter>() {
    let server = Server::new(Mode::LeavesGrandchild);
    A::block_on(async {
        let client = connect::<A>(&server).await;
        until("there is a grandchild", || server.processes().len() == 2);
        let end = client.close().await;
        assert_eq!(end.cause, Closed::Local);
        assert_eq!(exit_after(Step::CloseInput, end.child).status, code(0));
    });
    server.assert_nothing_is_left();
}

/// K3
fn a_wrapper_whose_client_is_dropped<A: Adapter>() {
    let server = shell(r#"trap "" TERM; "$0" ignores-both; "$0" ignores-both"#);
    A::block_on(async {
        drop(connect::<A>(&server).await);
        server.assert_nothing_is_left();
    });
}

/// K4: what has left the group cannot be reached, but nobody waits for it.
fn a_process_that_has_left_the_group<A: Adapter>() {
    let server = shell(r#"setsid sleep 60 & exec "$0" well"#);
    A::block_on(async {
        let client = connect::<A>(&server).await;
        let left = until_left(&server, &client);
        let end = client.close().await;
        assert_eq!(end.cause, Closed::Local);
        assert_eq!(exit_after(Step::CloseInput, end.child).status, code(0));
        assert_eq!(server.processes(), left);
    });
}

/// K4: not even where it writes to both streams again and again, so that they never come to rest.
fn a_process_that_has_left_the_group_and_writes<A: Adapter>() {
    let server = shell(
        r#"setsid sh -c 'while sleep 0.01; do echo junk; echo junk >&2; done' & exec "$0" dies-mid-call"#,
    );
    A::block_on(async {
        let client = connect::<A>(&server).await;
        until_left(&server, &client);
        assert_eq!(exit_in(cause_of(echo(&client, "hello").await.unwrap_err())).status, code(3));
        let end = client.wait_closed().await;
        assert_eq!(exit_after(Step::Flush, end.child).status, code(3));
    });
}

/// Waits until a process has left the group, and gives the ids of all that have.
#[track_caller]
fn until_left(server: &Server, client: &Client) -> Vec<u32> {
    let leader = pid_of(process_of(client));
    let mut left = Vec::new();
    until("a process has left the group", || {
        left = server.processes();
        left.retain(|process| getpgid(Some(pid_of(*process))) != Ok(leader));
        !left.is_empty()
    });
    left
}
