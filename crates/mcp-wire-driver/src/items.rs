//! Sequences that a peer writes.

use serde::de::{Error, SeqAccess, Visitor};
use serde::{Deserialize, Deserializer};
use std::fmt;
use std::marker::PhantomData;

/// How many items a result may have. Each takes more memory than its text, and the shortest ones many times as much.
const MAX_ITEMS: usize = 65_536;

/// Reads a sequence that has an end; `null` is an empty one.
pub(crate) fn bounded<'de, T, D>(deserializer: D) -> Result<Vec<T>, D::Error>
where
    T: Deserialize<'de>,
    D: Deserializer<'de>,
{
    deserializer.deserialize_any(Items(PhantomData))
}

struct Items<T>(PhantomData<T>);

impl<'de, T: Deserialize<'de>> Visitor<'de> for Items<T> {
    type Value = Vec<T>;

    fn expecting(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str("a sequence")
    }

    fn visit_unit<E>(self) -> Result<Vec<T>, E> {
        Ok(Vec::new())
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut sequence: A) -> Result<Vec<T>, A::Error> {
        let mut items = Vec::new();
        while let Some(item) = sequence.next_element()? {
            if items.len() == MAX_ITEMS {
                return Err(Error::custom(format_args!("it has more than {MAX_ITEMS} items")));
            }
            items.push(item);
        }
        Ok(items)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[derive(Debug, Deserialize)]
    struct Outer {
        #[serde(deserialize_with = "bounded")]
        items: Vec<u8>,
    }

    /// B5: a peer's sequence has a limit.
    #[test]
    fn sequences_have_an_end() {
        let read = |items: &str| serde_json::from_str::<Outer>(&format!(r#"{{"items":{items}}}"#));
        let of = |count| format!("[{}]", vec!["0"; count].join(","));
        assert_eq!(read(&of(MAX_ITEMS)).map(|it| it.items.len()).ok(), Some(MAX_ITEMS));
        assert_eq!(read("null").map(|it| it.items.len()).ok(), Some(0));
        let error = read(&of(MAX_ITEMS + 1)).expect_err("there are too many");
        assert!(error.to_string().starts_with("it has more than 65536 items"), "{error}");
        assert!(read("7").is_err());
    }
}
