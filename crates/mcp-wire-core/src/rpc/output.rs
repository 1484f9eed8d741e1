//! Output that is not written yet.

use super::encode::{self, Addressee};
use crate::message::{ErrorObject, Id, Json, write};
use bytes::Buf;
use std::collections::VecDeque;
use std::io::IoSlice;

#[cfg(test)]
mod tests;

/// From this size on a payload is kept by reference and written from where it is, in bytes.
const LARGE: usize = 32 << 10;

/// What most messages need around their payload, in bytes.
const HEAD: usize = 128;

/// A segment of small messages is closed at this size, in bytes, so that written ones free their memory.
const SEGMENT: usize = 64 << 10;

/// Output that is not written yet. Two faces over one queue: a byte stream, in which each message ends with LF, through
/// [`bytes::Buf`]; and whole messages, without it, through [`pop_message`](Self::pop_message).
///
/// A partial write needs no bookkeeping: [`advance`](Buf::advance) by what was written, and the rest comes next.
#[derive(Debug, Default)]
pub struct Output {
    segments: VecDeque<Segment>,
    /// How much of the first segment is written.
    at: usize,
    remaining: usize,
    written: u64,
    /// How many bytes are lent out.
    lent: usize,
}

/// Output that was [lent out](Output::lend) to be written.
#[derive(Debug, Default)]
pub struct Lent(Output);

#[derive(Debug)]
enum Segment {
    Small(Vec<u8>),
    /// Holds no LF.
    Large(Json),
}

impl Segment {
    fn bytes(&self) -> &[u8] {
        match self {
            Self::Small(bytes) => bytes,
            Self::Large(json) => json.as_str().as_bytes(),
        }
    }
}

/// A place between two messages, to go back to.
#[derive(Debug, Clone, Copy)]
pub(super) struct Mark {
    segments: usize,
    last: usize,
    remaining: usize,
}

impl Output {
    /// Appends a whole message, for those who write without a [`Connection`](super::Connection), and says how many bytes its
    /// line takes. It goes out on one line, whatever line breaks it has.
    pub fn push(&mut self, message: Json) -> usize {
        let mark = self.mark();
        self.append_around(|_| {}, message, b"\n");
        self.since(mark)
    }

    /// Appends an error that answers the request with this id, and says how many bytes its line takes.
    pub fn push_error(&mut self, id: &Id, error: ErrorObject) -> usize {
        let mark = self.mark();
        encode::reply(self, Addressee::Id(id), Err(error));
        self.since(mark)
    }

    /// Takes the next whole message, without LF, for transports that frame messages by themselves.
    ///
    /// Use either this or [`Buf`] on one connection, not both in turns: the rest of a message that was written in part would
    /// come as a message.
    pub fn pop_message(&mut self) -> Option<Vec<u8>> {
        let mut message = Vec::new();
        while self.remaining > 0 {
            let rest = self.chunk();
            let end = match self.segments.front() {
                Some(Segment::Small(_)) => memchr::memchr(b'\n', rest),
                _ => None,
            };
            message.extend_from_slice(&rest[..end.unwrap_or(rest.len())]);
            self.advance(end.map_or(rest.len(), |end| end + 1));
            if end.is_some() {
                return Some(message);
            }
        }
        None
    }

    /// Takes everything out, so that it can be written while the connection is free for others, behind a lock say. What is not
    /// written has to be given back with [`restore`](Self::restore), before anything else is lent. It counts as unwritten
    /// until then, but a request of ours in it can no longer be withdrawn.
    #[must_use = "what is lent has to be restored"]
    pub fn lend(&mut self) -> Lent {
        let lent = Self {
            segments: std::mem::take(&mut self.segments),
            at: std::mem::take(&mut self.at),
            remaining: std::mem::take(&mut self.remaining),
            ..Self::default()
        };
        self.written += lent.remaining as u64;
        self.lent = lent.remaining;
        Lent(lent)
    }

    /// Gives back what was lent: what is left of it goes in front of what has come since.
    pub fn restore(&mut self, Lent(mut lent): Lent) {
        // Forgotten meanwhile?
        let rest = lent.remaining.min(std::mem::take(&mut self.lent));
        if rest < lent.remaining {
            return;
        }
        self.written -= rest as u64;
        self.remaining += rest;
        if !self.segments.is_empty() {
            lent.segments.append(&mut self.segments);
        }
        (self.segments, self.at) = (lent.segments, lent.at);
        self.tidy();
    }

    /// How many bytes are not written yet, lent ones included.
    pub(super) fn unwritten(&self) -> usize {
        self.remaining + self.lent
    }

    /// Forgets everything: nobody will read it.
    pub(super) fn clear(&mut self) {
        self.written += self.remaining as u64;
        self.segments.clear();
        (self.at, self.remaining, self.lent) = (0, 0, 0);
    }

    /// From which byte on, counted from the first one ever, messages can still be taken out.
    pub(super) fn written(&self) -> u64 {
        self.written
    }

    /// How many bytes were written or forgotten so far.
    pub(super) fn progress(&self) -> u64 {
        self.written - self.lent as u64
    }

    /// Where the next message begins, counted from the first byte ever.
    pub(super) fn end(&self) -> u64 {
        self.written + self.remaining as u64
    }

