//! The progress of our calls.

use serde::Deserialize;
use std::collections::VecDeque;

/// How many untaken ones of a call are kept.
const MAX_UNTAKEN: usize = 64;

/// How long the messages of those may be together, in bytes.
const MAX_UNTAKEN_BYTES: usize = 1 << 20;

/// How far a call of ours is, as the peer tells it.
#[derive(Debug, Clone, PartialEq, Deserialize)]
#[non_exhaustive]
pub struct Progress {
    /// How far it is. It should rise, with `total` as its end where that is known.
    pub progress: f64,
    /// What there is to do in all.
    pub total: Option<f64>,
    /// What is being done, for people (since revision 2025-03-26).
    pub message: Option<String>,
}

/// Progress that was not taken yet. Where there is too much of it, the oldest goes: the latest says more.
#[derive(Debug, Default)]
pub(crate) struct Untaken {
    untaken: VecDeque<Progress>,
    bytes: usize,
}

impl Untaken {
    pub(crate) fn push(&mut self, progress: Progress) {
        self.bytes += size(&progress);
        self.untaken.push_back(progress);
        while self.untaken.len() > 1
            && (self.untaken.len() > MAX_UNTAKEN || self.bytes > MAX_UNTAKEN_BYTES)
        {
            self.pop();
        }
    }

    pub(crate) fn pop(&mut self) -> Option<Progress> {
        let progress = self.untaken.pop_front()?;
        self.bytes -= size(&progress);
        Some(progress)
    }
}

fn size(progress: &Progress) -> usize {
    progress.message.as_ref().map_or(0, String::len)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn progress(number: usize, message: &str) -> Progress {
        Progress { progress: number as f64, total: None, message: Some(message.to_owned()) }
    }

    /// Every buffer has a limit: here the latest is kept.
    #[test]
    fn the_oldest_go() {
        let mut untaken = Untaken::default();
        for number in 0..100 {
            untaken.push(progress(number, "step"));
        }
        let left: Vec<f64> = std::iter::from_fn(|| untaken.pop()).map(|it| it.progress).collect();
        assert_eq!(left, (36..100).map(f64::from).collect::<Vec<_>>());

        untaken.push(progress(1, "short"));
        untaken.push(progress(2, &"x".repeat(MAX_UNTAKEN_BYTES + 1)));
        assert_eq!(untaken.pop().map(|it| it.progress), Some(2.0));
        assert_eq!((untaken.pop(), untaken.bytes), (None, 0));
    }
}
