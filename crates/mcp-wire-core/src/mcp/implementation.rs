//! Who a program is.

use serde::{Deserialize, Serialize};

/// Who a program is.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[non_exhaustive]
pub struct Implementation {
    /// Its name for programs.
    pub name: String,
    /// Its name for people.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub title: Option<String>,
    /// Its version.
    pub version: String,
}

impl Implementation {
    /// A program without a name for people.
    #[must_use]
    pub fn new(name: impl Into<String>, version: impl Into<String>) -> Self {
        Self { name: name.into(), title: None, version: version.into() }
    }
}
