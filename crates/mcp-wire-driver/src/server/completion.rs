//! Completion: what may be meant by the beginning of an argument.

use super::HandlerError;
use crate::null;
use mcp_wire_core::message::{ErrorObject, Json};
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;

/// How many values an answer may hold. MCP, server/utilities/completion.
const MAX_VALUES: usize = 100;

/// What may be meant by the beginning of an argument.
///
/// ```
/// # use mcp_wire_driver::Completion;
///
/// let completion = Completion::new(["French", "Frisian"]).total(250);
/// assert!(completion.has_more);
/// ```
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
#[non_exhaustive]
pub struct Completion {
    /// Values, the best first. A server sends at most 100 of them.
    pub values: Vec<String>,
    /// How many there are in all.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub total: Option<u64>,
    /// Are there more than these?
    #[serde(default, deserialize_with = "null::as_default")]
    pub has_more: bool,
}

impl Completion {
    /// Some values, the best first. Of more than 100 the first 100 are sent, and that there are more.
    #[must_use]
    pub fn new(values: impl IntoIterator<Item = impl Into<String>>) -> Self {
        let values = values.into_iter().map(Into::into).collect();
        Self { values, total: None, has_more: false }
    }

    /// How many there are in all: as many as these, or more.
    #[must_use]
    pub fn total(self, total: u64) -> Self {
        let has_more = total > self.values.len() as u64;
        Self { total: Some(total), has_more, ..self }
    }

    /// There are more than these, and who knows how many.
    #[must_use]
    pub fn has_more(self) -> Self {
        Self { has_more: true, ..self }
    }

    fn limited(mut self) -> Self {
        if self.values.len() > MAX_VALUES {
            self.total.get_or_insert(self.values.len() as u64);
            self.has_more = true;
            self.values.truncate(MAX_VALUES);
        }
        self
    }
}

/// What a client wants to have completed.
///
/// ```
/// # use mcp_wire_driver::{Completion, CompletionRequest, Context, Server};
///
/// let server = Server::new("travel", "1.0.0").completion(async |_: Context, request: CompletionRequest| {
///     let cities = match request.arguments.get("country").map(String::as_str) {
///         Some("France") => vec!["Paris", "Pau"],
///         _ => vec!["Paderborn", "Paris", "Pau"],
///     };
///     Completion::new(cities.into_iter().filter(|city| city.starts_with(&request.value)))
/// });
/// # _ = server;
/// ```
#[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
#[serde(from = "Params")]
#[non_exhaustive]
pub struct CompletionRequest {
    /// Whose argument it is.
    pub reference: CompletionReference,
    /// The argument's name.
    pub argument: String,
    /// Its beginning.
    pub value: String,
    /// The arguments that are known already (since revision 2025-06-18).
    pub arguments: BTreeMap<String, String>,
}

/// Whose argument is to be completed.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "type")]
#[non_exhaustive]
pub enum CompletionReference {
    /// A prompt's.
    #[serde(rename = "ref/prompt")]
    Prompt {
        /// The prompt's name for programs.
        name: String,
    },
    /// A template's: one of its variables.
    #[serde(rename = "ref/resource")]
    Resource {
        /// The template, as it is listed.
        uri: String,
    },
}

/// A request as it comes.
#[derive(Deserialize)]
struct Params {
    r#ref: CompletionReference,
    argument: Argument,
    #[serde(default, deserialize_with = "null::as_default")]
    context: Known,
}

#[derive(Deserialize)]
struct Argument {
    name: String,
    value: String,
}

#[derive(Default, Deserialize)]
struct Known {
    #[serde(default, deserialize_with = "null::as_default")]
    arguments: BTreeMap<String, String>,
}

impl From<Params> for CompletionRequest {
    fn from(params: Params) -> Self {
        let Params { r#ref, argument, context } = params;
        Self {
            reference: r#ref,
            argument: argument.name,
            value: argument.value,
            arguments: context.arguments,
        }
    }
}

/// What a completion may give: a [`Completion`], a `Vec` of all its values, or a `Result` of these, whose error may be any that
/// can be displayed: the client is told of it.
#[diagnostic::on_unimplemented(
    message = "a completion cannot give `{Self}`",
    label = "no output of a completion",
    note = "a completion gives a `Completion`, a `Vec` of texts, or a `Result` of these with an error that implements `Display`"
)]
pub trait CompletionOutput {
    /// The outcome of `completion/complete`.
    ///
    /// # Errors
    ///
    /// An error of the protocol.
    fn into_outcome(self) -> Result<Json, ErrorObject>;
}

impl CompletionOutput for Completion {
    fn into_outcome(self) -> Result<Json, ErrorObject> {
        #[derive(Serialize)]
        struct Outcome {
            completion: Completion,
        }
        Ok(Json::from_serialize(&Outcome { completion: self.limited() })?)
    }
}

impl<T: Into<String>> CompletionOutput for Vec<T> {
    fn into_outcome(self) -> Result<Json, ErrorObject> {
        Completion::new(self).into_outcome()
    }
}

impl<O: CompletionOutput, E: Into<HandlerError>> CompletionOutput for Result<O, E> {
    fn into_outcome(self) -> Result<Json, ErrorObject> {
        match self {
            Ok(output) => output.into_outcome(),
            Err(error) => error.into().into_error(),
        }
    }
}
