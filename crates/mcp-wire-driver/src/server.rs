//! A server: what it offers, and how requests find it.

mod connections;
mod kind;
mod result;
mod serve;
mod tasks;
mod tool;

#[cfg(test)]
mod tests;

pub use connections::ServeError;
pub use kind::{Kind, Local, Shared};
pub use result::{NoArguments, ToolError, ToolOutput, ToolResult};
pub(crate) use serve::Handles;
pub use serve::{Serve, serve};
pub use tool::Tool;

use crate::context::{Context, Extras, Meta};
use crate::peer::Peer;
use connections::Connections;
use mcp_wire_core::mcp::{self, Implementation};
use mcp_wire_core::message::{ErrorObject, Json, Notification, Request};
use mcp_wire_core::rpc::{Budget, Config};
use serde::Deserialize;
use serde::de::DeserializeOwned;
use serde_json::value::RawValue;
use std::borrow::Cow;
use std::collections::{BTreeMap, HashMap};
use std::fmt;
use std::future::Future;
use std::time::Duration;
pub(crate) use tasks::Reply;
use tool::Tools;

/// An MCP server: its tools and other methods, and the limits that all of its connections share.
///
/// [`new`](Server::new) makes one whose handlers run as tasks of the runtime, on any thread; [`local`](Server::local) one
/// whose handlers run on the task that serves the connection, and need not be [`Send`].
pub struct Server<K: Kind = Shared> {
    implementation: Implementation,
    instructions: Option<String>,
    capabilities: BTreeMap<String, Json>,
    config: Config,
    budget: Budget,
    tools: Tools<K>,
    methods: HashMap<String, Box<K::Method>>,
    notifications: HashMap<String, Box<K::Notified>>,
    connections: Connections,
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

/// What `tools/call` is called with.
#[derive(Deserialize)]
struct ToolCall<'a> {
    #[serde(borrow)]
    name: Cow<'a, str>,
    #[serde(borrow)]
    arguments: Option<&'a RawValue>,
    #[serde(rename = "_meta")]
    meta: Option<Meta>,
    #[serde(rename = "inputResponses")]
    input_responses: Option<HashMap<String, Json>>,
    #[serde(rename = "requestState")]
    request_state: Option<String>,
}

