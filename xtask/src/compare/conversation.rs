//! A client that does what it likes, and a server as its child. It waits for answers, and for silence only where nothing
//! else would tell.

use super::seen::{Memory, Seen, State};
use super::servers::Server;
use super::tally::Tally;
use crate::child::{Child, PATIENCE, Reading};
use crate::failure::Failure;
use serde_json::{Value, json};
use std::fs;
use std::process::Command;
use std::sync::mpsc::RecvTimeoutError;
use std::time::{Duration, Instant};

/// How long a server that takes no input is given to go on.
const STALL: Duration = Duration::from_secs(2);

/// How long a server may write whatever it likes before it counts as one that answers no more.
const ENOUGH: Duration = Duration::from_secs(60);

/// How long the call takes that outlasts whatever else the server may still be about.
const OUTLASTING: u64 = 400;

pub(crate) struct Conversation {
    child: Child,
    /// What came, without the answers to what was asked only to see whether there would be one.
    lines: Vec<String>,
}

impl Conversation {
    /// Starts a server and shakes hands, unless the server does not.
    pub(crate) fn begin(server: &Server) -> Result<Option<Self>, Failure> {
        let mut command = Command::new(&server.command[0]);
        command.args(&server.command[1..]).env("RUST_BACKTRACE", "0");
        let child = Child::start(&mut command, Reading::OnDemand)?;
        let mut conversation = Self { child, lines: Vec::new() };
        conversation.request(
            "start",
            "initialize",
            &json!({
                "protocolVersion": "2025-11-25",
                "capabilities": {},
                "clientInfo": { "name": "compare", "version": env!("CARGO_PKG_VERSION") },
            }),
        );
        let begins = conversation.answers("start") == State::Alive;
        conversation.write(format!(
            "{}\n",
            json!({ "jsonrpc": "2.0", "method": "notifications/initialized" })
        ));
        Ok(begins.then_some(conversation))
    }

    /// Writes bytes as they are, in the background.
    pub(crate) fn write(&mut self, bytes: impl Into<Vec<u8>>) {
        self.child.write(bytes.into());
    }

    /// Writes a call, with the end of its line.
    pub(crate) fn call(&mut self, id: u64, tool: &str, arguments: &Value) {
        self.write(call(id, tool, arguments) + "\n");
    }

    fn request(&mut self, id: &str, method: &str, params: &Value) {
        let request = json!({ "jsonrpc": "2.0", "id": id, "method": method, "params": params });
        self.write(format!("{request}\n"));
    }

    /// Is a ping answered, so that all that was written before has been read?
    pub(crate) fn pongs(&mut self) -> State {
        self.request("ping", "ping", &json!({}));
        self.answers("ping")
    }

    /// What the server has said once it has answered a ping, and then a call that takes a while, and has closed its output
    /// after its input has ended: what has not come by then never will.
    pub(crate) fn outcome(mut self) -> Result<Seen, Failure> {
        let mut state = self.pongs();
        if state == State::Alive {
            let arguments = json!({ "ms": OUTLASTING, "steps": 1 });
            self.request("slow", "tools/call", &json!({ "name": "slow", "arguments": arguments }));
            state = self.answers("slow");
        }
        match state {
            State::Alive => self.outcome_at_end(),
            state => self.gone(state),
        }
    }

    /// What the server says until it closes its output, after its input has ended.
    pub(crate) fn outcome_at_end(mut self) -> Result<Seen, Failure> {
        let state = self.end()?;
        Ok(Seen::of(&self.lines, state))
    }

    /// How many of so many calls are answered that come at once.
    pub(crate) fn tally(
        mut self,
        calls: u64,
        line: impl Fn(u64) -> String,
    ) -> Result<Seen, Failure> {
        self.write((0..calls).map(line).collect::<String>());
        let mut tally = Tally::of(calls);
        let state = self.read_until(|line| {
            tally.count(line);
            tally.is_complete()
        });
        let state = if state == State::Alive { self.pongs() } else { state };
        Ok(Seen { told: state.after(&tally.to_string()), errors: tally.errors(), memory: None })
    }

    /// How many of so many calls are answered when the input ends at once behind them.
    pub(crate) fn tally_at_end(
        mut self,
        calls: u64,
        line: impl Fn(u64) -> String,
    ) -> Result<Seen, Failure> {
        self.write((0..calls).map(line).collect::<String>());
        let state = self.end()?;
        let mut tally = Tally::of(calls);
        self.lines.iter().for_each(|line| tally.count(line));
        Ok(Seen { told: state.after(&tally.to_string()), errors: tally.errors(), memory: None })
    }

