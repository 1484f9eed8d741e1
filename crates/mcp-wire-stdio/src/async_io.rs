//! The reactor of smol and async-std.

use crate::{Direction, Reactor, Stream};
use async_io::Async;
use std::fmt;
use std::io::{self, ErrorKind, IoSlice};
use std::sync::Arc;
use std::task::{Context, Poll, ready};

/// A stream on the reactor of `async-io`, which smol and async-std share.
///
/// That reactor forgets a wait once it is over, so each call tries first, and waits only where it has to.
pub struct AsyncIo(Async<Arc<Stream>>);

impl Reactor for AsyncIo {
    fn register(stream: Arc<Stream>, _: Direction) -> io::Result<Self> {
        Async::new_nonblocking(stream).map(Self)
    }

    fn poll_read(&self, context: &mut Context<'_>, buffer: &mut [u8]) -> Poll<io::Result<usize>> {
        loop {
            match self.0.get_ref().try_read(buffer) {
                Err(error) if error.kind() == ErrorKind::WouldBlock => {
                    ready!(self.0.poll_readable(context))?;
                }
                result => return Poll::Ready(result),
            }
        }
    }

    fn poll_write(
        &self,
        context: &mut Context<'_>,
        slices: &[IoSlice<'_>],
    ) -> Poll<io::Result<usize>> {
        loop {
            match self.0.get_ref().try_write(slices) {
                Err(error) if error.kind() == ErrorKind::WouldBlock => {
                    ready!(self.0.poll_writable(context))?;
                }
                result => return Poll::Ready(result),
            }
        }
    }
}

impl fmt::Debug for AsyncIo {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.debug_tuple("AsyncIo").field(self.0.get_ref()).finish()
    }
}