    pub(super) fn append(&mut self, write: impl FnOnce(&mut Vec<u8>)) {
        let fits =
            |segment: &Segment| matches!(segment, Segment::Small(bytes) if bytes.len() < SEGMENT);
        if !self.segments.back().is_some_and(fits) {
            self.segments.push_back(Segment::Small(Vec::new()));
        }
        if let Some(Segment::Small(bytes)) = self.segments.back_mut() {
            let before = bytes.len();
            write(bytes);
            self.remaining += bytes.len() - before;
        }
    }

    /// Appends a payload without its line breaks, and what stands around it. A large payload that has none is not copied.
    pub(super) fn append_around(
        &mut self,
        head: impl FnOnce(&mut Vec<u8>),
        json: Json,
        tail: &[u8],
    ) {
        let text = json.as_str().as_bytes();
        if text.len() < LARGE {
            return self.append(|out| {
                out.reserve(HEAD + text.len() + tail.len());
                head(out);
                write::raw(out, text);
                out.extend_from_slice(tail);
            });
        }
        self.append(head);
        if write::needs_care(text) {
            self.append(|out| write::raw(out, text));
            // The next message begins a segment of its own, so that this one can be freed once it is written.
            self.segments.push_back(Segment::Small(Vec::new()));
        } else {
            self.remaining += text.len();
            self.segments.push_back(Segment::Large(json));
        }
        self.append(|out| out.extend_from_slice(tail));
    }

    pub(super) fn mark(&self) -> Mark {
        Mark {
            segments: self.segments.len(),
            last: self.segments.back().map_or(0, |segment| segment.bytes().len()),
            remaining: self.remaining,
        }
    }

    /// How many bytes were appended since.
    pub(super) fn since(&self, mark: Mark) -> usize {
        self.remaining - mark.remaining
    }

    /// Takes back what was appended since.
    pub(super) fn roll_back(&mut self, mark: Mark) {
        self.segments.truncate(mark.segments);
        if let Some(Segment::Small(bytes)) = self.segments.back_mut() {
            bytes.truncate(mark.last);
        }
        self.remaining = mark.remaining;
    }

    /// Takes a message out again, of which nothing is written: `length` bytes from `start`, which counts like
    /// [`end`](Self::end).
    pub(super) fn remove(&mut self, start: u64, length: usize) {
        let Some(from) = start.checked_sub(self.written) else { return };
        let mut from = from as usize + self.at;
        let mut left = length.min(self.remaining);
        self.remaining -= left;
        for segment in &mut self.segments {
            let size = segment.bytes().len();
            if from >= size {
                from -= size;
                continue;
            }
            let here = left.min(size - from);
            match segment {
                Segment::Small(bytes) => drop(bytes.drain(from..from + here)),
                // A message is taken out whole, and so is the payload that belongs to it.
                Segment::Large(json) => *json = Json::trusted(String::new()),
            }
            (from, left) = (0, left - here);
            if left == 0 {
                break;
            }
        }
        self.tidy();
    }

    /// No written or empty segment is left in the way of `chunk`. Once everything is written, one small buffer is kept.
    fn tidy(&mut self) {
        if self.remaining == 0 {
            self.at = 0;
            self.segments.truncate(1);
            match self.segments.front_mut() {
                Some(Segment::Small(bytes)) if bytes.capacity() <= SEGMENT => bytes.clear(),
                _ => self.segments.clear(),
            }
        }
        while self.remaining > 0
            && self.segments.front().is_some_and(|first| first.bytes().len() == self.at)
        {
            self.at = 0;
            self.segments.pop_front();
        }
    }
}

impl Buf for Lent {
    fn remaining(&self) -> usize {
        self.0.remaining()
    }

    fn chunk(&self) -> &[u8] {
        self.0.chunk()
    }

    fn chunks_vectored<'a>(&'a self, slices: &mut [IoSlice<'a>]) -> usize {
        self.0.chunks_vectored(slices)
    }

    fn advance(&mut self, count: usize) {
        self.0.advance(count);
    }
}

impl Buf for Output {
    fn remaining(&self) -> usize {
        self.remaining
    }

    fn chunk(&self) -> &[u8] {
        self.segments.front().map_or(&[], |first| &first.bytes()[self.at..])
    }

    fn chunks_vectored<'a>(&'a self, slices: &mut [IoSlice<'a>]) -> usize {
        let mut filled = 0;
        let mut at = self.at;
        for segment in &self.segments {
            if filled == slices.len() {
                break;
            }
            let bytes = &segment.bytes()[std::mem::take(&mut at)..];
            if !bytes.is_empty() {
                slices[filled] = IoSlice::new(bytes);
                filled += 1;
            }
        }
        filled
    }

    /// Says that `count` bytes are written. More than there are count as all.
    fn advance(&mut self, count: usize) {
        let mut count = count.min(self.remaining);
        self.remaining -= count;
        self.written += count as u64;
        if self.remaining == 0 {
            return self.tidy();
        }
        while let Some(first) = self.segments.front() {
            let left = first.bytes().len() - self.at;
            if count < left {
                self.at += count;
                return;
            }
            count -= left;
            self.at += left;
            self.tidy();
        }
    }
}