    /// What becomes of a server whose output nobody can read any more. Its input stays open.
    pub(crate) fn outcome_unheard(mut self, line: &str) -> Result<Seen, Failure> {
        self.write(line);
        if !self.child.output.close() {
            return self.gone(State::Hangs);
        }
        self.lines.clear();
        self.write(line);
        Ok(Seen::of(&[], self.exit(State::Lingers)?))
    }

    /// What a server does that is asked for much, and is not read from until it has read all of it, or stops reading.
    pub(crate) fn tally_unread(
        mut self,
        calls: u64,
        line: impl Fn(u64) -> String,
    ) -> Result<Seen, Failure> {
        let before = self.peak();
        for id in 0..calls {
            self.write(line(id));
        }
        let reads_on = self.child.takes_all(STALL);
        let mut tally = Tally::of(calls);
        let state = self.read_until(|line| {
            tally.count(line);
            tally.is_complete()
        });
        let memory = before.zip(self.peak()).map(|(before, peak)| Memory { before, peak });
        let state = if state == State::Alive { self.pongs() } else { state };
        let state = if state == State::Ended { self.exit(state)? } else { state };
        let reading = if reads_on { "reads on" } else { "stops reading meanwhile" };
        let told = state.after(&format!("{reading}, {tally}"));
        Ok(Seen { told, errors: tally.errors(), memory })
    }

    /// Ends the input, and reads to the end of the output.
    fn end(&mut self) -> Result<State, Failure> {
        self.child.hang_up();
        match self.read_until(|_| false) {
            State::Ended => match self.exit(State::Lingers)? {
                State::Ended => Ok(State::Alive),
                state => Ok(state),
            },
            _ => Ok(State::Lingers),
        }
    }

    /// Reads up to the answer to this request.
    fn answers(&mut self, id: &str) -> State {
        let state = self.read_until(|line| {
            // Most lines are no answer to us, and some are large.
            line.contains(id)
                && serde_json::from_str::<Value>(line)
                    .is_ok_and(|message| message["id"] == id && message.get("method").is_none())
        });
        if state == State::Alive {
            self.lines.pop();
        }
        state
    }

    /// Reads up to a line, each of them and all within the time that a server may take.
    fn read_until(&mut self, mut is_last: impl FnMut(&str) -> bool) -> State {
        let end = Instant::now() + ENOUGH;
        loop {
            let now = Instant::now();
            if now >= end {
                return State::Hangs;
            }
            match self.child.output.next(end.min(now + PATIENCE)) {
                Ok(line) => {
                    let is_last = is_last(&line);
                    self.lines.push(line);
                    if is_last {
                        return State::Alive;
                    }
                }
                Err(RecvTimeoutError::Timeout) => return State::Hangs,
                Err(RecvTimeoutError::Disconnected) => return State::Ended,
            }
        }
    }

    fn gone(mut self, state: State) -> Result<Seen, Failure> {
        let state = if state == State::Ended { self.exit(state)? } else { state };
        Ok(Seen::of(&self.lines, state))
    }

    /// How the process ends, or else the state that it is in.
    fn exit(&mut self, otherwise: State) -> Result<State, Failure> {
        Ok(match self.child.exit()? {
            // A signal leaves no code.
            Some(status) if status.code().is_none() => State::Crashes,
            Some(_) => State::Ended,
            None => otherwise,
        })
    }

    /// The most memory that the process has had, in MiB; where the system tells.
    fn peak(&self) -> Option<u64> {
        peak_in(&fs::read_to_string(format!("/proc/{}/status", self.child.id())).ok()?)
    }
}

/// A call without the end of its line.
pub(crate) fn call(id: u64, tool: &str, arguments: &Value) -> String {
    let params = json!({ "name": tool, "arguments": arguments });
    format!(r#"{{"jsonrpc":"2.0","id":{id},"method":"tools/call","params":{params}}}"#)
}

fn peak_in(status: &str) -> Option<u64> {
    let peak = status.lines().find_map(|line| line.strip_prefix("VmHWM:"))?;
    let kibibytes: u64 = peak.split_whitespace().next()?.parse().ok()?;
    Some(kibibytes.div_ceil(1024))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_peak_is_found() {
        let status =
            "Name:\tserver\nVmPeak:\t  999999 kB\nVmHWM:\t    2049 kB\nVmRSS:\t    1024 kB\n";
        assert_eq!((peak_in(status), peak_in("Name:\tserver\n")), (Some(3), None));
    }
}
