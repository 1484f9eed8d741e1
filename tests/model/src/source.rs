//! Arbitrary bytes, read as choices.

use std::time::Duration;

/// Bytes that decide what happens next. Once they are used up every choice is the first one.
#[derive(Debug)]
pub(crate) struct Source<'a>(&'a [u8]);

impl<'a> Source<'a> {
    pub(crate) fn new(bytes: &'a [u8]) -> Self {
        Self(bytes)
    }

    pub(crate) fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    pub(crate) fn byte(&mut self) -> u8 {
        self.bytes(1).first().copied().unwrap_or_default()
    }

    /// A number below `end`, which is at most 256.
    pub(crate) fn below(&mut self, end: usize) -> usize {
        usize::from(self.byte()) % end.max(1)
    }

    pub(crate) fn coin(&mut self) -> bool {
        self.byte() & 1 == 1
    }

    pub(crate) fn pick<T: Copy>(&mut self, from: &[T]) -> T {
        from[self.below(from.len())]
    }

    /// At most `count` bytes: fewer where there are no more.
    pub(crate) fn bytes(&mut self, count: usize) -> &'a [u8] {
        let (taken, rest) = self.0.split_at(count.min(self.0.len()));
        self.0 = rest;
        taken
    }

    /// A stretch of bytes that says how long it is, in its first two bytes.
    pub(crate) fn stretch(&mut self) -> &'a [u8] {
        let length = usize::from(self.byte()) | usize::from(self.byte()) << 8;
        self.bytes(length)
    }

    pub(crate) fn milliseconds(&mut self) -> Duration {
        Duration::from_millis(self.pick(&[0, 1, 10, 100, 500, 1_000, 5_000, 60_000, 600_000]))
    }
}
