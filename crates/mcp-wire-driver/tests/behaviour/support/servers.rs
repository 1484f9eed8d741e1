//! Servers and tools that several tests use.

use super::Gate;
use mcp_wire_driver::{Context, Server, Tool};
use serde_json::{Value, json};

/// A tool that takes any arguments.
pub(crate) fn tool(name: &str) -> Tool {
    Tool::new(name, "A tool of a test", json!({ "type": "object" }))
}

/// The same server, which may tell of any change.
pub(crate) fn tells_of_changes(server: Server) -> Server {
    server
        .capability("prompts", json!({ "listChanged": true }))
        .capability("resources", json!({ "listChanged": true, "subscribe": true }))
        .capability("tools", json!({ "listChanged": true }))
}

/// A server with `echo`, and with `wait`, which waits at the gate.
pub(crate) fn echo_and_wait(gate: &Gate) -> Server {
    let gate = gate.clone();
    Server::new("test", "1").tool_now(tool("echo"), |_: &Context, _: Value| "echo").tool(
        tool("wait"),
        move |_: Context, _: Value| {
            let gate = gate.clone();
            async move {
                gate.pass().await;
                "waited"
            }
        },
    )
}
