//! What a host gives a server for its standard streams.

use super::Peer;
use super::peer::HangUp;
use rustix::fs::{OFlags, fcntl_getfl, fcntl_setfl};
use rustix::pty::{OpenptFlags, grantpt, ioctl_tiocgptpeer, openpt, unlockpt};
use rustix::termios::{LocalModes, OptionalActions, tcgetattr, tcsetattr};
use std::os::fd::OwnedFd;
use std::os::unix::net::UnixStream;

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Streams {
    /// As most hosts do.
    Pipes,
    /// As Node does.
    Sockets,
    /// As a shell does.
    Terminal,
}

/// The server's ends.
pub(crate) struct Theirs {
    pub(crate) input: OwnedFd,
    pub(crate) output: OwnedFd,
}

impl Streams {
    pub(crate) fn open(self) -> (Peer, Theirs) {
        match self {
            Self::Pipes => {
                let (input, to) = std::io::pipe().unwrap();
                let (from, output) = std::io::pipe().unwrap();
                let theirs = Theirs { input: input.into(), output: output.into() };
                (Peer::new(to.into(), from.into(), HangUp::Close), theirs)
            }
            Self::Sockets => {
                let (input, to) = UnixStream::pair().unwrap();
                let (from, output) = UnixStream::pair().unwrap();
                let theirs = Theirs { input: input.into(), output: output.into() };
                (Peer::new(to.into(), from.into(), HangUp::Close), theirs)
            }
            Self::Terminal => {
                let (host, terminal) = terminal();
                // Else the output begins with what was typed.
                let mut modes = tcgetattr(&terminal).unwrap();
                modes.local_modes.remove(LocalModes::ECHO);
                tcsetattr(&terminal, OptionalActions::Now, &modes).unwrap();
                (typist(host), Theirs { input: terminal.try_clone().unwrap(), output: terminal })
            }
        }
    }
}

impl Theirs {
    /// The same open files once more.
    pub(crate) fn share(&self) -> Self {
        Self { input: self.input.try_clone().unwrap(), output: self.output.try_clone().unwrap() }
    }

    /// Flags of the open files, which all who have them share.
    pub(crate) fn flags(&self) -> [OFlags; 2] {
        [&self.input, &self.output].map(|end| fcntl_getfl(end).unwrap())
    }

    /// What another program does that has the same open files.
    pub(crate) fn flip_nonblocking(&self) {
        // A terminal is one open file: it must not be flipped twice.
        let flags = self.flags();
        for (end, flags) in [&self.input, &self.output].into_iter().zip(flags) {
            fcntl_setfl(end, flags ^ OFlags::NONBLOCK).unwrap();
        }
    }
}

/// Somebody who sits at a terminal.
pub(crate) fn typist(host: OwnedFd) -> Peer {
    Peer::new(host.try_clone().unwrap(), host, HangUp::Type)
}

/// Both sides of a new terminal, with the flags that such have.
pub(crate) fn terminal() -> (OwnedFd, OwnedFd) {
    let flags = OpenptFlags::RDWR | OpenptFlags::NOCTTY | OpenptFlags::CLOEXEC;
    let host = openpt(flags).unwrap();
    grantpt(&host).unwrap();
    unlockpt(&host).unwrap();
    let terminal = ioctl_tiocgptpeer(&host, flags).unwrap();
    (host, terminal)
}
