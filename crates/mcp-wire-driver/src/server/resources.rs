//! A server's resources, and how one is found by its URI.

use super::source::Source;
use super::table::Table;
use super::tasks::Reply;
use super::texts::Texts;
use super::uri_template::UriTemplate;
use super::{Kind, ServeError};
use crate::context::Context;
use crate::listed::{Resource, ResourceTemplate};
use mcp_wire_core::message::{ErrorObject, Json};
use serde::Serialize;

/// The code for a resource that does not exist. MCP 2024-11-05 to 2025-11-25, server/resources.
const NOT_FOUND: i64 = -32002;

pub(super) struct Resources<K: Kind> {
    pub(super) fixed: Table<Resource, Source<K>>,
    pub(super) templates: Table<ResourceTemplate, Template<K>>,
}

/// What answers for the URIs that fit a template.
pub(super) struct Template<K: Kind> {
    pattern: Result<UriTemplate, &'static str>,
    handler: Box<K::Named>,
}

impl<K: Kind> Default for Resources<K> {
    fn default() -> Self {
        Self { fixed: Table::default(), templates: Table::default() }
    }
}

impl<K: Kind> Resources<K> {
    pub(super) fn add_template(&mut self, template: ResourceTemplate, handler: Box<K::Named>) {
        let pattern = UriTemplate::parse(&template.uri_template);
        self.templates.add(template, Template { pattern, handler });
    }

    pub(super) fn is_empty(&self) -> bool {
        self.fixed.is_empty() && self.templates.is_empty()
    }

    pub(super) fn check(&self) -> Result<(), ServeError> {
        for (template, Template { pattern, .. }) in self.templates.iter() {
            if let Err(why) = pattern {
                return Err(ServeError::UriTemplate(template.uri_template.clone(), why));
            }
        }
        Ok(())
    }

    /// Reads a resource of its own, or else of the first template that fits.
    pub(super) fn read(&self, context: Context, uri: &str) -> Reply<K::Future> {
        if let Some((_, source)) = self.fixed.find(uri) {
            return source.answer(context, uri, Texts::default());
        }
        for (_, Template { pattern, handler }) in self.templates.iter() {
            if let Some(variables) = pattern.as_ref().ok().and_then(|it| it.variables(uri)) {
                return handler(context, uri, variables);
            }
        }
        Reply::Now(Err(not_found(uri)))
    }
}

/// There is no resource of this URI.
pub(super) fn not_found(uri: &str) -> ErrorObject {
    #[derive(Serialize)]
    struct Data<'a> {
        uri: &'a str,
    }
    let error = ErrorObject::new(NOT_FOUND, "resource not found");
    match Json::from_serialize(&Data { uri }) {
        Ok(data) => error.with_data(data),
        Err(_) => error,
    }
}
