//! Pipes on Linux, read and written without blocking and without touching a shared flag.

use std::io::{self, IoSlice, IoSliceMut};
use std::os::fd::{AsRawFd, OwnedFd};
use std::sync::OnceLock;

use rustix::fs::{Mode, OFlags, fcntl_getfl, open};
use rustix::io::{Errno, ReadWriteFlags, preadv2, pwritev2};
use rustix::pipe::{PipeFlags, pipe_with};

/// "At the current position", which a pipe always is.
const HERE: u64 = u64::MAX;

/// Whether the kernel knows `RWF_NOWAIT` for pipes, which it does from about 6.4.
///
/// Asked once, of a pipe of our own: a read of no bytes succeeds everywhere and proves nothing, and
/// one of a byte would take it from a stream that may turn out to be refused. A yes does not hold
/// for pipes that have a name or were opened anew, which is what [`is_refusal`] is for.
pub(super) fn kernel_has_nowait() -> bool {
    static ANSWER: OnceLock<bool> = OnceLock::new();
    *ANSWER.get_or_init(|| {
        pipe_with(PipeFlags::CLOEXEC)
            .is_ok_and(|(reader, _writer)| read(&reader, &mut [0]) == Err(Errno::AGAIN))
    })
}

/// Whether `error` says that this pipe does not take `RWF_NOWAIT`.
pub(super) fn is_refusal(error: &io::Error) -> bool {
    error.raw_os_error() == Some(Errno::OPNOTSUPP.raw_os_error())
}

pub(super) fn read(descriptor: &OwnedFd, buffer: &mut [u8]) -> rustix::io::Result<usize> {
    preadv2(descriptor, &mut [IoSliceMut::new(buffer)], HERE, ReadWriteFlags::NOWAIT)
}

pub(super) fn write(descriptor: &OwnedFd, buffers: &[IoSlice<'_>]) -> rustix::io::Result<usize> {
    pwritev2(descriptor, buffers, HERE, ReadWriteFlags::NOWAIT)
}

/// Opens the same pipe as an open file of our own, whose `O_NONBLOCK` nobody else sees.
///
/// Fails with `EACCES` on a pipe that another user made, with `ENXIO` on one that has a name and no
/// reader, and with `ENOENT` without `/proc`.
pub(super) fn reopen(descriptor: &OwnedFd) -> io::Result<OwnedFd> {
    let access = fcntl_getfl(descriptor)? & OFlags::RWMODE;
    let path = format!("/proc/self/fd/{}", descriptor.as_raw_fd());
    let opened = open(path, access | OFlags::NONBLOCK | OFlags::CLOEXEC, Mode::empty())?;
    crate::take_over::above_standard(opened)
}
