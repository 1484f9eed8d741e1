//! Each test compares the two faces of the output with the lines that went in.

use super::*;

fn small(text: &str) -> impl FnOnce(&mut Vec<u8>) {
    let line = format!("{text}\n");
    move |out: &mut Vec<u8>| out.extend_from_slice(line.as_bytes())
}

/// A message around a payload of so many bytes, and its line.
fn append_around(output: &mut Output, size: usize) -> String {
    let payload = format!("\"{}\"", "x".repeat(size - 2));
    output.append(|out| out.extend_from_slice(b"<"));
    output.append_around(|_| {}, Json::new(payload.clone()).unwrap(), b"");
    output.append(|out| out.extend_from_slice(b">\n"));
    format!("<{payload}>\n")
}

fn glued(slices: &[IoSlice<'_>]) -> Vec<u8> {
    slices.iter().flat_map(|slice| slice.to_vec()).collect()
}

/// Writes at most so many bytes at once, which may reach over several segments.
fn read_in_steps(output: &mut Output, step: usize) -> Vec<u8> {
    let mut text = Vec::new();
    while output.has_remaining() {
        let mut slices = [IoSlice::new(&[]); 4];
        let filled = output.chunks_vectored(&mut slices);
        let before = text.len();
        for slice in &slices[..filled] {
            let room = step.saturating_sub(text.len() - before);
            text.extend_from_slice(&slice[..slice.len().min(room)]);
        }
        output.advance(text.len() - before);
    }
    text
}

fn read(output: &mut impl Buf) -> String {
    let mut text = Vec::new();
    while output.has_remaining() {
        let chunk = output.chunk();
        assert!(!chunk.is_empty(), "what remains can be read");
        text.extend_from_slice(chunk);
        output.advance(chunk.len());
    }
    String::from_utf8(text).unwrap()
}

/// B4: a partial write continues at the exact byte, however the writes are cut, also into large payloads.
#[test]
fn partial_writes_continue_at_the_exact_byte() {
    for step in [1, 2, 7, 1000, LARGE, LARGE + 1, 3 * LARGE, usize::MAX] {
        let mut output = Output::default();
        let mut expected = String::new();
        for size in [2, LARGE - 1, LARGE, 3, 2 * SEGMENT, LARGE, LARGE] {
            expected += &append_around(&mut output, size);
        }
        let written = read_in_steps(&mut output, step);
        assert!(written == expected.as_bytes(), "{step}");
        assert_eq!((output.progress(), output.unwritten()), (expected.len() as u64, 0));
        assert_eq!(output.chunk(), b"", "nothing of it comes again");
        output.append(small("next"));
        assert_eq!(read(&mut output), "next\n");
    }
}

/// B4: a vectored write gets the same bytes in the same order, with no empty slice.
#[test]
fn vectored_writes_get_the_same_bytes() {
    let mut output = Output::default();
    let mut expected = String::new();
    for size in [2, LARGE, 3, LARGE] {
        expected += &append_around(&mut output, size);
    }
    output.advance(1);
    let mut slices = [IoSlice::new(&[]); 16];
    let filled = output.chunks_vectored(&mut slices);
    assert!(slices[..filled].iter().all(|slice| !slice.is_empty()));
    assert!(glued(&slices[..filled]) == expected.as_bytes()[1..]);
    let mut few = [IoSlice::new(&[]); 2];
    assert_eq!(output.chunks_vectored(&mut few), 2);
    assert!(expected.as_bytes()[1..].starts_with(&glued(&few)));
}

/// P6, F12: transports that frame by themselves take whole messages, without LF.
#[test]
fn whole_messages_come_one_by_one() {
    let mut output = Output::default();
    let sizes = [2, LARGE, 3, 2 * SEGMENT, LARGE];
    let lines: Vec<String> = sizes.iter().map(|size| append_around(&mut output, *size)).collect();
    for line in lines {
        assert!(output.pop_message().as_deref() == line.strip_suffix('\n').map(str::as_bytes));
    }
    assert_eq!((output.pop_message(), output.remaining()), (None, 0));
}

/// F12: a payload loses its line breaks, whatever its size.
#[test]
fn payloads_lose_their_line_breaks() {
    for size in [1, LARGE, 2 * SEGMENT] {
        let mut output = Output::default();
        let payload = format!("[\"{}\",\r\n\"\u{2028}\"]", "x".repeat(size));
        output.append_around(|_| {}, Json::new(payload).unwrap(), b"");
        output.append(|out| out.push(b'\n'));
        let expected = format!("[\"{}\",\"\\u2028\"]\n", "x".repeat(size));
        assert!(read(&mut output) == expected);
    }
}

/// F8: memory follows what is unwritten: a written output keeps at most one segment.
#[test]
fn written_output_gives_its_memory_back() {
    let mut output = Output::default();
    for _ in 0..1000 {
        append_around(&mut output, LARGE - 1);
    }
    output.advance(output.remaining());
    let kept: usize = output
        .segments
        .iter()
        .map(|segment| match segment {
            Segment::Small(bytes) => bytes.capacity(),
            Segment::Large(json) => json.as_str().len(),
        })
        .sum();
    assert!(kept <= SEGMENT && output.segments.len() <= 1);
    for _ in 0..1000 {
        output.append(small("again"));
        assert_eq!(read(&mut output), "again\n");
        assert!(output.segments.len() <= 1);
    }
}

/// F8: what was written is freed although more comes all the time.
#[test]
fn a_busy_output_frees_what_is_written() {
    let mut output = Output::default();
    let line = "x".repeat(999);
    output.append(small(&line));
    for _ in 0..10_000 {
        output.append(small(&line));
        output.advance(1000);
        assert!(output.segments.len() <= 2);
    }
    assert_eq!(output.remaining(), 1000);
}

/// F13, F14: taking back an appended message leaves what was there before, in every state of the last segment.
#[test]
fn appended_messages_can_be_taken_back() {
    for before in [&[][..], &[2], &[LARGE], &[2, LARGE], &[2 * SEGMENT]] {
        for taken_back in [2, LARGE, 2 * SEGMENT] {
            let mut output = Output::default();
            let mut expected: String =
                before.iter().map(|size| append_around(&mut output, *size)).collect();
            output.advance(1.min(output.remaining()));
            let mark = output.mark();
            let line = append_around(&mut output, taken_back);
            assert_eq!(output.since(mark), line.len());
            output.roll_back(mark);
            expected += &append_around(&mut output, 3);
            let skipped = usize::from(!before.is_empty());
            assert!(read(&mut output) == expected[skipped..], "{before:?} {taken_back}");
        }
    }
}

/// C6, F13: any message of which nothing is written can be taken out, and only that one goes.
#[test]
fn any_unwritten_message_can_be_taken_out() {
    let sizes = [2, LARGE, 3, 2 * SEGMENT, LARGE, 4];
    for removed in 0..sizes.len() {
        for written in [0, 1, 4] {
            let mut output = Output::default();
            let mut lines = Vec::new();
            let mut starts = Vec::new();
            for size in sizes {
                starts.push(output.end());
                lines.push(append_around(&mut output, size));
            }
            let mut text = lines.concat()[..written].to_owned();
            output.advance(written);
            if starts[removed] >= output.written() {
                output.remove(starts[removed], lines[removed].len());
                lines.remove(removed);
            }
            assert_eq!(output.remaining(), lines.concat().len() - written);
            text += &read(&mut output);
            assert!(text == lines.concat(), "{removed} {written}");
        }
    }
}

/// B4: what is lent counts as unwritten, and its rest comes before what was appended meanwhile.
#[test]
fn what_is_lent_comes_back_in_front() {
    for written in [0, 1, 5, 40, LARGE] {
        let mut output = Output::default();
        let mut expected = append_around(&mut output, 2) + &append_around(&mut output, LARGE);
        let all = expected.len();
        let mut lent = output.lend();
        assert_eq!((output.remaining(), output.unwritten(), output.progress()), (0, all, 0));
        output.append(small("meanwhile"));
        expected += "meanwhile\n";
        let mut text = vec![0; written];
        lent.copy_to_slice(&mut text);
        output.restore(lent);
        assert_eq!(
            (output.unwritten(), output.progress()),
            (expected.len() - written, written as u64)
        );
        let text = String::from_utf8(text).unwrap() + &read(&mut output);
        assert!(text == expected, "{written}");
    }
}

/// C6: a message behind what is lent can still be taken out, and is found again after that came back.
#[test]
fn messages_behind_what_is_lent_can_be_taken_out() {
    let mut output = Output::default();
    output.append(small("lent"));
    let lent = output.lend();
    assert_eq!(output.written(), 5, "nothing of it can be taken out");
    let start = output.end();
    output.append(small("out"));
    output.append(small("stays"));
    output.remove(start, 4);
    output.restore(lent);
    assert_eq!(read(&mut output), "lent\nstays\n");
}

/// X2: what was forgotten while it was lent does not come back.
#[test]
fn forgotten_output_does_not_come_back() {
    for written in [0, 3, 5] {
        let mut output = Output::default();
        output.append(small("lent"));
        let mut lent = output.lend();
        lent.advance(written);
        output.clear();
        output.restore(lent);
        assert_eq!((output.unwritten(), output.remaining(), output.pop_message()), (0, 0, None));
    }
}

/// More than there is counts as all.
#[test]
fn advancing_too_far_is_all() {
    let mut output = Output::default();
    output.append(small("a"));
    output.advance(1000);
    output.advance(1000);
    assert_eq!((output.remaining(), output.progress(), output.chunk()), (0, 2, &b""[..]));
}

/// F12: what is pushed from outside of a connection is one line as well, and its size is told.
#[test]
fn pushed_messages_are_lines() {
    let mut output = Output::default();
    let large = format!("[\"{}\"]", "x".repeat(LARGE));
    let sizes = [
        output.push(Json::new("{\n\"a\": \"\u{2028}\"\r\n}").unwrap()),
        output.push(Json::new(large.clone()).unwrap()),
        output.push_error(&Id::text("7"), ErrorObject::server_busy("m")),
    ];
    let lines = [
        "{\"a\": \"\\u2028\"}\n".to_owned(),
        format!("{large}\n"),
        "{\"jsonrpc\":\"2.0\",\"id\":\"7\",\"error\":{\"code\":-32603,\"message\":\"server busy\",\
         \"data\":{\"error\":\"server_busy\",\"method\":\"m\"}}}\n"
            .to_owned(),
    ];
    assert_eq!(sizes, lines.each_ref().map(String::len));
    assert_eq!(read(&mut output), lines.concat());
}
