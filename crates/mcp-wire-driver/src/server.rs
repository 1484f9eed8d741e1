//! A server: what it offers, and how requests find it.

mod answer;
mod builders;
mod capabilities;
mod completion;
mod connections;
mod content;
mod handler_error;
mod kind;
mod notifier;
mod outcome;
mod prompt_output;
mod resource_output;
mod resources;
mod serve;
mod source;
mod table;
mod tasks;
mod texts;
mod tool_output;
mod tool_result;
mod uri_template;
mod with_state;

#[cfg(test)]
mod tests;

pub use completion::{Completion, CompletionOutput, CompletionReference, CompletionRequest};
pub use connections::ServeError;
pub use handler_error::HandlerError;
pub use kind::{Kind, Local, Shared};
pub use notifier::Notifier;
pub use prompt_output::{PromptOutput, PromptResult};
pub use resource_output::{ResourceContents, ResourceOutput};
pub(crate) use serve::Handles;
pub use serve::{Serve, serve};
pub use tool_output::{RawResult, Structured, ToolOutput};
pub use tool_result::ToolResult;
pub use with_state::with_state;

use crate::listed::{Prompt, Resource, Tool};
use crate::peer::Peer;
use capabilities::Changes;
use connections::Connections;
use mcp_wire_core::mcp::{self, CacheHint, CacheScope, Eras, Implementation};
use mcp_wire_core::message::{ErrorObject, Json, Notification};
use mcp_wire_core::rpc::{Budget, Config};
use resources::Resources;
use serde::Deserialize;
use source::Source;
use std::collections::BTreeMap;
use std::fmt;
use std::sync::Arc;
use std::time::Duration;
use table::Table;
pub(crate) use tasks::Reply;

/// An MCP server: its tools, resources, prompts and other methods, and the limits that all of its connections share.
///
/// [`new`](Server::new) makes one whose handlers run as tasks of the runtime, on any thread; [`local`](Server::local) one
/// whose handlers run on the task that serves the connection, and need not be [`Send`].
pub struct Server<K: Kind = Shared> {
    implementation: Implementation,
    instructions: Option<String>,
    capabilities: BTreeMap<String, Json>,
    changes: Changes,
    cache: CacheHint,
    eras: Eras,
    config: Config,
    budget: Budget,
    tools: Table<Tool, Box<K::Tool>>,
    resources: Resources<K>,
    prompts: Table<Prompt, Source<K>>,
    completion: Option<Box<K::Completion>>,
    methods: BTreeMap<String, Box<K::Method>>,
    notifications: BTreeMap<String, Box<K::Notified>>,
    connections: Arc<Connections>,
}

impl<K: Kind> fmt::Debug for Server<K> {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter
            .debug_struct("Server")
            .field("implementation", &self.implementation)
            .field("capabilities", &self.capabilities)
            .finish_non_exhaustive()
    }
}

impl<K: Kind> Server<K> {
    fn empty(name: impl Into<String>, version: impl Into<String>) -> Self {
        let mut config = Config::default();
        config.dialect = mcp::dialect();
        Self {
            implementation: Implementation::new(name, version),
            instructions: None,
            capabilities: BTreeMap::new(),
            changes: Changes::default(),
            cache: CacheHint::default(),
            eras: Eras::Both,
            config,
            budget: Budget::default(),
            tools: Table::default(),
            resources: Resources::default(),
            prompts: Table::default(),
            completion: None,
            methods: BTreeMap::new(),
            notifications: BTreeMap::new(),
            connections: Arc::default(),
        }
    }

    /// Its name for people.
    #[must_use]
    pub fn title(mut self, title: impl Into<String>) -> Self {
        self.implementation.title = Some(title.into());
        self
    }

    /// How to use it, for the client's model.
    #[must_use]
    pub fn instructions(mut self, instructions: impl Into<String>) -> Self {
        self.instructions = Some(instructions.into());
        self
    }

    /// Adds a resource that always gives the same; one of the same URI is replaced. It is answered at once.
    #[must_use]
    pub fn fixed_resource(mut self, resource: Resource, contents: impl ResourceOutput) -> Self {
        let outcome = contents.into_outcome(&resource.uri, resource.mime_type.as_deref());
        self.resources.fixed.add(resource, Source::Fixed(outcome));
        self
    }

