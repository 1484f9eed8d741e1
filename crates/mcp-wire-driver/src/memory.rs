//! A pair of byte streams in memory, for tests: what one end writes, the other reads, with real framing and a real limit.

use futures_io::{AsyncRead, AsyncWrite};
use std::collections::VecDeque;
use std::io;
use std::pin::Pin;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::task::{Context, Poll, Waker};

/// Two ends that are connected to each other. Each is a reader and a writer; `capacity` bytes (at least one) may be on their
/// way in each direction.
///
/// ```
/// let ((server_reader, server_writer), (client_reader, client_writer)) = mcp_wire_driver::memory::pair(64 << 10);
/// # _ = (server_reader, server_writer, client_reader, client_writer);
/// ```
#[must_use]
pub fn pair(capacity: usize) -> ((Reader, Writer), (Reader, Writer)) {
    let (left_reader, right_writer) = pipe(capacity);
    let (right_reader, left_writer) = pipe(capacity);
    ((left_reader, left_writer), (right_reader, right_writer))
}

fn pipe(capacity: usize) -> (Reader, Writer) {
    let pipe = Arc::new(Pipe(Mutex::new(Inner {
        bytes: VecDeque::new(),
        capacity: capacity.max(1),
        reader: End::Open(None),
        writer: End::Open(None),
    })));
    (Reader(pipe.clone()), Writer(pipe))
}

/// The reading half of one end. Dropping it breaks the pipe.
#[derive(Debug)]
pub struct Reader(Arc<Pipe>);

/// The writing half of one end. Dropping or closing it ends the other's input.
#[derive(Debug)]
pub struct Writer(Arc<Pipe>);

#[derive(Debug)]
struct Pipe(Mutex<Inner>);

#[derive(Debug)]
struct Inner {
    bytes: VecDeque<u8>,
    capacity: usize,
    reader: End,
    writer: End,
}

/// One side of a pipe, and who waits there.
#[derive(Debug)]
enum End {
    Closed,
    Open(Option<Waker>),
}

impl End {
    fn is_closed(&self) -> bool {
        matches!(self, Self::Closed)
    }

    fn wait(&mut self, context: &Context<'_>) {
        if let Self::Open(waker) = self {
            *waker = Some(context.waker().clone());
        }
    }

    fn take(&mut self) -> Option<Waker> {
        match self {
            Self::Closed => None,
            Self::Open(waker) => waker.take(),
        }
    }
}

impl Pipe {
    fn lock(&self) -> MutexGuard<'_, Inner> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Changes something, then wakes who waits for it, without the lock.
    fn change<T>(&self, change: impl FnOnce(&mut Inner) -> (T, Option<Waker>)) -> T {
        let (outcome, waker) = change(&mut self.lock());
        if let Some(waker) = waker {
            waker.wake();
        }
        outcome
    }

    fn close_writer(&self) {
        self.change(|inner| {
            inner.writer = End::Closed;
            ((), inner.reader.take())
        });
    }
}

impl AsyncRead for Reader {
    fn poll_read(
        self: Pin<&mut Self>,
        context: &mut Context<'_>,
        buffer: &mut [u8],
    ) -> Poll<io::Result<usize>> {
        self.0.change(|inner| {
            if inner.bytes.is_empty() && !inner.writer.is_closed() {
                inner.reader.wait(context);
                return (Poll::Pending, None);
            }
            let count = buffer.len().min(inner.bytes.len());
            for (place, byte) in buffer.iter_mut().zip(inner.bytes.drain(..count)) {
                *place = byte;
            }
            (Poll::Ready(Ok(count)), inner.writer.take())
        })
    }
}

impl AsyncWrite for Writer {
    fn poll_write(
        self: Pin<&mut Self>,
        context: &mut Context<'_>,
        bytes: &[u8],
    ) -> Poll<io::Result<usize>> {
        self.0.change(|inner| {
            if inner.reader.is_closed() || inner.writer.is_closed() {
                return (Poll::Ready(Err(io::ErrorKind::BrokenPipe.into())), None);
            }
            let count = bytes.len().min(inner.capacity - inner.bytes.len());
            if count == 0 && !bytes.is_empty() {
                inner.writer.wait(context);
                return (Poll::Pending, None);
            }
            inner.bytes.extend(&bytes[..count]);
            (Poll::Ready(Ok(count)), inner.reader.take())
        })
    }

    fn poll_flush(self: Pin<&mut Self>, _: &mut Context<'_>) -> Poll<io::Result<()>> {
        Poll::Ready(Ok(()))
    }

    fn poll_close(self: Pin<&mut Self>, _: &mut Context<'_>) -> Poll<io::Result<()>> {
        self.0.close_writer();
        Poll::Ready(Ok(()))
    }
}

impl Drop for Reader {
    fn drop(&mut self) {
        self.0.change(|inner| {
            inner.reader = End::Closed;
            inner.bytes = VecDeque::new();
            ((), inner.writer.take())
        });
    }
}

impl Drop for Writer {
    fn drop(&mut self) {
        self.0.close_writer();
    }
}
