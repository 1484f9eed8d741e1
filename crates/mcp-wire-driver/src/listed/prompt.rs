//! Prompts, and what they take.

use crate::null;
use mcp_wire_core::message::Json;
use serde::{Deserialize, Serialize};

/// A prompt, as `prompts/list` shows it.
///
/// ```
/// # use mcp_wire_driver::{Context, Prompt, PromptArgument, Server};
///
/// #[derive(serde::Deserialize)]
/// struct Review {
///     code: String,
///     // Arguments come as strings; other types are read from them.
///     lines: Option<u32>,
/// }
///
/// let server = Server::new("reviewer", "1.0.0").prompt(
///     Prompt::new("review")
///         .description("Asks for a review")
///         .argument(PromptArgument::required("code").description("What is to be reviewed"))
///         .argument(PromptArgument::optional("lines")),
///     async |_: Context, review: Review| {
///         format!("Review this in at most {} lines:\n{}", review.lines.unwrap_or(20), review.code)
///     },
/// );
/// # _ = server;
/// ```
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[non_exhaustive]
pub struct Prompt {
    /// Its name for programs.
    pub name: String,
    /// Its name for people.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub title: Option<String>,
    /// What it is for.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub description: Option<String>,
    /// What it takes.
    #[serde(skip_serializing_if = "Vec::is_empty", default, deserialize_with = "null::as_default")]
    pub arguments: Vec<PromptArgument>,
    /// Pictures for user interfaces: `[{"src":..}]`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub icons: Option<Json>,
    /// What the protocol does not know of.
    #[serde(rename = "_meta", skip_serializing_if = "Option::is_none")]
    pub meta: Option<Json>,
}

impl Prompt {
    /// A prompt with its name for programs, that takes no arguments.
    #[must_use]
    pub fn new(name: impl Into<String>) -> Self {
        Self {
            name: name.into(),
            title: None,
            description: None,
            arguments: Vec::new(),
            icons: None,
            meta: None,
        }
    }

    /// One more argument that it takes.
    #[must_use]
    pub fn argument(mut self, argument: PromptArgument) -> Self {
        self.arguments.push(argument);
        self
    }
}

setters!(Prompt: description, icons, meta, title);

/// What a prompt takes: a string.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[non_exhaustive]
pub struct PromptArgument {
    /// Its name for programs.
    pub name: String,
    /// Its name for people.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub title: Option<String>,
    /// What it is.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub description: Option<String>,
    /// Must it be given?
    #[serde(
        skip_serializing_if = "std::ops::Not::not",
        default,
        deserialize_with = "null::as_default"
    )]
    pub required: bool,
}

impl PromptArgument {
    /// An argument that may be left out.
    #[must_use]
    pub fn optional(name: impl Into<String>) -> Self {
        Self { name: name.into(), title: None, description: None, required: false }
    }

    /// An argument that has to be given: without it the prompt is refused.
    #[must_use]
    pub fn required(name: impl Into<String>) -> Self {
        Self { required: true, ..Self::optional(name) }
    }
}

setters!(PromptArgument: description, title);
