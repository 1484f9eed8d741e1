//! A client and a server in memory, of any era.

use super::World;
use super::{ClientWire, response};
use mcp_wire_driver::{Client, Eras, Host, Server, Tool};
use serde_json::json;
use std::sync::Arc;

/// A client and a server that speak with each other.
pub(crate) fn talk(host: Host, server: Server) -> (World, Client, Arc<Server>) {
    let world = World::default();
    let server = Arc::new(server);
    let runtime = world.runtime.clone();
    let connecting = world.start(Client::connect_server(runtime, host, server.clone()));
    world.run();
    let client = connecting.take().expect("it is over").expect("they agree");
    (world, client, server)
}

pub(crate) fn host_of(eras: Eras) -> Host {
    Host::new("test", "1").eras(eras)
}

pub(crate) fn server() -> Server {
    Server::new("test", "1")
}

pub(crate) fn tool(name: &str) -> Tool {
    Tool::new(name, "", json!({ "type": "object" }))
}

/// A client that has found a modern server.
pub(crate) fn discovered(wire: &ClientWire) -> Client {
    assert_eq!(wire.receive_one()["method"], "server/discover");
    let capabilities = json!({ "tools": {} });
    wire.send(&response(
        &json!(1),
        &json!({ "resultType": "complete", "supportedVersions": ["2026-07-28"], "capabilities": capabilities }),
    ));
    wire.connected().expect("it is over").expect("they agree")
}
