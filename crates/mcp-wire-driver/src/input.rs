//! What a handler needs to know from the client before it can go on, in every revision.
//!
//! Up to revision 2025-11-25 the server asks the client with a request of its own. Since 2026-07-28 it gives back what it
//! needs to know, and the client makes the same request again, with the answers.

use crate::context::Context;
use crate::elicitation::Denial;
use crate::server::{HandlerError, PromptOutput, ResourceOutput, ToolOutput};
use mcp_wire_core::mcp;
use mcp_wire_core::message::{ErrorObject, Json};
use mcp_wire_core::rpc::{CallError, CallOptions, SendError};
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;
use std::fmt;
use std::sync::{Mutex, PoisonError};

/// What a handler needs to know before it can answer (revision 2026-07-28): given back in place of a result.
///
/// [`Context::input`] makes one where that is needed, and works in every revision; this is for handlers that keep account
/// themselves.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct InputRequired {
    result_type: ResultType,
    #[serde(skip_serializing_if = "BTreeMap::is_empty")]
    input_requests: BTreeMap<String, InputRequest>,
    #[serde(skip_serializing_if = "Option::is_none")]
    request_state: Option<String>,
}

#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize)]
enum ResultType {
    #[default]
    #[serde(rename = "input_required")]
    InputRequired,
}

#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
struct InputRequest {
    method: String,
    params: Json,
}

impl InputRequired {
    /// Asks nothing yet.
    #[must_use]
    pub fn new() -> Self {
        Self::default()
    }

    /// Asks something (`elicitation/create`, `sampling/createMessage` or `roots/list`), under a key that the answer comes
    /// back with.
    #[must_use]
    pub fn ask(
        mut self,
        key: impl Into<String>,
        method: impl Into<String>,
        params: impl Into<Json>,
    ) -> Self {
        let request = InputRequest { method: method.into(), params: params.into() };
        self.input_requests.insert(key.into(), request);
        self
    }

    /// Both: what is asked twice under one key is asked as `other` has it.
    pub(crate) fn and(mut self, other: Self) -> Self {
        self.input_requests.extend(other.input_requests);
        Self { request_state: other.request_state.or(self.request_state), ..self }
    }

    /// What the client is to send back as it is. It passes through the client's hands: check it where it matters.
    #[must_use]
    pub fn state(self, state: impl Into<String>) -> Self {
        Self { request_state: Some(state.into()), ..self }
    }
}

impl From<InputRequired> for Json {
    fn from(input: InputRequired) -> Self {
        Self::from_serialize(&input).unwrap_or_else(|_| Self::empty_object())
    }
}

impl ToolOutput for InputRequired {
    fn into_outcome(self) -> Result<Json, ErrorObject> {
        Ok(self.into())
    }
}

/// Why a handler does not go on yet, or at all: it did not get an answer from the client.
///
/// Tools, prompts and resources give it back with `?`, also as part of their own errors; a method turns it into its outcome
/// with [`into_outcome`](Self::into_outcome).
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub enum InputError {
    /// The user was asked, and gave no answer to go on with.
    Denied(Denial),
    /// The client was asked, and did not answer.
    Failed(CallError),
    /// The client is to be asked (since revision 2026-07-28): this is no failure.
    Required(InputRequired),
    /// The client was not asked: it did not declare this capability, which is needed. [`Context::require`] tells beforehand.
    Undeclared(&'static str),
}

impl InputError {
    /// The outcome of the request.
    ///
    /// # Errors
    ///
    /// `-32021` where the client cannot be asked, `-32603` for another failure.
    pub fn into_outcome(self) -> Result<Json, ErrorObject> {
        HandlerError::from(self).into_error()
    }
}

impl fmt::Display for InputError {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Denied(denial) => denial.fmt(formatter),
            Self::Failed(error) => error.fmt(formatter),
            Self::Required(_) => formatter.write_str("input is required"),
            Self::Undeclared(capability) => {
                write!(formatter, "the client cannot be asked: it did not declare {capability:?}")
            }
        }
    }
}

impl std::error::Error for InputError {
    fn source(&self) -> Option<&(dyn std::error::Error + 'static)> {
        match self {
            // Its own text is the error's.
            Self::Failed(error) => error.source(),
            Self::Denied(_) | Self::Required(_) | Self::Undeclared(_) => None,
        }
    }
}

impl PromptOutput for InputRequired {
    fn into_outcome(self) -> Result<Json, ErrorObject> {
        Ok(self.into())
    }
}

impl ResourceOutput for InputRequired {
    fn into_outcome(self, _: &str, _: Option<&str>) -> Result<Json, ErrorObject> {
        Ok(self.into())
    }
}

/// The answers that came with a request, and those that it had before, as they were written.
#[derive(Debug, Default)]
pub(crate) struct Inputs {
    responses: Option<Json>,
    state: Option<String>,
    /// What the state keeps, where it is one of ours.
    kept: Option<Json>,
    /// How many answers to a question this run of the handler was given.
    given: Mutex<BTreeMap<String, usize>>,
}

/// How answers are kept between the rounds, by the client.
#[derive(Serialize, Deserialize)]
struct Kept {
    answers: Json,
}

impl Inputs {
    pub(crate) fn new(responses: Option<Json>, state: Option<String>) -> Self {
        let kept = state.as_deref().and_then(|state| serde_json::from_str::<Kept>(state).ok());
        Self { responses, state, kept: kept.map(|kept| kept.answers), ..Self::default() }
    }

    fn response(&self, key: &str) -> Option<Json> {
        self.responses.as_ref()?.member(key)
    }

