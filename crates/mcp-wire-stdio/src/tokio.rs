//! The reactor of tokio.

use crate::{Direction, Reactor, Stream};
use std::fmt;
use std::io::{self, IoSlice};
use std::sync::Arc;
use std::task::{Context, Poll, ready};
use tokio::io::Interest;
use tokio::io::unix::AsyncFd;

/// A stream on tokio's reactor, which remembers readiness until it is told that it was used up.
///
/// Registering one has to happen inside a tokio runtime with IO enabled.
pub struct Tokio(AsyncFd<Arc<Stream>>);

impl Reactor for Tokio {
    // Its successor is unsafe, since a descriptor may be exchanged behind the reactor's back. A stream owns its
    // descriptor, and keeps it.
    #[allow(deprecated)]
    fn register(stream: Arc<Stream>, direction: Direction) -> io::Result<Self> {
        let interest = match direction {
            Direction::Input => Interest::READABLE,
            Direction::Output => Interest::WRITABLE,
        };
        AsyncFd::with_interest(stream, interest).map(Self)
    }

    fn poll_read(&self, context: &mut Context<'_>, buffer: &mut [u8]) -> Poll<io::Result<usize>> {
        loop {
            let mut ready = ready!(self.0.poll_read_ready(context))?;
            if let Ok(result) = ready.try_io(|stream| stream.get_ref().try_read(buffer)) {
                if let Ok(count) = result
                    && self.0.get_ref().is_drained_by(count, buffer.len())
                {
                    ready.clear_ready();
                }
                return Poll::Ready(result);
            }
        }
    }

    fn poll_write(
        &self,
        context: &mut Context<'_>,
        slices: &[IoSlice<'_>],
    ) -> Poll<io::Result<usize>> {
        loop {
            let mut ready = ready!(self.0.poll_write_ready(context))?;
            if let Ok(result) = ready.try_io(|stream| stream.get_ref().try_write(slices)) {
                return Poll::Ready(result);
            }
        }
    }
}

impl fmt::Debug for Tokio {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.debug_tuple("Tokio").field(self.0.get_ref()).finish()
    }
}
