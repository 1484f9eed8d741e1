//! What a server offers of one kind: found by its name, and listed in pages.

use crate::listed::{Prompt, Resource, ResourceTemplate, Tool};
use mcp_wire_core::message::{ErrorObject, Json};
use serde::ser::SerializeMap;
use serde::{Deserialize, Serialize, Serializer};
use std::borrow::Cow;
use std::collections::BTreeMap;
use std::sync::OnceLock;

/// What is listed.
pub(super) trait Listed: Serialize {
    /// What a list of them is called.
    const MEMBER: &'static str;

    /// What one of them is found by.
    fn key(&self) -> &str;
}

impl Listed for Tool {
    const MEMBER: &'static str = "tools";

    fn key(&self) -> &str {
        &self.name
    }
}

impl Listed for Resource {
    const MEMBER: &'static str = "resources";

    fn key(&self) -> &str {
        &self.uri
    }
}

impl Listed for ResourceTemplate {
    const MEMBER: &'static str = "resourceTemplates";

    fn key(&self) -> &str {
        &self.uri_template
    }
}

impl Listed for Prompt {
    const MEMBER: &'static str = "prompts";

    fn key(&self) -> &str {
        &self.name
    }
}

/// Declarations with their handlers, in the order in which they were added.
pub(super) struct Table<D, H> {
    items: Vec<(D, H)>,
    places: BTreeMap<String, usize>,
    page_size: usize,
    /// The list, written once.
    pages: OnceLock<Vec<Json>>,
}

impl<D, H> Default for Table<D, H> {
    fn default() -> Self {
        Self {
            items: Vec::new(),
            places: BTreeMap::new(),
            page_size: usize::MAX,
            pages: OnceLock::new(),
        }
    }
}

/// What a list is asked for with.
#[derive(Deserialize)]
struct ListParams<'a> {
    #[serde(borrow)]
    cursor: Option<Cow<'a, str>>,
}

impl<D: Listed, H> Table<D, H> {
    /// Adds a declaration; one of the same key is replaced.
    pub(super) fn add(&mut self, declared: D, handler: H) {
        if self.places.contains_key(declared.key()) {
            self.items.retain(|(other, _)| other.key() != declared.key());
            self.places = places(&self.items);
        }
        self.places.insert(declared.key().to_owned(), self.items.len());
        self.items.push((declared, handler));
        self.pages = OnceLock::new();
    }

    pub(super) fn set_page_size(&mut self, items: usize) {
        self.page_size = items.max(1);
        self.pages = OnceLock::new();
    }

    pub(super) fn is_empty(&self) -> bool {
        self.items.is_empty()
    }

    pub(super) fn find(&self, key: &str) -> Option<&(D, H)> {
        self.places.get(key).map(|place| &self.items[*place])
    }

    pub(super) fn iter(&self) -> impl Iterator<Item = &(D, H)> {
        self.items.iter()
    }

    /// The page that is asked for. A cursor is a page's number; clients cannot know that, and are not to make up any.
    pub(super) fn list(&self, params: &str) -> Result<Json, ErrorObject> {
        let params: ListParams<'_> = super::parse(params)?;
        let pages = self.pages.get_or_init(|| self.write());
        let page = match &params.cursor {
            None => pages.first(),
            Some(cursor) => cursor.parse().ok().and_then(|number: usize| pages.get(number)),
        };
        page.cloned().ok_or_else(|| {
            ErrorObject::invalid_params("the cursor is not one of ours: begin without one")
        })
    }

    fn write(&self) -> Vec<Json> {
        let last = self.items.len().saturating_sub(1) / self.page_size;
        let page = |number| {
            let page = Page { table: self, number, next: (number < last).then_some(number + 1) };
            Json::from_serialize(&page).unwrap_or_else(|_| Json::empty_object())
        };
        (0..=last).map(page).collect()
    }
}

fn places<D: Listed, H>(items: &[(D, H)]) -> BTreeMap<String, usize> {
    let keys = items.iter().map(|(declared, _)| declared.key().to_owned());
    keys.zip(0..).collect()
}

struct Page<'a, D, H> {
    table: &'a Table<D, H>,
    number: usize,
    next: Option<usize>,
}

impl<D: Listed, H> Serialize for Page<'_, D, H> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let size = self.table.page_size;
        let items = self.table.iter().skip(self.number * size).take(size);
        let items: Vec<&D> = items.map(|(declared, _)| declared).collect();
        let mut page = serializer.serialize_map(None)?;
        page.serialize_entry(D::MEMBER, &items)?;
        if let Some(next) = self.next {
            page.serialize_entry("nextCursor", &next.to_string())?;
        }
        page.end()
    }
}
