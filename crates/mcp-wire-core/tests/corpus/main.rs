//! Every entry of `tests/corpus`, each in many ways: whole, byte by byte, cut at every position, with CRLF, and glued to all
//! the others that can share a connection with it. After each the connection must still be alive. The entries name the rules
//! that they show.

#![allow(clippy::disallowed_methods, reason = "a test may begin at any time")]

mod application;

use application::Application;
use model::corpus::{self, Entry};
use std::collections::BTreeMap;

/// Longer inputs are cut at some positions only.
const SHORT: usize = 4 << 10;

/// Runs `check` on every entry, and tells of all that fail.
fn each(mut check: impl FnMut(&Entry) -> Result<(), String>) {
    let entries = corpus::entries();
    assert!(entries.len() > 100, "the corpus is there");
    let failures: Vec<String> = entries
        .iter()
        .filter_map(|entry| check(entry).err().map(|why| format!("{entry}\n{why}")))
        .collect();
    assert!(failures.is_empty(), "{} entries fail:\n\n{}", failures.len(), failures.join("\n\n"));
}

fn run<'a>(entry: &Entry, chunks: impl IntoIterator<Item = &'a [u8]>) -> Result<(), String> {
    let mut application = Application::start(entry);
    application.call(entry);
    for chunk in chunks {
        application.read(chunk);
    }
    finish(application, &[entry])
}

/// Ends the connection or shows that it lives, and compares.
fn finish(mut application: Application, entries: &[&Entry]) -> Result<(), String> {
    if entries.iter().any(|entry| entry.ends()) {
        application.end();
    }
    let (mut output, mut events, mut calls) = (Vec::new(), Vec::new(), 0);
    for entry in entries {
        output.extend(entry.output(calls));
        events.extend(entry.events(calls));
        calls += entry.calls();
    }
    let written = application.written();
    let as_expected = output.len() == written.len()
        && output.iter().zip(&written).all(|(expected, line)| corpus::matches(expected, line));
    if !as_expected {
        return Err(format!("written: {written:#?}\nexpected: {output:#?}"));
    }
    if application.events() != events {
        return Err(format!("events: {:#?}\nexpected: {events:#?}", application.events()));
    }
    if application.closed() { Ok(()) } else { application.show_life() }
}

#[test]
fn entries_in_one_piece() {
    each(|entry| run(entry, [&entry.input(0)[..]]));
}

/// F4
#[test]
fn entries_byte_by_byte() {
    each(|entry| run(entry, entry.input(0).chunks(1)));
}

/// F4, F10: also with an empty chunk in between.
#[test]
fn entries_cut_at_every_position() {
    each(|entry| {
        let input = entry.input(0);
        let step = if input.len() <= SHORT { 1 } else { input.len() / 50 };
        for at in (0..=input.len()).step_by(step) {
            let (left, right) = input.split_at(at);
            run(entry, [left, &[], right]).map_err(|why| format!("cut at {at}: {why}"))?;
        }
        Ok(())
    });
}

/// F2: an LF inside a line does not exist, so all are line ends.
#[test]
fn entries_with_carriage_returns() {
    each(|entry| {
        let lines: Vec<Vec<u8>> =
            entry.input(0).split(|byte| *byte == b'\n').map(<[u8]>::to_vec).collect();
        run(entry, [&lines.join(&b"\r\n"[..])[..]])
    });
}

/// F5: all entries with the same settings in one chunk.
#[test]
fn entries_glued_to_their_neighbours() {
    let entries = corpus::entries();
    let mut groups: BTreeMap<_, Vec<&Entry>> = BTreeMap::new();
    for entry in &entries {
        let mut settings = entry.settings.clone();
        settings.remove("calls");
        // The end comes once, and so does the first line.
        if !entry.ends() && entry.setting("handshake") != Some("none") {
            groups.entry(settings).or_default().push(entry);
        }
    }
    assert!(groups.values().any(|group| group.len() > 50), "many entries share their settings");
    for group in groups.values() {
        let mut application = Application::start(group[0]);
        let mut input = Vec::new();
        let mut calls = 0;
        for entry in group {
            application.call(entry);
            input.extend(entry.input(calls));
            calls += entry.calls();
        }
        application.read(&input);
        if let Err(why) = finish(application, group) {
            panic!("{}\n{why}", group.iter().map(|entry| format!("{entry}\n")).collect::<String>());
        }
    }
}
