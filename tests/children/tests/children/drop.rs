//! K3: dropping the client kills its server, with or without a runtime.

use crate::support::{Server, connect, echo, is_gone, on_every_runtime, process_of, until};
use children::{Adapter, Mode};
use mcp_wire_tokio::CallOptions;
use serde_json::json;

on_every_runtime!(
    the_last_client_is_dropped,
    the_client_is_dropped_after_its_runtime,
    the_client_outlives_its_runtime,
    the_client_is_dropped_in_a_call,
);

/// K3: at once, though the runtime gets no turn meanwhile. A clone that is left keeps the session.
fn the_last_client_is_dropped<A: Adapter>() {
    let server = Server::new(Mode::IgnoresBoth);
    let process = A::block_on(async {
        let client = connect::<A>(&server).await;
        let process = process_of(&client);
        drop(client.clone());
        assert_eq!(echo(&client, "hello").await, Ok("hello".to_owned()));
        drop(client);
        server.assert_nothing_is_left();
        process
    });
    until("its exit is collected", || is_gone(process));
}

/// K3
fn the_client_is_dropped_after_its_runtime<A: Adapter>() {
    let server = Server::new(Mode::IgnoresBoth);
    let client = A::block_on(connect::<A>(&server));
    let process = process_of(&client);
    drop(client);
    server.assert_nothing_is_left();
    until("its exit is collected", || is_gone(process));
}

/// K3, X3: where a runtime ends that is not global, its servers end with it, and nobody waits in vain. A session on a global
/// one goes on.
fn the_client_outlives_its_runtime<A: Adapter>() {
    let server = Server::new(Mode::Well);
    let client = A::block_on(connect::<A>(&server));
    let process = process_of(&client);
    A::block_on(async {
        _ = echo(&client, "is anybody there?").await;
        client.close().await;
    });
    server.assert_nothing_is_left();
    drop(client);
    until("its exit is collected", || is_gone(process));
}

/// K3, O1: a call does not hold the session.
fn the_client_is_dropped_in_a_call<A: Adapter>() {
    // It withholds its first answer.
    let server = Server::new(Mode::AnswersLate);
    A::block_on(async {
        let client = connect::<A>(&server).await;
        let arguments = json!({ "text": "hello" });
        let call = client.start_tool("echo", &arguments, CallOptions::default());
        drop(client);
        assert!(call.await.is_err());
    });
    server.assert_nothing_is_left();
}
