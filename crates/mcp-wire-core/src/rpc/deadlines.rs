//! When which wait ends.

use super::Token;
use std::cmp::Reverse;
use std::collections::BinaryHeap;
use std::time::Instant;

/// What waits.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Waiting {
    /// A call of ours, by its number.
    Call(i64),
    /// A request of the peer that a handler runs for.
    Request(Token),
}

/// A heap of deadlines. What is over before its time stays in it until then, or until there are too many of those.
#[derive(Debug, Default)]
pub(super) struct Deadlines(BinaryHeap<Reverse<Deadline>>);

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct Deadline {
    at: Instant,
    waiting: Waiting,
}

impl Ord for Deadline {
    fn cmp(&self, other: &Self) -> std::cmp::Ordering {
        self.at.cmp(&other.at)
    }
}

impl PartialOrd for Deadline {
    fn partial_cmp(&self, other: &Self) -> Option<std::cmp::Ordering> {
        Some(self.cmp(other))
    }
}

impl Deadlines {
    pub(super) fn add(&mut self, at: Instant, waiting: Waiting) {
        self.0.push(Reverse(Deadline { at, waiting }));
    }

    /// The earliest, which may be one that is over already.
    pub(super) fn earliest(&self) -> Option<Instant> {
        self.0.peek().map(|deadline| deadline.0.at)
    }

    /// Takes one that is due.
    pub(super) fn pop_due(&mut self, now: Instant) -> Option<(Instant, Waiting)> {
        if self.earliest()? > now {
            return None;
        }
        self.0.pop().map(|deadline| (deadline.0.at, deadline.0.waiting))
    }

    /// Forgets what is over, once that is most of it: `live` waits are not.
    pub(super) fn compact(&mut self, live: usize, is_live: impl Fn(Instant, Waiting) -> bool) {
        if self.0.len() > 64 + 2 * live {
            self.0.retain(|deadline| is_live(deadline.0.at, deadline.0.waiting));
        }
    }

    #[cfg(test)]
    pub(super) fn len(&self) -> usize {
        self.0.len()
    }

    pub(super) fn clear(&mut self) {
        self.0.clear();
    }
}
