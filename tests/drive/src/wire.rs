//! What went over the wire, since a client does not tell of messages that nobody waits for.

use mcp_wire_driver::observe::{Direction, Observed};
use mcp_wire_driver::{Client, Observer, ObserverLimits};
use serde_json::Value;

/// Looks on from now on.
pub(crate) struct Wire {
    observer: Observer,
    sent: Vec<Value>,
    received: Vec<Value>,
}

impl Wire {
    pub(crate) fn watch(client: &Client) -> Self {
        let observer = client.peer().observe(&ObserverLimits::default());
        Self { observer, sent: Vec::new(), received: Vec::new() }
    }

    /// The messages with this method that the client has sent.
    pub(crate) fn sent(&mut self, method: &str) -> Vec<&Value> {
        self.take();
        self.sent.iter().filter(|message| message["method"] == method).collect()
    }

    /// Has the server answered the request with this id?
    pub(crate) fn is_answered(&mut self, id: &Value) -> bool {
        self.take();
        self.received.iter().any(|message| message.get("method").is_none() && message["id"] == *id)
    }

    fn take(&mut self) {
        while let Some(observed) = self.observer.try_next() {
            // What is too long to be shown whole, or no JSON, is not looked for here.
            let Observed::Line(direction, line) = observed else { continue };
            let Ok(message) = serde_json::from_slice(&line) else { continue };
            let messages =
                if direction == Direction::Sent { &mut self.sent } else { &mut self.received };
            messages.push(message);
        }
    }
}
