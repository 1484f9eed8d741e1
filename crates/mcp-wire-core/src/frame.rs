//! Newline framing: a byte stream in, lines out. Knows bytes, not JSON.
//!
//! Only the byte 0x0A ends a line. A byte order mark at a line's start and one CR before its end are not part of it, and
//! lines of nothing but spaces, tabs and CR are skipped. How the stream was cut into chunks makes no difference.

use std::borrow::Cow;
use std::num::NonZeroUsize;

#[cfg(test)]
mod tests;

/// The default limit of a line, in bytes: 16 MiB.
pub const DEFAULT_MAX_FRAME: NonZeroUsize =
    NonZeroUsize::new(16 << 20).expect("16 MiB is not zero");

const BYTE_ORDER_MARK: &[u8] = b"\xEF\xBB\xBF";

/// What a stretch of the stream turned out to be.
///
/// `Owned` where the line had to be put together from several chunks: it can be moved on without a copy.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub enum Frame<'a> {
    /// A line, without its end.
    Line(Cow<'a, [u8]>),
    /// A line past the limit. `head` is what was kept of it, as many bytes as the limit; the rest is discarded.
    Oversize {
        /// The line's beginning.
        head: Cow<'a, [u8]>,
    },
    /// The last line of the stream, which lacks its end.
    Unterminated(Cow<'a, [u8]>),
}

impl Frame<'_> {
    /// What there is of the line.
    #[must_use]
    pub fn bytes(&self) -> &[u8] {
        match self {
            Self::Line(line) | Self::Oversize { head: line } | Self::Unterminated(line) => line,
        }
    }

    /// The same for longer than the chunk that it lies in.
    #[must_use]
    pub fn into_owned(self) -> Frame<'static> {
        let owned = |line: Cow<'_, [u8]>| Cow::Owned(line.into_owned());
        match self {
            Self::Line(line) => Frame::Line(owned(line)),
            Self::Oversize { head } => Frame::Oversize { head: owned(head) },
            Self::Unterminated(line) => Frame::Unterminated(owned(line)),
        }
    }
}

/// Cuts a byte stream into lines.
///
/// It holds at most one unfinished line, of at most the limit plus four bytes (a byte order mark and a CR), and nothing
/// once that line is complete. The work is linear in the bytes received, whatever the size of the chunks.
#[derive(Debug)]
pub struct Decoder {
    max_frame: usize,
    held: Vec<u8>,
    discarding: bool,
}

impl Default for Decoder {
    fn default() -> Self {
        Self::new(DEFAULT_MAX_FRAME)
    }
}

impl Decoder {
    /// A decoder for lines of at most `max_frame` bytes, counted without line end and byte order mark.
    #[must_use]
    pub fn new(max_frame: NonZeroUsize) -> Self {
        Self { max_frame: max_frame.get(), held: Vec::new(), discarding: false }
    }

    /// Takes the next chunk and gives every line that it completes to `on_frame`, in order. An empty chunk does nothing.
    pub fn decode(&mut self, mut chunk: &[u8], mut on_frame: impl FnMut(Frame<'_>)) {
        while let Some(end) = memchr::memchr(b'\n', chunk) {
            let line = &chunk[..end];
            chunk = &chunk[end + 1..];
            if std::mem::take(&mut self.discarding) {
                continue;
            }
            if self.held.is_empty() {
                self.whole(line, &mut on_frame);
            } else if self.hold(line) {
                on_frame(self.oversize());
            } else {
                self.release(Frame::Line, &mut on_frame);
            }
        }
        if !self.discarding && self.hold(chunk) {
            self.discarding = true;
            on_frame(self.oversize());
        }
    }

    /// Says that the stream has ended, and gives what is left of it, if anything, to `on_frame`.
    pub fn finish(&mut self, mut on_frame: impl FnMut(Frame<'_>)) {
        self.discarding = false;
        self.release(Frame::Unterminated, &mut on_frame);
    }

    /// Ignores what comes, up to the end of the line: for a stream that is in the middle of one.
    pub fn skip_line(&mut self) {
        self.held = Vec::new();
        self.discarding = true;
    }

    /// How many bytes of an unfinished line are held.
    #[must_use]
    pub fn buffered(&self) -> usize {
        self.held.len()
    }

    /// A line that lies in one chunk: nothing is copied.
    fn whole(&self, line: &[u8], on_frame: &mut impl FnMut(Frame<'_>)) {
        let line = content(line);
        if line.len() > self.max_frame {
            on_frame(Frame::Oversize { head: Cow::Borrowed(&line[..self.max_frame]) });
        } else if !is_blank(line) {
            on_frame(Frame::Line(Cow::Borrowed(line)));
        }
    }

    /// Keeps a part of an unfinished line. True once the line is past the limit for certain: a CR that stands right behind
    /// the limit may still turn out to belong to the line's end, and a short line to be half a byte order mark.
    fn hold(&mut self, mut part: &[u8]) -> bool {
        if part.is_empty() {
            return false;
        }
        let missing = BYTE_ORDER_MARK.len().saturating_sub(self.held.len()).min(part.len());
        self.held.extend_from_slice(&part[..missing]);
        part = &part[missing..];
        if self.held.len() < BYTE_ORDER_MARK.len() && BYTE_ORDER_MARK.starts_with(&self.held) {
            return false;
        }
        let mark = if self.held.starts_with(BYTE_ORDER_MARK) { BYTE_ORDER_MARK.len() } else { 0 };
        let most = self.max_frame.saturating_add(mark + 1);
        let room = most.saturating_sub(self.held.len());
        self.append(&part[..part.len().min(room)], most);
        part.len() > room
            || self.held.len() > most
            || (self.held.len() == most && self.held.last() != Some(&b'\r'))
    }

    /// Grows by doubling, but never past what a line may need.
    fn append(&mut self, part: &[u8], most: usize) {
        let needed = self.held.len() + part.len();
        if needed > self.held.capacity() {
            let capacity = needed.max(self.held.capacity().saturating_mul(2).min(most));
            self.held.reserve_exact(capacity - self.held.len());
        }
        self.held.extend_from_slice(part);
    }

    fn oversize(&mut self) -> Frame<'static> {
        let mut head = std::mem::take(&mut self.held);
        strip_mark(&mut head);
        head.truncate(self.max_frame);
        Frame::Oversize { head: Cow::Owned(head) }
    }

    /// The held line leaves together with its buffer, so that memory follows what is in flight.
    fn release(
        &mut self,
        frame: fn(Cow<'static, [u8]>) -> Frame<'static>,
        on_frame: &mut impl FnMut(Frame<'_>),
    ) {
        if self.held.last() == Some(&b'\r') {
            self.held.pop();
        }
        strip_mark(&mut self.held);
        if self.held.len() > self.max_frame {
            on_frame(self.oversize());
        } else if is_blank(&self.held) {
            self.held = Vec::new();
        } else {
            on_frame(frame(Cow::Owned(std::mem::take(&mut self.held))));
        }
    }
}

fn content(line: &[u8]) -> &[u8] {
    let line = line.strip_suffix(b"\r").unwrap_or(line);
    line.strip_prefix(BYTE_ORDER_MARK).unwrap_or(line)
}

fn strip_mark(line: &mut Vec<u8>) {
    if line.starts_with(BYTE_ORDER_MARK) {
        line.drain(..BYTE_ORDER_MARK.len());
    }
}

fn is_blank(line: &[u8]) -> bool {
    line.iter().all(|byte| matches!(byte, b' ' | b'\t' | b'\r'))
}
