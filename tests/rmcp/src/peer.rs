//! A client that does what it likes, at the other end of a server's pipes.

use serde_json::Value;
use std::convert::Infallible;
use std::io::{self, BufRead, BufReader, Write};
use std::path::Path;
use std::process::{Child, ChildStdin, ChildStdout, Command, Stdio};
use std::sync::mpsc::{Receiver, RecvTimeoutError, channel};
use std::thread::{JoinHandle, spawn};
use std::time::Duration;

/// How long a server may take for anything that it does at all.
const LONG: Duration = Duration::from_secs(60);

/// How long it is watched for the end that it may never come to.
const WATCHED: Duration = Duration::from_secs(10);

const HANDSHAKE: &str = concat!(
    r#"{"jsonrpc":"2.0","id":"start","method":"initialize","params":{"protocolVersion":"2025-11-25","#,
    r#""capabilities":{},"clientInfo":{"name":"peer","version":"1.0.0"}}}"#,
    "\n",
    r#"{"jsonrpc":"2.0","method":"notifications/initialized"}"#,
    "\n",
);

/// A server as a child process, after the handshake, and what it writes.
#[derive(Debug)]
pub struct Peer {
    child: Child,
    input: Option<ChildStdin>,
    /// Nothing once nobody reads.
    lines: Option<Receiver<String>>,
    reader: Option<JoinHandle<()>>,
    /// Never gives anything, and hangs up when the process has ended.
    ended: Receiver<Infallible>,
}

impl Peer {
    /// Starts the server over one of the transports.
    ///
    /// # Errors
    ///
    /// What the system says, and where the server does not shake hands.
    pub fn start(program: &Path, transport: &str) -> io::Result<Self> {
        let mut child = Command::new(program)
            .args(["serve", transport])
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()?;
        let (input, output, log) = (child.stdin.take(), child.stdout.take(), child.stderr.take());
        let (sender, lines) = channel();
        let reader = spawn(move || {
            for line in output.into_iter().flat_map(lines_of) {
                if sender.send(line).is_err() {
                    return;
                }
            }
        });
        let (alive, ended) = channel();
        spawn(move || {
            // Nobody reads the log. Its end is that of the process.
            _ = log.map(|mut log| io::copy(&mut log, &mut io::sink()));
            drop(alive);
        });
        let mut peer = Self { child, input, lines: Some(lines), reader: Some(reader), ended };
        peer.write(HANDSHAKE.as_bytes())?;
        match peer.line() {
            Some(line) if line.contains(r#""id":"start""#) => Ok(peer),
            other => Err(io::Error::other(format!("not the handshake: {other:?}"))),
        }
    }

    /// Writes bytes as they are.
    ///
    /// # Errors
    ///
    /// What the system says.
    pub fn write(&mut self, bytes: &[u8]) -> io::Result<()> {
        match &mut self.input {
            Some(input) => input.write_all(bytes),
            None => Err(io::ErrorKind::BrokenPipe.into()),
        }
    }

    /// Lets the server see the end of its input.
    pub fn end_input(&mut self) {
        self.input = None;
    }

    /// Stops reading with the next line that comes, and closes the pipe.
    pub fn close_output(&mut self) {
        self.lines = None;
        // Its result is that it has ended.
        _ = self.reader.take().map(JoinHandle::join);
    }

    /// The next line, `None` at the end.
    pub fn line(&mut self) -> Option<String> {
        self.lines.as_ref()?.recv_timeout(LONG).ok()
    }

    /// What the server writes until it closes its output.
    pub fn lines_until_end(&mut self) -> Vec<String> {
        self.end_input();
        std::iter::from_fn(|| self.line()).collect()
    }

    /// Whether the server ends, while it can still read.
    ///
    /// # Errors
    ///
    /// What the system says.
    pub fn ends(&mut self) -> io::Result<&'static str> {
        match self.ended.recv_timeout(WATCHED) {
            Err(RecvTimeoutError::Timeout) => Ok("goes on"),
            _ => Ok(if self.child.wait()?.success() { "ends" } else { "fails" }),
        }
    }
}

/// The server is ended, whatever it does.
impl Drop for Peer {
    fn drop(&mut self) {
        self.input = None;
        // Where it has ended already, there is nothing to do.
        _ = self.child.kill();
        _ = self.child.wait();
    }
}

fn lines_of(output: ChildStdout) -> impl Iterator<Item = String> {
    BufReader::new(output)
        .split(b'\n')
        .map_while(Result::ok)
        .map(|line| String::from_utf8_lossy(&line).into_owned())
}

/// What lines say, each in a few words.
pub(crate) fn told(lines: &[String]) -> String {
    let told: Vec<String> = lines.iter().map(|line| told_of(line)).collect();
    if told.is_empty() { "nothing".into() } else { told.join(", ") }
}

fn told_of(line: &str) -> String {
    let Ok(message) = serde_json::from_str::<Value>(line) else {
        return format!("the line `{line}`");
    };
    let id = match message.get("id") {
        Some(id) => format!("for {id}"),
        None => "for no id".into(),
    };
    match (message["error"]["code"].as_i64(), message["result"]["content"][0]["text"].as_str()) {
        (Some(code), _) => format!("{code} {id}"),
        (None, Some(text)) if text.len() > 100 => format!("{} bytes {id}", text.len()),
        (None, Some(text)) => format!("\"{text}\" {id}"),
        (None, None) => format!("{} {id}", message["method"].as_str().unwrap_or("an answer")),
    }
}
