//! Getting hold of the standard streams, once in a process.

use std::io;
use std::sync::{Mutex, PoisonError};

use crate::{Input, Output, Reactor, Stream};

#[cfg(not(unix))]
use crate::portable as platform;
#[cfg(unix)]
mod unix;
#[cfg(unix)]
use unix as platform;
#[cfg(target_os = "linux")]
pub(crate) use unix::above_standard;

/// Moves standard input and output to private descriptors and returns them, in this order.
///
/// The private descriptors are above 2 and closed on exec. From then on descriptor 1 points where
/// descriptor 2 does (at the null device where that is closed) and descriptor 0 at the null device,
/// for this process and for children that inherit them. So a `println!` lands on standard error,
/// with what was printed before and has no end of line yet, and a child that reads its standard input
/// finds its end. Lines that were printed before are on their way.
///
/// This is not undone, also not by dropping the streams. Call it before anything reads standard
/// input: what std has buffered of that cannot be had back.
///
/// Elsewhere than on Unix nothing is moved, and a `println!` corrupts the protocol.
///
/// # Errors
///
/// [`AlreadyExists`](io::ErrorKind::AlreadyExists) where this or [`share`] has succeeded before in
/// this process; what the kernel says when duplicating or opening the null device fails.
/// Nothing is left half done, and the call can be repeated.
pub fn take_over() -> io::Result<(Stream, Stream)> {
    once(platform::take_over)
}

/// Takes the standard streams over, ready to be read and written.
///
/// # Errors
///
/// As [`take_over`].
pub fn standard_streams<R: Reactor>() -> io::Result<(Input<R>, Output<R>)> {
    let (input, output) = take_over()?;
    Ok((Input::new(input), Output::new(output)))
}

/// Duplicates standard input and output and returns them, in this order, for a program that wants
/// descriptors 0 and 1 left alone.
///
/// Whatever else the process and its children read from or write to them mixes with the protocol.
/// The private descriptors are above 2 and closed on exec.
///
/// # Errors
///
/// As [`take_over`].
pub fn share() -> io::Result<(Stream, Stream)> {
    once(platform::share)
}

/// Two readers of one stream would steal from each other, so the streams are given out once.
fn once(give_out: fn() -> io::Result<(Stream, Stream)>) -> io::Result<(Stream, Stream)> {
    static GIVEN_OUT: Mutex<bool> = Mutex::new(false);

    let mut given_out = GIVEN_OUT.lock().unwrap_or_else(PoisonError::into_inner);
    if *given_out {
        return Err(io::Error::new(
            io::ErrorKind::AlreadyExists,
            "the standard streams are in use already: \
             take them once in a process, and pass on what that returned",
        ));
    }
    let streams = give_out()?;
    *given_out = true;
    Ok(streams)
}
