//! A stream of bytes, line by line.

use memchr::memchr;
use std::io::{self, Read};

#[cfg(test)]
mod tests;

const START: usize = 256 << 10;

/// Splits what a reader gives. Each time it is asked and has no line, it reads once.
#[derive(Debug)]
pub(crate) struct Lines<R> {
    reader: R,
    buffer: Vec<u8>,
    /// Where the next line begins.
    start: usize,
    /// Up to here there is no newline after `start`.
    scanned: usize,
    /// The end of what has been read.
    end: usize,
}

impl<R: Read> Lines<R> {
    pub(crate) fn new(reader: R) -> Self {
        Self { reader, buffer: vec![0; START], start: 0, scanned: 0, end: 0 }
    }

    /// The next line without its newline, or nothing at the end of the stream.
    pub(crate) fn next_line(&mut self) -> io::Result<Option<&[u8]>> {
        while !self.has_line() {
            if !self.fill()? {
                return Ok(None);
            }
        }
        Ok(self.take_line())
    }

    /// The next line, where it has been read already.
    pub(crate) fn take_line(&mut self) -> Option<&[u8]> {
        if !self.has_line() {
            return None;
        }
        let line = self.start..self.scanned;
        self.start = self.scanned + 1;
        self.scanned = self.start;
        Some(&self.buffer[line])
    }

    /// Reads once. False at the end of the stream.
    pub(crate) fn fill(&mut self) -> io::Result<bool> {
        self.make_room();
        let count = self.reader.read(&mut self.buffer[self.end..])?;
        self.end += count;
        Ok(count > 0)
    }

    /// Is there a whole line? Then `scanned` is the place of its newline.
    fn has_line(&mut self) -> bool {
        match memchr(b'\n', &self.buffer[self.scanned..self.end]) {
            Some(distance) => {
                self.scanned += distance;
                true
            }
            None => {
                self.scanned = self.end;
                false
            }
        }
    }

    fn make_room(&mut self) {
        if self.start == self.end {
            (self.start, self.scanned, self.end) = (0, 0, 0);
        } else if self.end == self.buffer.len() && self.start > 0 {
            self.buffer.copy_within(self.start..self.end, 0);
            self.end -= self.start;
            self.scanned -= self.start;
            self.start = 0;
        } else if self.end == self.buffer.len() {
            self.buffer.resize(self.buffer.len() * 2, 0);
        }
    }
}
