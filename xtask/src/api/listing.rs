//! A public API as a text for people: one line for each item, with the names that they would write.

use std::collections::BTreeSet;
use std::path::Path;

use public_api::Builder;

use crate::failure::Failure;

/// What stands in lines that follow from another: those of the items of common traits, whose `impl` has a line.
const IMPLIED: [&str; 11] = [
    "StructuralPartialEq",
    "__private::",
    "::clone(&self)",
    "::cmp(&self",
    "::deserialize<__D>",
    "::drop(&mut self)",
    "::eq(&self",
    "::fmt(&self",
    "::hash<__H",
    "::partial_cmp(&self",
    "::serialize<__S>",
];

/// Lists a crate from the description that rustdoc wrote of it. Left out are blanket
/// implementations, auto traits, and the names of parameters.
pub(super) fn listing(name: &str, description: &Path) -> Result<String, Failure> {
    let api = Builder::from_rustdoc_json(description)
        .omit_blanket_impls(true)
        .omit_auto_trait_impls(true)
        .build()
        .map_err(|error| {
            Failure::Task(format!(
                "the description of {name} cannot be read: does the `public-api` in xtask/Cargo.toml know this compiler? \
                 {error}"
            ))
        })?;
    let own = name.replace('-', "_");
    let mut listed = BTreeSet::new();
    let lines = api.items().map(ToString::to_string);
    Ok(lines
        .filter(|line| !IMPLIED.iter().any(|implied| line.contains(implied)))
        .map(|line| shorten(&line, &own) + "\n")
        // What the driver keeps for its adapters stands at its root as well: once is enough.
        .filter(|line| listed.insert(line.replace("::exports::", "::")))
        .collect())
}

/// Leaves the modules out of the paths that lead out of this crate: `core::option::Option` becomes `Option`, and
/// `tokio::time::sleep::Sleep` becomes `tokio::Sleep`. Some are private, and none is what a user would write.
fn shorten(line: &str, own: &str) -> String {
    let mut short = String::new();
    let mut rest = line;
    while !rest.is_empty() {
        let in_path = |c: char| c.is_alphanumeric() || c == '_' || c == ':';
        let end = rest.find(|c| !in_path(c)).unwrap_or(rest.len());
        short += &shorten_path(&rest[..end], own);
        let next = rest[end..].find(in_path).map_or(rest.len(), |next| end + next);
        short += &rest[end..next];
        rest = &rest[next..];
    }
    short
}

fn shorten_path(path: &str, own: &str) -> String {
    let Some((first, after)) = path.split_once("::") else { return path.to_owned() };
    if first == own || !first.starts_with(|c: char| c.is_ascii_lowercase()) {
        return path.to_owned();
    }
    let names: Vec<&str> = after.split("::").collect();
    let is_type = |name: &&str| name.starts_with(char::is_uppercase);
    let start = names.iter().position(is_type).unwrap_or(names.len() - 1);
    let name = names[start..].join("::");
    match first {
        "alloc" | "core" | "std" => name,
        _ => format!("{first}::{name}"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn paths_out_of_the_crate_lose_their_modules() {
        for (line, short) in [
            (
                "pub fn ours::part::Thing::new(size: core::option::Option<usize>) -> std::io::error::Result<Self>",
                "pub fn ours::part::Thing::new(size: Option<usize>) -> Result<Self>",
            ),
            (
                "pub fn ours::sleep<R: theirs::run::Runtime>(&self, at: R::Instant) -> theirs::time::Sleep",
                "pub fn ours::sleep<R: theirs::Runtime>(&self, at: R::Instant) -> theirs::Sleep",
            ),
            ("impl<'a> core::fmt::Debug for ours::Thing<'a>", "impl<'a> Debug for ours::Thing<'a>"),
            (
                "pub fn core::option::Option<O>::into_outcome(self)",
                "pub fn Option<O>::into_outcome(self)",
            ),
        ] {
            assert_eq!(shorten(line, "ours"), short);
        }
    }
}
