//! How a client's session ends, and who is told.

use crate::support::{
    ClientWire, Gate, Takes, World, call_options, echo_and_wait, follow, host, narrow, ready,
    request, response, seconds, start,
};
use mcp_wire_driver::mcp::Implementation;
use mcp_wire_driver::{
    CallError, Client, Closed, ConfigError, ConnectError, Context, HandshakeError, OnProgress,
    SendError, ServeError,
};
use serde_json::{Value, json};
use std::io::ErrorKind::BrokenPipe;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

/// O1, X1: when the connection ends, every call settles with the cause, wherever it is; what comes later is refused.
#[test]
fn each_call_settles_with_the_cause() {
    let ends: [fn(&ClientWire, &Client) -> Closed; 4] = [
        |wire, _| (wire.input.end(), Closed::Eof).1,
        |wire, _| (wire.input.fail(BrokenPipe), Closed::ReadFailed(BrokenPipe)).1,
        |_, client| (client.peer().close(), Closed::Local).1,
        |_, client| (client.peer().shutdown(None), Closed::Local).1,
    ];
    for end in ends {
        let (wire, client) = ready();
        let followed =
            wire.start(follow(client.request("a", None, call_options(OnProgress::Report, None))));
        let typed =
            start(&wire, &client, |it| async move { it.call::<Value>("b", &json!({})).await });
        let listed = start(&wire, &client, |it| async move { it.list_tools().await });
        let unpolled = client.request("c", None, Default::default());
        let cause = end(&wire, &client);
        wire.world.run();
        let closed = CallError::Closed(cause.clone());
        assert_eq!(followed.take(), Some((vec![], Err(closed.clone()))));
        assert_eq!(typed.take(), Some(Err(closed.clone())));
        assert_eq!(listed.take(), Some(Err(closed.clone())));
        assert_eq!(wire.start(unpolled).take(), Some(Err(closed)));
        let late = wire.start(client.request("late", None, Default::default()));
        assert_eq!(late.take(), Some(Err(CallError::NotSent(SendError::Closed))));
        let ended = start(&wire, &client, |it| async move { it.wait_closed().await }).take();
        assert_eq!(ended.map(|end| (end.cause, end.child)), Some((cause, None)));
    }
}

/// X4: closing twice, or giving up on it, ends the session once; all who wait are told the same.
#[test]
fn closing_is_idempotent() {
    let (wire, client) = ready();
    let waiting =
        [(); 3].map(|()| start(&wire, &client, |it| async move { it.wait_closed().await }));
    let given_up = start(&wire, &client, |it| async move { it.wait_closed().await });
    given_up.cancel();
    wire.output.takes(Takes::Bytes(0));
    client.peer().try_notify("unwritten", None).unwrap();
    let first = start(&wire, &client, |it| async move { it.close().await });
    first.cancel();
    let second = start(&wire, &client, |it| async move { it.close().await });
    assert_eq!(second.take(), None);
    assert_eq!(client.peer().try_notify("late", None), Err(SendError::Closed));
    wire.output.takes(Takes::All);
    assert_eq!(wire.receive_one()["method"], "unwritten");
    for waiting in waiting.iter().chain([&second]) {
        assert_eq!(waiting.take().map(|end| end.cause), Some(Closed::Local));
    }
    let third = start(&wire, &client, |it| async move { it.close().await });
    assert_eq!(third.take().map(|end| end.cause), Some(Closed::Local));
    assert_eq!((wire.output.closes(), wire.world.alive()), (1, 0));
}

/// F8: whoever stops waiting or listening leaves nothing behind.
#[test]
fn who_stops_waiting_is_forgotten() {
    let (wire, client) = ready();
    // There is no other way to see it.
    let size = || format!("{client:?}").len();
    let before = size();
    for _ in 0..1000 {
        start(&wire, &client, |it| async move { it.wait_closed().await }).cancel();
        drop(client.notifications());
    }
    assert!(size() < before + 1000, "{client:?}");

    let (wire, client) = narrow();
    wire.output.takes(Takes::Bytes(0));
    client.peer().try_notify("fills the output", None).unwrap();
    let size = || format!("{client:?}").len();
    let before = size();
    for _ in 0..1000 {
        wire.start(client.request("test", None, Default::default())).cancel();
    }
    assert!(size() < before + 1000, "{client:?}");
}

/// X3: the last clone ends the session; a call does not keep it, nor does a handle to the connection.
#[test]
fn the_last_clone_ends_the_session() {
    let (wire, client) = ready();
    let call = wire.start(client.request("test", None, Default::default()));
    let (clone, peer) = (client.clone(), client.peer().clone());
    drop(client);
    wire.world.run();
    assert_eq!((call.take(), peer.closed()), (None, None));
    drop(clone);
    wire.world.run();
    assert_eq!(call.take(), Some(Err(CallError::Closed(Closed::Local))));
    assert_eq!(peer.closed(), Some(Closed::Local));
    assert_eq!((wire.output.closes(), wire.world.alive()), (1, 0));
}

