//! The messages that every measurement is made with, so that all of them measure the same: requests of a few shapes, and the
//! pieces in which a stream of them may arrive.

mod harness;
mod messages;
mod pieces;

pub use harness::{Measurement, Setting, measured, run};
pub use messages::{Shape, alphabet};
pub use pieces::Cut;

/// Messages as a stream, and where it is cut.
#[derive(Debug)]
pub struct Stream {
    bytes: Vec<u8>,
    cuts: Vec<usize>,
    messages: usize,
}

impl Stream {
    /// So many messages of a shape, in pieces. Ids count up from `first_id`.
    #[must_use]
    pub fn new(shape: Shape, cut: Cut, first_id: usize, messages: usize) -> Self {
        let mut bytes = Vec::new();
        for id in first_id..first_id + messages {
            shape.write(id, &mut bytes);
            bytes.push(b'\n');
        }
        let cuts = cut.lengths(bytes.len());
        Self { bytes, cuts, messages }
    }

    /// How many messages it is.
    #[must_use]
    pub fn messages(&self) -> usize {
        self.messages
    }

    /// The whole of it.
    #[must_use]
    pub fn bytes(&self) -> &[u8] {
        &self.bytes
    }

    /// The pieces in which it arrives.
    pub fn pieces(&self) -> impl Iterator<Item = &[u8]> {
        let mut rest = self.bytes.as_slice();
        self.cuts.iter().map(move |length| {
            let (piece, after) = rest.split_at(*length);
            rest = after;
            piece
        })
    }
}
