//! Signals that end a program, and how they get to the server.

use async_signal::Signal;
use smol::stream::StreamExt;
use std::io;
use std::process::Command;

#[cfg(unix)]
const ENDING: [Signal; 4] = [Signal::Hup, Signal::Int, Signal::Quit, Signal::Term];

/// Elsewhere the console tells the server by itself.
#[cfg(not(unix))]
const ENDING: [Signal; 1] = [Signal::Int];

/// From the first one on, these signals do not end this program.
pub(crate) struct Signals(async_signal::Signals);

impl Signals {
    pub(crate) fn new() -> io::Result<Self> {
        Ok(Self(async_signal::Signals::new(ENDING)?))
    }

    /// Waits for the next one.
    pub(crate) async fn next(&mut self) -> Signal {
        loop {
            if let Some(Ok(signal)) = self.0.next().await {
                return signal;
            }
        }
    }
}

/// Gives the server a process group of its own, so that it gets no signal but those that are passed on.
#[cfg(unix)]
pub(crate) fn shield(command: &mut Command) {
    std::os::unix::process::CommandExt::process_group(command, 0);
}

/// Passes it on to the server and what that has started.
#[cfg(unix)]
pub(crate) fn pass_on(server: u32, signal: Signal) {
    use rustix::process::{Pid, Signal as Raw, kill_process_group};
    let signal = match signal {
        Signal::Hup => Raw::HUP,
        Signal::Int => Raw::INT,
        Signal::Quit => Raw::QUIT,
        _ => Raw::TERM,
    };
    if let Some(group) = i32::try_from(server).ok().and_then(Pid::from_raw) {
        // Failure means that nobody is there any more.
        _ = kill_process_group(group, signal);
    }
}

#[cfg(not(unix))]
pub(crate) fn shield(_: &mut Command) {}

#[cfg(not(unix))]
pub(crate) fn pass_on(_: u32, _: Signal) {}
