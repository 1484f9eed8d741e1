//! The members of JSON objects, taken out and put together as they are written.

use super::{Json, member, members_without, names_of};

impl Json {
    /// The value of an object's member, as it is written. `None` where there is none, or this is no object.
    #[must_use]
    pub fn member(&self, name: &str) -> Option<Self> {
        let text = self.as_str();
        Some(Self::trusted(text[member(text, name)?.range()].to_owned()))
    }

    /// An object with some more members, whose values are JSON. They replace those of the same name.
    #[must_use]
    pub fn with_members(&self, members: &[(&str, &str)]) -> Self {
        Self::trusted(merge(self.as_str(), members))
    }

    /// An object with the members of both, where they are objects. Where they share a name, that of `later` counts.
    #[must_use]
    pub fn merged(&self, later: &Self) -> Self {
        let names = names_of(later.as_str());
        let mut members = members_without(self.as_str(), |name| names.contains(name));
        members.extend(members_without(later.as_str(), |_| false));
        Self::trusted(format!("{{{}}}", members.join(",")))
    }
}

/// An object with the members of `own`, where that is an object, and `members`.
pub(crate) fn merge(own: &str, members: &[(&str, &str)]) -> String {
    let ours = members.iter().map(|(name, value)| format!("\"{name}\":{value}"));
    let is_ours = |name: &[u8]| members.iter().any(|(ours, _)| ours.as_bytes() == name);
    let merged: Vec<String> = ours.chain(members_without(own, is_ours)).collect();
    format!("{{{}}}", merged.join(","))
}