    /// Adds a prompt that always gives the same; one of the same name is replaced. It is answered at once.
    #[must_use]
    pub fn fixed_prompt(mut self, prompt: Prompt, messages: impl PromptOutput) -> Self {
        self.prompts.add(prompt, Source::Fixed(messages.into_outcome()));
        self
    }

    /// How many tools, resources, templates or prompts a page of a list holds (at least one). Default: there are no pages,
    /// a list is given whole.
    #[must_use]
    pub fn page_size(mut self, items: usize) -> Self {
        self.tools.set_page_size(items);
        self.resources.fixed.set_page_size(items);
        self.resources.templates.set_page_size(items);
        self.prompts.set_page_size(items);
        self
    }

    /// How long clients may keep lists and the contents of resources, in whole milliseconds, and whether answers are the
    /// same for all of them. Told since revision 2026-07-28. Default: no time at all, [`CacheScope::Private`].
    #[must_use]
    pub fn cache(mut self, ttl: Duration, scope: CacheScope) -> Self {
        self.cache = CacheHint::new(ttl, scope);
        self
    }

    /// Which eras of the protocol are served. Default: both, each request by what it says of itself.
    #[must_use]
    pub fn eras(mut self, eras: Eras) -> Self {
        self.eras = eras;
        self
    }

    /// How many requests may run at once over all connections (at least one). One connection may use half of them, and at
    /// least one; past that requests are answered "server busy". Default: 1024.
    #[must_use]
    pub fn max_in_flight(mut self, requests: usize) -> Self {
        self.budget = Budget::new(requests);
        self
    }

    /// Shares a budget with other servers, or sets another share for each connection.
    #[must_use]
    pub fn budget(mut self, budget: Budget) -> Self {
        self.budget = budget;
        self
    }

    /// Changes the limits of each connection. They are checked when a connection is served.
    #[must_use]
    pub fn configure(mut self, change: impl FnOnce(&mut Config)) -> Self {
        change(&mut self.config);
        self
    }

    /// Tells all of its connections something, also from handlers that are added later.
    #[must_use]
    pub fn notifier(&self) -> Notifier {
        Notifier::new(self.connections.clone())
    }

    /// Notifies all of its connections, as its [`notifier`](Self::notifier) does.
    pub fn notify_all(&self, method: &str, params: Option<Json>) -> usize {
        self.notifier().notify_all(method, params)
    }

    /// Its open connections.
    pub fn connections(&self) -> Vec<Peer> {
        self.connections.peers()
    }

    /// Ends all of its connections, idle ones too, and takes no more: new requests are answered "busy", those in flight go on
    /// for `grace` (`None`: until they are done), then each closes with [`Closed::ServerDown`](crate::Closed::ServerDown). A
    /// second time can only shorten the grace.
    ///
    /// A server lives as long as its connections: dropping a handle to it ends nothing.
    pub fn shutdown(&self, grace: Option<Duration>) {
        for peer in self.connections.shut_down(grace) {
            peer.server_down(grace);
        }
    }

    pub(crate) fn config(&self) -> &Config {
        &self.config
    }

    pub(crate) fn limits(&self) -> Budget {
        self.budget.clone()
    }

    pub(crate) fn implementation(&self) -> &Implementation {
        &self.implementation
    }

    /// Looks whether what was added can be served, as is looked when a connection is.
    ///
    /// # Errors
    ///
    /// [`ServeError::InputSchema`] for a tool whose schema is none of an object, since clients would refuse all of its tools;
    /// [`ServeError::UriTemplate`].
    pub fn check(&self) -> Result<(), ServeError> {
        for (tool, _) in self.tools.iter() {
            let kind = tool.input_schema.member("type");
            if kind.is_none_or(|kind| kind.as_str() != r#""object""#) {
                return Err(ServeError::InputSchema(tool.name.clone()));
            }
        }
        self.resources.check()
    }

    fn add_inline(&mut self, method: &str) {
        self.config.dialect.inline.push(method.to_owned().into());
    }

    fn notified(&self, peer: &Peer, notification: Notification) {
        if let Some(notified) = self.notifications.get(notification.method()) {
            notified(peer, notification);
        }
    }
}

fn parse<'a, A: Deserialize<'a>>(text: &'a str) -> Result<A, ErrorObject> {
    serde_json::from_str(text).map_err(ErrorObject::invalid_params)
}
