//! A JSON reader that builds nothing: it checks the grammar of RFC 8259 and says where values lie.
//!
//! Bytes above 0x7F inside strings pass unjudged; whether the whole line is UTF-8 is one cheap look at the end.

use std::ops::Range;

/// A value and where it lies.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Value {
    pub(super) kind: Kind,
    pub(super) range: Range<usize>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Kind {
    Array,
    Boolean,
    /// A number with a fraction or an exponent.
    Decimal,
    /// A string with at least one escape.
    EscapedString,
    Integer,
    Null,
    Object,
    String,
}

/// From so many bytes on a string is long.
const LONG: usize = 32;

/// How many bytes of a long string are looked at at once.
const BLOCK: usize = 64;

/// The text is not JSON from here on, or ends too early.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct SyntaxError;

#[derive(Debug)]
pub(super) struct Scanner<'a> {
    bytes: &'a [u8],
    at: usize,
    max_depth: usize,
    too_deep: bool,
}

impl<'a> Scanner<'a> {
    pub(super) fn new(bytes: &'a [u8], max_depth: usize) -> Self {
        Self { bytes, at: 0, max_depth, too_deep: false }
    }

    /// Was anything nested deeper than allowed? Reading went on all the same.
    pub(super) fn too_deep(&self) -> bool {
        self.too_deep
    }

    /// The next byte that is not white space. Most often that is simply the next byte.
    #[inline]
    pub(super) fn peek(&mut self) -> Option<u8> {
        match self.bytes.get(self.at) {
            Some(byte) if *byte > b' ' => Some(*byte),
            None => None,
            Some(_) => self.peek_behind_space(),
        }
    }

    fn peek_behind_space(&mut self) -> Option<u8> {
        loop {
            match self.bytes.get(self.at) {
                Some(b' ' | b'\t' | b'\r' | b'\n') => self.at += 1,
                other => return other.copied(),
            }
        }
    }

    /// Nothing but white space may follow.
    pub(super) fn end(&mut self) -> Result<(), SyntaxError> {
        self.peek().map_or(Ok(()), |_| Err(SyntaxError))
    }

