//! A descriptor that can be read and written without blocking, whatever its flags say.

use std::io::{self, IoSlice, IsTerminal};
use std::os::fd::{AsFd, AsRawFd, BorrowedFd, OwnedFd, RawFd};
use std::process::{ChildStderr, ChildStdin, ChildStdout};

use rustix::event::{PollFd, PollFlags, Timespec, poll};
use rustix::fs::{FileType, Stat, fstat, stat};
use rustix::io::retry_on_intr;
use rustix::net::{RecvFlags, SendAncillaryBuffer, SendFlags, recv, sendmsg};

use crate::{Kind, Way};

#[cfg(target_os = "linux")]
mod pipe;
#[cfg(all(test, target_os = "linux"))]
mod tests;

/// More buffers than this in one call are an error to the kernel; they wait for the next call.
const BUFFERS_PER_CALL: usize = 1024;

/// A descriptor and the calls that suit it. The flags of its open file are never changed.
///
/// To read or write it asynchronously, give it to [`Input`](crate::Input) or
/// [`Output`](crate::Output); its own calls are for implementations of
/// [`Reactor`](crate::Reactor).
#[derive(Debug)]
pub struct Stream {
    descriptor: OwnedFd,
    kind: Kind,
    calls: Calls,
}

/// Which system calls move the bytes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Calls {
    /// `preadv2` and `pwritev2` with `RWF_NOWAIT`.
    #[cfg(target_os = "linux")]
    NoWait,
    /// Nothing is moved: the end of input is there once the descriptor is ready to be read.
    Event,
    /// Plain calls, which block where there is something to wait for.
    Plain,
    /// Plain calls on an open file of our own, which is non-blocking.
    #[cfg(target_os = "linux")]
    Private,
    /// Socket calls with `MSG_DONTWAIT`.
    Socket,
}

impl Stream {
    /// Takes any open descriptor: a standard stream, or this side of a child's.
    ///
    /// A pipe may be opened anew through `/proc` (where the kernel has no `RWF_NOWAIT` for pipes);
    /// the given descriptor is closed then. Nothing is read or written.
    ///
    /// # Errors
    ///
    /// Where `fstat` refuses the descriptor.
    pub fn new(descriptor: OwnedFd) -> io::Result<Self> {
        let kind = kind_of(&descriptor)?;
        Ok(match kind {
            #[cfg(target_os = "linux")]
            Kind::Pipe => Self::pipe(descriptor, pipe::kernel_has_nowait()),
            Kind::Socket => Self { descriptor, kind, calls: Calls::Socket },
            _ => Self { descriptor, kind, calls: Calls::Plain },
        })
    }

    /// Takes a descriptor that has an event to tell and no bytes to read, such as a `pidfd`: it reads as the end of input once
    /// it is readable, and takes no output.
    #[must_use]
    pub fn event(descriptor: OwnedFd) -> Self {
        Self { descriptor, kind: Kind::Other, calls: Calls::Event }
    }

    /// What the descriptor refers to.
    #[must_use]
    pub fn kind(&self) -> Kind {
        self.kind
    }

    /// How the stream is best waited for. [`Input::way`](crate::Input::way) tells what was chosen.
    #[must_use]
    pub fn way(&self) -> Way {
        match (self.kind, self.calls) {
            (Kind::File | Kind::Null, _) => Way::Direct,
            (_, Calls::Plain) => Way::Thread,
            _ => Way::Readiness,
        }
    }

    /// Reads into `buffer`; `Ok(0)` is the end of input, or an empty buffer.
    ///
    /// Blocks only where [`way`](Self::way) is [`Way::Thread`]. Interruptions are retried.
    ///
    /// # Errors
    ///
    /// [`WouldBlock`](io::ErrorKind::WouldBlock) where nothing is there yet, and what the kernel
    /// says. [`Unsupported`](io::ErrorKind::Unsupported) on a pipe is a refusal that
    /// [`Input`](crate::Input) handles: nothing was read.
    pub fn try_read(&self, buffer: &mut [u8]) -> io::Result<usize> {
        Ok(retry_on_intr(|| match self.calls {
            #[cfg(target_os = "linux")]
            Calls::NoWait => pipe::read(&self.descriptor, &mut *buffer),
            #[cfg(target_os = "linux")]
            Calls::Private => rustix::io::read(&self.descriptor, &mut *buffer),
            Calls::Event => self.try_event(),
            Calls::Plain => rustix::io::read(&self.descriptor, &mut *buffer),
            Calls::Socket => {
                recv(&self.descriptor, &mut *buffer, RecvFlags::DONTWAIT).map(|(count, _)| count)
            }
        })?)
    }

