//! Running entries of `tests/corpus`. Their format, and the application that they speak of, are told in the `README.md` there.

mod answers;
pub(crate) mod own_loop;
pub(crate) mod served;

use crate::script::Script;
use mcp_wire_driver::message::FaultKind;
use mcp_wire_driver::rpc::{IdMatching, Unattributed};
use mcp_wire_driver::{Budget, Closed, Config};
use model::corpus::{Entry, Step};
use std::time::Duration;

/// Sets what the entry sets.
fn configure(entry: &Entry, config: &mut Config) {
    let number = |name: &str, default: usize| entry.number(name).unwrap_or(default);
    config.max_frame = number("max_frame", config.max_frame);
    config.max_frame_out = number("max_frame_out", config.max_frame_out);
    config.max_depth = number("max_depth", config.max_depth);
    config.max_in_flight_bytes = number("max_in_flight_bytes", config.max_in_flight_bytes);
    config.max_queued = number("max_queued", config.max_queued);
    config.unattributed = match entry.setting("unattributed") {
        Some("null-id") => Unattributed::NullId,
        Some("omit-id") => Unattributed::OmitId,
        _ => config.unattributed,
    };
    config.id_matching = match entry.setting("id_matching") {
        Some("lenient") => IdMatching::Lenient,
        _ => config.id_matching,
    };
    config.eof_grace = match entry.setting("eof_grace") {
        Some("zero") => Some(Duration::ZERO),
        Some("none") => None,
        // The default is longer here, so that a busy machine changes nothing.
        _ => Some(Duration::from_secs(3)),
    };
    config.flush_stall = Duration::from_secs(10);
}

fn budget(entry: &Entry) -> Budget {
    Budget::with_share(1024, entry.number("max_in_flight").unwrap_or(512))
}

/// What comes before the entry: the handshake of a server, the calls of a client.
fn open(entry: &Entry, script: &mut Script) -> Result<(), String> {
    if entry.is_client() {
        for _ in 0..entry.number("calls").unwrap_or_default() {
            script.expect_where("a call", |message| message["method"] == "work")?;
        }
        return Ok(());
    }
    let revision = entry.setting("handshake").unwrap_or("2025-11-25");
    if revision != "none" {
        script.line(format!(
            r#"{{"jsonrpc":"2.0","id":0,"method":"initialize","params":{{"protocolVersion":"{revision}"}}}}"#
        ))?;
        script.expect_where("the answer to initialize", |message| message["id"] == 0)?;
        script.line(r#"{"jsonrpc":"2.0","method":"notifications/initialized"}"#)?;
    }
    Ok(())
}

/// Sends what the entry has the peer send, and gives the lines that the peer reads. After each whole line `settle` waits
/// until the application has done with it.
fn play(
    entry: &Entry,
    script: &mut Script,
    mut settle: impl FnMut(&mut Script) -> Result<(), String>,
) -> Result<Vec<String>, String> {
    let mut written = Vec::new();
    let mut questions = Questions::new(entry);
    for step in &entry.steps {
        match step {
            Step::EndOfInput => script.hang_up()?,
            Step::Event(_) | Step::Output(_) => {}
            Step::Input(text) => {
                let bytes = text.bytes(0);
                script.send(&bytes)?;
                if bytes.ends_with(b"\n") {
                    settle(script)?;
                }
                questions.sent(&String::from_utf8_lossy(&bytes));
                questions.read(script, &mut written)?;
            }
        }
    }
    if entry.ends() {
        written.extend(script.read_to_end()?);
        return Ok(written);
    }
    while written.len() < entry.output(0).len() {
        written.push(script.read().map_err(|error| format!("{error}, after {written:#?}"))?);
    }
    // Nothing else comes, and the connection lives.
    let method = if entry.is_client() { "echo" } else { "ping" };
    script.line(format!(r#"{{"jsonrpc":"2.0","id":"rest","method":"{method}"}}"#))?;
    script.expect(r#"{"jsonrpc":"2.0","id":"rest","result":{}}"#)?;
    Ok(written)
}

/// A question that is not written yet can still be taken back, so that the peer has to wait until it has read it.
struct Questions {
    expected: usize,
    asked: usize,
    ready: bool,
}

impl Questions {
    fn new(entry: &Entry) -> Self {
        let output = entry.output(0);
        Self {
            expected: output.iter().filter(|line| is_question(line)).count(),
            asked: 0,
            ready: entry.setting("handshake") != Some("none"),
        }
    }

    fn sent(&mut self, line: &str) {
        self.ready |= line.contains("notifications/initialized");
        self.asked += line.matches(r#""method":"ask""#).count();
    }

    fn read(&mut self, script: &mut Script, written: &mut Vec<String>) -> Result<(), String> {
        let due = self.asked.min(self.expected);
        while self.ready && written.iter().filter(|line| is_question(line)).count() < due {
            written.push(script.read()?);
        }
        Ok(())
    }
}

fn is_question(line: &str) -> bool {
    line.contains(r#""method":"question""#)
}

/// The events of an entry that can be seen through the driver.
fn visible_events(entry: &Entry) -> Vec<String> {
    let hidden = |event: &String| event.starts_with("late ") || event.starts_with("progress ");
    entry.events(0).into_iter().filter(|event| !hidden(event)).collect()
}

/// `NotUtf8` is `not-utf8` there.
fn kind_name(kind: FaultKind) -> String {
    let mut name = String::new();
    for letter in format!("{kind:?}").chars() {
        if letter.is_uppercase() && !name.is_empty() {
            name.push('-');
        }
        name.extend(letter.to_lowercase());
    }
    name
}

fn cause_name(cause: &Closed) -> String {
    format!("{cause:?}").to_lowercase()
}
