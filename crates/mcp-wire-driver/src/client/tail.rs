//! The end of a stream of bytes.

use std::collections::VecDeque;
use std::sync::Arc;

/// How much is kept, in bytes.
const KEPT: usize = 64 << 10;

/// The last 64 KiB of what was pushed.
#[derive(Debug, Default)]
pub(super) struct Tail(VecDeque<u8>);

impl Tail {
    pub(super) fn push(&mut self, bytes: &[u8]) {
        let bytes = &bytes[bytes.len().saturating_sub(KEPT)..];
        let surplus = (self.0.len() + bytes.len()).saturating_sub(KEPT);
        self.0.drain(..surplus);
        self.0.extend(bytes);
    }

    /// It as text. What is no UTF-8 is replaced, and a character that was cut at the beginning is left out.
    pub(super) fn text(&self) -> Arc<str> {
        let continues = |byte: &&u8| **byte & 0b1100_0000 == 0b1000_0000;
        let cut = if self.0.len() == KEPT {
            self.0.iter().take(3).take_while(continues).count()
        } else {
            0
        };
        let bytes: Vec<u8> = self.0.iter().skip(cut).copied().collect();
        String::from_utf8_lossy(&bytes).into()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// K5: the tail is bounded, and its beginning is whole.
    #[test]
    fn the_end_is_kept() {
        let mut tail = Tail::default();
        tail.push(b"short");
        assert_eq!(&*tail.text(), "short");
        tail.push("é".repeat(KEPT).as_bytes());
        tail.push(b"!");
        assert_eq!(tail.0.len(), KEPT);
        assert_eq!(&*tail.text(), format!("{}!", "é".repeat(KEPT / 2 - 1)));
        tail.push(b"\xff\n");
        assert!(tail.text().ends_with("!\u{fffd}\n"));
    }
}
