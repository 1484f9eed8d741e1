//! The client's ends of the streams. They never block for ever.

use super::deadline::{LIMIT, until_ready};
use rustix::event::PollFlags;
use rustix::fs::{OFlags, fcntl_getfl, fcntl_setfl};
use rustix::io::{Errno, read, write};
use serde_json::Value;
use std::io;
use std::os::fd::OwnedFd;
use std::time::Instant;

/// What a terminal takes for the end of input, at the start of a line.
const END_OF_TRANSMISSION: [u8; 1] = [4];

/// How input ends.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum HangUp {
    /// By closing it.
    Close,
    /// By a character, as somebody does who sits at a terminal.
    Type,
}

pub(crate) struct Peer {
    /// What the server reads. `None` once closed.
    input: Option<OwnedFd>,
    /// What the server writes. `None` once closed.
    output: Option<OwnedFd>,
    hang_up: HangUp,
    received: Vec<u8>,
    /// How much is read at once, in bytes.
    at_once: usize,
}

impl Peer {
    /// The open files have to be of the client alone, for they become non-blocking.
    pub(crate) fn new(input: OwnedFd, output: OwnedFd, hang_up: HangUp) -> Self {
        for end in [&input, &output] {
            fcntl_setfl(end, fcntl_getfl(end).unwrap() | OFlags::NONBLOCK).unwrap();
        }
        Self {
            input: Some(input),
            output: Some(output),
            hang_up,
            received: Vec::new(),
            at_once: 64 << 10,
        }
    }

    pub(crate) fn send(&mut self, message: &Value) {
        self.write(format!("{message}\n").as_bytes()).unwrap();
    }

    /// Writes all of it, as soon as there is room.
    pub(crate) fn write(&mut self, bytes: &[u8]) -> io::Result<()> {
        let mut left = bytes;
        let mut progress = Instant::now();
        while !left.is_empty() {
            match self.write_some(left)? {
                0 => {
                    // A terminal says that there is room also where there is none.
                    assert!(progress.elapsed() < LIMIT, "the server reads no more");
                    let input = self.input.as_ref().unwrap();
                    until_ready(input, PollFlags::OUT, "the server reads no more");
                }
                written => {
                    left = &left[written..];
                    progress = Instant::now();
                }
            }
        }
        Ok(())
    }

    /// Writes what there is room for, which may be nothing.
    pub(crate) fn write_some(&mut self, bytes: &[u8]) -> io::Result<usize> {
        match write(self.input.as_ref().unwrap(), bytes) {
            Err(Errno::AGAIN | Errno::INTR) => Ok(0),
            result => Ok(result?),
        }
    }

    /// The next message.
    #[track_caller]
    pub(crate) fn receive(&mut self) -> Value {
        self.receive_or_end().unwrap_or_else(|| panic!("the output ended"))
    }

    /// The next message, `None` at the end of output. What is no message fails the test.
    #[track_caller]
    pub(crate) fn receive_or_end(&mut self) -> Option<Value> {
        let line = self.line()?;
        Some(serde_json::from_str(&line).unwrap_or_else(|error| panic!("{error}: {line:?}")))
    }

    /// All that is left of the output, up to its end.
    #[track_caller]
    pub(crate) fn rest(&mut self) -> Vec<Value> {
        std::iter::from_fn(|| self.receive_or_end()).collect()
    }

    /// Reads at most so many bytes, as soon as there are any. `None` at the end of output.
    pub(crate) fn read(&mut self, limit: usize) -> Option<Vec<u8>> {
        let output = self.output.as_ref().unwrap();
        let mut bytes = vec![0; limit];
        loop {
            match read(output, &mut bytes) {
                // The latter is how a terminal ends.
                Ok(0) | Err(Errno::IO) => return None,
                Ok(count) => {
                    bytes.truncate(count);
                    return Some(bytes);
                }
                Err(Errno::AGAIN | Errno::INTR) => {
                    until_ready(output, PollFlags::IN, "the server writes nothing");
                }
                Err(error) => panic!("cannot read: {error}"),
            }
        }
    }

    /// Bytes that were read too early.
    pub(crate) fn put_back(&mut self, bytes: Vec<u8>) {
        assert!(self.received.is_empty());
        self.received = bytes;
    }

    /// Bytes that were read, and are no whole line.
    pub(crate) fn take_received(&mut self) -> Vec<u8> {
        std::mem::take(&mut self.received)
    }

    /// Reads until a text was seen, whatever is around it.
    pub(crate) fn until_read(&mut self, text: &str) {
        while !String::from_utf8_lossy(&self.received).contains(text) {
            let bytes = self.read(self.at_once);
            self.received.extend(bytes.unwrap_or_else(|| panic!("{text:?} never comes")));
        }
        self.received.clear();
    }

    /// From now on it takes many reads to get a large message.
    pub(crate) fn read_slowly(&mut self) {
        self.at_once = 1000;
    }

    pub(crate) fn hang_up(&mut self) {
        match self.hang_up {
            HangUp::Close => self.input = None,
            HangUp::Type => self.write(&END_OF_TRANSMISSION).unwrap(),
        }
    }

    /// Closes the server's output, whose other end is `theirs`.
    pub(crate) fn stop_listening(&mut self, theirs: &OwnedFd) {
        self.output = None;
        // A process that another test is just starting has all that this process has, until it becomes another program.
        until_ready(theirs, PollFlags::empty(), "somebody else listens");
    }

    /// What the server writes, for those who share the open file.
    pub(crate) fn output(&self) -> &OwnedFd {
        self.output.as_ref().unwrap()
    }

    /// What the server reads.
    pub(crate) fn input(&self) -> &OwnedFd {
        self.input.as_ref().unwrap()
    }

    /// A whole line, without its end. A part of one at the end of output fails the test.
    #[track_caller]
    fn line(&mut self) -> Option<String> {
        let mut searched = 0;
        loop {
            if let Some(at) = self.received[searched..].iter().position(|byte| *byte == b'\n') {
                let line: Vec<u8> = self.received.drain(..=searched + at).collect();
                // A terminal adds the carriage return.
                return Some(String::from_utf8(line).unwrap().trim_end().to_owned());
            }
            searched = self.received.len();
            match self.read(self.at_once) {
                Some(bytes) => self.received.extend(bytes),
                None => {
                    let left = String::from_utf8_lossy(&self.received);
                    assert!(left.is_empty(), "the output ended within a line: {left:?}");
                    return None;
                }
            }
        }
    }
}
