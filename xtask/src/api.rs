//! `cargo xtask api`: the public API of each published crate, as a text that is reviewed like code.

mod listing;

use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};

use crate::failure::Failure;
use crate::workspace;

const USAGE: &str = "usage: cargo xtask api [--record]";

/// Compares what the crates offer with the texts in `docs/api`, or, with `--record`, writes these.
pub(crate) fn run(arguments: &[String]) -> Result<(), Failure> {
    let arguments: Vec<&str> = arguments.iter().map(String::as_str).collect();
    let treat = match *arguments {
        [] => compare,
        ["--record"] => record,
        _ => return Err(Failure::Usage(USAGE.to_owned())),
    };
    let names = workspace::published()?;
    let descriptions = describe(&names)?;
    let mut changed = Vec::new();
    for name in &names {
        let path = workspace::root().join("docs/api").join(name).with_extension("txt");
        let description = descriptions.join(name.replace('-', "_")).with_extension("json");
        if treat(&path, &listing::listing(name, &description)?)? == Outcome::Changed {
            changed.push(name.as_str());
        }
    }
    if changed.is_empty() {
        return Ok(());
    }
    Err(Failure::Task(format!(
        "the public API of {} is not what docs/api says: `cargo xtask api --record` writes it anew. A line that goes breaks \
         programs, and belongs in the changelog",
        changed.join(", ")
    )))
}

#[derive(PartialEq)]
enum Outcome {
    AsRecorded,
    Changed,
}

fn record(path: &Path, listing: &str) -> Result<Outcome, Failure> {
    fs::write(path, listing)?;
    Ok(Outcome::AsRecorded)
}

fn compare(path: &Path, listing: &str) -> Result<Outcome, Failure> {
    // A crate that is new has no text yet: all of it is new then.
    let recorded = fs::read_to_string(path).unwrap_or_default();
    if recorded == listing {
        return Ok(Outcome::AsRecorded);
    }
    for line in difference(&recorded, listing) {
        println!("{line}");
    }
    Ok(Outcome::Changed)
}

/// The lines that went, then the lines that came.
fn difference(recorded: &str, listing: &str) -> Vec<String> {
    let (recorded, listing): (BTreeSet<&str>, BTreeSet<&str>) =
        (recorded.lines().collect(), listing.lines().collect());
    let gone = recorded.difference(&listing).map(|line| format!("- {line}"));
    let new = listing.difference(&recorded).map(|line| format!("+ {line}"));
    gone.chain(new).collect()
}

/// Lets rustdoc describe the crates as data, which the stable one can but does not offer, and says where the descriptions are.
fn describe(names: &[String]) -> Result<PathBuf, Failure> {
    // A directory of its own, since the variable has some build scripts run again.
    let target = workspace::target_directory()?.join("api");
    let mut cargo = workspace::cargo();
    cargo.env("RUSTC_BOOTSTRAP", "1");
    cargo.env("RUSTDOCFLAGS", "-Z unstable-options --output-format json");
    cargo.args(["doc", "--quiet", "--no-deps", "--lib", "--all-features", "--target-dir"]);
    cargo.arg(&target);
    for name in names {
        cargo.args(["--package", name]);
    }
    workspace::foreground(&mut cargo)?;
    Ok(target.join("doc"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_went_is_told_before_what_came() {
        let recorded = "pub fn old()\npub fn same()\n";
        let listing = "pub fn new()\npub fn same()\n";
        assert_eq!(difference(recorded, listing), ["- pub fn old()", "+ pub fn new()"]);
    }
}
