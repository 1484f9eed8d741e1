//! How a connection ends when something fails, or the driver is dropped.

use crate::support::{
    Gate, Input, Manual, Output, Step, Takes, Wire, call, echo_and_wait, notification, request,
    response, tool,
};
use mcp_wire_driver::rpc::Role;
use mcp_wire_driver::{
    Budget, CallError, CallOptions, Closed, Context, Inbound, Json, SendError, ServeError, Server,
    serve,
};
use serde_json::{Value, json};
use std::io::ErrorKind::{BrokenPipe, ConnectionReset, Interrupted, WouldBlock, WriteZero};
use std::sync::Arc;
use std::time::Duration;

/// X2: a read error is the end of input with its cause; what came before it is answered.
#[test]
fn a_read_error_is_the_end_of_input() {
    let gate = Gate::default();
    let wire = Wire::serve(echo_and_wait(&gate)).ready();
    wire.send(&call(1, "wait"));
    wire.input.push(call(2, "echo").to_string());
    wire.input.fail(ConnectionReset);
    assert_eq!(wire.receive_one()["id"], 2);
    gate.open();
    assert_eq!(wire.receive_one()["id"], 1);
    assert_eq!(wire.driver.take(), Some(Closed::ReadFailed(ConnectionReset)));
}

/// S2, X2: a read that is interrupted, or would block, is neither end nor error.
#[test]
fn a_transient_read_error_is_none() {
    let wire = Wire::serve(echo_and_wait(&Gate::default())).ready();
    wire.input.fail(Interrupted);
    wire.input.fail(WouldBlock);
    wire.send(&call(1, "echo"));
    assert_eq!(wire.receive_one()["id"], 1);
}

/// X2: a write error ends the connection: handlers are cancelled, nothing is written again.
#[test]
fn a_write_error_ends_the_connection() {
    for (takes, error) in [(Takes::Fails(BrokenPipe), BrokenPipe), (Takes::Zero, WriteZero)] {
        let gate = Gate::default();
        let wire = Wire::serve(echo_and_wait(&gate)).ready();
        wire.send(&call(1, "wait"));
        wire.output.takes(takes);
        let before = wire.output.writes();
        wire.send(&call(2, "echo"));
        wire.send(&call(3, "echo"));
        wire.world.advance(Duration::from_secs(5));
        assert_eq!(wire.driver.take(), Some(Closed::WriteFailed(error)));
        assert_eq!(gate.waiting(), 0);
        assert_eq!(wire.output.writes() - before, 1);
        assert_eq!(wire.output.closes(), 0);
        assert_eq!(wire.world.alive(), 0);
    }
}

/// X2, B4: what a flush says counts as what a write says.
#[test]
fn a_flush_error_ends_the_connection() {
    let wire = Wire::serve(echo_and_wait(&Gate::default())).ready();
    wire.output.flush(Step::Fails(BrokenPipe));
    let before = wire.output.flushes();
    wire.send(&call(1, "echo"));
    assert_eq!(wire.driver.take(), Some(Closed::WriteFailed(BrokenPipe)));
    assert_eq!(wire.output.flushes() - before, 1);
}

/// S2: a write that is interrupted is tried again, and nothing is lost.
#[test]
fn a_transient_write_error_is_none() {
    let wire = Wire::serve(echo_and_wait(&Gate::default())).ready();
    let output = wire.output.clone();
    wire.output.takes(Takes::Fails(Interrupted));
    wire.output.hook({
        let mut writes = 0;
        move || {
            writes += 1;
            if writes == 3 {
                output.takes(Takes::All);
            }
        }
    });
    wire.send(&call(1, "echo"));
    assert_eq!(wire.receive_one()["id"], 1);
}

/// X2: a client whose writes fail reads on: an answer that is there settles its call, the rest fails with the cause.
#[test]
fn a_client_reads_on_after_a_write_error() {
    let (wire, _incoming) = Wire::connect(|config| config.role = Role::Client);
    let options = CallOptions::default;
    let answered = wire.world.start(wire.peer.request("test", None, options()));
    let lost = wire.world.start(wire.peer.request("test", None, options()));
    let sent = wire.receive();
    wire.output.takes(Takes::Fails(BrokenPipe));
    wire.peer.try_notify("test", None).unwrap();
    wire.world.run();
    assert_eq!(wire.driver.take(), None);
    wire.send(&response(&sent[0]["id"], &json!({})));
    assert_eq!(answered.take(), Some(Ok(Json::empty_object())));
    let before = wire.output.writes();
    wire.world.advance(Duration::from_secs(1));
    let cause = Closed::WriteFailed(BrokenPipe);
    assert_eq!(lost.take(), Some(Err(CallError::Closed(cause.clone()))));
    assert_eq!((wire.driver.take(), wire.output.writes()), (Some(cause), before));
}