    /// Reads an object whose `{` is next, and gives each member to `member` once what follows shows that it is complete.
    /// A key comes with its quotes stripped and its escapes in place.
    pub(super) fn object(
        &mut self,
        mut member: impl FnMut(&'a [u8], Kind, Value),
    ) -> Result<(), SyntaxError> {
        self.expect(b'{')?;
        if self.peek() == Some(b'}') {
            self.at += 1;
            return Ok(());
        }
        loop {
            self.peek();
            let start = self.at;
            let key_kind = self.string()?;
            let key = &self.bytes[start + 1..self.at - 1];
            self.expect(b':')?;
            let value = self.value(1)?;
            let next = self.peek();
            let goes_on = matches!(next, Some(b',' | b'}'));
            // A number may have more digits behind a cut, and is none before `x`. What has an end of its own is whole.
            if goes_on || matches!(value.kind, Kind::String | Kind::EscapedString) {
                member(key, key_kind, value);
            }
            if !goes_on {
                return Err(SyntaxError);
            }
            self.at += 1;
            if next == Some(b'}') {
                return Ok(());
            }
        }
    }

    /// Reads an array whose `[` is next, and gives each item to `item`.
    pub(super) fn array(&mut self, mut item: impl FnMut(Value)) -> Result<(), SyntaxError> {
        self.expect(b'[')?;
        if self.peek() == Some(b']') {
            self.at += 1;
            return Ok(());
        }
        loop {
            item(self.value(1)?);
            match self.peek() {
                Some(b',') => self.at += 1,
                Some(b']') => {
                    self.at += 1;
                    return Ok(());
                }
                _ => return Err(SyntaxError),
            }
        }
    }

    /// Reads one value of any kind, `outer` levels below the top. Nesting is kept in bits, not on the stack.
    #[inline]
    pub(super) fn value(&mut self, outer: usize) -> Result<Value, SyntaxError> {
        let first = self.peek().ok_or(SyntaxError)?;
        let start = self.at;
        let kind = match first {
            b'{' => Kind::Object,
            b'[' => Kind::Array,
            _ => self.scalar(first)?,
        };
        if matches!(kind, Kind::Object | Kind::Array) {
            self.nested(outer)?;
        }
        Ok(Value { kind, range: start..self.at })
    }

    #[inline(never)]
    fn nested(&mut self, outer: usize) -> Result<(), SyntaxError> {
        let mut nesting = Nesting::default();
        loop {
            // A value begins here.
            match self.peek().ok_or(SyntaxError)? {
                open @ (b'{' | b'[') => {
                    self.at += 1;
                    nesting.enter(open);
                    self.too_deep |= outer + nesting.depth > self.max_depth;
                    let close = nesting.close();
                    if self.peek() == Some(close) {
                        self.at += 1;
                        nesting.leave();
                    } else {
                        if close == b'}' {
                            self.key()?;
                        }
                        continue;
                    }
                }
                first => {
                    self.scalar(first)?;
                }
            }
            // A value has ended here, and perhaps what holds it.
            loop {
                if nesting.depth == 0 {
                    return Ok(());
                }
                let close = nesting.close();
                match self.peek() {
                    Some(b',') => {
                        self.at += 1;
                        if close == b'}' {
                            self.key()?;
                        }
                        break;
                    }
                    Some(byte) if byte == close => {
                        self.at += 1;
                        nesting.leave();
                    }
                    _ => return Err(SyntaxError),
                }
            }
        }
    }

    fn key(&mut self) -> Result<(), SyntaxError> {
        self.peek();
        self.string()?;
        self.expect(b':')
    }

    fn expect(&mut self, byte: u8) -> Result<(), SyntaxError> {
        if self.peek() == Some(byte) {
            self.at += 1;
            Ok(())
        } else {
            Err(SyntaxError)
        }
    }

    fn scalar(&mut self, first: u8) -> Result<Kind, SyntaxError> {
        match first {
            b'"' => self.string(),
            b'-' | b'0'..=b'9' => self.number(),
            b'n' => self.literal(b"null", Kind::Null),
            b't' => self.literal(b"true", Kind::Boolean),
            b'f' => self.literal(b"false", Kind::Boolean),
            _ => Err(SyntaxError),
        }
    }

    fn literal(&mut self, word: &[u8], kind: Kind) -> Result<Kind, SyntaxError> {
        if self.bytes[self.at..].starts_with(word) {
            self.at += word.len();
            Ok(kind)
        } else {
            Err(SyntaxError)
        }
    }

    fn number(&mut self) -> Result<Kind, SyntaxError> {
        let mut kind = Kind::Integer;
        if self.bytes.get(self.at) == Some(&b'-') {
            self.at += 1;
        }
        match self.bytes.get(self.at) {
            Some(b'0') => self.at += 1,
            _ => self.digits()?,
        }
        if self.bytes.get(self.at) == Some(&b'.') {
            kind = Kind::Decimal;
            self.at += 1;
            self.digits()?;
        }
        if let Some(b'e' | b'E') = self.bytes.get(self.at) {
            kind = Kind::Decimal;
            self.at += 1;
            if let Some(b'+' | b'-') = self.bytes.get(self.at) {
                self.at += 1;
            }
            self.digits()?;
        }
        Ok(kind)
    }

    /// At least one.
    fn digits(&mut self) -> Result<(), SyntaxError> {
        let start = self.at;
        while self.bytes.get(self.at).is_some_and(u8::is_ascii_digit) {
            self.at += 1;
        }
        if self.at > start { Ok(()) } else { Err(SyntaxError) }
    }

    /// Reads a string, quotes included. Most of them are names of a few letters, which one look finds the end of.
    #[inline]
    fn string(&mut self) -> Result<Kind, SyntaxError> {
        let [b'"', inside @ ..] = &self.bytes[self.at..] else { return Err(SyntaxError) };
        if let Some(word) = inside.first_chunk::<8>() {
            let special = special_bytes(u64::from_le_bytes(*word));
            let length = (special.trailing_zeros() / 8) as usize;
            if inside.get(length) == Some(&b'"') && special != 0 {
                self.at += length + 2;
                return Ok(Kind::String);
            }
        }
        self.any_string()
    }

    /// Reads a string of any length, whose quote is next.
    #[inline(never)]
    fn any_string(&mut self) -> Result<Kind, SyntaxError> {
        self.at += 1;
        let mut kind = Kind::String;
        loop {
            self.at = plain_end(self.bytes, self.at);
            match self.bytes.get(self.at) {
                Some(b'"') => {
                    self.at += 1;
                    return Ok(kind);
                }
                Some(b'\\') => {
                    kind = Kind::EscapedString;
                    self.escape()?;
                }
                _ => return Err(SyntaxError),
            }
        }
    }

    fn escape(&mut self) -> Result<(), SyntaxError> {
        let rest = &self.bytes[self.at + 1..];
        self.at += match rest.first() {
            Some(b'"' | b'\\' | b'/' | b'b' | b'f' | b'n' | b'r' | b't') => 2,
            Some(b'u') if rest.len() > 4 && rest[1..5].iter().all(u8::is_ascii_hexdigit) => 6,
            _ => return Err(SyntaxError),
        };
        Ok(())
    }
}

/// Where the next quote, backslash or control character is, or the end: eight bytes at a time, and more once the string is
/// long.
#[inline]
pub(super) fn plain_end(bytes: &[u8], start: usize) -> usize {
    let mut at = start;
    while let Some(word) = bytes.get(at..).and_then(<[u8]>::first_chunk::<8>) {
        let special = special_bytes(u64::from_le_bytes(*word));
        if special != 0 {
            return at + (special.trailing_zeros() / 8) as usize;
        }
        at += 8;
        if at == start + LONG {
            at = plain_blocks_end(bytes, at);
        }
    }
    plain_bytes_end(bytes, at)
}

/// The same byte by byte, for the end of the text.
#[inline(never)]
fn plain_bytes_end(bytes: &[u8], start: usize) -> usize {
    let rest = bytes.get(start..).unwrap_or_default();
    let is_special = |byte: &u8| *byte < 0x20 || matches!(byte, b'"' | b'\\');
    start + rest.iter().position(is_special).unwrap_or(rest.len())
}

/// Where the first block is that has something special in it. Apart, so that short strings do not pay for it.
#[inline(never)]
fn plain_blocks_end(bytes: &[u8], start: usize) -> usize {
    let (blocks, _) = bytes[start..].as_chunks::<BLOCK>();
    start + BLOCK * blocks.iter().take_while(|block| !has_special(block)).count()
}

/// Is any byte a quote, a backslash or a control character? It has no early end, so that many are looked at at once.
fn has_special(block: &[u8; BLOCK]) -> bool {
    let is_special = |byte: &u8| u8::from(*byte < 0x20 || *byte == b'"' || *byte == b'\\');
    block.iter().fold(0, |found, byte| found | is_special(byte)) != 0
}

/// Marks the high bit of each byte that is a quote, a backslash or a control character. Only the lowest mark is exact: a
/// borrow may spoil those above it.
fn special_bytes(word: u64) -> u64 {
    const ONES: u64 = 0x0101_0101_0101_0101;
    const HIGH_BITS: u64 = 0x8080_8080_8080_8080;
    let zero_bytes = |word: u64| word.wrapping_sub(ONES) & !word;
    let quotes = zero_bytes(word ^ (ONES * b'"' as u64));
    let backslashes = zero_bytes(word ^ (ONES * b'\\' as u64));
    let controls = word.wrapping_sub(ONES * 0x20) & !word;
    (quotes | backslashes | controls) & HIGH_BITS
}

/// Which brackets are open: one bit a level, set for objects.
#[derive(Debug, Default)]
struct Nesting {
    depth: usize,
    innermost: u64,
    outer: Vec<u64>,
}

impl Nesting {
    fn enter(&mut self, open: u8) {
        if self.depth > 0 && self.depth.is_multiple_of(64) {
            self.outer.push(self.innermost);
        }
        self.innermost = self.innermost << 1 | u64::from(open == b'{');
        self.depth += 1;
    }

    fn leave(&mut self) {
        self.depth -= 1;
        self.innermost >>= 1;
        if self.depth > 0 && self.depth.is_multiple_of(64) {
            self.innermost = self.outer.pop().unwrap_or_default();
        }
    }

    /// What ends the innermost level.
    fn close(&self) -> u8 {
        if self.innermost & 1 == 1 { b'}' } else { b']' }
    }
}
