//! A server that is going to be started, and whatever comes of it.

use super::deadline::{AMPLE, until};
use super::end::pid_of;
use children::{Mark, Mode, program};
use mcp_wire_tokio::shutdown::Times;
use mcp_wire_tokio::{ServerCommand, Stderr};
use rustix::process::{Signal, kill_process};
use std::fs;
use std::process::Command;

/// A server that is going to be started. When it is dropped, nothing is left of it, however the test went.
pub(crate) struct Server {
    mark: Mark,
    command: Command,
    times: Times,
    stderr: Stderr,
}

impl Server {
    /// One that captures its standard error, and has ample time for each step.
    pub(crate) fn new(mode: Mode) -> Self {
        let mark = Mark::new();
        let command = program(mode, &mark);
        Self::of(mark, command)
    }

    fn of(mark: Mark, command: Command) -> Self {
        let mut times = Times::default();
        (times.flush, times.close_input, times.terminate, times.kill) =
            (AMPLE, AMPLE, AMPLE, AMPLE);
        Self { mark, command, times, stderr: Stderr::Capture }
    }

    pub(crate) fn argument(mut self, argument: &str) -> Self {
        self.command.arg(argument);
        self
    }

    pub(crate) fn times(mut self, change: impl FnOnce(&mut Times)) -> Self {
        change(&mut self.times);
        self
    }

    pub(crate) fn stderr(mut self, stderr: Stderr) -> Self {
        self.stderr = stderr;
        self
    }

    /// Changes what a host developer prepares.
    pub(crate) fn prepare(mut self, change: impl FnOnce(&mut Command)) -> Self {
        change(&mut self.command);
        self
    }

    /// The same program once more for each call.
    pub(crate) fn command(&self) -> ServerCommand {
        let mut command = Command::new(self.command.get_program());
        command.args(self.command.get_args());
        for (name, value) in self.command.get_envs() {
            command.env(name, value.unwrap_or_default());
        }
        ServerCommand::new(command).times(self.times.clone()).stderr(self.stderr)
    }

    /// What runs of it, as process ids.
    pub(crate) fn processes(&self) -> Vec<u32> {
        self.mark.processes()
    }

    /// How much it has written so far, to whatever, in bytes.
    pub(crate) fn written(&self) -> usize {
        let of = |process: &u32| {
            let counts = fs::read_to_string(format!("/proc/{process}/io")).ok()?;
            counts.lines().find_map(|line| line.strip_prefix("wchar: "))?.parse::<usize>().ok()
        };
        self.processes().iter().filter_map(of).sum()
    }

    /// K3: nothing of it runs any more, grandchildren included. A signal that was sent is not yet a process that has ended.
    #[track_caller]
    pub(crate) fn assert_nothing_is_left(&self) {
        until("nothing is left of the server", || self.processes().is_empty());
    }
}

impl Drop for Server {
    fn drop(&mut self) {
        for process in self.processes() {
            _ = kill_process(pid_of(process), Signal::KILL);
        }
    }
}

/// A shell that runs the script. `$0` in it is the fixture.
pub(crate) fn shell(script: &str) -> Server {
    let mark = Mark::new();
    let fixture = program(Mode::Well, &mark);
    let mut command = Command::new("sh");
    command.arg("-c").arg(script).arg(fixture.get_program());
    mark.put_on(&mut command);
    Server::of(mark, command)
}
