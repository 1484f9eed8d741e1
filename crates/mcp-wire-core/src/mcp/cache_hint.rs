//! How long a result may be kept.

use std::time::Duration;

/// How long a client may keep what a server lists and reads, and for whom (revision 2026-07-28, server/utilities/caching).
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
#[non_exhaustive]
pub struct CacheHint {
    /// How long, in whole milliseconds. Default: not at all.
    pub ttl: Duration,
    /// For whom. Default: for this user alone.
    pub scope: CacheScope,
}

/// Whom a kept result may be shown to.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
#[non_exhaustive]
pub enum CacheScope {
    /// Nobody but the user that it was made for.
    #[default]
    Private,
    /// Everybody.
    Public,
}

impl CacheHint {
    /// A hint.
    #[must_use]
    pub fn new(ttl: Duration, scope: CacheScope) -> Self {
        Self { ttl, scope }
    }

    /// The greatest number that every JSON reader holds exactly is enough.
    pub(super) fn milliseconds(self) -> u128 {
        self.ttl.as_millis().min(1 << 53)
    }
}

impl CacheScope {
    /// Its name on the wire.
    #[must_use]
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Private => "private",
            Self::Public => "public",
        }
    }
}
