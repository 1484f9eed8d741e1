//! A host: what a client is, and what it offers to the servers that it talks to.

use crate::context::Context;
use crate::peer::Peer;
use crate::server::{Handles, Kind, Reply, Server, Shared};
use mcp_wire_core::mcp::{ClientDeclaration, ClientSession, Eras, Revision};
use mcp_wire_core::message::{ErrorObject, Id, Json, Request};
use mcp_wire_core::rpc::{Budget, Config, ConfigError, Connection, Role};
use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};
use std::future::Future;
use std::time::{Duration, Instant};

/// A host: what a client is, and what it offers to the servers that it talks to. One host serves any number of clients.
///
/// What it offers is declared as a capability by the handler that offers it. Handlers run as tasks of the runtime; their
/// futures are dropped when the server cancels its request.
///
/// ```
/// # use mcp_wire_driver::{Context, Elicited, Host};
///
/// #[derive(serde::Deserialize)]
/// struct Question {
///     message: String,
/// }
///
/// let host = Host::new("assistant", "1.0.0").on_elicitation(async |_: Context, question: Question| {
///     tracing::info!(question.message, "declined");
///     Ok(Elicited::decline())
/// });
/// # _ = host;
/// ```
#[derive(Debug)]
pub struct Host {
    /// What answers a server's requests: the same tables as a server's, without tools.
    handlers: Server<Shared>,
    eras: Eras,
    revision: Revision,
    connect_timeout: Duration,
    probe_timeout: Duration,
}

/// A place in the file system that a server may work in.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[non_exhaustive]
pub struct Root {
    /// Its URI, which begins with `file://`.
    pub uri: String,
    /// Its name for people.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub name: Option<String>,
}

impl Root {
    /// A root by its URI, which has to begin with `file://`.
    #[must_use]
    pub fn new(uri: impl Into<String>) -> Self {
        Self { uri: uri.into(), name: None }
    }

    /// Its name for people.
    #[must_use]
    pub fn name(self, name: impl Into<String>) -> Self {
        Self { name: Some(name.into()), ..self }
    }
}

impl Host {
    /// A host that offers nothing.
    #[must_use]
    pub fn new(name: impl Into<String>, version: impl Into<String>) -> Self {
        Self {
            handlers: Server::new(name, version).configure(|config| config.role = Role::Client),
            eras: Eras::Both,
            revision: Revision::LATEST_LEGACY,
            connect_timeout: Duration::from_secs(60),
            probe_timeout: Duration::from_secs(10),
        }
    }

    /// Its name for people.
    #[must_use]
    pub fn title(self, title: impl Into<String>) -> Self {
        self.map(|handlers| handlers.title(title))
    }

    /// Which eras of the protocol to try. Default: a client asks its server what it speaks, and speaks that. A server that
    /// dies of the question is started once more, and not asked again.
    #[must_use]
    pub fn eras(self, eras: Eras) -> Self {
        Self { eras, ..self }
    }

    /// How long a server may take to say what it speaks, before it is taken to be of the legacy era. Default: 10 s.
    #[must_use]
    pub fn probe_timeout(self, timeout: Duration) -> Self {
        Self { probe_timeout: timeout, ..self }
    }

    /// The revision that servers of the legacy era are asked for. Any other one of it that a server answers with is fine.
    /// Default: the latest.
    #[must_use]
    pub fn revision(self, revision: Revision) -> Self {
        Self { revision, ..self }
    }

    /// How long connecting may take. Default: 60 s.
    #[must_use]
    pub fn connect_timeout(self, timeout: Duration) -> Self {
        Self { connect_timeout: timeout, ..self }
    }

    /// Changes the limits of each connection. They are checked when a client connects.
    #[must_use]
    pub fn configure(self, change: impl FnOnce(&mut Config)) -> Self {
        self.map(|handlers| handlers.configure(change))
    }

    /// Shares a budget of requests at once with other hosts or servers. Default: one of its own.
    #[must_use]
    pub fn budget(self, budget: Budget) -> Self {
        self.map(|handlers| handlers.budget(budget))
    }

    /// Declares a capability, such as `experimental`. Those of the handlers below declare themselves.
    #[must_use]
    pub fn capability(self, name: impl Into<String>, value: impl Into<Json>) -> Self {
        self.map(|handlers| handlers.capability(name, value))
    }

