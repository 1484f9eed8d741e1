//! The fixture as a child process, over pipes that block.

use rustix::event::{PollFd, PollFlags, poll};
use rustix::process::{Pid, Signal, kill_process_group};
use serde_json::{Value, json};
use std::io::{BufRead, BufReader, ErrorKind, Read, Write};
use std::os::unix::process::CommandExt;
use std::process::{Child, ChildStderr, ChildStdin, ChildStdout, Command, ExitStatus, Stdio};

pub(crate) struct Process {
    child: Child,
    input: Option<ChildStdin>,
    output: BufReader<ChildStdout>,
    /// `None` once closed.
    errors: Option<BufReader<ChildStderr>>,
}

impl Process {
    /// Its id on standard error is read already.
    pub(crate) fn spawn(arguments: &[&str]) -> Self {
        let mut child = Command::new(env!("CARGO_BIN_EXE_misbehave"))
            .args(arguments)
            .process_group(0)
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()
            .unwrap();
        let mut process = Self {
            input: child.stdin.take(),
            output: BufReader::new(child.stdout.take().unwrap()),
            errors: child.stderr.take().map(BufReader::new),
            child,
        };
        assert_eq!(process.error(), format!("process {}", process.child.id()));
        process
    }

    /// With the handshake behind it.
    pub(crate) fn ready(arguments: &[&str]) -> Self {
        let mut process = Self::spawn(arguments);
        process.initialize();
        let answer = process.receive();
        assert_eq!(answer["id"], 0, "{answer}");
        assert_eq!(answer["result"]["instructions"], format!("process {}", process.child.id()));
        process.send(&json!({ "jsonrpc": "2.0", "method": "notifications/initialized" }));
        process
    }

    pub(crate) fn initialize(&mut self) {
        let params = json!({ "protocolVersion": "2025-06-18", "capabilities": {} });
        self.request(0, "initialize", params);
    }

    /// Calls the tool, with a text of its own for each id.
    pub(crate) fn call(&mut self, id: u64) {
        let params = json!({ "name": "echo", "arguments": { "text": format!("call {id}") } });
        self.request(id, "tools/call", params);
    }

    pub(crate) fn request(&mut self, id: u64, method: &str, params: Value) {
        self.send(&json!({ "jsonrpc": "2.0", "id": id, "method": method, "params": params }));
    }

    fn send(&mut self, message: &Value) {
        self.try_send(format!("{message}\n").as_bytes()).unwrap();
    }

    pub(crate) fn try_send(&mut self, bytes: &[u8]) -> Result<(), ErrorKind> {
        self.input.as_mut().unwrap().write_all(bytes).map_err(|error| error.kind())
    }

    /// Waits until nobody can read what it is sent. That may be after it closed its input: a process that another test is just
    /// starting has a copy of every descriptor, up to its exec.
    pub(crate) fn wait_until_unread(&self) {
        let input = self.input.as_ref().unwrap();
        let mut events = [PollFd::new(input, PollFlags::empty())];
        poll(&mut events, None).unwrap();
        assert!(events[0].revents().contains(PollFlags::ERR));
    }

    /// The next line of output, which has to be JSON.
    #[track_caller]
    pub(crate) fn receive(&mut self) -> Value {
        let line = self.line();
        serde_json::from_str(&line).unwrap_or_else(|error| panic!("{error}: {line:?}"))
    }

    /// The next line of output; empty at its end.
    pub(crate) fn line(&mut self) -> String {
        line(&mut self.output)
    }

    /// All that is left of the output.
    pub(crate) fn rest(&mut self) -> String {
        let mut rest = String::new();
        self.output.read_to_string(&mut rest).unwrap();
        rest
    }

    /// The next line of standard error.
    pub(crate) fn error(&mut self) -> String {
        line(self.errors.as_mut().unwrap())
    }

    /// So many bytes of standard error.
    pub(crate) fn errors(&mut self, bytes: usize) -> Vec<u8> {
        let mut errors = vec![0; bytes];
        self.errors.as_mut().unwrap().read_exact(&mut errors).unwrap();
        errors
    }

    /// From now on its standard error is broken.
    pub(crate) fn stop_listening(&mut self) {
        self.errors = None;
    }

    pub(crate) fn hang_up(&mut self) {
        self.input = None;
    }

    pub(crate) fn has_ended(&mut self) -> bool {
        self.child.try_wait().unwrap().is_some()
    }

    pub(crate) fn wait(&mut self) -> ExitStatus {
        self.child.wait().unwrap()
    }

    /// Sends a signal to it and to all that it has started.
    pub(crate) fn signal(&self, signal: Signal) {
        kill_process_group(Pid::from_child(&self.child), signal).unwrap();
    }
}

impl Drop for Process {
    fn drop(&mut self) {
        _ = kill_process_group(Pid::from_child(&self.child), Signal::KILL);
        _ = self.child.wait();
    }
}

fn line(stream: &mut impl BufRead) -> String {
    let mut line = String::new();
    stream.read_line(&mut line).unwrap();
    line.trim_end_matches('\n').to_owned()
}
