//! The descriptors themselves.

use std::fs::File;
use std::io::{self, Write};
use std::os::fd::{AsRawFd, BorrowedFd, OwnedFd};

use rustix::io::{Errno, fcntl_dupfd_cloexec, retry_on_intr};
use rustix::stdio::{dup2_stdin, dup2_stdout, stderr, stdin, stdout};

use crate::Stream;

/// The first descriptor that is no standard stream.
const FIRST_PRIVATE: i32 = 3;

pub(super) fn take_over() -> io::Result<(Stream, Stream)> {
    // Held to the end, so that no other thread prints meanwhile.
    let mut standard_output = io::stdout().lock();

    let input = duplicate_or_null(stdin())?;
    let output = duplicate_or_null(stdout())?;
    let output_to_restore = output.try_clone()?;
    let stray_output = duplicate_or_null(stderr())?;
    let stray_input = null_device()?;
    let streams = (Stream::new(input)?, Stream::new(output)?);

    retry_on_intr(|| dup2_stdout(&stray_output))?;
    if let Err(error) = retry_on_intr(|| dup2_stdin(&stray_input)) {
        retry_on_intr(|| dup2_stdout(&output_to_restore))?;
        return Err(error.into());
    }
    // What was printed without an end of line goes where all that is printed goes now: before the first message it would spoil
    // that one. Whether anybody reads it there is not the protocol's business.
    _ = standard_output.flush();
    Ok(streams)
}

pub(super) fn share() -> io::Result<(Stream, Stream)> {
    io::stdout().flush()?;
    Ok((Stream::new(duplicate_or_null(stdin())?)?, Stream::new(duplicate_or_null(stdout())?)?))
}

/// The same descriptor above the standard ones, which it may have become where those are closed.
pub(crate) fn above_standard(descriptor: OwnedFd) -> io::Result<OwnedFd> {
    if descriptor.as_raw_fd() >= FIRST_PRIVATE {
        return Ok(descriptor);
    }
    Ok(fcntl_dupfd_cloexec(&descriptor, FIRST_PRIVATE)?)
}

/// Rust opens the null device for standard streams that are closed when a program starts; this does
/// the same for those closed since, and for programs in another language.
fn duplicate_or_null(descriptor: BorrowedFd<'_>) -> io::Result<OwnedFd> {
    match fcntl_dupfd_cloexec(descriptor, FIRST_PRIVATE) {
        Err(Errno::BADF) => null_device(),
        result => Ok(result?),
    }
}

fn null_device() -> io::Result<OwnedFd> {
    above_standard(File::options().read(true).write(true).open("/dev/null")?.into())
}
