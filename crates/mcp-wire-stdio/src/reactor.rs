//! What a runtime contributes: to say when a stream is ready.

use std::convert::Infallible;
use std::io::{self, IoSlice};
use std::sync::Arc;
use std::task::{Context, Poll};

use crate::{Direction, Stream};

/// A stream registered with a runtime's reactor. Adapters implement it once.
///
/// Only [`Stream::try_read`] and [`Stream::try_write`] may move bytes. How to wait differs: with a
/// one-shot reactor (`async-io`) try the call first, and wait after
/// [`WouldBlock`](io::ErrorKind::WouldBlock), or where [`Stream::is_drained_by`] has said that
/// nothing is there; with one that remembers readiness (tokio) ask it first, and clear it then.
pub trait Reactor: Sized {
    /// Registers the stream, which never needs to be non-blocking for it.
    ///
    /// # Errors
    ///
    /// Any error is an answer: the stream is then moved by a thread.
    fn register(stream: Arc<Stream>, direction: Direction) -> io::Result<Self>;

    /// Reads like [`Stream::try_read`], and instead of `WouldBlock` is pending, with the task to be
    /// woken once the stream is readable or has ended.
    fn poll_read(&self, context: &mut Context<'_>, buffer: &mut [u8]) -> Poll<io::Result<usize>>;

    /// Writes like [`Stream::try_write`], and instead of `WouldBlock` is pending, with the task to
    /// be woken once the stream is writable or broken.
    fn poll_write(
        &self,
        context: &mut Context<'_>,
        buffers: &[IoSlice<'_>],
    ) -> Poll<io::Result<usize>>;
}

/// No reactor: whatever has to be waited for is moved by threads, so any executor will do.
#[derive(Debug)]
pub struct NoReactor(Infallible);

impl Reactor for NoReactor {
    fn register(_: Arc<Stream>, _: Direction) -> io::Result<Self> {
        Err(io::ErrorKind::Unsupported.into())
    }

    fn poll_read(&self, _: &mut Context<'_>, _: &mut [u8]) -> Poll<io::Result<usize>> {
        match self.0 {}
    }

    fn poll_write(&self, _: &mut Context<'_>, _: &[IoSlice<'_>]) -> Poll<io::Result<usize>> {
        match self.0 {}
    }
}
