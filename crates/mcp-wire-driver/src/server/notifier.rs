//! Telling all connections of a server something.

use super::connections::Connections;
use mcp_wire_core::message::Json;
use serde_json::json;
use std::sync::Arc;

/// Tells all connections of a server something, without the server: for its handlers, which are there before it is, and for
/// whatever notices a change. Clones are the same.
///
/// It never waits: a client that reads too slowly misses it, but for notifications of a change, which wait for it, each once.
/// Each method says how many connections it was handed to; which of their clients are told is their sessions' business. Nobody
/// is told of a change that the server did not declare to tell of, which is logged as a warning.
///
/// ```
/// # use mcp_wire_driver::{Context, NoArguments, Resource, Server, Tool};
///
/// let server = Server::new("counter", "1.0.0").list_changed().subscriptions();
/// let notifier = server.notifier();
/// let schema = serde_json::json!({ "type": "object" });
/// let server = server
///     .fixed_resource(Resource::new("test://count", "count"), "many")
///     .tool_now(Tool::new("count", "Counts", schema), move |_: &Context, _: NoArguments| {
///         notifier.resource_updated("test://count");
///     });
/// # _ = server;
/// ```
#[derive(Debug, Clone)]
pub struct Notifier {
    connections: Arc<Connections>,
}

impl Notifier {
    pub(super) fn new(connections: Arc<Connections>) -> Self {
        Self { connections }
    }

    /// Notifies all of them.
    pub fn notify_all(&self, method: &str, params: Option<Json>) -> usize {
        let peers = self.connections.peers();
        peers.iter().filter(|peer| peer.try_notify(method, params.clone()).is_ok()).count()
    }

    /// Tells those that subscribed to a resource that it has changed. The server declares
    /// [`subscriptions`](crate::Server::subscriptions).
    pub fn resource_updated(&self, uri: &str) -> usize {
        self.notify_all("notifications/resources/updated", Some(json!({ "uri": uri }).into()))
    }

    /// Tells that the list of prompts has changed. The server declares [`list_changed`](crate::Server::list_changed).
    pub fn prompts_changed(&self) -> usize {
        self.notify_all("notifications/prompts/list_changed", None)
    }

    /// Tells that the list of resources or of their templates has changed. The server declares
    /// [`list_changed`](crate::Server::list_changed).
    pub fn resources_changed(&self) -> usize {
        self.notify_all("notifications/resources/list_changed", None)
    }

    /// Tells that the list of tools has changed. The server declares [`list_changed`](crate::Server::list_changed).
    pub fn tools_changed(&self) -> usize {
        self.notify_all("notifications/tools/list_changed", None)
    }
}
