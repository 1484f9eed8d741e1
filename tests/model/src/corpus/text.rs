//! Bytes, written so that people can read them.

/// A text of the corpus: bytes, and numbers that depend on what came before the entry.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Text(Vec<Part>);

#[derive(Debug, Clone, PartialEq, Eq)]
enum Part {
    Bytes(Vec<u8>),
    /// The number of the entry's n-th call, counted from 1.
    Call(usize),
}

impl Text {
    /// Reads the escapes `\xNN`, `\x(COUNT:TEXT)` and `\x#N`. Anything else stands for itself.
    ///
    /// # Errors
    ///
    /// A sentence about the first escape that is none of these.
    pub fn parse(text: &str) -> Result<Self, String> {
        let (mut parts, mut bytes, mut rest) = (Vec::new(), Vec::new(), text);
        while let Some((before, escape)) = rest.split_once("\\x") {
            bytes.extend_from_slice(before.as_bytes());
            let wrong = || format!("no escape of the corpus: \\x{:.8}", escape);
            rest = if let Some(repeated) = escape.strip_prefix('(') {
                let (repeated, behind) = repeated.split_once(')').ok_or_else(wrong)?;
                let (count, unit) = repeated.split_once(':').ok_or_else(wrong)?;
                let count = count.parse().map_err(|_| wrong())?;
                bytes.extend_from_slice(unit.repeat(count).as_bytes());
                behind
            } else if let Some(number) = escape.strip_prefix('#') {
                let digits = number.get(..1).ok_or_else(wrong)?;
                parts.push(Part::Bytes(std::mem::take(&mut bytes)));
                parts.push(Part::Call(digits.parse().map_err(|_| wrong())?));
                &number[1..]
            } else {
                let digits = escape.get(..2).ok_or_else(wrong)?;
                bytes.push(u8::from_str_radix(digits, 16).map_err(|_| wrong())?);
                &escape[2..]
            };
        }
        bytes.extend_from_slice(rest.as_bytes());
        parts.push(Part::Bytes(bytes));
        Ok(Self(parts))
    }

    /// The bytes, where `calls` calls were made before the entry.
    #[must_use]
    pub fn bytes(&self, calls: usize) -> Vec<u8> {
        let mut bytes = Vec::new();
        for part in &self.0 {
            match part {
                Part::Bytes(part) => bytes.extend_from_slice(part),
                Part::Call(number) => {
                    bytes.extend_from_slice((calls + number).to_string().as_bytes())
                }
            }
        }
        bytes
    }

    /// How many calls it names.
    #[must_use]
    pub fn calls(&self) -> usize {
        let numbers = self.0.iter().map(|part| match part {
            Part::Bytes(_) => 0,
            Part::Call(number) => *number,
        });
        numbers.max().unwrap_or_default()
    }

    pub(super) fn push(&mut self, byte: u8) {
        self.0.push(Part::Bytes(vec![byte]));
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_escape_stands_for_what_the_format_says() {
        let text = Text::parse(r#"a\n\x00\xFF\x(3:[)"\x#2""#).unwrap();
        assert_eq!(text.bytes(5), b"a\\n\x00\xFF[[[\"7\"");
        assert_eq!(text.calls(), 2);
    }

    #[test]
    fn other_escapes_are_refused() {
        for wrong in [r"\x", r"\xG0", r"\x(3", r"\x(a:b)", r"\x#"] {
            assert!(Text::parse(wrong).is_err(), "{wrong}");
        }
    }
}
