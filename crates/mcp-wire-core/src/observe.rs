//! Seeing the raw messages of a connection in both directions, without being in their way.

#[cfg(test)]
mod tests;

use crate::frame::{Decoder, Frame};
use std::collections::VecDeque;
use std::num::NonZeroUsize;

/// Which way a message went.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Direction {
    /// From the peer.
    Received,
    /// To the peer.
    Sent,
}

/// What an observer sees.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub enum Observed {
    /// So many messages were not kept, since nobody took those before them.
    Lagged(usize),
    /// A line, whole, as it went over the stream; whether it is a message or not.
    Line(Direction, Vec<u8>),
    /// A line that is longer than the limit, of which only the beginning is kept.
    Oversize(Direction, Vec<u8>),
}

/// A window on the messages of one connection: bytes go in as they are read and written, lines come out.
///
/// It keeps a bounded amount, and counts what it could not keep.
#[derive(Debug)]
pub struct Observer {
    received: Decoder,
    sent: Decoder,
    queue: VecDeque<Observed>,
    bytes: usize,
    lagged: usize,
    max_lines: usize,
    max_bytes: usize,
}

impl Observer {
    /// An observer of lines of at most `max_frame` bytes, which keeps at most `max_lines` untaken ones, of at most
    /// `max_bytes` together.
    #[must_use]
    pub fn new(max_frame: NonZeroUsize, max_lines: usize, max_bytes: usize) -> Self {
        Self {
            received: Decoder::new(max_frame),
            sent: Decoder::new(max_frame),
            queue: VecDeque::new(),
            bytes: 0,
            lagged: 0,
            max_lines,
            max_bytes,
        }
    }

    /// Says that a stream is in the middle of a line, of which nothing is to be seen.
    pub fn skip_line(&mut self, direction: Direction) {
        self.decoder(direction).skip_line();
    }

    /// Takes bytes that went over the stream.
    pub fn record(&mut self, direction: Direction, bytes: &[u8]) {
        let mut seen = Vec::new();
        self.decoder(direction).decode(bytes, |frame| seen.push(observed(direction, frame)));
        for observed in seen {
            self.keep(observed);
        }
    }

    /// Takes the next of what was seen.
    pub fn poll(&mut self) -> Option<Observed> {
        let Some(observed) = self.queue.pop_front() else {
            return (self.lagged > 0).then(|| Observed::Lagged(std::mem::take(&mut self.lagged)));
        };
        self.bytes -= size(&observed);
        Some(observed)
    }

    fn decoder(&mut self, direction: Direction) -> &mut Decoder {
        match direction {
            Direction::Received => &mut self.received,
            Direction::Sent => &mut self.sent,
        }
    }

    /// Once something is dropped, nothing is kept until what came before it is taken: the gap is in one place.
    fn keep(&mut self, observed: Observed) {
        let fits =
            self.queue.len() < self.max_lines && self.bytes + size(&observed) <= self.max_bytes;
        if !fits || self.lagged > 0 && !self.queue.is_empty() {
            self.lagged += 1;
            return;
        }
        if self.lagged > 0 {
            self.queue.push_back(Observed::Lagged(std::mem::take(&mut self.lagged)));
        }
        self.bytes += size(&observed);
        self.queue.push_back(observed);
    }
}

fn observed(direction: Direction, frame: Frame<'_>) -> Observed {
    match frame {
        Frame::Oversize { head } => Observed::Oversize(direction, head.into_owned()),
        Frame::Line(line) | Frame::Unterminated(line) => {
            Observed::Line(direction, line.into_owned())
        }
    }
}

fn size(observed: &Observed) -> usize {
    match observed {
        Observed::Line(_, bytes) | Observed::Oversize(_, bytes) => bytes.len(),
        Observed::Lagged(_) => 0,
    }
}
