use super::*;

/// A frame without its lifetime.
#[derive(Debug, Clone, PartialEq, Eq)]
enum Seen {
    Line(Vec<u8>),
    Oversize(Vec<u8>),
    Unterminated(Vec<u8>),
}

fn line(text: &str) -> Seen {
    Seen::Line(text.as_bytes().to_vec())
}

fn seen(frame: Frame<'_>) -> Seen {
    match frame {
        Frame::Line(line) => Seen::Line(line.into_owned()),
        Frame::Oversize { head } => Seen::Oversize(head.into_owned()),
        Frame::Unterminated(line) => Seen::Unterminated(line.into_owned()),
    }
}

fn decode<'a>(max_frame: usize, chunks: impl IntoIterator<Item = &'a [u8]>) -> Vec<Seen> {
    let mut decoder = Decoder::new(NonZeroUsize::new(max_frame).expect("a limit above zero"));
    let mut frames = Vec::new();
    for chunk in chunks {
        decoder.decode(chunk, |frame| frames.push(seen(frame)));
    }
    decoder.finish(|frame| frames.push(seen(frame)));
    assert_eq!(decoder.buffered(), 0, "nothing is held after the end");
    frames
}

/// Decodes whole, byte by byte, and cut in two at every position, and demands the same each time.
fn check(max_frame: usize, input: &[u8], expected: &[Seen]) {
    assert_eq!(decode(max_frame, [input]), expected, "in one piece");
    assert_eq!(decode(max_frame, input.chunks(1)), expected, "byte by byte");
    for cut in 0..=input.len() {
        let (left, right) = input.split_at(cut);
        assert_eq!(decode(max_frame, [left, &[], right]), expected, "cut at {cut}");
    }
}

/// F1: only 0x0A ends a line; other line breaks of Unicode and a lone CR are content.
#[test]
fn only_line_feed_ends_a_line() {
    check(
        99,
        b"a\xE2\x80\xA8b\xE2\x80\xA9c\xC2\x85d\re\x0B\x0Cf\ng\n",
        &[line("a\u{2028}b\u{2029}c\u{85}d\re\x0B\x0Cf"), line("g")],
    );
}

/// F2: a CR before LF is no content, and blank lines are skipped.
#[test]
fn carriage_returns_and_blank_lines_are_skipped() {
    check(99, b"a\r\n\n\r\n \t \r\n\r\r\nb\n", &[line("a"), line("b")]);
}

/// F3: a byte order mark at a line's start is skipped, elsewhere it is content; one alone is a blank line.
#[test]
fn byte_order_mark_is_skipped_at_a_lines_start() {
    check(
        99,
        b"\xEF\xBB\xBFa\n\xEF\xBB\xBF\nb\xEF\xBB\xBF\n\xEF\xBB\n",
        &[line("a"), line("b\u{FEFF}"), Seen::Line(b"\xEF\xBB".to_vec())],
    );
}

/// F5: complete lines come out in order, and those behind a fault need no further input.
#[test]
fn lines_behind_a_fault_need_no_further_input() {
    let mut decoder = Decoder::new(NonZeroUsize::new(3).expect("not zero"));
    let mut frames = Vec::new();
    decoder.decode(b"a\nbbbb\nc\n", |frame| frames.push(seen(frame)));
    assert_eq!(frames, [line("a"), Seen::Oversize(b"bbb".to_vec()), line("c")]);
}

