//! From bytes to messages.

use mcp_wire_core::frame::{Decoder, Frame};
use mcp_wire_core::message::{Message, Rules};
use std::hint::black_box;
use workload::{Measurement, Setting, Stream};

/// The least that anything can cost: a search for line ends.
pub(crate) const NEWLINES: Measurement = Measurement {
    name: "newlines",
    prepare: |setting| {
        Box::new(move || {
            setting.stream.pieces().map(|piece| memchr::memchr_iter(b'\n', piece).count()).sum()
        })
    },
};

/// Framing, scanning, and saying what each line is.
pub(crate) const READ: Measurement = Measurement {
    name: "read",
    prepare: |setting| {
        let Setting { warm_up, stream, .. } = setting;
        let mut decoder = Decoder::default();
        let rules = Rules::default();
        read(&mut decoder, &rules, &warm_up);
        Box::new(move || read(&mut decoder, &rules, &stream))
    },
};

fn read(decoder: &mut Decoder, rules: &Rules, stream: &Stream) -> usize {
    let mut messages = 0;
    for piece in stream.pieces() {
        decoder.decode(piece, |frame| {
            if let Frame::Line(line) = frame
                && let Ok(message) = black_box(Message::read(line, rules))
            {
                messages += 1;
                drop(message);
            }
        });
    }
    messages
}