/// X1: in the client role the end of input fails all calls at once and cancels what the server asked.
#[test]
fn the_end_of_input_fails_a_clients_calls() {
    let (wire, mut incoming) = Wire::connect(|config| config.role = Role::Client);
    let call = wire.world.start(wire.peer.request("test", None, CallOptions::default()));
    wire.send(&request(1, "test", &json!({})));
    let Some(Inbound::Request(_, responder)) = incoming.try_next() else {
        panic!("the request has arrived");
    };
    wire.receive();
    wire.input.end();
    wire.world.run();
    assert_eq!(call.take(), Some(Err(CallError::Closed(Closed::Eof))));
    assert!(responder.context().cancellation().is_cancelled());
    assert_eq!(wire.driver.take(), Some(Closed::Eof));
    drop(responder);
    assert_eq!(wire.receive(), [Value::Null; 0]);
}

/// X3: dropping the driver settles every waiter, whatever it waits for.
#[test]
fn dropping_the_driver_settles_every_waiter() {
    let (wire, mut incoming) = Wire::connect(|config| config.max_outbound = 1);
    let answer = wire.world.start(wire.peer.request("test", None, CallOptions::default()));
    wire.world.run();
    wire.output.takes(Takes::Bytes(0));
    wire.peer.try_notify("fills the output", None).unwrap();
    let unsent = wire.world.start(wire.peer.request("test", None, CallOptions::default()));
    let peer = wire.peer.clone();
    let notified = wire.world.start(async move { peer.notify("test", None).await });
    let peer = wire.peer.clone();
    let closed = wire.world.start(async move { peer.wait_closed().await });
    let next = wire.world.start(async move { incoming.next().await.is_none() });
    wire.world.run();
    assert_eq!(wire.world.alive(), 6);
    wire.driver.cancel();
    wire.world.run();
    assert_eq!(answer.take(), Some(Err(CallError::Closed(Closed::Dropped))));
    assert_eq!(unsent.take(), Some(Err(CallError::NotSent(SendError::Closed))));
    assert_eq!(notified.take(), Some(Err(SendError::Closed)));
    assert_eq!(closed.take(), Some(Closed::Dropped));
    assert_eq!(next.take(), Some(true));
    assert_eq!(wire.world.alive(), 0);
}

/// X3: dropping it drops the handlers, spawned ones and those in place, and frees their slots.
#[test]
fn dropping_the_driver_drops_handlers() {
    let (gate, budget) = (Gate::default(), Budget::new(4));
    let spawned = Wire::serve(echo_and_wait(&gate).budget(budget.clone())).ready();
    let at = gate.clone();
    let local = Server::local("test", "1").budget(budget.clone()).tool(
        tool("wait"),
        move |_: Context, _: Value| {
            let at = at.clone();
            async move { at.pass().await }
        },
    );
    let local = Wire::serve(local).ready();
    for wire in [&spawned, &local] {
        wire.send(&call(1, "wait"));
    }
    assert_eq!((gate.waiting(), budget.taken()), (2, 2));
    for wire in [spawned, local] {
        wire.driver.cancel();
        wire.world.run();
        assert_eq!(wire.peer.closed(), Some(Closed::Dropped));
    }
    assert_eq!((gate.waiting(), budget.taken()), (0, 0));
}

/// X3: what is left after the end does nothing, and says so.
#[test]
fn handles_outlive_the_driver() {
    let (wire, mut incoming) = Wire::connect(|_| ());
    wire.send(&request(1, "test", &json!({})));
    let Some(Inbound::Request(_, responder)) = incoming.try_next() else {
        panic!("the request has arrived");
    };
    wire.send(&notification("test", &json!({})));
    wire.driver.cancel();
    assert!(!responder.context().is_live());
    assert!(responder.respond(Ok(Json::null())).is_err());
    assert_eq!(wire.peer.try_notify("test", None), Err(SendError::Closed));
    assert_eq!((wire.peer.in_flight(), wire.peer.buffered()), (0, 0));
    wire.peer.shutdown(None);
    assert_eq!(wire.peer.closed(), Some(Closed::Dropped));
}

/// X3: a server that is shut down ends its connections, idle ones too, and takes no more.
#[test]
fn a_server_that_is_shut_down_ends_its_connections() {
    let gate = Gate::default();
    let server = Arc::new(echo_and_wait(&gate));
    let (busy, idle) = (Wire::serve(Arc::clone(&server)).ready(), Wire::serve(Arc::clone(&server)));
    busy.send(&call(1, "wait"));
    idle.world.run();
    server.shutdown(None);
    idle.world.run();
    assert_eq!(idle.driver.take(), Some(Closed::ServerDown));
    busy.send(&call(2, "echo"));
    assert_eq!(busy.receive_one()["error"]["message"], "server busy");
    gate.open();
    assert_eq!(busy.receive_one()["id"], 1);
    assert_eq!(busy.driver.take(), Some(Closed::ServerDown));
    let late = serve(Manual::default(), server, Input::default(), Output::default());
    assert_eq!(late.err(), Some(ServeError::ServerDown));
}
