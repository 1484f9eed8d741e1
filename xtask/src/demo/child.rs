//! A child process and its three streams. Every wait has an end, and the child never outlives its owner.

use std::io::{self, BufRead, BufReader, Read, Write};
use std::process::{Child as Process, Command, ExitStatus, Stdio};
use std::sync::mpsc::{self, Receiver, RecvTimeoutError, Sender};
use std::thread;
use std::time::{Duration, Instant};

use crate::failure::Failure;
use crate::workspace;

/// How long anything may take.
pub(super) const PATIENCE: Duration = Duration::from_secs(10);

/// There is no other way to wait for an exit for a limited time with the standard library alone.
const EXIT_POLL: Duration = Duration::from_millis(2);

pub(super) struct Child {
    process: Process,
    input: Option<Sender<Vec<u8>>>,
    pub(super) output: Lines,
    pub(super) errors: Lines,
}

impl Child {
    pub(super) fn start(command: &mut Command) -> Result<Self, Failure> {
        let mut process = command
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()
            .map_err(|error| workspace::not_started(command, &error))?;
        let input = process.stdin.take().map(write_in_background);
        let output = Lines::of(process.stdout.take());
        let errors = Lines::of(process.stderr.take());
        Ok(Self { process, input, output, errors })
    }

    /// Writes bytes, without waiting until the child takes them. A child that takes no more is noticed by its silence.
    pub(super) fn write(&self, bytes: Vec<u8>) {
        if let Some(input) = &self.input {
            _ = input.send(bytes);
        }
    }

    /// Closes the child's standard input once everything is written.
    pub(super) fn hang_up(&mut self) {
        self.input = None;
    }

    /// Waits for the end of the process: `None` where it goes on.
    pub(super) fn exit(&mut self) -> io::Result<Option<ExitStatus>> {
        let deadline = Instant::now() + PATIENCE;
        loop {
            let status = self.process.try_wait()?;
            if status.is_some() || Instant::now() >= deadline {
                return Ok(status);
            }
            thread::sleep(EXIT_POLL);
        }
    }
}

impl Drop for Child {
    fn drop(&mut self) {
        // Both fail where the process is gone, which is what they are for.
        _ = self.process.kill();
        _ = self.process.wait();
    }
}

fn write_in_background(mut stdin: impl Write + Send + 'static) -> Sender<Vec<u8>> {
    let (sender, receiver) = mpsc::channel::<Vec<u8>>();
    thread::spawn(move || {
        for bytes in receiver {
            if stdin.write_all(&bytes).and_then(|()| stdin.flush()).is_err() {
                return;
            }
        }
    });
    sender
}

/// The lines that come out of a stream.
pub(super) struct Lines(Receiver<String>);

impl Lines {
    fn of(stream: Option<impl Read + Send + 'static>) -> Self {
        let (sender, receiver) = mpsc::channel();
        if let Some(stream) = stream {
            thread::spawn(move || {
                let lines = BufReader::new(stream).split(b'\n').map_while(Result::ok);
                for line in lines {
                    if sender.send(String::from_utf8_lossy(&line).into_owned()).is_err() {
                        return;
                    }
                }
            });
        }
        Self(receiver)
    }

    /// The next line, and why there is none.
    pub(super) fn next(&self, deadline: Instant) -> Result<String, RecvTimeoutError> {
        self.0.recv_timeout(deadline.saturating_duration_since(Instant::now()))
    }

    /// A line that has come already.
    pub(super) fn next_now(&self) -> Option<String> {
        self.0.try_recv().ok()
    }
}
