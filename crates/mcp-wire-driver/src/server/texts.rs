//! Texts by name, read as a type: the variables of a template, and the arguments of a prompt.

use serde::de::value::{Error, MapDeserializer};
use serde::de::{DeserializeOwned, Deserializer, IntoDeserializer, Visitor};
use serde::{Deserialize, forward_to_deserialize_any};
use std::collections::BTreeMap;
use std::fmt;

/// Texts by name. One that is `null` is not there: clients leave out an optional argument in either way.
#[derive(Debug, Default, PartialEq, Eq, Deserialize)]
#[serde(from = "BTreeMap<String, Option<String>>")]
pub struct Texts(BTreeMap<String, String>);

impl From<BTreeMap<String, Option<String>>> for Texts {
    fn from(texts: BTreeMap<String, Option<String>>) -> Self {
        Self(texts.into_iter().filter_map(|(name, text)| Some((name, text?))).collect())
    }
}

impl Texts {
    pub(super) fn insert(&mut self, name: &str, text: String) {
        self.0.insert(name.to_owned(), text);
    }

    pub(super) fn contains(&self, name: &str) -> bool {
        self.0.contains_key(name)
    }

    /// Reads them as the members of a type. Numbers and booleans are read from their texts.
    pub(super) fn read<T: DeserializeOwned>(self) -> Result<T, Error> {
        let members = self.0.into_iter().map(|(name, text)| (name, Text(text)));
        T::deserialize(MapDeserializer::new(members))
    }
}

struct Text(String);

impl IntoDeserializer<'_> for Text {
    type Deserializer = Self;

    fn into_deserializer(self) -> Self {
        self
    }
}

macro_rules! parse {
    ($($method:ident => $visit:ident,)*) => {
        $(fn $method<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Error> {
            match self.0.parse() {
                Ok(value) => visitor.$visit(value),
                Err(error) => Err(misfit(&self.0, error)),
            }
        })*
    };
}

impl<'de> Deserializer<'de> for Text {
    type Error = Error;

    fn deserialize_any<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Error> {
        visitor.visit_string(self.0)
    }

    parse! {
        deserialize_bool => visit_bool,
        deserialize_i8 => visit_i8,
        deserialize_i16 => visit_i16,
        deserialize_i32 => visit_i32,
        deserialize_i64 => visit_i64,
        deserialize_i128 => visit_i128,
        deserialize_u8 => visit_u8,
        deserialize_u16 => visit_u16,
        deserialize_u32 => visit_u32,
        deserialize_u64 => visit_u64,
        deserialize_u128 => visit_u128,
        deserialize_f32 => visit_f32,
        deserialize_f64 => visit_f64,
    }

    fn deserialize_option<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Error> {
        visitor.visit_some(self)
    }

    fn deserialize_newtype_struct<V: Visitor<'de>>(
        self,
        _: &'static str,
        visitor: V,
    ) -> Result<V::Value, Error> {
        visitor.visit_newtype_struct(self)
    }

    fn deserialize_enum<V: Visitor<'de>>(
        self,
        name: &'static str,
        variants: &'static [&'static str],
        visitor: V,
    ) -> Result<V::Value, Error> {
        self.0.into_deserializer().deserialize_enum(name, variants, visitor)
    }

    forward_to_deserialize_any! {
        char str string bytes byte_buf unit unit_struct seq tuple tuple_struct map struct identifier
        ignored_any
    }
}

fn misfit(text: &str, error: impl fmt::Display) -> Error {
    serde::de::Error::custom(format_args!("{text:?}: {error}"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[derive(Debug, PartialEq, Deserialize)]
    #[serde(rename_all = "lowercase")]
    enum Colour {
        Red,
    }

    #[derive(Debug, PartialEq, Deserialize)]
    struct Newtype(u8);

    #[derive(Debug, PartialEq, Deserialize)]
    struct Many {
        text: String,
        whole: i64,
        broken: f64,
        flag: bool,
        there: Option<u16>,
        not_there: Option<u16>,
        colour: Colour,
        newtype: Newtype,
    }

    fn texts(pairs: &[(&str, &str)]) -> Texts {
        Texts(pairs.iter().map(|(name, text)| ((*name).into(), (*text).into())).collect())
    }

    #[test]
    fn types_are_read_from_texts() {
        let many = texts(&[
            ("text", "5"),
            ("whole", "-5"),
            ("broken", "0.5"),
            ("flag", "true"),
            ("there", "7"),
            ("colour", "red"),
            ("newtype", "8"),
            ("unknown", "is ignored"),
        ]);
        let expected = Many {
            text: "5".into(),
            whole: -5,
            broken: 0.5,
            flag: true,
            there: Some(7),
            not_there: None,
            colour: Colour::Red,
            newtype: Newtype(8),
        };
        assert_eq!(many.read(), Ok(expected));
        let value = texts(&[("a", "1")]).read::<serde_json::Value>();
        assert_eq!(value, Ok(serde_json::json!({ "a": "1" })));
    }

    #[test]
    fn what_is_null_is_not_there() {
        let read = serde_json::from_str::<Texts>;
        assert_eq!(read(r#"{"a":null,"b":"c"}"#).unwrap(), texts(&[("b", "c")]));
        assert!(read(r#"{"a":1}"#).is_err());
    }

    #[test]
    fn what_does_not_fit_says_why() {
        let error = texts(&[]).read::<Many>().expect_err("nothing is there");
        assert_eq!(error.to_string(), "missing field `text`");
        let error = texts(&[("whole", "x")]).read::<Many>().expect_err("it is no number");
        assert_eq!(error.to_string(), "\"x\": invalid digit found in string");
    }
}
