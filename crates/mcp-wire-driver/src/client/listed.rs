//! What servers list.

use mcp_wire_core::message::Json;
use serde::Deserialize;

/// A resource, as `resources/list` shows it.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "camelCase")]
#[non_exhaustive]
pub struct Resource {
    /// What it is read by.
    pub uri: String,
    /// Its name for programs.
    pub name: String,
    /// Its name for people.
    pub title: Option<String>,
    /// What it is, for the model.
    pub description: Option<String>,
    /// Its media type.
    pub mime_type: Option<String>,
    /// Its size in bytes.
    pub size: Option<u64>,
    /// Hints on its use.
    pub annotations: Option<Json>,
}

/// A template for the URIs of resources, as `resources/templates/list` shows it.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "camelCase")]
#[non_exhaustive]
pub struct ResourceTemplate {
    /// The template, as RFC 6570 has it.
    pub uri_template: String,
    /// Its name for programs.
    pub name: String,
    /// Its name for people.
    pub title: Option<String>,
    /// What it is for, for the model.
    pub description: Option<String>,
    /// The media type of all that fit it.
    pub mime_type: Option<String>,
    /// Hints on its use.
    pub annotations: Option<Json>,
}

/// A prompt, as `prompts/list` shows it.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
#[non_exhaustive]
pub struct Prompt {
    /// Its name for programs.
    pub name: String,
    /// Its name for people.
    pub title: Option<String>,
    /// What it is for.
    pub description: Option<String>,
    /// What it takes.
    #[serde(default)]
    pub arguments: Vec<PromptArgument>,
}

/// What a prompt takes.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
#[non_exhaustive]
pub struct PromptArgument {
    /// Its name for programs.
    pub name: String,
    /// Its name for people.
    pub title: Option<String>,
    /// What it is.
    pub description: Option<String>,
    /// Must it be given?
    #[serde(default)]
    pub required: bool,
}

/// What may be meant by the beginning of an argument.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "camelCase")]
#[non_exhaustive]
pub struct Completion {
    /// Values, the best first; at most 100.
    pub values: Vec<String>,
    /// How many there are in all.
    pub total: Option<u64>,
    /// Are there more than these?
    #[serde(default)]
    pub has_more: bool,
}
