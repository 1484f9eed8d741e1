//! Ids are opaque: they are compared and echoed, never interpreted.

use super::scan::Kind;
use super::write;
use std::fmt;
use std::hash::{Hash, Hasher};

/// The longest id that is accepted, in bytes of JSON text.
pub const MAX_ID_BYTES: usize = 1024;

/// The id of a request: a string, an integer of any size, or, for protocols that allow it, `null`.
///
/// Ids compare by JSON type and value, so `5` and `"5"` differ. An integer is echoed digit for digit.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Id(Form);

#[derive(Debug, Clone, PartialEq, Eq)]
enum Form {
    /// An integer that `i64` does not hold, or would write in another way.
    Digits(Box<str>),
    Null,
    Small(i64),
    Text(Box<str>),
}

impl Id {
    /// `null`, which MCP forbids and plain JSON-RPC tolerates.
    pub const NULL: Self = Self(Form::Null);

    /// An integer.
    #[must_use]
    pub fn number(value: i64) -> Self {
        Self(Form::Small(value))
    }

    /// A string.
    #[must_use]
    pub fn text(value: &str) -> Self {
        Self(Form::Text(value.into()))
    }

    /// Reads the JSON text of a value; `None` where it is not a legal id.
    pub(super) fn read(text: &str, kind: Kind) -> Option<Self> {
        if text.len() > MAX_ID_BYTES {
            return None;
        }
        Some(Self(match kind {
            Kind::Integer => match text.parse() {
                Ok(value) if text != "-0" => Form::Small(value),
                _ => Form::Digits(text.into()),
            },
            Kind::String => Form::Text(text[1..text.len() - 1].into()),
            // A lone surrogate is no character, so such a string has no value to echo.
            Kind::EscapedString => Form::Text(serde_json::from_str::<String>(text).ok()?.into()),
            Kind::Null => Form::Null,
            _ => return None,
        }))
    }

    /// The integer, where it is one that `i64` holds.
    #[must_use]
    pub fn as_i64(&self) -> Option<i64> {
        match self.0 {
            Form::Small(value) => Some(value),
            _ => None,
        }
    }

    /// The string, where it is one.
    #[must_use]
    pub fn as_str(&self) -> Option<&str> {
        match &self.0 {
            Form::Text(text) => Some(text),
            _ => None,
        }
    }

    /// Is it `null`?
    #[must_use]
    pub fn is_null(&self) -> bool {
        self.0 == Form::Null
    }

    pub(crate) fn write(&self, out: &mut Vec<u8>) {
        match &self.0 {
            Form::Digits(digits) => out.extend_from_slice(digits.as_bytes()),
            Form::Null => out.extend_from_slice(b"null"),
            Form::Small(value) => write::integer(out, *value),
            Form::Text(text) => write::string(out, text),
        }
    }
}

/// Without the kind of id, which would cost each small number as much again.
impl Hash for Id {
    fn hash<H: Hasher>(&self, state: &mut H) {
        match &self.0 {
            Form::Digits(text) | Form::Text(text) => text.hash(state),
            Form::Null => {}
            Form::Small(value) => value.hash(state),
        }
    }
}

/// The id as JSON text.
impl fmt::Display for Id {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut text = Vec::new();
        self.write(&mut text);
        formatter.write_str(&String::from_utf8_lossy(&text))
    }
}
