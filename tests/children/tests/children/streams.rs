//! Servers that read and write in odd ways, and are well otherwise.

use crate::support::{
    SHORT, Server, code, connect, echo, exit_after, on_every_runtime, shell, signal,
};
use children::{Adapter, Mode};
use mcp_wire_tokio::shutdown::Step;
use mcp_wire_tokio::{CallError, CallOptions, Closed, Stderr};
use serde_json::json;

/// How much of standard error is kept, in bytes.
const TAIL: usize = 64 << 10;

on_every_runtime!(
    a_banner_before_the_first_answer,
    one_byte_at_a_time,
    a_flood_on_standard_error,
    a_flood_on_standard_error_that_nobody_wants,
    an_end_of_standard_error_before_the_exit,
    a_server_that_never_reads,
);

/// M4: none of it is an answer, though some of it has an id.
fn a_banner_before_the_first_answer<A: Adapter>() {
    well::<A>(&Server::new(Mode::PrintsBanner));
}

/// F4
fn one_byte_at_a_time<A: Adapter>() {
    well::<A>(&Server::new(Mode::OneByteAtATime));
}

/// K5: it is always read, and its end is kept.
fn a_flood_on_standard_error<A: Adapter>() {
    let stderr = well::<A>(&Server::new(Mode::FloodsStderr));
    let line = format!("{}\n", ".".repeat(63));
    assert_eq!(stderr, line.repeat(TAIL / line.len()));
}

/// K5
fn a_flood_on_standard_error_that_nobody_wants<A: Adapter>() {
    assert_eq!(well::<A>(&Server::new(Mode::FloodsStderr).stderr(Stderr::Null)), "");
}

/// K5: the exit tells what was said, and nothing waits for more.
fn an_end_of_standard_error_before_the_exit<A: Adapter>() {
    let script = r#"echo no more of this >&2; exec "$0" well 2>&-"#;
    assert_eq!(well::<A>(&shell(script)), "no more of this\n");
}

/// O2, K2: calls time out, those that do not fit into the pipe too, and what is unwritten does not hold up the end.
fn a_server_that_never_reads<A: Adapter>() {
    let server = Server::new(Mode::NeverReads).times(|times| {
        times.flush = SHORT;
        times.close_input = SHORT;
    });
    A::block_on(async {
        let client = connect::<A>(&server).await;
        let arguments = json!({ "text": "large ".repeat(1_000_000) });
        let mut options = CallOptions::default();
        options.timeout = Some(SHORT);
        for _ in 0..3 {
            let call = client.start_tool("echo", &arguments, options.clone());
            assert_eq!(call.await, Err(CallError::TimedOut));
        }
        let end = client.close().await;
        assert!(matches!(end.cause, Closed::Local | Closed::Stalled), "{}", end.cause);
        assert_eq!(exit_after(Step::Terminate, end.child).status, signal(15));
    });
    server.assert_nothing_is_left();
}

/// A session in which all goes well. Gives the last words.
#[track_caller]
fn well<A: Adapter>(server: &Server) -> String {
    let stderr = A::block_on(async {
        let client = connect::<A>(server).await;
        for text in ["one", "two", "three"] {
            assert_eq!(echo(&client, text).await, Ok(text.to_owned()));
        }
        let exit = exit_after(Step::CloseInput, client.close().await.child);
        assert_eq!(exit.status, code(0));
        exit.stderr.to_string()
    });
    server.assert_nothing_is_left();
    stderr
}
