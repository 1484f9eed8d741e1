//! Resources, and templates for their URIs.

use mcp_wire_core::message::Json;
use serde::{Deserialize, Serialize};

/// A resource, as `resources/list` shows it.
///
/// ```
/// # use mcp_wire_driver::{Context, Resource, Server};
///
/// let server = Server::new("notes", "1.0.0")
///     .fixed_resource(Resource::new("note:///about", "about").mime_type("text/plain"), "Notes of all kinds")
///     .resource(Resource::new("note:///newest", "newest"), async |_: Context, uri: String| {
///         format!("the text of {uri}")
///     });
/// # _ = server;
/// ```
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
#[non_exhaustive]
pub struct Resource {
    /// What it is read by.
    pub uri: String,
    /// Its name for programs.
    pub name: String,
    /// Its name for people.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub title: Option<String>,
    /// What it is, for the model.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub description: Option<String>,
    /// Its media type.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub mime_type: Option<String>,
    /// Its size in bytes.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub size: Option<u64>,
    /// Hints on its use, such as `{"audience":["user"]}`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub annotations: Option<Json>,
    /// Pictures for user interfaces: `[{"src":..}]`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub icons: Option<Json>,
    /// What the protocol does not know of.
    #[serde(rename = "_meta", skip_serializing_if = "Option::is_none")]
    pub meta: Option<Json>,
}

impl Resource {
    /// A resource with the URI that it is read by, and its name for programs.
    #[must_use]
    pub fn new(uri: impl Into<String>, name: impl Into<String>) -> Self {
        Self {
            uri: uri.into(),
            name: name.into(),
            title: None,
            description: None,
            mime_type: None,
            size: None,
            annotations: None,
            icons: None,
            meta: None,
        }
    }

    /// Its size in bytes, before any encoding.
    #[must_use]
    pub fn size(self, bytes: u64) -> Self {
        Self { size: Some(bytes), ..self }
    }
}

setters!(Resource: annotations, description, icons, meta, mime_type, title);

/// A template for the URIs of resources, as `resources/templates/list` shows it.
///
/// A server understands two kinds of variables of RFC 6570. `{name}` stands for at least one character, and for no `/`, `?`
/// or `#`; `{+name}` for any characters. Between two variables there has to be some text. A URI is read from its
/// beginning: `{name}` takes as little as it can, `{+name}` as much as it can, and neither gives anything back.
///
/// Values come percent-decoded. So a `{name}` too may hold a `/`: check it before it becomes part of a path.
///
/// ```
/// # use mcp_wire_driver::{Context, ResourceTemplate, Server};
///
/// #[derive(serde::Deserialize)]
/// struct Note {
///     year: u16,
///     title: String,
/// }
///
/// let server = Server::new("notes", "1.0.0").resource_template(
///     ResourceTemplate::new("note:///{year}/{title}", "note").mime_type("text/plain"),
///     async |_: Context, note: Note| {
///         // What is `None` does not exist.
///         (note.year > 2000).then(|| format!("{} of {}", note.title, note.year))
///     },
/// );
/// # _ = server;
/// ```
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
#[non_exhaustive]
pub struct ResourceTemplate {
    /// The template, as RFC 6570 has it.
    pub uri_template: String,
    /// Its name for programs.
    pub name: String,
    /// Its name for people.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub title: Option<String>,
    /// What it is for, for the model.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub description: Option<String>,
    /// The media type of all that fit it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub mime_type: Option<String>,
    /// Hints on its use, such as `{"audience":["user"]}`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub annotations: Option<Json>,
    /// Pictures for user interfaces: `[{"src":..}]`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub icons: Option<Json>,
    /// What the protocol does not know of.
    #[serde(rename = "_meta", skip_serializing_if = "Option::is_none")]
    pub meta: Option<Json>,
}

impl ResourceTemplate {
    /// A template, as RFC 6570 has it, and its name for programs.
    #[must_use]
    pub fn new(uri_template: impl Into<String>, name: impl Into<String>) -> Self {
        Self {
            uri_template: uri_template.into(),
            name: name.into(),
            title: None,
            description: None,
            mime_type: None,
            annotations: None,
            icons: None,
            meta: None,
        }
    }
}

setters!(ResourceTemplate: annotations, description, icons, meta, mime_type, title);
