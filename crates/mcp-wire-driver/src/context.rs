//! A handler's view of the request that it answers.

use crate::call::Call;
use crate::cancellation::Cancellation;
use crate::peer::Peer;
use mcp_wire_core::mcp::LogLevel;
use mcp_wire_core::message::Json;
use mcp_wire_core::rpc::{CallError, CallOptions, SendError, Token};
use serde::{Deserialize, Serialize};
use std::sync::{Arc, Mutex, PoisonError};
use std::task::Waker;

/// A handler's view of the request that it answers: whether it is still wanted, how to tell of its progress, and how to ask
/// the client something meanwhile. Clones are the same; dropping one does nothing.
#[derive(Debug, Clone)]
pub struct Context {
    peer: Peer,
    token: Token,
    progress: Option<Arc<Progress>>,
}

/// What progress is told under, and how far it was.
#[derive(Debug)]
struct Progress {
    token: Json,
    last: Mutex<Option<f64>>,
}

/// The part of any request's params that is not the method's business.
#[derive(Debug, Default, Deserialize)]
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
    data: &'a Json,
}

impl Context {
    pub(crate) fn new(peer: Peer, token: Token) -> Self {
        Self { peer, token, progress: None }
    }

    /// The same, for a request whose params had this `_meta`.
    pub(crate) fn with_meta(mut self, meta: Option<Meta>) -> Self {
        let token = meta.and_then(|meta| meta.progress_token);
        self.progress = token.map(|token| Arc::new(Progress { token, last: Mutex::new(None) }));
        self
    }

    /// The connection that the request came on.
    #[must_use]
    pub fn peer(&self) -> &Peer {
        &self.peer
    }

    pub(crate) fn token(&self) -> Token {
        self.token
    }

    /// Tells when the request is cancelled, for work that goes on elsewhere. The handler's own future is dropped then. Asked
    /// for after the request is over, it says so at once: nobody waits for the work.
    #[must_use]
    pub fn cancellation(&self) -> Cancellation {
        let mut state = self.peer.shared.lock();
        let cancellation = state.cancellation(self.token);
        drop(state);
        cancellation
    }

    /// Is the request still to be answered?
    #[must_use]
    pub fn is_live(&self) -> bool {
        self.peer.shared.lock().connection.is_live(self.token)
    }

    /// Where the request is over, all that belongs to it learns of it now, before the driver comes round to it.
    pub(crate) fn tell_of_the_end(&self) {
        let mut wake = Vec::new();
        self.peer.shared.command(|state| {
            if !state.connection.is_live(self.token) {
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
        let Some(told) = &self.progress else { return Ok(()) };
        let params = ProgressParams { progress_token: &told.token, progress, total, message };
        let Ok(params) = Json::from_serialize(&params) else { return Ok(()) };
        self.peer.shared.command(|state| {
            // Held while it is sent, so that what rises here rises on the wire.
            let mut last = told.last.lock().unwrap_or_else(PoisonError::into_inner);
            if !progress.is_finite() || last.is_some_and(|last| progress <= last) {
                return Ok(());
            }
            let method = "notifications/progress";
            state.connection.notify_for(self.token, method, Some(params))?;
            *last = Some(progress);
            Ok(())
        })
    }

    /// Sends a log message to the client, where it wants those of this level.
    ///
    /// # Errors
    ///
    /// [`SendError::RequestGone`] where the request is over, [`SendError::Full`] while the client reads too slowly: then it
    /// is not sent.
    pub fn log(&self, level: LogLevel, logger: Option<&str>, data: &Json) -> Result<(), SendError> {
        let wanted = match &self.peer.shared.lock().session {
            Some(session) => session.log_level(),
            None => LogLevel::Debug,
        };
        if level < wanted {
            return Ok(());
        }
        let params = LogParams { level: level.as_str(), logger, data };
        match Json::from_serialize(&params) {
            Ok(params) => self.notify_for("notifications/message", params),
            Err(_) => Ok(()),
        }
    }

    /// Asks the client something on behalf of this request: the question is withdrawn when the request is cancelled.
    pub fn request(&self, method: &str, params: Option<Json>, mut options: CallOptions) -> Call {
        options.on_behalf_of = Some(self.token);
        self.peer.request(method, params, options)
    }

    /// Asks the user something through the client (`elicitation/create`), for at most 60 s. Cancel-safe: dropping it
    /// withdraws the question.
    ///
    /// # Errors
    ///
    /// Every [`CallError`]; among them [`SendError::MissingCapability`] at once where the client has no elicitation.
    pub async fn elicit(&self, params: Json) -> Result<Json, CallError> {
        self.request("elicitation/create", Some(params), CallOptions::default()).await
    }

    /// Asks the client's model something (`sampling/createMessage`), for at most 60 s. Cancel-safe.
    ///
    /// # Errors
    ///
    /// As [`elicit`](Self::elicit).
    pub async fn sample(&self, params: Json) -> Result<Json, CallError> {
        self.request("sampling/createMessage", Some(params), CallOptions::default()).await
    }

    /// Asks the client for its roots (`roots/list`), for at most 60 s. Cancel-safe.
    ///
    /// # Errors
    ///
    /// As [`elicit`](Self::elicit).
    pub async fn list_roots(&self) -> Result<Json, CallError> {
        self.request("roots/list", None, CallOptions::default()).await
    }

    /// Sends a notification that belongs to this request.
    fn notify_for(&self, method: &str, params: Json) -> Result<(), SendError> {
        self.peer
            .shared
            .command(|state| state.connection.notify_for(self.token, method, Some(params)))
    }
}
