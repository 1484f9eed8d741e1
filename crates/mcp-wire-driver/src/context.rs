//! A handler's view of the request that it answers.

use crate::call::Call;
use crate::cancellation::Cancellation;
use crate::client::Root;
use crate::input::{InputError, InputRequired, Inputs};
use crate::peer::Peer;
use crate::state::State;
use mcp_wire_core::mcp::{self, Era, Implementation, LogLevel, Revision, Session};
use mcp_wire_core::message::{ErrorObject, Json};
use mcp_wire_core::rpc::{CallError, CallOptions, SendError, Token};
use serde::{Deserialize, Serialize};
use std::sync::{Arc, Mutex, PoisonError};
use std::task::Waker;

/// A handler's view of the request that it answers: whether it is still wanted, how to tell of its progress, and how to ask
/// the client something meanwhile. Clones are the same; dropping one does nothing.
#[derive(Debug, Clone)]
pub struct Context {
    peer: Peer,
    /// The request; `None` for a question that came inside a result, which nobody but this side can cancel.
    token: Option<Token>,
    progress: Option<Arc<Progress>>,
    inputs: Option<Arc<Inputs>>,
    /// That of the resource that is read.
    uri: Option<Arc<str>>,
    /// That of a question that came inside a result.
    own_cancellation: Option<Cancellation>,
}

/// What progress is told under, and how far it was.
#[derive(Debug)]
struct Progress {
    token: Json,
    last: Mutex<Option<f64>>,
}

/// The part of any request's params that is not the method's business.
#[derive(Debug, Default, Deserialize)]
#[serde(rename_all = "camelCase")]
pub(crate) struct Extras {
    #[serde(rename = "_meta")]
    pub(crate) meta: Option<Meta>,
    pub(crate) input_responses: Option<Json>,
    pub(crate) request_state: Option<String>,
}

#[derive(Debug, Deserialize)]
pub(crate) struct Meta {
    #[serde(rename = "progressToken")]
    progress_token: Option<Json>,
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct ProgressParams<'a> {
    progress_token: &'a Json,
    progress: f64,
    #[serde(skip_serializing_if = "Option::is_none")]
    total: Option<f64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    message: Option<&'a str>,
}

#[derive(Serialize)]
struct LogParams<'a> {
    level: &'static str,
    #[serde(skip_serializing_if = "Option::is_none")]
    logger: Option<&'a str>,
    data: Json,
}

impl Context {
    pub(crate) fn new(peer: Peer, token: Token) -> Self {
        Self {
            peer,
            token: Some(token),
            progress: None,
            inputs: None,
            uri: None,
            own_cancellation: None,
        }
    }

    /// That of a question that came inside a result.
    pub(crate) fn of_input(peer: Peer) -> Self {
        let own_cancellation = Some(Cancellation::new());
        Self { peer, token: None, progress: None, inputs: None, uri: None, own_cancellation }
    }

    /// The same, for a request whose params had these.
    pub(crate) fn with_extras(mut self, extras: Extras) -> Self {
        let token = extras.meta.and_then(|meta| meta.progress_token);
        self.progress = token.map(|token| Arc::new(Progress { token, last: Mutex::new(None) }));
        let answers = extras.input_responses.is_some() || extras.request_state.is_some();
        if answers && self.is_modern() {
            let inputs = Inputs::new(extras.input_responses, extras.request_state);
            self.inputs = Some(Arc::new(inputs));
        }
        self
    }

    pub(crate) fn with_uri(self, uri: &str) -> Self {
        Self { uri: Some(uri.into()), ..self }
    }

    /// The URI of the resource that is read, for its handler.
    #[must_use]
    pub fn uri(&self) -> Option<&str> {
        self.uri.as_deref()
    }

    /// The connection that the request came on.
    #[must_use]
    pub fn peer(&self) -> &Peer {
        &self.peer
    }

    /// The revision that the request is of, where the connection speaks MCP.
    #[must_use]
    pub fn revision(&self) -> Option<Revision> {
        match self.peer.shared.lock().session.as_ref()? {
            Session::Server(session) => match self.token {
                Some(token) => session.revision_of(token),
                None => session.revision(),
            },
            session => Some(session.as_client()?.server()?.revision),
        }
    }

    /// Who asks, where it says so.
    #[must_use]
    pub fn client(&self) -> Option<Implementation> {
        let state = self.peer.shared.lock();
        state.session.as_ref()?.as_server()?.client_of(self.token?).cloned()
    }

    /// What the one who asks can do, as it says.
    #[must_use]
    pub fn client_capabilities(&self) -> Option<Json> {
        let state = self.peer.shared.lock();
        state.session.as_ref()?.as_server()?.client_capabilities_of(self.token?).cloned()
    }

    /// Fails where the client did not declare a capability, such as `sampling`, that the work needs.
    ///
    /// # Errors
    ///
    /// `-32021`, to be given back with `?` by a method, or a tool that returns `Result<_, ErrorObject>`.
    pub fn require(&self, capability: &str) -> Result<(), ErrorObject> {
        let declared = self.client_capabilities();
        if declared.is_some_and(|declared| mcp::declares(&declared, capability)) {
            Ok(())
        } else {
            Err(ErrorObject::missing_capability(capability))
        }
    }

    pub(crate) fn is_modern(&self) -> bool {
        self.revision().is_some_and(|revision| revision.era() == Era::Modern)
    }

    /// The client is asked with the answer, whatever that is.
    pub(crate) fn note_question(&self, asked: &InputRequired) {
        if let Some(token) = self.token {
            self.peer.shared.lock().ask(token, asked.clone());
        }
    }

    /// The answers that came with the request, where any did.
    pub(crate) fn inputs(&self) -> Option<&Inputs> {
        self.inputs.as_deref()
    }

