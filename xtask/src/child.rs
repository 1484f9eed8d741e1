//! A child process and its three streams. Every wait has an end, and the child never outlives its owner.

use std::convert::Infallible;
use std::io::{self, BufRead, BufReader, Read, Write};
use std::process::{Child as Process, Command, ExitStatus, Stdio};
use std::sync::mpsc::{self, Receiver, RecvTimeoutError, Sender};
use std::thread;
use std::time::{Duration, Instant};

use crate::failure::Failure;
use crate::workspace;

/// How long anything may take.
pub(crate) const PATIENCE: Duration = Duration::from_secs(10);

/// There is no other way to wait for an exit for a limited time with the standard library alone.
const EXIT_POLL: Duration = Duration::from_millis(2);

/// When a child's output is read.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Reading {
    /// As it comes.
    Always,
    /// A line when somebody waits for it, so that the pipe is full while nobody does.
    OnDemand,
}

pub(crate) struct Child {
    process: Process,
    input: Option<Sender<Vec<u8>>>,
    /// Tells of each buffer that the child, or its pipe, has taken.
    taken: Receiver<()>,
    untaken: usize,
    pub(crate) output: Lines,
    pub(crate) errors: Lines,
}

impl Child {
    pub(crate) fn start(command: &mut Command, reading: Reading) -> Result<Self, Failure> {
        let mut process = command
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()
            .map_err(|error| workspace::not_started(command, &error))?;
        let (tell, taken) = mpsc::channel();
        let input = process.stdin.take().map(|stdin| write_in_background(stdin, tell));
        let output = Lines::of(process.stdout.take(), reading);
        let errors = Lines::of(process.stderr.take(), Reading::Always);
        Ok(Self { process, input, taken, untaken: 0, output, errors })
    }

    pub(crate) fn id(&self) -> u32 {
        self.process.id()
    }

    /// Writes bytes, without waiting until the child takes them. A child that takes no more is noticed by its silence.
    pub(crate) fn write(&mut self, bytes: Vec<u8>) {
        if let Some(input) = &self.input
            && input.send(bytes).is_ok()
        {
            self.untaken += 1;
        }
    }

    /// Waits until all that was written is taken, or nothing has been for so long. Says whether all of it is.
    pub(crate) fn takes_all(&mut self, patience: Duration) -> bool {
        while self.untaken > 0 {
            if self.taken.recv_timeout(patience).is_err() {
                return false;
            }
            self.untaken -= 1;
        }
        true
    }

    /// Closes the child's standard input once everything is written.
    pub(crate) fn hang_up(&mut self) {
        self.input = None;
    }

    /// Waits for the end of the process: `None` where it goes on.
    pub(crate) fn exit(&mut self) -> io::Result<Option<ExitStatus>> {
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

fn write_in_background(
    mut stdin: impl Write + Send + 'static,
    taken: Sender<()>,
) -> Sender<Vec<u8>> {
    let (sender, receiver) = mpsc::channel::<Vec<u8>>();
    thread::spawn(move || {
        for bytes in receiver {
            if stdin.write_all(&bytes).and_then(|()| stdin.flush()).is_err() {
                return;
            }
            // Not everybody wants to know.
            _ = taken.send(());
        }
    });
    sender
}

/// The lines that come out of a stream.
pub(crate) struct Lines {
    lines: Option<Receiver<String>>,
    /// Never gives anything, and hangs up once nobody reads the stream any more.
    reader: Receiver<Infallible>,
}

impl Lines {
    fn of(stream: Option<impl Read + Send + 'static>, reading: Reading) -> Self {
        match reading {
            Reading::Always => {
                let (sender, lines) = mpsc::channel();
                Self::read(stream, move |line| sender.send(line).is_ok(), lines)
            }
            Reading::OnDemand => {
                let (sender, lines) = mpsc::sync_channel(0);
                Self::read(stream, move |line| sender.send(line).is_ok(), lines)
            }
        }
    }

    /// Reads in the background, for as long as the lines are wanted.
    fn read(
        stream: Option<impl Read + Send + 'static>,
        give: impl Fn(String) -> bool + Send + 'static,
        lines: Receiver<String>,
    ) -> Self {
        let (reads, reader) = mpsc::channel();
        if let Some(stream) = stream {
            thread::spawn(move || {
                let lines = BufReader::new(stream).split(b'\n').map_while(Result::ok);
                for line in lines {
                    if !give(String::from_utf8_lossy(&line).into_owned()) {
                        break;
                    }
                }
                drop(reads);
            });
        }
        Self { lines: Some(lines), reader }
    }

    /// The next line, and why there is none.
    pub(crate) fn next(&self, deadline: Instant) -> Result<String, RecvTimeoutError> {
        let lines = self.lines.as_ref().ok_or(RecvTimeoutError::Disconnected)?;
        lines.recv_timeout(deadline.saturating_duration_since(Instant::now()))
    }

    /// A line that has come already.
    pub(crate) fn next_now(&self) -> Option<String> {
        self.lines.as_ref()?.try_recv().ok()
    }

    /// Stops reading with the next line that comes, and closes the pipe. Says whether one came.
    pub(crate) fn close(&mut self) -> bool {
        self.lines = None;
        self.reader.recv_timeout(PATIENCE) == Err(RecvTimeoutError::Disconnected)
    }
}
