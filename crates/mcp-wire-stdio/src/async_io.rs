//! The reactor of smol and async-std.

use crate::{Direction, Reactor, Stream};
use async_io::Async;
use std::fmt;
use std::io::{self, ErrorKind, IoSlice};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::task::{Context, Poll, ready};

/// A stream on the reactor of `async-io`, which smol and async-std share.
///
/// That reactor forgets a wait once it is over, so each call tries first, and waits only where it has to. Where the last read
/// has shown that nothing more is there, the next one waits at once: that saves the call which would say so.
pub struct AsyncIo {
    stream: Async<Arc<Stream>>,
    is_drained: AtomicBool,
}

impl Reactor for AsyncIo {
    fn register(stream: Arc<Stream>, _: Direction) -> io::Result<Self> {
        let stream = Async::new_nonblocking(stream)?;
        Ok(Self { stream, is_drained: AtomicBool::new(false) })
    }

    fn poll_read(&self, context: &mut Context<'_>, buffer: &mut [u8]) -> Poll<io::Result<usize>> {
        let stream = self.stream.get_ref();
        loop {
            if self.is_drained.load(Ordering::Relaxed) {
                ready!(self.stream.poll_readable(context))?;
            }
            let result = stream.try_read(buffer);
            let is_drained = match &result {
                Ok(count) => stream.is_drained_by(*count, buffer.len()),
                Err(error) => error.kind() == ErrorKind::WouldBlock,
            };
            self.is_drained.store(is_drained, Ordering::Relaxed);
            match result {
                Err(error) if error.kind() == ErrorKind::WouldBlock => {}
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
            match self.stream.get_ref().try_write(slices) {
                Err(error) if error.kind() == ErrorKind::WouldBlock => {
                    ready!(self.stream.poll_writable(context))?;
                }
                result => return Poll::Ready(result),
            }
        }
    }
}

impl fmt::Debug for AsyncIo {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.debug_tuple("AsyncIo").field(self.stream.get_ref()).finish()
    }
}