/// F7: exactly at the limit passes, with CR and with a byte order mark too; one past it is one fault.
#[test]
fn the_limit_counts_content_alone() {
    check(3, b"abc\n", &[line("abc")]);
    check(3, b"abc\r\n", &[line("abc")]);
    check(3, b"\xEF\xBB\xBFabc\r\n", &[line("abc")]);
    check(3, b"abcd\nx\n", &[Seen::Oversize(b"abc".to_vec()), line("x")]);
    check(3, b"abc\r\r\nx\n", &[Seen::Oversize(b"abc".to_vec()), line("x")]);
    check(3, b"abc\rdefghijk\nx\n", &[Seen::Oversize(b"abc".to_vec()), line("x")]);
    check(3, b"\xEF\xBB\xBFabcdefg\nx\n", &[Seen::Oversize(b"abc".to_vec()), line("x")]);
    check(
        1,
        b"a\nbb\n\xEF\xBB\xBFc\n\xEF\xBB\n",
        &[line("a"), Seen::Oversize(b"b".to_vec()), line("c"), Seen::Oversize(b"\xEF".to_vec())],
    );
}

/// F7: past the limit nothing more is stored, however much comes.
#[test]
fn an_endless_line_is_not_stored() {
    let mut decoder = Decoder::new(NonZeroUsize::new(1 << 10).expect("not zero"));
    let mut faults = 0;
    for _ in 0..1024 {
        decoder.decode(&[b'A'; 1 << 10], |frame| {
            assert!(matches!(frame, Frame::Oversize { .. }));
            faults += 1;
        });
        assert!(decoder.held.capacity() <= (1 << 10) + 4);
    }
    assert_eq!((faults, decoder.buffered()), (1, 0));
    let mut frames = Vec::new();
    decoder.decode(b"AAA\nnext\n", |frame| frames.push(seen(frame)));
    assert_eq!(frames, [line("next")]);
}

/// F8: once a large line is complete the decoder holds no memory for it.
#[test]
fn the_buffer_leaves_with_its_line() {
    let mut decoder = Decoder::default();
    decoder.decode(&[b'x'; 1 << 20], |_| panic!("the line is not complete"));
    let mut lengths = Vec::new();
    decoder.decode(b"\n", |frame| {
        let Frame::Line(Cow::Owned(line)) = frame else { panic!("an assembled line is moved") };
        lengths.push(line.len());
    });
    assert_eq!((lengths, decoder.held.capacity()), (vec![1 << 20], 0));
}

/// F9: the frame layer tells an unterminated last line apart; a blank rest is nothing.
#[test]
fn the_last_line_may_lack_its_end() {
    check(9, b"a\nb", &[line("a"), Seen::Unterminated(b"b".to_vec())]);
    check(9, b"a\nb\r", &[line("a"), Seen::Unterminated(b"b".to_vec())]);
    check(9, b"a\n \t\r", &[line("a")]);
    check(2, b"abcdef", &[Seen::Oversize(b"ab".to_vec())]);
}

/// F10: an empty chunk is a no-op.
#[test]
fn an_empty_chunk_does_nothing() {
    let mut decoder = Decoder::default();
    for _ in 0..1000 {
        decoder.decode(b"", |_| panic!("no frame in nothing"));
    }
    decoder.decode(b"ab", |_| panic!("not complete"));
    decoder.decode(b"", |_| panic!("no frame in nothing"));
    assert_eq!(decoder.buffered(), 2);
}

proptest::proptest! {
    /// F4, F6: any bytes, cut anywhere, give the same frames.
    #[test]
    fn chunk_borders_carry_no_meaning(
        bytes in proptest::collection::vec(
            proptest::sample::select(b"ab\n\n\r \xEF\xBB\xBF".to_vec()), 0..64),
        cuts in proptest::collection::vec(0_usize..64, 0..8),
        max_frame in 1_usize..8,
    ) {
        let mut cuts: Vec<usize> = cuts.into_iter().map(|cut| cut.min(bytes.len())).collect();
        cuts.sort_unstable();
        let mut chunks = Vec::new();
        let mut start = 0;
        for cut in cuts {
            chunks.push(&bytes[start..cut]);
            start = cut;
        }
        chunks.push(&bytes[start..]);
        proptest::prop_assert_eq!(decode(max_frame, chunks), decode(max_frame, [&bytes[..]]));
    }
}
