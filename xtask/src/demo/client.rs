//! The smallest client there can be: it writes lines, and looks for answers among the lines that come.

use std::fmt;
use std::process::{Command, ExitStatus};
use std::sync::mpsc::RecvTimeoutError;
use std::time::Instant;

use serde_json::Value;

use crate::child::{Child, PATIENCE, Reading};
use crate::failure::Failure;

/// A line from the server: what it says as JSON is null where it says nothing in JSON.
pub(super) struct Message {
    pub(super) line: String,
    pub(super) json: Value,
}

impl Message {
    fn new(line: String) -> Self {
        let json = serde_json::from_str(&line).unwrap_or(Value::Null);
        Self { line, json }
    }

    /// Is it the response to the request with this id?
    pub(super) fn answers(&self, id: u64) -> bool {
        self.json["id"] == id && self.json.get("method").is_none()
    }

    /// The first text of a tool's result.
    pub(super) fn text(&self) -> Option<&str> {
        self.json["result"]["content"][0]["text"].as_str()
    }

    pub(super) fn is_busy(&self) -> bool {
        self.json["error"]["data"]["error"] == "server_busy"
    }
}

/// Why the play cannot go on.
pub(super) struct Trouble(String);

impl fmt::Display for Trouble {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str(&self.0)
    }
}

/// A request as it was sent.
pub(super) struct Sent {
    pub(super) id: u64,
    pub(super) line: String,
}

pub(super) struct Client {
    child: Child,
    last_id: u64,
    received: usize,
    /// Lines that nobody has asked for yet.
    unclaimed: Vec<Message>,
    log: Vec<String>,
}

impl Client {
    pub(super) fn start(server: &str, arguments: &[&str]) -> Result<Self, Failure> {
        // The server panics on request: nobody wants to read where.
        let mut command = Command::new(server);
        command.args(arguments).env("RUST_BACKTRACE", "0");
        let child = Child::start(&mut command, Reading::Always)?;
        Ok(Self { child, last_id: 0, received: 0, unclaimed: Vec::new(), log: Vec::new() })
    }

    pub(super) fn request(&mut self, method: &str, params: &str) -> Sent {
        self.last_id += 1;
        let id = self.last_id;
        let line =
            format!(r#"{{"jsonrpc":"2.0","id":{id},"method":"{method}","params":{params}}}"#);
        self.send(&line);
        Sent { id, line }
    }

    pub(super) fn call(&mut self, tool: &str, arguments: &str) -> Sent {
        self.request("tools/call", &format!(r#"{{"name":"{tool}","arguments":{arguments}}}"#))
    }

    pub(super) fn cancel(&mut self, id: u64) -> String {
        self.notify("notifications/cancelled", &format!(r#"{{"requestId":{id}}}"#))
    }

    pub(super) fn notify(&mut self, method: &str, params: &str) -> String {
        let line = format!(r#"{{"jsonrpc":"2.0","method":"{method}","params":{params}}}"#);
        self.send(&line);
        line
    }

    pub(super) fn send(&mut self, line: &str) {
        self.send_bytes(format!("{line}\n").into_bytes());
    }

    pub(super) fn send_bytes(&mut self, bytes: Vec<u8>) {
        self.child.write(bytes);
    }

    pub(super) fn answer(&mut self, id: u64) -> Result<Message, Trouble> {
        self.wait(&format!("answer to request {id}"), |message| message.answers(id))
    }

    /// Waits for a line. Others that come meanwhile are kept.
    pub(super) fn wait(
        &mut self,
        what: &str,
        matches: impl Fn(&Message) -> bool,
    ) -> Result<Message, Trouble> {
        if let Some(index) = self.unclaimed.iter().position(&matches) {
            return Ok(self.unclaimed.remove(index));
        }
        let deadline = Instant::now() + PATIENCE;
        loop {
            let message = self.receive(deadline).map_err(|error| no(what, error))?;
            if matches(&message) {
                return Ok(message);
            }
            self.unclaimed.push(message);
        }
    }

    /// Has such a line come that nobody has asked for?
    pub(super) fn has_received(&self, matches: impl Fn(&Message) -> bool) -> bool {
        self.unclaimed.iter().any(matches)
    }

    /// How many lines have come that nobody has asked for?
    pub(super) fn unclaimed(&self) -> usize {
        self.unclaimed.len()
    }

    /// Drops lines that may have come but need not.
    pub(super) fn forget(&mut self, matches: impl Fn(&Message) -> bool) {
        self.unclaimed.retain(|message| !matches(message));
    }

    /// Waits for a line on standard error that contains a text.
    pub(super) fn wait_for_log(&mut self, text: &str) -> Result<String, Trouble> {
        let deadline = Instant::now() + PATIENCE;
        loop {
            let line = self.child.errors.next(deadline);
            let line = line.map_err(|error| no(&format!("{text:?} on standard error"), error))?;
            self.log.push(line.clone());
            if line.contains(text) {
                return Ok(line);
            }
        }
    }

    pub(super) fn hang_up(&mut self) {
        self.child.hang_up();
    }

    /// Waits for the end of the process, whatever it still says.
    pub(super) fn exit(&mut self) -> Result<ExitStatus, Trouble> {
        let status = self.child.exit().map_err(|error| Trouble(error.to_string()))?;
        let silence = || Trouble(format!("the server still runs after {} s", PATIENCE.as_secs()));
        status.ok_or_else(silence)
    }

    /// Reads to the end of the output. Gives the number of all lines of the whole play, and those that nobody asked for.
    pub(super) fn finish(&mut self) -> Result<(usize, &[Message]), Trouble> {
        let deadline = Instant::now() + PATIENCE;
        loop {
            match self.receive(deadline) {
                Ok(message) => self.unclaimed.push(message),
                Err(RecvTimeoutError::Disconnected) => return Ok((self.received, &self.unclaimed)),
                Err(error) => return Err(no("end of the output", error)),
            }
        }
    }

    /// The last lines of the server's standard error, without empty ones.
    pub(super) fn log(&mut self, lines: usize) -> Vec<String> {
        while let Some(line) = self.child.errors.next_now() {
            self.log.push(line);
        }
        self.log.retain(|line| !line.is_empty());
        self.log.split_off(self.log.len().saturating_sub(lines))
    }

    fn receive(&mut self, deadline: Instant) -> Result<Message, RecvTimeoutError> {
        let line = self.child.output.next(deadline)?;
        self.received += 1;
        Ok(Message::new(line))
    }
}

fn no(what: &str, error: RecvTimeoutError) -> Trouble {
    Trouble(match error {
        RecvTimeoutError::Timeout => format!("no {what} within {} s", PATIENCE.as_secs()),
        RecvTimeoutError::Disconnected => format!("no {what}: the server closed its output"),
    })
}