    /// Writes some of `buffers`, in order, and says how many bytes the kernel took.
    ///
    /// Blocks only where [`way`](Self::way) is [`Way::Thread`]. Interruptions are retried. A socket
    /// never raises `SIGPIPE` (but on Apple's systems); for the rest it must be ignored, as it is in
    /// Rust programs.
    ///
    /// # Errors
    ///
    /// [`WouldBlock`](io::ErrorKind::WouldBlock) where there is no room,
    /// [`BrokenPipe`](io::ErrorKind::BrokenPipe) where nobody reads, and what else the kernel says.
    /// [`Unsupported`](io::ErrorKind::Unsupported) on a pipe is a refusal that
    /// [`Output`](crate::Output) handles: nothing was written.
    pub fn try_write(&self, buffers: &[IoSlice<'_>]) -> io::Result<usize> {
        let buffers = &buffers[..buffers.len().min(BUFFERS_PER_CALL)];
        Ok(retry_on_intr(|| match self.calls {
            #[cfg(target_os = "linux")]
            Calls::NoWait => pipe::write(&self.descriptor, buffers),
            #[cfg(target_os = "linux")]
            Calls::Private => rustix::io::writev(&self.descriptor, buffers),
            Calls::Event => Err(rustix::io::Errno::BADF),
            Calls::Plain => rustix::io::writev(&self.descriptor, buffers),
            Calls::Socket => self.send(buffers, SendFlags::DONTWAIT),
        })?)
    }

    /// Whether a read of `count` bytes into room for `asked` proves that nothing more is there, so
    /// that an edge-triggered reactor can wait at once and save the call that says `WouldBlock`.
    ///
    /// False for sockets, where a read may stop for other reasons: at the border of a message, or
    /// behind a descriptor that was sent along. (A pipe in packet mode cannot be told from its
    /// reading end: don't give one to a program as its input.)
    #[must_use]
    pub fn is_drained_by(&self, count: usize, asked: usize) -> bool {
        0 < count && count < asked && self.calls != Calls::Socket
    }

    /// Another way to the same stream, where `error` says that the kernel refuses this one.
    pub(crate) fn replacement(&self, error: &io::Error) -> Option<Self> {
        #[cfg(target_os = "linux")]
        if self.calls == Calls::NoWait && pipe::is_refusal(error) {
            return Some(Self::pipe(self.descriptor.try_clone().ok()?, false));
        }
        let _ = error;
        None
    }

    /// Reads, and waits for as long as it takes.
    pub(crate) fn read_blocking(&self, buffer: &mut [u8]) -> io::Result<usize> {
        self.block(PollFlags::IN, || match self.calls {
            Calls::Event => self.try_event(),
            _ => rustix::io::read(&self.descriptor, &mut *buffer),
        })
    }

    /// Writes some of `buffer`, and waits for as long as it takes.
    pub(crate) fn write_blocking(&self, buffer: &[u8]) -> io::Result<usize> {
        self.block(PollFlags::OUT, || match self.calls {
            Calls::Event => Err(rustix::io::Errno::BADF),
            Calls::Socket => self.send(&[IoSlice::new(buffer)], SendFlags::empty()),
            _ => rustix::io::write(&self.descriptor, buffer),
        })
    }

    /// The end of input, once there is something to read.
    fn try_event(&self) -> rustix::io::Result<usize> {
        let mut look = [PollFd::new(&self.descriptor, PollFlags::IN)];
        match poll(&mut look, Some(&Timespec { tv_sec: 0, tv_nsec: 0 }))? {
            0 => Err(rustix::io::Errno::AGAIN),
            _ => Ok(0),
        }
    }

    /// Repeats `call` until it has an answer. `WouldBlock` is none: somebody who shares the open
    /// file has made it non-blocking.
    fn block(
        &self,
        readiness: PollFlags,
        mut call: impl FnMut() -> rustix::io::Result<usize>,
    ) -> io::Result<usize> {
        loop {
            match retry_on_intr(&mut call) {
                Err(rustix::io::Errno::AGAIN) => {
                    let mut wait = [PollFd::new(&self.descriptor, readiness)];
                    retry_on_intr(|| poll(&mut wait, None))?;
                }
                result => return Ok(result?),
            }
        }
    }

    fn send(&self, buffers: &[IoSlice<'_>], flags: SendFlags) -> rustix::io::Result<usize> {
        #[cfg(not(target_vendor = "apple"))]
        let flags = flags | SendFlags::NOSIGNAL;
        sendmsg(&self.descriptor, buffers, &mut SendAncillaryBuffer::default(), flags)
    }

    /// A pipe by the kernel's own non-blocking calls, else opened anew, else with blocking calls.
    #[cfg(target_os = "linux")]
    fn pipe(descriptor: OwnedFd, nowait: bool) -> Self {
        let kind = Kind::Pipe;
        if nowait {
            return Self { descriptor, kind, calls: Calls::NoWait };
        }
        match pipe::reopen(&descriptor) {
            Ok(descriptor) => Self { descriptor, kind, calls: Calls::Private },
            Err(_) => Self { descriptor, kind, calls: Calls::Plain },
        }
    }
}

/// A child's standard input, and so on: this side of a pipe, as [`Stream::new`] takes it.
macro_rules! of_child {
    ($($pipe:ident),*) => {$(
        impl TryFrom<$pipe> for Stream {
            type Error = io::Error;

            fn try_from(pipe: $pipe) -> io::Result<Self> {
                Self::new(pipe.into())
            }
        }
    )*};
}

of_child!(ChildStdin, ChildStdout, ChildStderr);

impl AsFd for Stream {
    fn as_fd(&self) -> BorrowedFd<'_> {
        self.descriptor.as_fd()
    }
}

impl AsRawFd for Stream {
    fn as_raw_fd(&self) -> RawFd {
        self.descriptor.as_raw_fd()
    }
}

fn kind_of(descriptor: &OwnedFd) -> io::Result<Kind> {
    let status = fstat(descriptor)?;
    Ok(match FileType::from_raw_mode(status.st_mode) {
        FileType::CharacterDevice if is_null_device(&status) => Kind::Null,
        FileType::CharacterDevice if descriptor.is_terminal() => Kind::Terminal,
        FileType::Fifo => Kind::Pipe,
        FileType::RegularFile => Kind::File,
        FileType::Socket => Kind::Socket,
        _ => Kind::Other,
    })
}

fn is_null_device(status: &Stat) -> bool {
    stat("/dev/null").is_ok_and(|null| null.st_rdev == status.st_rdev)
}
