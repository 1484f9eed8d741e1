//! Writing JSON so that it always fits on one line, for any reader's idea of a line.

use super::scan::plain_end;

pub(crate) fn integer(out: &mut Vec<u8>, value: i64) {
    out.extend_from_slice(itoa::Buffer::new().format(value).as_bytes());
}

/// Writes `text` as a JSON string, on one line.
pub(crate) fn string(out: &mut Vec<u8>, text: &str) {
    out.push(b'"');
    escaped(text, |piece| raw(out, piece.as_bytes()));
    out.push(b'"');
}

/// Appends `text` as a JSON string, quotes included: faster than by a serializer, for those who put JSON together by hand.
pub fn push_string(out: &mut String, text: &str) {
    out.reserve(text.len() + 2);
    out.push('"');
    escaped(text, |piece| out.push_str(piece));
    out.push('"');
}

/// Gives the inside of a JSON string, piece by piece.
fn escaped(text: &str, mut put: impl FnMut(&str)) {
    let mut rest = text;
    loop {
        let (plain, after) = rest.split_at(plain_end(rest.as_bytes(), 0));
        put(plain);
        let Some(special) = after.bytes().next() else { return };
        match special {
            b'"' => put("\\\""),
            b'\\' => put("\\\\"),
            b'\n' => put("\\n"),
            b'\r' => put("\\r"),
            b'\t' => put("\\t"),
            control => put(&format!("\\u{control:04x}")),
        }
        rest = &after[1..];
    }
}

/// Copies JSON text, without its line breaks: those between values are left out, those inside strings (where only U+0085,
/// U+2028 and U+2029 can stand unescaped) are escaped.
pub(crate) fn raw(out: &mut Vec<u8>, text: &[u8]) {
    if !needs_care(text) {
        out.extend_from_slice(text);
        return;
    }
    let mut rest = text;
    while let [first, ..] = rest {
        let (skip, escape): (usize, &[u8]) = match rest {
            [b'\n' | b'\r', ..] => (1, b""),
            [0xC2, 0x85, ..] => (2, b"\\u0085"),
            [0xE2, 0x80, 0xA8, ..] => (3, b"\\u2028"),
            [0xE2, 0x80, 0xA9, ..] => (3, b"\\u2029"),
            _ => (1, std::slice::from_ref(first)),
        };
        out.extend_from_slice(escape);
        rest = &rest[skip..];
    }
}

/// Is there any byte that a line break may begin with? Most texts are ASCII, which is seen faster than sought.
pub(crate) fn needs_care(text: &[u8]) -> bool {
    memchr::memchr2(b'\n', b'\r', text).is_some()
        || (!text.is_ascii() && memchr::memchr2(0xC2, 0xE2, text).is_some())
}