impl<K: Kind> Server<K> {
    fn empty(name: impl Into<String>, version: impl Into<String>) -> Self {
        let mut config = Config::default();
        config.dialect = mcp::dialect();
        Self {
            implementation: Implementation::new(name, version),
            instructions: None,
            capabilities: BTreeMap::new(),
            config,
            budget: Budget::default(),
            tools: Tools::default(),
            methods: HashMap::new(),
            notifications: HashMap::new(),
            connections: Connections::default(),
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

    /// Declares a capability, such as `resources`, whose methods are added with `method`. Tools declare theirs by themselves.
    #[must_use]
    pub fn capability(mut self, name: impl Into<String>, value: Json) -> Self {
        self.capabilities.insert(name.into(), value);
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

    /// Notifies all of its connections, and says how many. It never waits: a client that reads too slowly misses it, but for
    /// notifications of a change, which wait for it, each once.
    pub fn notify_all(&self, method: &str, params: Option<&Json>) -> usize {
        let peers = self.connections.peers();
        peers.iter().filter(|peer| peer.try_notify(method, params.cloned()).is_ok()).count()
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

    pub(crate) fn declares(&self, capability: &str) -> bool {
        self.capabilities.contains_key(capability)
    }

    fn add_inline(&mut self, method: &str) {
        self.config.dialect.inline.push(method.to_owned().into());
    }

    /// The object that `initialize` answers with.
    pub(crate) fn declared(&self) -> Json {
        let mut capabilities = self.capabilities.clone();
        if !self.tools.is_empty() {
            capabilities.entry("tools".into()).or_insert_with(Json::empty_object);
        }
        Json::from_serialize(&capabilities).unwrap_or_else(|_| Json::empty_object())
    }

    fn call_tool(&self, context: &Context, request: &Request) -> Reply<K::Future> {
        let call: ToolCall<'_> = match serde_json::from_str(request.params().unwrap_or("{}")) {
            Ok(call) => call,
            Err(error) => return Reply::Now(Err(ErrorObject::invalid_params(error))),
        };
        let Some(handler) = self.tools.find(&call.name) else {
            let error = format!("there is no tool {:?}: tools/list names them", call.name);
            return Reply::Now(Err(ErrorObject::invalid_params(error)));
        };
        let arguments = call.arguments.map_or("{}", RawValue::get);
        let extras = Extras {
            meta: call.meta,
            input_responses: call.input_responses,
            request_state: call.request_state,
        };
        K::call_tool(handler, context.clone().with_extras(extras), arguments)
    }

    /// Answers a request, or begins to.
    pub(crate) fn answer(&self, context: &Context, request: Request) -> Reply<K::Future> {
        if let Some(method) = self.methods.get(request.method()) {
            let params = request.params().unwrap_or("{}");
            let extras = serde_json::from_str(params).unwrap_or_default();
            return K::call_method(method, context.clone().with_extras(extras), request);
        }
        match request.method() {
            "tools/call" if !self.tools.is_empty() => self.call_tool(context, &request),
            "tools/list" if !self.tools.is_empty() => Reply::Now(Ok(self.tools.list())),
            _ => Reply::Now(Err(ErrorObject::method_not_found())),
        }
    }

    fn notified(&self, peer: &Peer, notification: Notification) {
        if let Some(notified) = self.notifications.get(notification.method()) {
            K::notify(notified, peer, notification);
        }
    }
}

fn parse<A: DeserializeOwned>(text: &str) -> Result<A, ErrorObject> {
    serde_json::from_str(text).map_err(ErrorObject::invalid_params)
}

// A closure's parameters are inferred only from a plain `Fn` bound on the method itself, so the two kinds of server cannot
// share one signature. The macro keeps them from drifting apart.
macro_rules! builders {
    ($kind:ident, $(#[$new_doc:meta])* $new:ident, [$($function:tt)*], [$($future:tt)*]) => {
        impl Server<$kind> {
            $(#[$new_doc])*
            #[must_use]
            pub fn $new(name: impl Into<String>, version: impl Into<String>) -> Self {
                Self::empty(name, version)
            }

            /// Adds a tool that works asynchronously. Its future is dropped when the call is cancelled.
            #[must_use]
            pub fn tool<A, O, F>(
                mut self,
                tool: Tool,
                handler: impl Fn(Context, A) -> F + $($function)* 'static,
            ) -> Self
            where
                A: DeserializeOwned,
                O: ToolOutput,
                F: Future<Output = O> + $($future)* 'static,
            {
                self.tools.add(tool, Box::new(move |context, arguments| {
                    match serde_json::from_str(arguments) {
                        Ok(arguments) => {
                            let work = handler(context, arguments);
                            Reply::Later(Box::pin(async move { work.await.into_outcome() }))
                        }
                        Err(error) => Reply::Now(result::bad_arguments(&error)),
                    }
                }));
                self
            }

            /// Adds a tool that never waits. It runs on the connection's own task, so it has to be quick.
            #[must_use]
            pub fn tool_now<A, O>(
                mut self,
                tool: Tool,
                handler: impl Fn(&Context, A) -> O + $($function)* 'static,
            ) -> Self
            where
                A: DeserializeOwned,
                O: ToolOutput,
            {
                self.tools.add(tool, Box::new(move |context, arguments| {
                    Reply::Now(match serde_json::from_str(arguments) {
                        Ok(arguments) => handler(&context, arguments).into_outcome(),
                        Err(error) => result::bad_arguments(&error),
                    })
                }));
                self
            }

            /// Adds a method of any name that works asynchronously. Its future is dropped when the request is cancelled.
            #[must_use]
            pub fn method<A, F>(
                mut self,
                method: impl Into<String>,
                handler: impl Fn(Context, A) -> F + $($function)* 'static,
            ) -> Self
            where
                A: DeserializeOwned,
                F: Future<Output = Result<Json, ErrorObject>> + $($future)* 'static,
            {
                self.methods.insert(method.into(), Box::new(move |context, request| {
                    match parse(request.params().unwrap_or("{}")) {
                        Ok(params) => Reply::Later(Box::pin(handler(context, params))),
                        Err(error) => Reply::Now(Err(error)),
                    }
                }));
                self
            }

            /// Adds a method that is answered at once, in read order, on the connection's own task. It needs no slot, so it
            /// is answered at the limit too, and it cannot be cancelled.
            #[must_use]
            pub fn inline<A>(
                mut self,
                method: impl Into<String>,
                handler: impl Fn(&Context, A) -> Result<Json, ErrorObject> + $($function)* 'static,
            ) -> Self
            where
                A: DeserializeOwned,
            {
                let method = method.into();
                self.add_inline(&method);
                self.methods.insert(method, Box::new(move |context, request| {
                    let params = parse(request.params().unwrap_or("{}"));
                    Reply::Now(params.and_then(|params| handler(&context, params)))
                }));
                self
            }

            /// Adds what is done on a notification, in read order, on the connection's own task. One whose params do not fit
            /// is ignored.
            #[must_use]
            pub fn notification<A>(
                mut self,
                method: impl Into<String>,
                handler: impl Fn(&Peer, A) + $($function)* 'static,
            ) -> Self
            where
                A: DeserializeOwned,
            {
                self.notifications.insert(method.into(), Box::new(move |peer, notification| {
                    match parse(notification.params().unwrap_or("{}")) {
                        Ok(params) => handler(peer, params),
                        Err(error) => tracing::debug!(%error, method = notification.method(), "ignored a notification"),
                    }
                }));
                self
            }
        }
    };
}

builders!(
    Shared,
    /// A server whose handlers run as tasks of the runtime, on any thread.
    new,
    [Send + Sync +],
    [Send +]
);
builders!(
    Local,
    /// A server whose handlers run on the task that serves the connection, and need not be [`Send`].
    local,
    [],
    []
);
