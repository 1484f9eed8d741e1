//! What went over the wire, since a client does not tell of messages that nobody waits for.

use mcp_wire_driver::observe::{Direction, Observed};
use mcp_wire_driver::{Client, Observer, ObserverLimits};
use serde_json::Value;

/// As a server of ours writes it.
const LONE_SURROGATE: &str = "\\ud800";

/// Enough for a whole session.
const MAX_LINES: usize = 1 << 16;

/// Looks on from now on.
pub(crate) struct Wire {
    observer: Observer,
    sent: Vec<Message>,
    received: Vec<Message>,
    missed: usize,
}

/// A message, as it was written and as it was meant.
pub(crate) struct Message {
    pub(crate) line: String,
    pub(crate) value: Value,
}

impl Wire {
    pub(crate) fn watch(client: &Client) -> Self {
        let mut limits = ObserverLimits::default();
        limits.max_lines = MAX_LINES;
        let observer = client.peer().observe(&limits);
        Self { observer, sent: Vec::new(), received: Vec::new(), missed: 0 }
    }

    /// All that the client has sent.
    pub(crate) fn all_sent(&mut self) -> &[Message] {
        self.take();
        &self.sent
    }

    /// The messages with this method that the client has sent.
    pub(crate) fn sent(&mut self, method: &str) -> Vec<&Value> {
        self.take();
        with_method(&self.sent, method).collect()
    }

    /// The messages with this method that the server has sent.
    pub(crate) fn received(&mut self, method: &str) -> Vec<&Value> {
        self.take();
        with_method(&self.received, method).collect()
    }

    /// The server's answer to the request with this id.
    pub(crate) fn answer_to(&mut self, id: &Value) -> Option<&Message> {
        self.take();
        self.received.iter().find(|it| it.value.get("method").is_none() && it.value["id"] == *id)
    }

    /// How often something went over the wire that was not seen whole, or is no JSON.
    pub(crate) fn missed(&mut self) -> usize {
        self.take();
        self.missed
    }

    fn take(&mut self) {
        while let Some(observed) = self.observer.try_next() {
            let Observed::Line(direction, line) = observed else {
                self.missed += 1;
                continue;
            };
            let line = String::from_utf8_lossy(&line).into_owned();
            // Half a surrogate pair is JSON, but no text of Rust's.
            let readable = line.replace(LONE_SURROGATE, "\\ufffd");
            let Ok(value) = serde_json::from_str(&readable) else {
                self.missed += 1;
                continue;
            };
            let messages =
                if direction == Direction::Sent { &mut self.sent } else { &mut self.received };
            messages.push(Message { line, value });
        }
    }
}

fn with_method<'a>(messages: &'a [Message], method: &str) -> impl Iterator<Item = &'a Value> {
    messages.iter().map(|it| &it.value).filter(move |message| message["method"] == method)
}
