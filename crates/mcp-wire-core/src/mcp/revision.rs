//! The revisions of the specification, and the two eras that they belong to.

use std::fmt;
use std::str::FromStr;

/// A revision of the MCP specification, the oldest first.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[non_exhaustive]
pub enum Revision {
    /// 2024-11-05
    V2024_11_05,
    /// 2025-03-26, the only one with batches.
    V2025_03_26,
    /// 2025-06-18
    V2025_06_18,
    /// 2025-11-25
    V2025_11_25,
    /// 2026-07-28, the first without a handshake.
    V2026_07_28,
}

/// What a connection is opened by.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Era {
    /// A handshake opens the connection: revisions up to 2025-11-25.
    Legacy,
    /// Each request says by itself what it needs to: since 2026-07-28.
    Modern,
}

/// The eras that a server serves, or a client tries.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
#[non_exhaustive]
pub enum Eras {
    /// A server judges each request alone; a client finds out what its server speaks. The default.
    #[default]
    Both,
    /// Only revisions with a handshake.
    Legacy,
    /// Only revisions without.
    Modern,
}

impl Revision {
    /// The latest one that a handshake opens.
    pub const LATEST_LEGACY: Self = Self::V2025_11_25;

    /// The latest one without a handshake.
    pub const LATEST_MODERN: Self = Self::V2026_07_28;

    /// All that a handshake opens, the oldest first.
    pub const LEGACY: [Self; 4] =
        [Self::V2024_11_05, Self::V2025_03_26, Self::V2025_06_18, Self::V2025_11_25];

    /// All without a handshake, the oldest first.
    pub const MODERN: [Self; 1] = [Self::V2026_07_28];

    /// Its name on the wire.
    #[must_use]
    pub fn as_str(self) -> &'static str {
        match self {
            Self::V2024_11_05 => "2024-11-05",
            Self::V2025_03_26 => "2025-03-26",
            Self::V2025_06_18 => "2025-06-18",
            Self::V2025_11_25 => "2025-11-25",
            Self::V2026_07_28 => "2026-07-28",
        }
    }

    /// The era that it belongs to.
    #[must_use]
    pub fn era(self) -> Era {
        if self < Self::V2026_07_28 { Era::Legacy } else { Era::Modern }
    }

    pub(super) fn has_batches(self) -> bool {
        self == Self::V2025_03_26
    }

    /// A revision of one era, by its name.
    pub(super) fn of_era(name: &str, era: Era) -> Option<Self> {
        name.parse().ok().filter(|revision: &Self| revision.era() == era)
    }

    /// The names of those without a handshake.
    pub(super) fn modern_names() -> Vec<&'static str> {
        Self::MODERN.into_iter().map(Self::as_str).collect()
    }
}

/// Does a name, of a revision that may be unknown here, belong to the modern era? They are dates, and sort as such.
pub(super) fn is_modern_name(name: &str) -> bool {
    let is_date =
        name.len() == 10 && name.bytes().all(|byte| byte.is_ascii_digit() || byte == b'-');
    is_date && name >= Revision::V2026_07_28.as_str()
}

impl fmt::Display for Revision {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str(self.as_str())
    }
}

impl FromStr for Revision {
    type Err = UnknownRevision;

    fn from_str(text: &str) -> Result<Self, UnknownRevision> {
        let all = Self::LEGACY.into_iter().chain(Self::MODERN);
        all.into_iter().find(|revision| revision.as_str() == text).ok_or(UnknownRevision)
    }
}

/// No revision that is supported has this name.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub struct UnknownRevision;

impl fmt::Display for UnknownRevision {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str("the revision is not supported: use one from 2024-11-05 to 2026-07-28")
    }
}

impl std::error::Error for UnknownRevision {}
