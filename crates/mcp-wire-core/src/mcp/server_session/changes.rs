//! Notifications of a change, which wait for the client to be ready, or to read, each once.

use crate::message::Json;
use crate::rpc::{SendError, Token};
use std::collections::VecDeque;

/// How many wait.
pub(super) const MAX_WAITING: usize = 1024;

/// How many bytes of them.
pub(super) const MAX_WAITING_BYTES: usize = 16 << 20;

#[derive(Debug, Default)]
pub(super) struct Changes {
    waiting: VecDeque<Change>,
    bytes: usize,
}

#[derive(Debug, PartialEq)]
pub(super) struct Change {
    /// The stream that it goes to; `None` is the connection as such.
    pub(super) stream: Option<Token>,
    pub(super) method: String,
    pub(super) params: Option<Json>,
    pub(super) size: usize,
}

impl Changes {
    /// Keeps one, unless the same waits already.
    pub(super) fn keep(&mut self, change: Change) -> Result<(), SendError> {
        if self.waiting.contains(&change) {
            return Ok(());
        }
        if self.waiting.len() >= MAX_WAITING || self.bytes + change.size > MAX_WAITING_BYTES {
            return Err(SendError::Full);
        }
        self.bytes += change.size;
        self.waiting.push_back(change);
        Ok(())
    }

    /// Takes the next one that may go.
    pub(super) fn take(&mut self, may_go: impl Fn(&Change) -> bool) -> Option<Change> {
        let at = self.waiting.iter().position(may_go)?;
        let change = self.waiting.remove(at)?;
        self.bytes -= change.size;
        Some(change)
    }

    /// The client has turned out to be one that is told on its streams alone.
    pub(super) fn keep_streams_alone(&mut self) {
        while self.take(|change| change.stream.is_none()).is_some() {}
    }

    /// A stream is over.
    pub(super) fn forget(&mut self, stream: Token) {
        while self.take(|change| change.stream == Some(stream)).is_some() {}
    }
}
