//! The writing side.

use std::fmt;
use std::io::{self, IoSlice};
use std::pin::Pin;
use std::task::{Context, Poll, ready};

use futures_io::AsyncWrite;

use crate::state::State;
use crate::thread::Writer;
use crate::{Direction, Kind, Reactor, Stream, Way};

/// A stream to write to, by the best way that it and the reactor allow.
///
/// Writing is cancel-safe: what a write has counted is on its way, whatever is dropped afterwards.
/// Only a thread keeps bytes here, twice 64 KiB at most; flush them before the process ends.
/// Dropping it closes the descriptor, on a thread once that has written what it was given.
///
/// An error of a thread comes with the next call and with every one after it.
pub struct Output<R> {
    kind: Kind,
    /// Nothing once closed.
    state: Option<State<R, Writer>>,
}

impl<R: Reactor> Output<R> {
    /// Registers the stream with the reactor, or leaves it to a thread where that is refused.
    ///
    /// Panics only where [`Reactor::register`] does, as tokio's does outside of a runtime.
    #[must_use]
    pub fn new(stream: Stream) -> Self {
        Self { kind: stream.kind(), state: Some(State::start(stream, Direction::Output)) }
    }

    /// What is written to.
    pub fn kind(&self) -> Kind {
        self.kind
    }

    /// How it is waited for, `None` once closed. A pipe that has a name may change its way at the
    /// first write.
    pub fn way(&self) -> Option<Way> {
        self.state.as_ref().map(State::way)
    }
}

impl<R: Reactor> AsyncWrite for Output<R> {
    fn poll_write(
        self: Pin<&mut Self>,
        context: &mut Context<'_>,
        buffer: &[u8],
    ) -> Poll<io::Result<usize>> {
        self.poll_write_vectored(context, &[IoSlice::new(buffer)])
    }

    fn poll_write_vectored(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
        buffers: &[IoSlice<'_>],
    ) -> Poll<io::Result<usize>> {
        loop {
            match &mut self.state {
                None => return Poll::Ready(Err(closed())),
                Some(State::Direct(stream)) => return Poll::Ready(stream.try_write(buffers)),
                Some(State::Thread(writer)) => return writer.poll_write(context, buffers),
                Some(State::Registered { reactor, stream }) => {
                    let result = ready!(reactor.poll_write(context, buffers));
                    match result.as_ref().err().and_then(|error| stream.replacement(error)) {
                        Some(stream) => self.state = Some(State::start(stream, Direction::Output)),
                        None => return Poll::Ready(result),
                    }
                }
            }
        }
    }

    /// Ready once the kernel has every byte.
    fn poll_flush(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<io::Result<()>> {
        match &mut self.state {
            Some(State::Thread(writer)) => writer.poll_flush(context),
            _ => Poll::Ready(Ok(())),
        }
    }

    /// Flushes, then closes the descriptor, also where flushing fails. Closing again is a no-op.
    ///
    /// The peer sees the end once every other descriptor for the same open file is closed as well.
    fn poll_close(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<io::Result<()>> {
        let result = match &mut self.state {
            Some(State::Thread(writer)) => ready!(writer.poll_close(context)),
            _ => Ok(()),
        };
        self.state = None;
        Poll::Ready(result)
    }
}

/// Nothing in it is ever pinned.
impl<R> Unpin for Output<R> {}

impl<R> fmt::Debug for Output<R> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Output")
            .field("kind", &self.kind)
            .field("way", &self.state.as_ref().map(State::way))
            .finish_non_exhaustive()
    }
}

fn closed() -> io::Error {
    io::Error::new(io::ErrorKind::BrokenPipe, "the output is closed: write before closing it")
}
