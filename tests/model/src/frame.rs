//! Framing, against splitting the whole input at once.

use crate::source::Source;
use mcp_wire_core::frame::{Decoder, Frame};
use std::num::NonZeroUsize;

const BYTE_ORDER_MARK: &[u8] = b"\xEF\xBB\xBF";

#[derive(Debug, PartialEq, Eq)]
enum Seen {
    Line(Vec<u8>),
    Oversize(Vec<u8>),
    Unterminated(Vec<u8>),
}

/// Cuts a stream in any way and compares the frames with those of the whole (F1 to F5, F7, F9, F10).
///
/// # Panics
///
/// Where they differ, or more is held than the limit allows.
pub fn frame(data: &[u8]) {
    let mut source = Source::new(data);
    let limit = NonZeroUsize::MIN.saturating_add(source.below(40));
    let step = source.below(9);
    let input = source.bytes(usize::MAX);

    let expected = naive(input, limit.get());
    assert_eq!(decoded([input].into_iter(), limit), expected, "in one piece");
    assert_eq!(decoded(input.chunks(1), limit), expected, "byte by byte");
    assert_eq!(decoded(input.chunks(step.max(1)), limit), expected, "in pieces of {step}");
    let (left, right) = input.split_at(step.min(input.len()));
    assert_eq!(decoded([left, &[], right].into_iter(), limit), expected, "cut at {step}");
}

fn decoded<'a>(chunks: impl Iterator<Item = &'a [u8]>, limit: NonZeroUsize) -> Vec<Seen> {
    let mut decoder = Decoder::new(limit);
    let mut seen = Vec::new();
    let mut see = |frame: Frame<'_>| {
        seen.push(match frame {
            Frame::Line(line) => Seen::Line(line.into_owned()),
            Frame::Oversize { head } => Seen::Oversize(head.into_owned()),
            Frame::Unterminated(line) => Seen::Unterminated(line.into_owned()),
            _ => unreachable!("a kind of frame that the model does not know"),
        });
    };
    for chunk in chunks {
        decoder.decode(chunk, &mut see);
        assert!(decoder.buffered() <= limit.get() + 4, "F7: nothing is held beyond the limit");
    }
    decoder.finish(&mut see);
    assert_eq!(decoder.buffered(), 0, "nothing is held after the end");
    seen
}

fn naive(input: &[u8], limit: usize) -> Vec<Seen> {
    let mut lines: Vec<&[u8]> = input.split(|byte| *byte == b'\n').collect();
    let rest = lines.pop().unwrap_or_default();
    let mut seen: Vec<Seen> =
        lines.into_iter().filter_map(|line| judged(line, limit, Seen::Line)).collect();
    seen.extend(judged(rest, limit, Seen::Unterminated));
    seen
}

fn judged(line: &[u8], limit: usize, fine: fn(Vec<u8>) -> Seen) -> Option<Seen> {
    let line = line.strip_suffix(b"\r").unwrap_or(line);
    let line = line.strip_prefix(BYTE_ORDER_MARK).unwrap_or(line);
    if line.len() > limit {
        Some(Seen::Oversize(line[..limit].to_vec()))
    } else if line.iter().all(|byte| b" \t\r".contains(byte)) {
        None
    } else {
        Some(fine(line.to_vec()))
    }
}
