//! Names of requests.

use std::fmt;

/// Names one request of the peer, once: by connection, slot and generation.
///
/// A request is answered through its token, not by its id, so that a wrong, late or second answer cannot be written by
/// mistake: a token that is used up, or belongs to another connection, is [`Gone`].
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct Token {
    pub(super) connection: u64,
    pub(super) slot: u32,
    pub(super) generation: u32,
}

impl Token {
    /// A small number that no other request in flight on this connection has: an index for tables beside it.
    #[must_use]
    pub fn slot(self) -> usize {
        self.slot as usize
    }
}

/// Names one request of ours.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Call(pub(super) i64);

impl Call {
    /// Its id on the wire, and its progress token. They are counted from 1.
    #[must_use]
    pub fn number(self) -> i64 {
        self.0
    }
}

/// The request is answered, cancelled, or was never here.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Gone;

impl fmt::Display for Gone {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str("the request is answered or cancelled already, so nothing was done")
    }
}

impl std::error::Error for Gone {}
