use super::*;

/// Gives a text in pieces of one length.
struct Pieces<'a>(&'a [u8], usize);

impl Read for Pieces<'_> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let count = self.1.min(self.0.len()).min(buffer.len());
        buffer[..count].copy_from_slice(&self.0[..count]);
        self.0 = &self.0[count..];
        Ok(count)
    }
}

#[test]
fn lines_survive_any_cut() {
    let text = b"one\n\ntwo two\nthree\nrest";
    for length in 1..=text.len() {
        let mut lines = Lines::new(Pieces(text, length));
        for expected in [&b"one"[..], b"", b"two two", b"three"] {
            assert_eq!(lines.next_line().unwrap(), Some(expected), "in pieces of {length}");
        }
        assert_eq!(lines.next_line().unwrap(), None, "in pieces of {length}");
    }
}

#[test]
fn a_line_longer_than_the_buffer_makes_it_grow() {
    let text = ["x".repeat(3 * START), "y".repeat(START), "z".to_owned()].join("\n") + "\n";
    let mut lines = Lines::new(Pieces(text.as_bytes(), 1000));
    for expected in text.lines() {
        assert_eq!(lines.next_line().unwrap(), Some(expected.as_bytes()));
    }
}

#[test]
fn what_is_read_already_needs_no_read() {
    let mut lines = Lines::new(Pieces(b"one\ntwo\nthree\n", 9));
    assert_eq!(lines.take_line(), None);
    assert!(lines.fill().unwrap());
    assert_eq!(lines.take_line(), Some(&b"one"[..]));
    assert_eq!(lines.take_line(), Some(&b"two"[..]));
    assert_eq!(lines.take_line(), None);
}
