//! How long clients may keep what they have read.

use std::time::Duration;

/// Who may keep what a server has answered with.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
#[non_exhaustive]
pub enum CacheScope {
    /// Only the client that asked.
    #[default]
    Private,
    /// Anybody: the answer is the same for all.
    Public,
}

/// What clients are told about keeping lists and resources.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub(crate) struct CacheHints {
    pub(crate) ttl: Duration,
    pub(crate) scope: CacheScope,
}
