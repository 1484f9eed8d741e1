//! What a crate offers, on record and now, and whether the one may take the place of the other.

use std::collections::BTreeSet;
use std::fs;
use std::path::PathBuf;

use super::version::is_breaking_raise;
use crate::failure::Failure;
use crate::workspace;

/// The record of one crate. Its text begins with the version that it was written for; the lines of the items follow.
pub(super) struct Record {
    name: String,
    path: PathBuf,
    recorded: String,
    current: String,
}

impl Record {
    /// Reads what is recorded of a crate, beside the listing of now.
    pub(super) fn open(name: &str, listing: &str) -> Self {
        let path = workspace::root().join("docs/api").join(name).with_extension("txt");
        // A crate that is new has no text yet: all of it is new then.
        let recorded = fs::read_to_string(&path).unwrap_or_default();
        let current = format!("{}{}\n{listing}", header(name), workspace::VERSION);
        Self { name: name.to_owned(), path, recorded, current }
    }

    /// The name of the crate.
    pub(super) fn name(&self) -> &str {
        &self.name
    }

    /// The lines that went, then the lines that came.
    pub(super) fn difference(&self) -> Vec<String> {
        let gone = only_in(&self.recorded, &self.current).map(|line| format!("- {line}"));
        let new = only_in(&self.current, &self.recorded).map(|line| format!("+ {line}"));
        gone.chain(new).collect()
    }

    /// What programs that were written for the recorded version would miss, though cargo gives them the one of now; `None`
    /// where that is nothing.
    pub(super) fn breach(&self) -> Option<String> {
        let from = self.version(&self.recorded);
        if is_breaking_raise(from, self.version(&self.current)) {
            return None;
        }
        let header = header(&self.name);
        let gone: Vec<&str> = only_in(&self.recorded, &self.current)
            .filter(|line| !line.starts_with(&header))
            .collect();
        (!gone.is_empty()).then(|| format!("{} {from}:\n- {}\n", self.name, gone.join("\n- ")))
    }

    /// Records what the crate offers now.
    pub(super) fn write(&self) -> Result<(), Failure> {
        Ok(fs::write(&self.path, &self.current)?)
    }

    /// The version that a text is for; empty where it names none.
    fn version<'a>(&self, text: &'a str) -> &'a str {
        let first = text.lines().next().unwrap_or_default();
        first.strip_prefix(&header(&self.name)).unwrap_or_default()
    }
}

/// What stands before the version in a text's first line.
fn header(name: &str) -> String {
    format!("# {name} ")
}

fn only_in<'a>(text: &'a str, other: &'a str) -> impl Iterator<Item = &'a str> {
    let other: BTreeSet<&str> = other.lines().collect();
    text.lines().filter(move |line| !other.contains(line))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn record(recorded: &str, current: &str) -> Record {
        Record {
            name: "ours".to_owned(),
            path: PathBuf::new(),
            recorded: recorded.to_owned(),
            current: current.to_owned(),
        }
    }

    #[test]
    fn what_went_is_told_before_what_came() {
        let record = record("pub fn old()\npub fn same()\n", "pub fn new()\npub fn same()\n");
        assert_eq!(record.difference(), ["- pub fn old()", "+ pub fn new()"]);
    }

    #[test]
    fn a_version_raised_without_recording_is_a_difference() {
        let record = record("# ours 0.1.0\npub fn same()\n", "# ours 0.1.1\npub fn same()\n");
        assert_eq!(record.difference(), ["- # ours 0.1.0", "+ # ours 0.1.1"]);
    }

    #[test]
    fn lines_go_with_a_breaking_raise_alone() {
        let recorded = "# ours 0.1.0\n#[non_exhaustive] pub enum ours::E\npub fn same()\n";
        let breach = "ours 0.1.0:\n- #[non_exhaustive] pub enum ours::E\n";
        for (version, expected) in
            [("0.1.0", Some(breach)), ("0.1.1", Some(breach)), ("0.2.0", None)]
        {
            let current = format!("# ours {version}\npub fn new()\npub fn same()\n");
            assert_eq!(record(recorded, &current).breach().as_deref(), expected, "{version}");
        }
    }

    #[test]
    fn lines_come_with_any_version() {
        let recorded = "# ours 0.1.0\npub fn same()\n";
        for version in ["0.1.0", "0.1.1", "0.2.0"] {
            let current = format!("# ours {version}\npub fn new()\npub fn same()\n");
            assert_eq!(record(recorded, &current).breach(), None, "{version}");
        }
    }

    #[test]
    fn a_new_crate_breaks_nothing_and_a_text_without_a_version_permits_nothing() {
        assert_eq!(record("", "# ours 0.1.0\npub fn new()\n").breach(), None);
        assert!(record("pub fn old()\n", "# ours 9.0.0\n").breach().is_some());
    }
}
