//! What a server says that it can do.

use super::{Kind, Server};
use mcp_wire_core::message::Json;
use serde::Serialize;
use std::ops::Not;

/// What a capability says of changes.
#[derive(Debug, Clone, Copy, Default, Serialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct Changes {
    #[serde(skip_serializing_if = "Not::not")]
    list_changed: bool,
    #[serde(skip_serializing_if = "Not::not")]
    subscribe: bool,
}

impl<K: Kind> Server<K> {
    /// Declares a capability, such as `experimental`. Tools, resources, prompts and completion declare theirs by themselves;
    /// what is declared here is declared instead.
    #[must_use]
    pub fn capability(mut self, name: impl Into<String>, value: impl Into<Json>) -> Self {
        self.capabilities.insert(name.into(), value.into());
        self
    }

    /// Declares that its handlers send log messages, with [`Context::log`](crate::Context::log). Clients choose how much of
    /// them they want to see.
    #[must_use]
    pub fn logging(self) -> Self {
        self.capability("logging", Json::empty_object())
    }

    /// Declares that the lists of its tools, resources and prompts change, which its [`notifier`](Self::notifier) tells of.
    #[must_use]
    pub fn list_changed(mut self) -> Self {
        self.changes.list_changed = true;
        self
    }

    /// Declares that clients may subscribe to its resources, which change: its [`notifier`](Self::notifier) tells those that
    /// want to know. A server without resources declares nothing.
    #[must_use]
    pub fn subscriptions(mut self) -> Self {
        self.changes.subscribe = true;
        self
    }

    /// Are the resources that a client subscribes to kept account of? Not where a method by hand does that.
    pub(crate) fn keeps_subscriptions(&self) -> bool {
        self.changes.subscribe && !self.methods.contains_key("resources/subscribe")
    }

    pub(crate) fn has_method(&self, method: &str) -> bool {
        self.methods.contains_key(method)
    }

    pub(crate) fn declares(&self, capability: &str) -> bool {
        self.capabilities.contains_key(capability)
    }

    /// The object that `initialize` answers with.
    pub(crate) fn declared(&self) -> Json {
        let Changes { list_changed, .. } = self.changes;
        let lists = Changes { list_changed, subscribe: false };
        let mut capabilities = self.capabilities.clone();
        for (name, is_there, changes) in [
            ("completions", self.completion.is_some(), Changes::default()),
            ("prompts", !self.prompts.is_empty(), lists),
            ("resources", !self.resources.is_empty(), self.changes),
            ("tools", !self.tools.is_empty(), lists),
        ] {
            if is_there && let Ok(changes) = Json::from_serialize(&changes) {
                capabilities.entry(name.into()).or_insert(changes);
            }
        }
        Json::from_serialize(&capabilities).unwrap_or_else(|_| Json::empty_object())
    }
}
