//! Elsewhere than on Unix: the platform's own handles, through std, by threads only.

use std::fmt;
use std::io::{self, IoSlice, IsTerminal, Read, Write};
use std::process::{ChildStderr, ChildStdin, ChildStdout};
use std::sync::{Mutex, PoisonError};

use crate::{Kind, Way};

/// A standard stream, or this side of a child's, with blocking calls only.
///
/// To read or write it asynchronously, give it to [`Input`](crate::Input) or
/// [`Output`](crate::Output).
pub struct Stream {
    source: Source,
}

enum Source {
    ChildInput(Mutex<Box<dyn Write + Send>>),
    ChildOutput(Mutex<Box<dyn Read + Send>>),
    StandardInput,
    StandardOutput,
}

impl Stream {
    /// What the handle refers to: [`Kind::Terminal`], [`Kind::Pipe`] or [`Kind::Other`].
    #[must_use]
    pub fn kind(&self) -> Kind {
        let is_terminal = match self.source {
            Source::ChildInput(_) | Source::ChildOutput(_) => return Kind::Pipe,
            Source::StandardInput => io::stdin().is_terminal(),
            Source::StandardOutput => io::stdout().is_terminal(),
        };
        if is_terminal { Kind::Terminal } else { Kind::Other }
    }

    /// Always [`Way::Thread`].
    #[must_use]
    pub fn way(&self) -> Way {
        Way::Thread
    }

    /// Reads into `buffer` and blocks; `Ok(0)` is the end of input, or an empty buffer.
    ///
    /// # Errors
    ///
    /// What the platform says, and where this is standard output.
    pub fn try_read(&self, buffer: &mut [u8]) -> io::Result<usize> {
        self.read_blocking(buffer)
    }

    /// Writes the first of `buffers` that is not empty and blocks.
    ///
    /// # Errors
    ///
    /// What the platform says, and where this is standard input.
    pub fn try_write(&self, buffers: &[IoSlice<'_>]) -> io::Result<usize> {
        let first = buffers.iter().find(|buffer| !buffer.is_empty());
        first.map_or(Ok(0), |buffer| self.write_blocking(buffer))
    }

    /// Always false: no reactor knows these streams.
    #[must_use]
    pub fn is_drained_by(&self, _count: usize, _asked: usize) -> bool {
        false
    }

    pub(crate) fn replacement(&self, _error: &io::Error) -> Option<Self> {
        None
    }

    pub(crate) fn read_blocking(&self, buffer: &mut [u8]) -> io::Result<usize> {
        match &self.source {
            Source::ChildOutput(output) => {
                let mut output = output.lock().unwrap_or_else(PoisonError::into_inner);
                retry(|| output.read(buffer))
            }
            Source::StandardInput => retry(|| io::stdin().lock().read(buffer)),
            Source::ChildInput(_) | Source::StandardOutput => Err(wrong_direction()),
        }
    }

    pub(crate) fn write_blocking(&self, buffer: &[u8]) -> io::Result<usize> {
        match &self.source {
            Source::ChildInput(input) => {
                let mut input = input.lock().unwrap_or_else(PoisonError::into_inner);
                write_and_flush(&mut *input, buffer)
            }
            Source::StandardOutput => write_and_flush(&mut io::stdout().lock(), buffer),
            Source::ChildOutput(_) | Source::StandardInput => Err(wrong_direction()),
        }
    }
}

impl fmt::Debug for Stream {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.debug_struct("Stream").field("kind", &self.kind()).finish_non_exhaustive()
    }
}

macro_rules! of_child {
    ($($pipe:ident => $source:ident),*) => {$(
        impl TryFrom<$pipe> for Stream {
            type Error = io::Error;

            fn try_from(pipe: $pipe) -> io::Result<Self> {
                Ok(Self { source: Source::$source(Mutex::new(Box::new(pipe))) })
            }
        }
    )*};
}

of_child!(ChildStdin => ChildInput, ChildStdout => ChildOutput, ChildStderr => ChildOutput);

pub(crate) fn take_over() -> io::Result<(Stream, Stream)> {
    share()
}

pub(crate) fn share() -> io::Result<(Stream, Stream)> {
    io::stdout().flush()?;
    Ok((Stream { source: Source::StandardInput }, Stream { source: Source::StandardOutput }))
}

fn write_and_flush(output: &mut (impl Write + ?Sized), buffer: &[u8]) -> io::Result<usize> {
    let count = retry(|| output.write(buffer))?;
    retry(|| output.flush())?;
    Ok(count)
}

fn retry<T>(mut call: impl FnMut() -> io::Result<T>) -> io::Result<T> {
    loop {
        match call() {
            Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
            result => return result,
        }
    }
}

fn wrong_direction() -> io::Error {
    io::Error::new(
        io::ErrorKind::Unsupported,
        "a standard stream goes one way: read standard input, write standard output",
    )
}

#[cfg(test)]
mod tests {
    use super::{Source, Stream, Way};

    /// S: what other platforms get compiles and answers here as well.
    #[test]
    fn each_stream_goes_one_way() {
        let input = Stream { source: Source::StandardInput };
        let output = Stream { source: Source::StandardOutput };
        assert_eq!((input.way(), output.way()), (Way::Thread, Way::Thread));
        assert!(input.write_blocking(b"wrong").is_err());
        assert!(output.read_blocking(&mut [0]).is_err());
    }
}
