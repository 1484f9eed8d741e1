//! Members that a peer writes as `null`, where others leave them out.

use serde::{Deserialize, Deserializer};

/// Reads `null` as if the member was not there, as for any `Option`: one prompt of a list, written so, must not cost the list.
pub(crate) fn as_default<'de, T, D>(deserializer: D) -> Result<T, D::Error>
where
    T: Default + Deserialize<'de>,
    D: Deserializer<'de>,
{
    Ok(Option::deserialize(deserializer)?.unwrap_or_default())
}