/// X3: where the runtime ends first, nobody waits in vain, before the handshake and after it.
#[test]
fn the_end_of_the_runtime_is_the_end() {
    let wire = ClientWire::connect(host());
    wire.world.end_runtime();
    let dropped = HandshakeError::Call(CallError::Closed(Closed::Dropped));
    assert_eq!(wire.failure(), dropped);

    let (wire, client) = ClientWire::ready(host());
    let closing = wire.start({
        let client = client.clone();
        async move { client.wait_closed().await }
    });
    let call = wire.start(client.request("test", None, Default::default()));
    wire.world.end_runtime();
    wire.world.run();
    assert_eq!(closing.take().map(|end| end.cause), Some(Closed::Dropped));
    assert_eq!(call.take(), Some(Err(CallError::Closed(Closed::Dropped))));
    let again = wire.start(async move { client.close().await });
    assert_eq!(again.take().map(|end| end.cause), Some(Closed::Dropped));
}

/// S4, X3: a server in memory is talked to like any other, and ends with the session.
#[test]
fn a_server_in_memory_is_like_any_other() {
    let world = World::default();
    let server = Arc::new(echo_and_wait(&Gate::default()));
    let connecting =
        world.start(Client::connect_server(world.runtime.clone(), host(), Arc::clone(&server)));
    world.run();
    let client = connecting.take().unwrap().unwrap();
    assert_eq!(client.server_info().implementation, Some(Implementation::new("test", "1")));
    assert_eq!(server.connections().len(), 1);
    let session = client.clone();
    let called = world.start(async move {
        let echo = session.call_tool("echo", &json!({})).await?;
        let tools = session.list_tools().await?;
        Ok::<_, CallError>((echo.as_text(), tools.len()))
    });
    let session = client.clone();
    let cut_off = world.start(async move { session.call_tool("wait", &json!({})).await });
    world.run();
    assert_eq!(called.take(), Some(Ok(("echo".to_owned(), 2))));
    let session = client.clone();
    let closed = world.start(async move { session.close().await });
    world.run();
    assert_eq!(cut_off.take(), Some(Err(CallError::Closed(Closed::Local))));
    assert_eq!(closed.take().map(|end| end.cause), Some(Closed::Local));
    // The server's tool has its grace.
    world.advance(seconds(1));
    assert_eq!((server.connections().len(), world.alive()), (0, 0));
}

/// X3: a server that goes ends its sessions, and takes no new ones.
#[test]
fn a_server_in_memory_may_go() {
    let world = World::default();
    let server = Arc::new(echo_and_wait(&Gate::default()));
    let connect =
        || world.start(Client::connect_server(world.runtime.clone(), host(), Arc::clone(&server)));
    let connecting = connect();
    world.run();
    let client = connecting.take().unwrap().unwrap();
    server.shutdown(None);
    world.run();
    assert_eq!(client.peer().closed(), Some(Closed::Eof));
    let late = connect();
    world.run();
    assert_eq!(late.take().unwrap().err(), Some(ConnectError::Serve(ServeError::ServerDown)));
    let bad = host().configure(|config| config.max_events = 0);
    let server = echo_and_wait(&Gate::default());
    let bad = world.start(Client::connect_server(world.runtime.clone(), bad, server));
    world.run();
    assert_eq!(
        bad.take().unwrap().err(),
        Some(ConnectError::Config(ConfigError::Zero("max_events")))
    );
    assert_eq!(world.alive(), 0);
}

/// P1: one host serves any number of clients, each with its own connection.
#[test]
fn a_host_has_many_clients() {
    let asked = Arc::new(AtomicUsize::new(0));
    let count = Arc::clone(&asked);
    let host = Arc::new(host().on_roots(move |_: Context| {
        count.fetch_add(1, Ordering::SeqCst);
        std::future::ready(Ok(vec![]))
    }));
    let [(first, one), (second, other)] = [(); 2].map(|()| ClientWire::ready(Arc::clone(&host)));
    for wire in [&first, &second] {
        wire.send(&request(1, "roots/list", &json!({})));
        assert_eq!(wire.receive_one(), response(&json!(1), &json!({ "roots": [] })));
    }
    assert_eq!(asked.load(Ordering::SeqCst), 2);
    first.input.end();
    first.world.run();
    assert_eq!((one.peer().closed(), other.peer().closed()), (Some(Closed::Eof), None));
}

/// X4: closing ends a client also while it reads on after a write error.
#[test]
fn closing_ends_a_client_that_reads_on() {
    let (wire, client) = ready();
    wire.output.takes(Takes::Fails(BrokenPipe));
    let call = wire.start(client.request("test", None, Default::default()));
    let closed = start(&wire, &client, |it| async move { it.close().await });
    assert!(call.take().is_some() && closed.take().is_some());
}
