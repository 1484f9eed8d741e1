//! A connection with a scripted peer at its other end.

use super::{Input, Manual, Output, Task, World};
use mcp_wire_driver::rpc::{Connection, Role};
use mcp_wire_driver::{Budget, Closed, Config, Incoming, Kind, Peer, Server, connect, mcp, serve};
use serde_json::{Value, json};
use std::sync::Arc;

/// A connection that is driven by a task of the world, and the peer's ends of its streams.
pub(crate) struct Wire {
    pub(crate) world: World,
    pub(crate) input: Input,
    pub(crate) output: Output,
    pub(crate) peer: Peer,
    pub(crate) driver: Task<Closed>,
}

impl Wire {
    pub(crate) fn serve<K: Kind>(server: impl Into<Arc<Server<K>>>) -> Self {
        let (world, input, output) = (World::default(), Input::default(), Output::default());
        let runtime = world.runtime.clone();
        let serve = serve(runtime, server.into(), input.clone(), output.clone());
        let serve = serve.expect("the configuration works");
        let peer = serve.peer().clone();
        let driver = world.start(serve);
        Self { world, input, output, peer, driver }
    }

    /// A connection by hand, without a session: plain JSON-RPC with the cancel notification of MCP.
    pub(crate) fn connect(change: impl FnOnce(&mut Config)) -> (Self, Incoming) {
        Self::connect_with(Budget::default(), change)
    }

    pub(crate) fn connect_with(
        budget: Budget,
        change: impl FnOnce(&mut Config),
    ) -> (Self, Incoming) {
        let (world, input, output) = (World::default(), Input::default(), Output::default());
        let (peer, incoming, driver) = connect(
            world.runtime.clone(),
            input.clone(),
            output.clone(),
            connection(budget, change),
            None,
        );
        let driver = world.start(driver);
        (Self { world, input, output, peer, driver }, incoming)
    }

    /// Two connections back to back, the client first. Each drives and is driven by the other.
    pub(crate) fn pair() -> [(Self, Incoming); 2] {
        let world = World::default();
        let (to_client, to_server) = (Input::default(), Input::default());
        [(Role::Client, to_client.clone(), to_server.clone()), (Role::Server, to_server, to_client)]
            .map(|(role, input, other)| {
                let output = Output::into_input(&other);
                let (peer, incoming, driver) = connect::<_, _, Manual>(
                    world.runtime.clone(),
                    input.clone(),
                    output.clone(),
                    connection(Budget::default(), |config| config.role = role),
                    None,
                );
                let driver = world.start(driver);
                (Self { world: world.clone(), input, output, peer, driver }, incoming)
            })
    }

    /// Shakes hands, as a client with these capabilities.
    pub(crate) fn initialize(&self, capabilities: &Value) {
        self.send(&initialize(capabilities));
        let reply = self.receive();
        assert_eq!(reply[0]["id"], "initialize", "{reply:?}");
        self.send(&notification("notifications/initialized", &json!({})));
    }

    /// The same server, after the handshake.
    pub(crate) fn ready(self) -> Self {
        self.initialize(&json!({ "elicitation": {}, "sampling": {}, "roots": {} }));
        self
    }

    /// The peer sends a message, and all that follows happens.
    pub(crate) fn send(&self, message: &Value) {
        self.input.push(format!("{message}\n"));
        self.world.run();
    }

    /// The messages that the peer has received since the last time.
    pub(crate) fn receive(&self) -> Vec<Value> {
        self.world.run();
        messages(&self.output)
    }

    /// The one message that the peer has received since the last time.
    pub(crate) fn receive_one(&self) -> Value {
        let mut messages = self.receive();
        assert_eq!(messages.len(), 1, "{messages:?}");
        messages.remove(0)
    }
}

fn connection(budget: Budget, change: impl FnOnce(&mut Config)) -> Connection {
    let mut config = Config::default();
    config.dialect.cancel = mcp::dialect().cancel;
    change(&mut config);
    Connection::new(config, budget).expect("the configuration works")
}

fn initialize(capabilities: &Value) -> Value {
    let params = json!({
        "protocolVersion": "2025-11-25",
        "capabilities": capabilities,
        "clientInfo": { "name": "test", "version": "1" },
    });
    request("initialize", "initialize", &params)
}

/// The messages that were written since the last time.
pub(crate) fn messages(output: &Output) -> Vec<Value> {
    let text = String::from_utf8(output.take_lines()).expect("output is UTF-8");
    text.lines().map(|line| serde_json::from_str(line).expect("a line is JSON")).collect()
}

pub(crate) fn request(id: impl Into<Value>, method: &str, params: &Value) -> Value {
    json!({ "jsonrpc": "2.0", "id": id.into(), "method": method, "params": params })
}

pub(crate) fn notification(method: &str, params: &Value) -> Value {
    json!({ "jsonrpc": "2.0", "method": method, "params": params })
}

pub(crate) fn response(id: &Value, result: &Value) -> Value {
    json!({ "jsonrpc": "2.0", "id": id, "result": result })
}

/// A call of a tool without arguments.
pub(crate) fn call(id: impl Into<Value>, tool: &str) -> Value {
    request(id, "tools/call", &json!({ "name": tool, "arguments": {} }))
}

/// The text that a tool gave.
pub(crate) fn result_text(reply: &Value) -> &str {
    reply["result"]["content"][0]["text"].as_str().unwrap_or_else(|| panic!("no text: {reply}"))
}
