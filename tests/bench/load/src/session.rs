//! A conversation with a server that has been started.

use crate::failure::{Failure, While};
use crate::lines::Lines;
use crate::options::Options;
use crate::process::Process;
use crate::usage::Usage;
use crate::work::{Reply, Work};
use serde_json::{Value, json};
use std::fs::File;
use std::io::Write;
use std::time::{Duration, Instant};

/// A server, after its handshake.
#[derive(Debug)]
pub(crate) struct Session {
    pub(crate) process: Process,
    pub(crate) input: File,
    pub(crate) output: Lines<File>,
}

impl Session {
    /// Starts the server and shakes hands.
    pub(crate) fn start(options: &Options) -> Result<Self, Failure> {
        let (process, input, output) = Process::start(options)?;
        let mut session = Self { process, input, output: Lines::new(output) };
        session.shake_hands(&options.protocol)?;
        Ok(session)
    }

    pub(crate) fn usage(&self) -> Usage {
        self.process.usage()
    }

    pub(crate) fn write(&self, bytes: &[u8]) -> Result<(), Failure> {
        (&self.input).write_all(bytes).during("writing")
    }

    /// One request and its answer. Gives how long it took.
    pub(crate) fn call(&mut self, work: &Work, id: u64) -> Result<Duration, Failure> {
        let mut request = Vec::new();
        work.write_request(id, &mut request);
        let start = Instant::now();
        self.write(&request)?;
        loop {
            match work.check(next_line(&mut self.output)?)? {
                Reply::Answer(answered) if answered == id => return Ok(start.elapsed()),
                Reply::Other => {}
                reply => {
                    return Err(Failure::new(format!("{reply:?} came instead of answer {id}")));
                }
            }
        }
    }

    /// Ends the conversation, and says how the server ended.
    pub(crate) fn end(self) -> Result<String, Failure> {
        drop(self.input);
        self.process.end()
    }

    fn shake_hands(&mut self, protocol: &str) -> Result<(), Failure> {
        let request = json!({ "jsonrpc": "2.0", "id": 0, "method": "initialize", "params": {
            "protocolVersion": protocol,
            "capabilities": {},
            "clientInfo": { "name": "load", "version": env!("CARGO_PKG_VERSION") },
        } });
        self.write(format!("{request}\n").as_bytes())?;
        loop {
            let line = next_line(&mut self.output)?;
            let message: Value =
                serde_json::from_slice(line).during("reading the answer to initialize")?;
            if message["id"] == 0 && message["result"]["protocolVersion"].is_string() {
                break;
            }
            if message["id"] == 0 {
                return Err(Failure::new(format!("initialize was answered with {message}")));
            }
        }
        self.write(b"{\"jsonrpc\":\"2.0\",\"method\":\"notifications/initialized\"}\n")
    }
}

/// The server's next line, which has to come.
pub(crate) fn next_line(output: &mut Lines<File>) -> Result<&[u8], Failure> {
    let line = output.next_line().during("reading")?;
    line.ok_or_else(|| Failure::new("the server closed its output before its last answer"))
}
