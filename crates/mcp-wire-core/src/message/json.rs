//! JSON text that is passed on as it is.

use super::scan::Scanner;
use serde::de::DeserializeOwned;
use serde::{Deserialize, Deserializer, Serialize, Serializer};
use serde_json::value::RawValue;
use std::borrow::Cow;
use std::fmt;
use std::ops::Range;

/// One JSON value, as text that is known to be JSON and stays as it was written: numbers of any precision, the order of keys
/// and repeated keys are kept.
///
/// It holds a text and the part of it that counts, so a large payload moves from the peer's line to the user, and back out,
/// without a copy. When it is written to a peer its line breaks go: between values they are left out, inside strings U+0085,
/// U+2028 and U+2029 are escaped.
#[derive(Clone)]
pub struct Json {
    text: Cow<'static, str>,
    range: Range<usize>,
}

impl Json {
    /// Checks that `text` is one JSON value, of any depth.
    ///
    /// # Errors
    ///
    /// [`NotJson`] where it is not.
    pub fn new(text: impl Into<Cow<'static, str>>) -> Result<Self, NotJson> {
        let text = text.into();
        let mut scanner = Scanner::new(text.as_bytes(), usize::MAX);
        let value = scanner.value(0).map_err(|_| NotJson::syntax())?;
        scanner.end().map_err(|_| NotJson::syntax())?;
        Ok(Self { range: value.range, text })
    }

    /// Writes `value` as JSON.
    ///
    /// # Errors
    ///
    /// [`NotJson`] where `value` cannot be written, for example a map whose keys are not strings.
    pub fn from_serialize(value: &(impl Serialize + ?Sized)) -> Result<Self, NotJson> {
        let text = serde_json::to_string(value).map_err(|error| NotJson(error.to_string()))?;
        Ok(Self::trusted(text))
    }

    /// `{}`.
    #[must_use]
    pub fn empty_object() -> Self {
        Self { text: Cow::Borrowed("{}"), range: 0..2 }
    }

    /// `null`.
    #[must_use]
    pub fn null() -> Self {
        Self { text: Cow::Borrowed("null"), range: 0..4 }
    }

    /// The text.
    #[must_use]
    pub fn as_str(&self) -> &str {
        &self.text[self.range.clone()]
    }

    /// Reads the text as a type.
    ///
    /// # Errors
    ///
    /// What `serde_json` says where the text does not fit the type, or is nested deeper than it reads (128 levels).
    pub fn parse<T: DeserializeOwned>(&self) -> Result<T, serde_json::Error> {
        serde_json::from_str(self.as_str())
    }

    /// A value inside of this one, without a copy: [`members`](crate::message::members) says where it lies. `None` where the
    /// range is no part of the text; that it is one value is not checked.
    #[must_use]
    pub fn part(self, range: Range<usize>) -> Option<Self> {
        self.as_str().get(range.clone())?;
        let start = self.range.start;
        Some(Self { range: start + range.start..start + range.end, ..self })
    }

    /// A part of a line that was scanned already.
    pub(crate) fn within(line: String, range: Range<usize>) -> Self {
        Self { text: Cow::Owned(line), range }
    }

    /// A text that is known to be JSON, because a serializer has just written it, say. It is not checked: what the peer is sent
    /// is as good as this promise. Where in doubt, use [`new`](Self::new).
    #[must_use]
    pub fn trusted(text: String) -> Self {
        Self { range: 0..text.len(), text: Cow::Owned(text) }
    }
}

/// The beginning of the text: payloads can be large, and logs are read by people.
impl fmt::Debug for Json {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        const SHOWN: usize = 120;
        let text = self.as_str();
        match text.char_indices().nth(SHOWN) {
            Some((end, _)) => write!(formatter, "Json({}... {} bytes)", &text[..end], text.len()),
            None => write!(formatter, "Json({text})"),
        }
    }
}

impl fmt::Display for Json {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str(self.as_str())
    }
}

/// Texts compare, not values: `1.0` and `1` differ.
impl PartialEq for Json {
    fn eq(&self, other: &Self) -> bool {
        self.as_str() == other.as_str()
    }
}

impl Eq for Json {}

/// With `serde_json` the text goes out as it is.
impl Serialize for Json {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let raw: &RawValue =
            serde_json::from_str(self.as_str()).map_err(serde::ser::Error::custom)?;
        raw.serialize(serializer)
    }
}

/// With `serde_json` the text is kept as it is.
impl<'de> Deserialize<'de> for Json {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let raw: Box<RawValue> = Box::deserialize(deserializer)?;
        Ok(Self::trusted(Box::<str>::from(raw).into_string()))
    }
}

/// Any value can be written as JSON.
impl From<serde_json::Value> for Json {
    fn from(value: serde_json::Value) -> Self {
        Self::trusted(value.to_string())
    }
}

/// A text is not JSON, or a value cannot be written as JSON.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct NotJson(String);

impl NotJson {
    fn syntax() -> Self {
        Self(
            "the text is not one JSON value: check it, or build it with `Json::from_serialize`"
                .into(),
        )
    }
}

impl fmt::Display for NotJson {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(formatter, "not JSON: {}", self.0)
    }
}

impl std::error::Error for NotJson {}
