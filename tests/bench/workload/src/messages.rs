//! Requests of a few shapes.

use std::fmt::Write;

/// What a request looks like.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Shape {
    /// A `tools/call` of some 130 bytes.
    Small,
    /// One of some 3.7 KB, as an editor's: source text with escapes, nested arguments, text beyond ASCII.
    Medium,
    /// One with 1 MiB of base64.
    Large,
    /// Seven small ones of ten, two medium ones and a notification; a large one in a thousand.
    Mixed,
}

impl Shape {
    /// Reads a name, in lower case.
    #[must_use]
    pub fn parse(name: &str) -> Option<Self> {
        Some(match name {
            "small" => Self::Small,
            "medium" => Self::Medium,
            "large" => Self::Large,
            "mixed" => Self::Mixed,
            _ => return None,
        })
    }

    /// Writes the message that has this id.
    pub fn write(self, id: usize, out: &mut Vec<u8>) {
        let message = match self {
            Self::Small => small(id),
            Self::Medium => medium(id),
            Self::Large => large(id),
            Self::Mixed => match id % 1000 {
                500 => large(id),
                place if place % 10 == 3 => progress(id),
                place if place % 5 == 4 => medium(id),
                _ => small(id),
            },
        };
        out.extend_from_slice(message.as_bytes());
    }
}

/// So many characters of the base64 alphabet, which JSON need not escape.
#[must_use]
pub fn alphabet(length: usize) -> String {
    const ALPHABET: &str = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    ALPHABET.chars().cycle().take(length).collect()
}

fn call(id: usize, tool: &str, arguments: &str) -> String {
    format!(
        r#"{{"jsonrpc":"2.0","id":{id},"method":"tools/call","params":{{"name":"{tool}","arguments":{arguments}}}}}"#
    )
}

fn small(id: usize) -> String {
    call(id, "echo", &format!(r#"{{"message":"hello, this is number {id:07}, how are you"}}"#))
}

fn large(id: usize) -> String {
    call(id, "echo", &format!(r#"{{"message":"{}"}}"#, alphabet(1 << 20)))
}

fn progress(id: usize) -> String {
    format!(
        r#"{{"jsonrpc":"2.0","method":"notifications/progress","params":{{"progressToken":"t{id}","progress":5,"total":10}}}}"#
    )
}

fn medium(id: usize) -> String {
    let mut source = String::new();
    let mut edits = String::new();
    for line in 0..62 {
        // A String takes whatever is written.
        _ = write!(source, r#"    let value_{line} = compute(\"key {}\", {id});\n"#, line * 7 % 97);
    }
    for edit in 0..6 {
        let comma = if edit == 0 { "" } else { "," };
        _ = write!(
            edits,
            r#"{comma}{{"line":{},"column":{edit},"kind":"replace","note":"über ✓"}}"#,
            edit * 83
        );
    }
    let arguments = format!(
        r#"{{"path":"/src/file_{id}.rs","content":"{source}","options":{{"create":true,"mode":420,"tags":["a","b","c"],"ratio":0.5}},"edits":[{edits}]}}"#
    );
    call(id, "write_file", &arguments)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn length(shape: Shape) -> usize {
        let mut message = Vec::new();
        shape.write(1_000_001, &mut message);
        message.len()
    }

    #[test]
    fn shapes_are_as_long_as_they_say() {
        assert!((125..150).contains(&length(Shape::Small)), "{}", length(Shape::Small));
        assert!((3600..3800).contains(&length(Shape::Medium)), "{}", length(Shape::Medium));
        assert!((1 << 20..(1 << 20) + 200).contains(&length(Shape::Large)));
    }
}
