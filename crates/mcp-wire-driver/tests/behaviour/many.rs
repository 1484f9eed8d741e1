//! One server, several connections.

use crate::support::{
    Gate, Takes, Wire, call, echo_and_wait, notification, request, tells_of_changes, tool,
};
use mcp_wire_driver::{Closed, Context, Json, ServeError, Server, serve};
use serde_json::{Value, json};
use std::sync::Arc;
use std::time::Duration;

const CHANGED: &str = "notifications/tools/list_changed";

fn server() -> Arc<Server> {
    let server = Server::new("test", "1").configure(|config| config.max_outbound = 1000);
    Arc::new(tells_of_changes(server))
}

/// Its tool `wait` never ends.
fn waits_for_ever() -> Arc<Server> {
    Arc::new(Server::new("test", "1").tool(tool("wait"), async |_: Context, _: Value| {
        Gate::never::<()>().await;
        "never"
    }))
}

fn update(uri: &str) -> Json {
    Json::from_serialize(&json!({ "uri": uri })).expect("JSON")
}

/// N1: one connection is told, or all of them; one that has ended is not.
#[test]
fn all_connections_are_told() {
    let server = server();
    let [one, other, third] = [(), (), ()].map(|()| Wire::serve(Arc::clone(&server)).ready());
    third.peer.close();
    third.world.run();
    assert_eq!(server.notify_all(CHANGED, None), 2);
    for wire in [&one, &other] {
        assert_eq!(wire.receive_one()["method"], CHANGED);
    }
    one.peer.try_notify("notifications/x", None).expect("there is room");
    assert_eq!(one.receive_one()["method"], "notifications/x");
    assert_eq!((other.receive(), server.connections().len()), (vec![], 2));
}

/// N1: what goes out keeps the order in which it was sent, replies included.
#[test]
fn the_order_is_that_of_sending() {
    let told = Arc::new(Server::new("test", "1").inline("test", |context: &Context, _: Value| {
        context.peer().try_notify("notifications/before", None).expect("there is room");
        Ok(Json::empty_object())
    }));
    let wire = Wire::serve(told).ready();
    wire.input.push(format!(
        "{}\n{}\n",
        request(1, "test", &json!({})),
        request(2, "ping", &json!({}))
    ));
    let messages = wire.receive();
    let names: Vec<String> = messages
        .iter()
        .map(|message| message.get("id").unwrap_or(&message["method"]).to_string())
        .collect();
    assert_eq!(names, ["\"notifications/before\"", "1", "2"]);
}

/// N1: at a connection's limit nobody waits: changes merge there, and come once the client reads; others are told at once.
#[test]
fn a_slow_client_holds_nobody_up() {
    let server = server();
    let [slow, quick] = [(), ()].map(|()| Wire::serve(Arc::clone(&server)).ready());
    slow.output.takes(Takes::Bytes(0));
    let filler = Json::from_serialize(&"x".repeat(1000)).expect("JSON");
    slow.peer.try_notify("notifications/filler", Some(filler)).expect("there is room");
    for _ in 0..3 {
        assert_eq!(server.notify_all(CHANGED, None), 2);
        assert_eq!(server.notify_all("notifications/resources/updated", Some(update("a"))), 2);
        assert_eq!(server.notify_all("notifications/other", None), 1, "only changes wait");
    }
    assert_eq!(quick.receive().len(), 9);
    assert_eq!(slow.receive(), Vec::<Value>::new());
    slow.output.takes(Takes::All);
    let methods: Vec<Value> =
        slow.receive().into_iter().map(|message| message["method"].clone()).collect();
    assert_eq!(methods, ["notifications/filler", CHANGED, "notifications/resources/updated"]);
}

/// X3: a server that is shut down ends all of its connections, idle ones too, and takes no more.
#[test]
fn shutting_down_ends_every_connection() {
    let gate = Gate::default();
    let server = Arc::new(echo_and_wait(&gate));
    let [idle, busy] = [(), ()].map(|()| Wire::serve(Arc::clone(&server)).ready());
    busy.send(&call(1, "wait"));
    server.shutdown(None);
    idle.world.run();
    assert_eq!(idle.driver.take(), Some(Closed::ServerDown));

    busy.send(&call(2, "wait"));
    assert_eq!(busy.receive_one()["error"]["data"]["error"], "server_busy");
    assert_eq!(busy.driver.take(), None);
    gate.open();
    assert_eq!(busy.receive_one()["id"], 1);
    assert_eq!(busy.driver.take(), Some(Closed::ServerDown));

    let late =
        serve(busy.world.runtime.clone(), server.clone(), busy.input.clone(), busy.output.clone());
    assert_eq!(late.err(), Some(ServeError::ServerDown));
    assert_eq!(server.notify_all(CHANGED, None), 0);
}

/// X3, X4: what is in flight at the end of the grace is cancelled unanswered.
#[test]
fn the_grace_of_a_shutdown_ends() {
    let server = waits_for_ever();
    let wire = Wire::serve(Arc::clone(&server)).ready();
    wire.send(&call(1, "wait"));
    server.shutdown(Some(Duration::from_secs(1)));
    wire.world.run();
    assert_eq!(wire.driver.take(), None);
    wire.world.advance(Duration::from_secs(1));
    assert_eq!((wire.receive(), wire.driver.take()), (vec![], Some(Closed::ServerDown)));
}

/// N3: a connection that is not ready yet is told of a change once it is.
#[test]
fn a_change_waits_for_the_handshake() {
    let server = server();
    let wire = Wire::serve(Arc::clone(&server));
    assert_eq!(server.notify_all(CHANGED, None), 1);
    assert_eq!(wire.receive(), Vec::<Value>::new());
    wire.initialize(&json!({}));
    assert_eq!(wire.receive_one(), json!({ "jsonrpc": "2.0", "method": CHANGED }));
    wire.send(&notification("notifications/initialized", &json!({})));
    assert_eq!(wire.receive(), Vec::<Value>::new());
}

/// X3: a second shutdown reaches those that the first one let go on.
#[test]
fn a_shutdown_can_be_hastened() {
    let server = waits_for_ever();
    let wire = Wire::serve(Arc::clone(&server)).ready();
    wire.send(&call(1, "wait"));
    server.shutdown(None);
    wire.world.run();
    assert_eq!((wire.driver.take(), server.connections().len()), (None, 1));
    server.shutdown(Some(Duration::ZERO));
    wire.world.run();
    assert_eq!((wire.receive(), wire.driver.take()), (vec![], Some(Closed::ServerDown)));
}
