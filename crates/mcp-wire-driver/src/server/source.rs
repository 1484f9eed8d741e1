//! What answers for one name or URI.

use super::Kind;
use super::tasks::Reply;
use super::texts::Texts;
use crate::context::Context;
use mcp_wire_core::message::{ErrorObject, Json};

pub(super) enum Source<K: Kind> {
    /// The same answer each time.
    Fixed(Result<Json, ErrorObject>),
    Handler(Box<K::Named>),
}

impl<K: Kind> Source<K> {
    pub(super) fn answer(&self, context: Context, name: &str, texts: Texts) -> Reply<K::Future> {
        match self {
            Self::Fixed(outcome) => Reply::Now(outcome.clone()),
            Self::Handler(handler) => handler(context, name, texts),
        }
    }
}
