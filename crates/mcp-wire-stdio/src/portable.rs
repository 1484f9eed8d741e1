//! Elsewhere than on Unix: the platform's own handles, through std, by threads only.

use std::io::{self, IoSlice, IsTerminal, Read, Write};

use crate::{Direction, Kind, Way};

/// A standard stream, with blocking calls only.
///
/// To read or write it asynchronously, give it to [`Input`](crate::Input) or
/// [`Output`](crate::Output).
#[derive(Debug)]
pub struct Stream {
    direction: Direction,
}

impl Stream {
    /// What the handle refers to: [`Kind::Terminal`] or [`Kind::Other`].
    pub fn kind(&self) -> Kind {
        let is_terminal = match self.direction {
            Direction::Input => io::stdin().is_terminal(),
            Direction::Output => io::stdout().is_terminal(),
        };
        if is_terminal { Kind::Terminal } else { Kind::Other }
    }

    /// Always [`Way::Thread`].
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
    pub fn is_drained_by(&self, _count: usize, _asked: usize) -> bool {
        false
    }

    pub(crate) fn replacement(&self, _error: &io::Error) -> Option<Self> {
        None
    }

    pub(crate) fn read_blocking(&self, buffer: &mut [u8]) -> io::Result<usize> {
        match self.direction {
            Direction::Input => retry(|| io::stdin().lock().read(buffer)),
            Direction::Output => Err(wrong_direction()),
        }
    }

    pub(crate) fn write_blocking(&self, buffer: &[u8]) -> io::Result<usize> {
        match self.direction {
            Direction::Input => Err(wrong_direction()),
            Direction::Output => {
                let mut output = io::stdout().lock();
                let count = retry(|| output.write(buffer))?;
                retry(|| output.flush())?;
                Ok(count)
            }
        }
    }
}

pub(crate) fn take_over() -> io::Result<(Stream, Stream)> {
    share()
}

pub(crate) fn share() -> io::Result<(Stream, Stream)> {
    io::stdout().flush()?;
    Ok((Stream { direction: Direction::Input }, Stream { direction: Direction::Output }))
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
    use super::{Stream, Way};
    use crate::Direction;

    /// S: what other platforms get compiles and answers here as well.
    #[test]
    fn each_stream_goes_one_way() {
        let input = Stream { direction: Direction::Input };
        let output = Stream { direction: Direction::Output };
        assert_eq!((input.way(), output.way()), (Way::Thread, Way::Thread));
        assert!(input.write_blocking(b"wrong").is_err());
        assert!(output.read_blocking(&mut [0]).is_err());
    }
}
