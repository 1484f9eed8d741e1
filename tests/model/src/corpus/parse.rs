//! Reading a corpus file.

use super::{Entry, Step, Text};
use std::collections::BTreeMap;

const SETTINGS: &[&str] = &[
    "calls",
    "eof_grace",
    "handshake",
    "id_matching",
    "max_depth",
    "max_frame",
    "max_frame_out",
    "max_in_flight",
    "max_in_flight_bytes",
    "max_queued",
    "role",
    "unattributed",
];

pub(super) fn file(topic: &str, text: &str) -> Result<Vec<Entry>, String> {
    let mut entries: Vec<Entry> = Vec::new();
    for (index, line) in text.lines().enumerate() {
        let number = index + 1;
        if line.is_empty() || line.starts_with("# ") {
            continue;
        }
        if let Some(title) = line.strip_prefix("== ") {
            entries.push(Entry {
                topic: topic.to_owned(),
                title: title.to_owned(),
                rules: Vec::new(),
                settings: BTreeMap::new(),
                steps: Vec::new(),
            });
            continue;
        }
        let entry = entries.last_mut().ok_or(format!("{number}: a line before the first title"))?;
        add(entry, line).map_err(|error| format!("{number}: {error}"))?;
    }
    match entries.iter().find(|entry| entry.rules.is_empty()) {
        Some(entry) => Err(format!(" {:?} names no rules", entry.title)),
        None => Ok(entries),
    }
}

fn add(entry: &mut Entry, line: &str) -> Result<(), String> {
    if line == "eof" {
        entry.steps.push(Step::EndOfInput);
    } else if let Some(text) = line.strip_prefix(">> ") {
        entry.steps.push(Step::Input(Text::parse(text)?));
    } else if let Some(text) = line.strip_prefix("> ") {
        let mut text = Text::parse(text)?;
        text.push(b'\n');
        entry.steps.push(Step::Input(text));
    } else if line == ">" {
        entry.steps.push(Step::Input(Text::parse("\\x0A")?));
    } else if let Some(text) = line.strip_prefix("< ") {
        entry.steps.push(Step::Output(Text::parse(text)?));
    } else if let Some(text) = line.strip_prefix("! ") {
        entry.steps.push(Step::Event(Text::parse(text)?));
    } else if let Some(rules) = line.strip_prefix("rules: ") {
        entry.rules = rules.split(' ').map(str::to_owned).collect();
    } else if let Some((name, value)) = line.split_once(": ")
        && SETTINGS.contains(&name)
    {
        entry.settings.insert(name.to_owned(), value.to_owned());
    } else {
        return Err(format!("neither a step nor a setting: {line:?}"));
    }
    Ok(())
}
