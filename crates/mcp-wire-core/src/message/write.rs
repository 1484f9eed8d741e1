//! Writing JSON so that it always fits on one line, for any reader's idea of a line.

use std::borrow::Cow;

pub(crate) fn integer(out: &mut Vec<u8>, value: i64) {
    out.extend_from_slice(itoa::Buffer::new().format(value).as_bytes());
}

/// Writes `text` as a JSON string.
pub(crate) fn string(out: &mut Vec<u8>, text: &str) {
    out.push(b'"');
    let bytes = text.as_bytes();
    let mut written = 0;
    for (at, byte) in bytes.iter().enumerate() {
        let escape: Cow<'static, str> = match byte {
            b'"' => "\\\"".into(),
            b'\\' => "\\\\".into(),
            b'\n' => "\\n".into(),
            b'\r' => "\\r".into(),
            b'\t' => "\\t".into(),
            0..0x20 => format!("\\u{byte:04x}").into(),
            _ => continue,
        };
        raw(out, &bytes[written..at]);
        out.extend_from_slice(escape.as_bytes());
        written = at + 1;
    }
    raw(out, &bytes[written..]);
    out.push(b'"');
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
