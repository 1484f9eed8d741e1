//! A child process, which is gone when the test is.

use super::deadline::until_ready;
use rustix::event::PollFlags;
use rustix::process::{Pid, PidfdFlags, Signal, kill_process_group, pidfd_open};
use std::fs;
use std::os::unix::process::CommandExt;
use std::process::{Child, Command, ExitStatus};
use std::time::Instant;
use tempfile::NamedTempFile;

/// The server, as a program.
pub(crate) fn program(runtime: &str, flags: &[&str]) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_streams"));
    command.arg(runtime).args(flags);
    command
}

pub(crate) struct Process {
    child: Child,
    errors: NamedTempFile,
}

impl Process {
    /// Its standard error goes to a file.
    pub(crate) fn spawn(mut command: Command) -> Self {
        let errors = NamedTempFile::new().unwrap();
        command.stderr(errors.reopen().unwrap());
        Self::spawn_as_it_is(command, errors)
    }

    /// Its standard error is what the command says.
    pub(crate) fn spawn_without_errors(command: Command) -> Self {
        Self::spawn_as_it_is(command, NamedTempFile::new().unwrap())
    }

    /// The command is dropped, so that the streams in it end with the process.
    fn spawn_as_it_is(mut command: Command, errors: NamedTempFile) -> Self {
        Self { child: command.process_group(0).spawn().unwrap(), errors }
    }

    pub(crate) fn id(&self) -> u32 {
        self.child.id()
    }

    /// What it wrote to standard error so far.
    pub(crate) fn errors(&self) -> String {
        fs::read_to_string(self.errors.path()).unwrap()
    }

    /// Waits until it has ended.
    #[track_caller]
    pub(crate) fn wait(&mut self) -> ExitStatus {
        let start = Instant::now();
        let process = pidfd_open(self.pid(), PidfdFlags::empty()).unwrap();
        until_ready(&process, PollFlags::IN, "the process does not end");
        let name = std::thread::current().name().unwrap_or_default().to_owned();
        println!("{name}: ended after {} ms", start.elapsed().as_millis());
        self.child.wait().unwrap()
    }

    /// Waits until it has ended well.
    #[track_caller]
    pub(crate) fn wait_for_success(&mut self) {
        let status = self.wait();
        assert!(status.success(), "{status}: {}", self.errors());
    }

    /// Waits until it has ended with the exit code for a connection that broke.
    #[track_caller]
    pub(crate) fn wait_for_failure(&mut self) {
        let status = self.wait();
        assert_eq!(status.code(), Some(1), "{status}: {}", self.errors());
    }

    fn pid(&self) -> Pid {
        Pid::from_child(&self.child)
    }
}

impl Drop for Process {
    fn drop(&mut self) {
        // What it has started is in its group.
        _ = kill_process_group(self.pid(), Signal::KILL);
        _ = self.child.wait();
    }
}