    /// The answer to a question of this round, or of an earlier one.
    fn answer(&self, key: &str) -> Option<Json> {
        self.response(key).or_else(|| self.kept.as_ref()?.member(key))
    }

    /// The key of a question that has none. Asked again after its answer it is another one, as it is where the server asks with
    /// a request: a handler that does not like an answer must not be given it for ever.
    fn key(&self, question: &str) -> String {
        let mut given = self.given.lock().unwrap_or_else(PoisonError::into_inner);
        let times = given.entry(question.to_owned()).or_default();
        let key = match *times {
            0 => question.to_owned(),
            earlier => format!("{} {question}", earlier + 1),
        };
        if self.answer(&key).is_some() {
            *times += 1;
        }
        key
    }

    /// Asks for one more answer, and has the client keep the others.
    fn ask(&self, key: &str, method: &str, params: Json) -> InputRequired {
        let asked = InputRequired::new().ask(key, method, params);
        let answers = match (&self.kept, &self.responses) {
            (None, None) => return asked,
            (Some(kept), Some(responses)) => kept.merged(responses),
            (Some(answers), None) | (None, Some(answers)) => answers.clone(),
        };
        match serde_json::to_string(&Kept { answers }) {
            Ok(state) => asked.state(state),
            Err(_) => asked,
        }
    }
}

impl Context {
    /// Asks the client something (`elicitation/create`, `sampling/createMessage` or `roots/list`), and waits at most 60 s for
    /// the answer. It works in every revision; since 2026-07-28 it does so by running the handler again from its start, so
    /// what comes before has to be harmless, and each question of a handler needs a key of its own, the same each time.
    /// Whatever the handler answers in between, the client is asked first.
    ///
    /// Cancel-safe: dropping it withdraws the question.
    ///
    /// # Errors
    ///
    /// [`InputError`], to be given back with `?`: it is a failure, or says what the client is asked. A client is not asked for
    /// what it did not declare.
    pub async fn input(
        &self,
        key: &str,
        method: &str,
        params: impl Into<Json>,
    ) -> Result<Json, InputError> {
        let params = params.into();
        let none = Inputs::default();
        let inputs = self.inputs().or_else(|| self.is_modern().then_some(&none));
        match inputs {
            None => {
                let call = self.request(method, Some(params), CallOptions::default());
                call.await.map_err(|error| match error {
                    CallError::NotSent(SendError::MissingCapability(capability)) => {
                        InputError::Undeclared(capability)
                    }
                    error => InputError::Failed(error),
                })
            }
            Some(inputs) => match inputs.answer(key) {
                Some(answer) => Ok(answer),
                None => {
                    if let Some(capability) = mcp::capability_for(method)
                        && self.require(capability).is_err()
                    {
                        return Err(InputError::Undeclared(capability));
                    }
                    let asked = inputs.ask(key, method, params);
                    self.note_question(&asked);
                    Err(InputError::Required(asked))
                }
            },
        }
    }

    /// Asks the client like [`input`](Self::input), under a key that is made of the question.
    pub(crate) async fn input_to(
        &self,
        question: &str,
        method: &str,
        params: Json,
    ) -> Result<Json, InputError> {
        match self.inputs() {
            Some(inputs) => self.input(&inputs.key(question), method, params).await,
            None => self.input(question, method, params).await,
        }
    }

    /// The client's answer to a question of [`InputRequired`], by its key.
    #[must_use]
    pub fn input_response(&self, key: &str) -> Option<Json> {
        self.inputs()?.response(key)
    }

    /// The state of [`InputRequired`] as the client sent it back. Do not trust it: it came through the client's hands.
    #[must_use]
    pub fn request_state(&self) -> Option<&str> {
        self.inputs()?.state.as_deref()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn json(text: &'static str) -> Json {
        Json::new(text).unwrap()
    }

    /// L3: the answers of earlier rounds are kept by the client, and a later answer counts.
    #[test]
    fn answers_are_kept_between_rounds() {
        let first = Inputs::new(None, None);
        assert_eq!(
            Json::from(first.ask("a", "roots/list", json("{}"))).as_str(),
            r#"{"resultType":"input_required","inputRequests":{"a":{"method":"roots/list","params":{}}}}"#
        );
        let second = Inputs::new(Some(json(r#"{"a":1.0,"extra":2}"#)), None);
        let asked = second.ask("b", "roots/list", json("{}"));
        let third = Inputs::new(Some(json(r#"{"b":3,"extra":4}"#)), asked.request_state);
        assert_eq!(third.answer("a"), Some(json("1.0")));
        assert_eq!((third.answer("b"), third.response("a")), (Some(json("3")), None));
        let fourth = Inputs::new(None, third.ask("c", "roots/list", json("{}")).request_state);
        assert_eq!(
            (fourth.answer("a"), fourth.answer("extra")),
            (Some(json("1.0")), Some(json("4")))
        );
    }

    /// Whoever shows an error with its causes shows each once.
    #[test]
    fn an_error_is_no_cause_of_itself() {
        for error in [InputError::Denied(Denial::Declined), InputError::Failed(CallError::TimedOut)]
        {
            assert!(std::error::Error::source(&error).is_none(), "{error}");
        }
    }

    /// L3: a state that is not ours is none.
    #[test]
    fn a_strange_state_keeps_nothing() {
        for state in ["", "{", r#"{"answers":7}"#, "null"] {
            assert_eq!(Inputs::new(None, Some(state.to_owned())).answer("a"), None, "{state}");
        }
    }
}