    pub(crate) fn token(&self) -> Option<Token> {
        self.token
    }

    /// Tells when the request is cancelled, for work that goes on elsewhere. The handler's own future is dropped then. Asked
    /// for after the request is over, it says so at once: nobody waits for the work.
    #[must_use]
    pub fn cancellation(&self) -> Cancellation {
        let Some(token) = self.token else {
            return self.own_cancellation.clone().unwrap_or_else(Cancellation::over);
        };
        let mut state = self.peer.shared.lock();
        let cancellation = state.cancellation(token);
        drop(state);
        cancellation
    }

    /// Is the request still to be answered?
    #[must_use]
    pub fn is_live(&self) -> bool {
        self.token.is_none_or(|token| self.peer.shared.lock().connection.is_live(token))
    }

    /// Where the request is over, all that belongs to it learns of it now, before the driver comes round to it.
    pub(crate) fn tell_of_the_end(&self) {
        let Some(token) = self.token else { return };
        let mut wake = Vec::new();
        self.peer.shared.command(|state| {
            if !state.connection.is_live(token) {
                state.sort_events(&mut wake);
            }
        });
        wake.into_iter().for_each(Waker::wake);
    }

    /// Does the client want to be told of progress?
    #[must_use]
    pub fn wants_progress(&self) -> bool {
        self.progress.is_some()
    }

    /// Tells how far the work is, of `total` where that is known. Nothing is sent to a client that did not ask for it, nor
    /// where `progress` is not more than it was.
    ///
    /// # Errors
    ///
    /// [`SendError::RequestGone`] where the request is over, [`SendError::Full`] while the client reads too slowly: then it
    /// is not told.
    pub fn progress(
        &self,
        progress: f64,
        total: Option<f64>,
        message: Option<&str>,
    ) -> Result<(), SendError> {
        let (Some(told), Some(token)) = (&self.progress, self.token) else { return Ok(()) };
        let params = ProgressParams { progress_token: &told.token, progress, total, message };
        let Ok(params) = Json::from_serialize(&params) else { return Ok(()) };
        self.peer.shared.command(|state| {
            // Held while it is sent, so that what rises here rises on the wire.
            let mut last = told.last.lock().unwrap_or_else(PoisonError::into_inner);
            if !progress.is_finite() || last.is_some_and(|last| progress <= last) {
                return Ok(());
            }
            let method = "notifications/progress";
            state.connection.notify_for(token, method, Some(params))?;
            *last = Some(progress);
            Ok(())
        })
    }

    /// Sends a log message to the client, where it wants those of this level: any JSON, such as `json!("some text")`, from the
    /// `logger` of that name. The server declares [`logging`](crate::Server::logging).
    ///
    /// # Errors
    ///
    /// [`SendError::RequestGone`] where the request is over, [`SendError::Full`] while the client reads too slowly: then it
    /// is not sent.
    pub fn log(
        &self,
        level: LogLevel,
        logger: Option<&str>,
        data: impl Into<Json>,
    ) -> Result<(), SendError> {
        let Some(token) = self.token else { return Ok(()) };
        let is_wanted = match &self.peer.shared.lock().session {
            Some(session) => session.wants_log(token, level),
            None => true,
        };
        if !is_wanted {
            return Ok(());
        }
        let params = LogParams { level: level.as_str(), logger, data: data.into() };
        match Json::from_serialize(&params) {
            Ok(params) => {
                let method = "notifications/message";
                let notify =
                    |state: &mut State| state.connection.notify_for(token, method, Some(params));
                self.peer.shared.command(notify)
            }
            Err(_) => Ok(()),
        }
    }

    /// Asks the client something on behalf of this request: the question is withdrawn when the request is cancelled.
    /// Revision 2026-07-28 has no such requests: [`input`](Self::input) does in every revision.
    pub fn request(&self, method: &str, params: Option<Json>, mut options: CallOptions) -> Call {
        options.on_behalf_of = self.token;
        self.peer.request(method, params, options)
    }

    /// Asks the user something through the client (`elicitation/create`), for at most 60 s. It works as
    /// [`input`](Self::input) does, and a question that is asked again after its answer has another one. Cancel-safe: dropping
    /// it withdraws the question. For one question in a form, [`ask`](Self::ask) makes the params, and reads the answer.
    ///
    /// # Errors
    ///
    /// [`InputError`], to be given back with `?`; it is a failure at once where the client has no elicitation.
    pub async fn elicit(&self, params: impl Into<Json>) -> Result<Json, InputError> {
        self.ask_by_params("elicitation/create", params.into()).await
    }

    /// Asks the client's model something (`sampling/createMessage`), for at most 60 s. Cancel-safe.
    ///
    /// # Errors
    ///
    /// As [`elicit`](Self::elicit).
    pub async fn sample(&self, params: impl Into<Json>) -> Result<Json, InputError> {
        self.ask_by_params("sampling/createMessage", params.into()).await
    }

    /// Asks the client for its roots (`roots/list`), for at most 60 s. Cancel-safe.
    ///
    /// # Errors
    ///
    /// As [`elicit`](Self::elicit).
    pub async fn list_roots(&self) -> Result<Vec<Root>, InputError> {
        #[derive(Deserialize)]
        struct Roots {
            roots: Vec<Root>,
        }
        let answer = self.input("roots/list {}", "roots/list", Json::empty_object()).await?;
        let Roots { roots } = answer.parse().map_err(|error: serde_json::Error| {
            InputError::Failed(CallError::UnexpectedResult(error.to_string()))
        })?;
        Ok(roots)
    }

    /// Asks something that is told from other questions by its params.
    async fn ask_by_params(&self, method: &str, params: Json) -> Result<Json, InputError> {
        self.input_to(&format!("{method} {params}"), method, params).await
    }
}
