//! What the suites ask for that cannot be met, and why: `tests/conformance-suite/baseline.yaml`.

use std::fs;

use crate::failure::Failure;
use crate::workspace;

/// What the suites ask for that cannot be met.
#[derive(Debug)]
pub(crate) struct Baseline {
    entries: Vec<Entry>,
}

#[derive(Debug)]
struct Entry {
    /// A scenario, or a scenario and a check with a space between them. A star at its end stands for anything.
    name: String,
    section: Section,
    /// Has anything been run, or left out, that it speaks of?
    was_met: bool,
    /// Has any of that failed?
    has_failed: bool,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Section {
    Aside,
    Fails,
}

/// What the baseline says of a check.
#[derive(Debug, PartialEq, Eq)]
pub(crate) enum Judgement {
    /// It does not count.
    Aside,
    Counted,
    /// It may fail.
    Expected,
}

impl Baseline {
    pub(crate) fn read() -> Result<Self, Failure> {
        let path = workspace::root().join("tests/conformance-suite/baseline.yaml");
        Self::parse(&fs::read_to_string(path)?)
    }

    /// Reads the few things of YAML that the file needs: comments, two sections, and a line with a name and its reason for
    /// each entry.
    pub(crate) fn parse(text: &str) -> Result<Self, Failure> {
        let mut entries = Vec::new();
        let mut section = None;
        for line in text.lines() {
            if line.trim().is_empty() || line.starts_with('#') {
                continue;
            }
            section = match (line, section) {
                ("aside:", _) => Some(Section::Aside),
                ("fails:", _) => Some(Section::Fails),
                (entry, Some(section)) => {
                    let entry = entry.strip_prefix("  ").and_then(|entry| entry.split_once(": "));
                    match entry {
                        Some((name, reason)) if !reason.is_empty() => {
                            entries.push(Entry::new(name, section));
                        }
                        _ => return Err(wrong(line)),
                    }
                    Some(section)
                }
                _ => return Err(wrong(line)),
            };
        }
        Ok(Self { entries })
    }

    /// Is a scenario to be left out?
    pub(crate) fn is_aside(&self, scenario: &str) -> bool {
        self.entries.iter().any(|it| it.section == Section::Aside && it.speaks_of(scenario, ""))
    }

    /// What is to be thought of a check, and keeps account of what each entry is good for.
    pub(crate) fn judge(&mut self, scenario: &str, check: &str, failed: bool) -> Judgement {
        let mut judgement = Judgement::Counted;
        for entry in self.entries.iter_mut().filter(|entry| entry.speaks_of(scenario, check)) {
            entry.was_met = true;
            entry.has_failed |= failed;
            judgement = match entry.section {
                Section::Aside => Judgement::Aside,
                Section::Fails => Judgement::Expected,
            };
        }
        judgement
    }

    /// The entries that say what is not so. Only where `everything` was run can one be found that nothing asks for.
    pub(crate) fn complaints(&self, everything: bool) -> Vec<String> {
        let complaint = |entry: &Entry| {
            if entry.section == Section::Fails && entry.was_met && !entry.has_failed {
                Some(format!("baseline: {:?} passes: remove it", entry.name))
            } else if everything && !entry.was_met {
                Some(format!("baseline: nothing asks for {:?}: remove it", entry.name))
            } else {
                None
            }
        };
        self.entries.iter().filter_map(complaint).collect()
    }
}

impl Entry {
    fn new(name: &str, section: Section) -> Self {
        Self { name: name.to_owned(), section, was_met: false, has_failed: false }
    }

    fn speaks_of(&self, scenario: &str, check: &str) -> bool {
        match self.name.split_once(' ') {
            None => fits(&self.name, scenario),
            Some((of, id)) => fits(of, scenario) && fits(id, check),
        }
    }
}

fn fits(pattern: &str, name: &str) -> bool {
    match pattern.strip_suffix('*') {
        Some(beginning) => name.starts_with(beginning),
        None => name == pattern,
    }
}

fn wrong(line: &str) -> Failure {
    Failure::Task(format!("baseline: {line:?} is neither a section nor a name with a reason"))
}
