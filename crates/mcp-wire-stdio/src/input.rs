//! The reading side.

use std::fmt;
use std::io;
use std::pin::Pin;
use std::task::{Context, Poll, ready};

use futures_io::AsyncRead;

use crate::state::State;
use crate::thread::Reader;
use crate::{Direction, Kind, Reactor, Stream, Way};

/// A stream to read from, by the best way that it and the reactor allow.
///
/// Reading is cancel-safe: bytes stay here or in the kernel until a read returns them, so futures
/// over it may be dropped at any time. Nothing is read before it is asked for, and on a thread at
/// most 64 KiB for each time that it is. A pending read keeps neither the process nor the runtime
/// alive. Dropping it closes the descriptor; on a thread that is still inside a read it does so once
/// the read returns, and what that read got is lost.
pub struct Input<R> {
    kind: Kind,
    state: State<R, Reader>,
}

impl<R: Reactor> Input<R> {
    /// Registers the stream with the reactor, or leaves it to a thread where that is refused.
    ///
    /// Panics only where [`Reactor::register`] does, as tokio's does outside of a runtime.
    #[must_use]
    pub fn new(stream: Stream) -> Self {
        Self { kind: stream.kind(), state: State::start(stream, Direction::Input) }
    }

    /// What is read from.
    pub fn kind(&self) -> Kind {
        self.kind
    }

    /// How it is waited for. A pipe that has a name may change its way at the first read.
    pub fn way(&self) -> Way {
        self.state.way()
    }
}

impl<R: Reactor> AsyncRead for Input<R> {
    fn poll_read(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
        buffer: &mut [u8],
    ) -> Poll<io::Result<usize>> {
        loop {
            match &mut self.state {
                State::Direct(stream) => return Poll::Ready(stream.try_read(buffer)),
                State::Thread(reader) => return reader.poll_read(context, buffer),
                State::Registered { reactor, stream } => {
                    let result = ready!(reactor.poll_read(context, buffer));
                    match result.as_ref().err().and_then(|error| stream.replacement(error)) {
                        Some(stream) => self.state = State::start(stream, Direction::Input),
                        None => return Poll::Ready(result),
                    }
                }
            }
        }
    }
}

/// Nothing in it is ever pinned.
impl<R> Unpin for Input<R> {}

impl<R> fmt::Debug for Input<R> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Input")
            .field("kind", &self.kind)
            .field("way", &self.state.way())
            .finish_non_exhaustive()
    }
}
