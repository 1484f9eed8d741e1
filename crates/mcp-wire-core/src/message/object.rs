//! The members of JSON objects, taken out and put together as they are written.

use super::envelope::key_name;
use super::scan::{Kind, Scanner, Value};
use super::{Id, Json, push_string};
use std::collections::HashSet;
use std::ops::Range;

impl Json {
    /// The value of an object's member, as it is written. `None` where there is none, or this is no object.
    #[must_use]
    pub fn member(&self, name: &str) -> Option<Self> {
        let text = self.as_str();
        Some(Self::trusted(text[member(text, name)?.range()].to_owned()))
    }

    /// An object with some more members, which replace those of the same name.
    #[must_use]
    pub fn with_members(&self, members: &[(&str, &Json)]) -> Self {
        let members: Vec<_> = members.iter().map(|(name, value)| (*name, value.as_str())).collect();
        Self::trusted(merge(self.as_str(), &members))
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

/// Where the values of the members of these names lie; `None` for one that is not there. `None` for all where the text is no
/// object, or has one of them twice.
#[must_use]
pub fn members<const N: usize>(
    object: &str,
    names: [&str; N],
) -> Option<[Option<Range<usize>>; N]> {
    let mut repeated = false;
    let found = find(object, names, || repeated = true)?;
    (!repeated).then(|| found.map(|member| Some(member?.range())))
}

/// The member of an object, by its name; the first, where it is repeated.
pub(crate) fn member(object: &str, name: &str) -> Option<Member> {
    let [found] = members_of(object, [name])?;
    found
}

/// Where the members of these names lie, the first of each. `None` where the text is no object.
pub(crate) fn members_of<const N: usize>(
    object: &str,
    names: [&str; N],
) -> Option<[Option<Member>; N]> {
    find(object, names, || {})
}

/// An object with the members of `own`, where that is an object, and `members`.
pub(crate) fn merge(own: &str, members: &[(&str, &str)]) -> String {
    let ours = members.iter().map(|(name, value)| {
        let mut member = String::with_capacity(name.len() + value.len() + 3);
        push_string(&mut member, name);
        member.push(':');
        member.push_str(value);
        member
    });
    let is_ours = |name: &[u8]| members.iter().any(|(ours, _)| ours.as_bytes() == name);
    let merged: Vec<String> = ours.chain(members_without(own, is_ours)).collect();
    format!("{{{}}}", merged.join(","))
}

/// Where a member's value lies in its object.
pub(crate) struct Member(Value);

impl Member {
    /// The value as an id, where it is a legal one.
    pub(crate) fn id(&self, object: &str) -> Option<Id> {
        Id::read(&object[self.0.range.clone()], self.0.kind)
    }

    /// Where it is.
    pub(crate) fn range(&self) -> Range<usize> {
        self.0.range.clone()
    }

    pub(crate) fn is_null(&self) -> bool {
        self.0.kind == Kind::Null
    }

    /// The value, where it is a string.
    pub(crate) fn text(&self, object: &str) -> Option<String> {
        serde_json::from_str(&object[self.0.range.clone()]).ok()
    }
}

/// Finds the first member of each name, and tells of every other. `None` where the text is no object.
fn find<const N: usize>(
    object: &str,
    names: [&str; N],
    mut repeated: impl FnMut(),
) -> Option<[Option<Member>; N]> {
    let mut found = [const { None }; N];
    let mut take = |key: &[u8], key_kind, value| {
        let key = key_name(key, key_kind);
        if let Some(at) = names.iter().position(|name| *name.as_bytes() == *key) {
            match &mut found[at] {
                Some(_) => repeated(),
                empty => *empty = Some(Member(value)),
            }
        }
    };
    Scanner::new(object.as_bytes(), usize::MAX).object(&mut take).ok()?;
    Some(found)
}

/// The members of an object without those of the given names, each as it is written. Of anything else there are none.
fn members_without(object: &str, names: impl Fn(&[u8]) -> bool) -> Vec<String> {
    let mut members = Vec::new();
    let mut scanner = Scanner::new(object.as_bytes(), usize::MAX);
    let whole = scanner.object(|key, key_kind, value| {
        if !names(&key_name(key, key_kind)) {
            let key = String::from_utf8_lossy(key);
            members.push(format!("\"{key}\":{}", &object[value.range]));
        }
    });
    if whole.is_ok() { members } else { Vec::new() }
}

/// The names of an object's members.
fn names_of(object: &str) -> HashSet<Vec<u8>> {
    let mut names = HashSet::new();
    let mut scanner = Scanner::new(object.as_bytes(), usize::MAX);
    // Of anything else there are none.
    _ = scanner.object(|key, key_kind, _| {
        names.insert(key_name(key, key_kind).into_owned());
    });
    names
}