    /// Answers a server that asks the user something (`elicitation/create`, since revision 2025-06-18). The handler is given
    /// the params as a type, or as `serde_json::Value`.
    ///
    /// ```
    /// # use mcp_wire_driver::{Context, Elicited, Host};
    /// use serde_json::{Value, json};
    ///
    /// let host = Host::new("example", "1.0.0").on_elicitation(async |_: Context, question: Value| {
    ///     match question["message"].as_str() {
    ///         Some("How many will you be?") => Ok(Elicited::accept(json!({ "number": 2 }))),
    ///         _ => Ok(Elicited::decline()),
    ///     }
    /// });
    /// # _ = host;
    /// ```
    #[must_use]
    pub fn on_elicitation<A, O, F>(
        self,
        handler: impl Fn(Context, A) -> F + Send + Sync + 'static,
    ) -> Self
    where
        A: DeserializeOwned,
        O: Into<Json>,
        F: Future<Output = Result<O, ErrorObject>> + Send + 'static,
    {
        self.default_capability("elicitation").method("elicitation/create", handler)
    }

    /// Answers a server that asks the model something (`sampling/createMessage`).
    #[must_use]
    pub fn on_sampling<A, O, F>(
        self,
        handler: impl Fn(Context, A) -> F + Send + Sync + 'static,
    ) -> Self
    where
        A: DeserializeOwned,
        O: Into<Json>,
        F: Future<Output = Result<O, ErrorObject>> + Send + 'static,
    {
        self.default_capability("sampling").method("sampling/createMessage", handler)
    }

    /// Answers a server that asks where it may work (`roots/list`). Roots that change are told with
    /// `notifications/roots/list_changed`, after declaring the capability `roots` with `{"listChanged":true}`.
    #[must_use]
    pub fn on_roots<F>(self, handler: impl Fn(Context) -> F + Send + Sync + 'static) -> Self
    where
        F: Future<Output = Result<Vec<Root>, ErrorObject>> + Send + 'static,
    {
        #[derive(Serialize)]
        struct Roots {
            roots: Vec<Root>,
        }
        self.default_capability("roots").method(
            "roots/list",
            move |context, _: serde::de::IgnoredAny| {
                let roots = handler(context);
                async move { Ok(Json::from_serialize(&Roots { roots: roots.await? })?) }
            },
        )
    }

    /// Tells servers that they may work in these places.
    #[must_use]
    pub fn roots(self, roots: impl IntoIterator<Item = Root>) -> Self {
        let roots: Vec<Root> = roots.into_iter().collect();
        self.on_roots(move |_| std::future::ready(Ok(roots.clone())))
    }

    /// Answers requests of any method.
    #[must_use]
    pub fn method<A, O, F>(
        self,
        method: impl Into<String>,
        handler: impl Fn(Context, A) -> F + Send + Sync + 'static,
    ) -> Self
    where
        A: DeserializeOwned,
        O: Into<Json>,
        F: Future<Output = Result<O, ErrorObject>> + Send + 'static,
    {
        self.map(|handlers| handlers.method(method, handler))
    }

    /// Adds what is done on a notification, in read order, on the connection's own task, so it has to be quick. One whose
    /// params do not fit is ignored.
    #[must_use]
    pub fn notification<A>(
        self,
        method: impl Into<String>,
        handler: impl Fn(&Peer, A) + Send + Sync + 'static,
    ) -> Self
    where
        A: DeserializeOwned,
    {
        self.map(|handlers| handlers.notification(method, handler))
    }

    /// A connection that has asked for a session, of one of these eras.
    pub(super) fn connection(
        &self,
        now: Instant,
        eras: Eras,
    ) -> Result<(Connection, ClientSession), ConfigError> {
        let mut connection =
            Connection::new(self.handlers.config().clone(), self.handlers.limits())?;
        let implementation = self.handlers.implementation().clone();
        let mut declaration = ClientDeclaration::new(implementation, self.handlers.declared());
        declaration.eras = eras;
        declaration.revision = self.revision;
        declaration.timeout = self.connect_timeout;
        declaration.probe_timeout = self.probe_timeout;
        let session = ClientSession::new(now, &mut connection, declaration);
        Ok((connection, session))
    }

    pub(super) fn tried_eras(&self) -> Eras {
        self.eras
    }

    /// May a server ask this inside a result? What is added by hand beside the three of the protocol is not meant.
    pub(super) fn offers(&self, method: &str) -> bool {
        matches!(method, "elicitation/create" | "roots/list" | "sampling/createMessage")
            && self.handlers.has_method(method)
    }

    /// Answers a question of a server that came inside a result.
    pub(super) fn answer(
        &self,
        context: &Context,
        method: &str,
        params: Option<&Json>,
    ) -> Reply<<Shared as Kind>::Future> {
        self.handlers.answer(context, Request::new(Id::number(0), method, params))
    }

    fn default_capability(self, name: &str) -> Self {
        if self.handlers.declares(name) {
            self
        } else {
            self.capability(name, Json::empty_object())
        }
    }

    fn map(self, change: impl FnOnce(Server) -> Server) -> Self {
        Self { handlers: change(self.handlers), ..self }
    }
}

impl Handles<Shared> for Host {
    fn handlers(&self) -> &Server {
        &self.handlers
    }
}
