//! Output: one queue, one writer, and everybody who waits for them.
//!
//! Whoever waits writes: the first to get hold of the writer writes whatever is queued by then, for all the others too. So
//! output is coalesced without a task of its own, and since the bytes are in the queue, not in a future, no dropped future ever
//! cuts a message.

use bytes::Buf;
use mcp_wire_core::message::{ErrorObject, Id, Json};
use mcp_wire_core::rpc::{Closed, Output};
use std::future::poll_fn;
use std::io::{self, IoSlice};
use std::pin::{Pin, pin};
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::task::{Context, Poll, ready};
use tokio::io::AsyncWrite;
use tokio::sync::Notify;
use tokio::time::Instant;

/// How many pieces one write takes at most.
const SLICES: usize = 16;

#[derive(Debug)]
pub(crate) struct Outbound<W> {
    queue: Mutex<Queue>,
    /// `None` once closed.
    writer: tokio::sync::Mutex<Option<W>>,
    /// Wakes all who wait for the writer, when there is nothing to wait for any more.
    ended: Notify,
}

/// Positions count from the first byte ever.
#[derive(Debug, Default)]
struct Queue {
    output: Output,
    queued: u64,
    written: u64,
    flushed: u64,
    progressed: Option<Instant>,
    closed: Option<Closed>,
}

impl<W> Outbound<W> {
    pub(crate) fn new(writer: W) -> Self {
        Self {
            queue: Mutex::default(),
            writer: tokio::sync::Mutex::new(Some(writer)),
            ended: Notify::new(),
        }
    }

    /// Queues a message, and says where it ends.
    pub(crate) fn push(&self, message: Json) -> Result<u64, Closed> {
        self.queue(|output| output.push(message))
    }

    /// Queues an answer.
    pub(crate) fn push_error(&self, id: &Id, error: ErrorObject) -> Result<u64, Closed> {
        self.queue(|output| output.push_error(id, error))
    }

    /// How many bytes are not written yet.
    pub(crate) fn unwritten(&self) -> u64 {
        let queue = self.lock();
        queue.queued - queue.written
    }

    /// When something was written last.
    pub(crate) fn progressed(&self) -> Option<Instant> {
        self.lock().progressed
    }

    pub(crate) fn has_unflushed(&self) -> bool {
        let queue = self.lock();
        queue.flushed < queue.queued
    }

    /// How it ended, once it has.
    pub(crate) fn closed(&self) -> Option<Closed> {
        self.lock().closed.clone()
    }

    /// Gives up, for this reason. What is queued is forgotten, and everybody who waits is told. The first reason counts.
    pub(crate) fn close(&self, cause: Closed) {
        let mut queue = self.lock();
        if queue.closed.is_none() {
            queue.closed = Some(cause);
            queue.output = Output::default();
            (queue.written, queue.flushed) = (queue.queued, queue.queued);
        }
        drop(queue);
        self.ended.notify_waiters();
    }

    /// Waits until it has ended.
    pub(crate) async fn ended(&self) -> Closed {
        let mut ended = pin!(self.ended.notified());
        // From here on no end is missed.
        ended.as_mut().enable();
        if let Some(cause) = self.closed() {
            return cause;
        }
        ended.await;
        self.closed().unwrap_or(Closed::Dropped)
    }

    fn queue(&self, push: impl FnOnce(&mut Output) -> usize) -> Result<u64, Closed> {
        let mut queue = self.lock();
        if let Some(cause) = &queue.closed {
            return Err(cause.clone());
        }
        let size = push(&mut queue.output);
        queue.queued += size as u64;
        Ok(queue.queued)
    }

    fn lock(&self) -> MutexGuard<'_, Queue> {
        self.queue.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl<W: AsyncWrite + Unpin> Outbound<W> {
    /// Writes and flushes until everything up to this position is out.
    ///
    /// Cancel-safe: whoever comes next goes on at the exact byte.
    pub(crate) async fn flush_to(&self, end: u64) -> Result<(), Closed> {
        tokio::select! {
            biased;
            cause = self.ended() => Err(cause),
            result = self.write_to(end) => result,
        }
    }

    /// Writes and flushes what is queued now.
    pub(crate) async fn flush(&self) -> Result<(), Closed> {
        let end = self.lock().queued;
        self.flush_to(end).await
    }

    /// Closes the writer, which the peer sees as the end of input. After that nothing is queued any more.
    pub(crate) async fn shut_down(&self) -> io::Result<()> {
        self.close(Closed::Local);
        let Some(mut writer) = self.writer.lock().await.take() else { return Ok(()) };
        poll_fn(|context| Pin::new(&mut writer).poll_shutdown(context)).await
    }

    async fn write_to(&self, end: u64) -> Result<(), Closed> {
        let mut writer = self.writer.lock().await;
        let writer = writer.as_mut().ok_or(Closed::Local)?;
        let result = poll_fn(|context| self.poll_write(Pin::new(&mut *writer), context, end)).await;
        result.map_err(|error| {
            self.close(Closed::WriteFailed(error.kind()));
            self.closed().unwrap_or(Closed::Dropped)
        })
    }

    fn poll_write(
        &self,
        mut writer: Pin<&mut W>,
        context: &mut Context<'_>,
        end: u64,
    ) -> Poll<io::Result<()>> {
        loop {
            let queue = self.lock();
            if queue.flushed >= end {
                return Poll::Ready(Ok(()));
            }
            let written = queue.written;
            drop(queue);
            if written < end {
                ready!(self.poll_write_some(writer.as_mut(), context))?;
            } else {
                ready!(writer.as_mut().poll_flush(context))?;
                let mut queue = self.lock();
                queue.flushed = queue.flushed.max(written);
            }
        }
    }

    /// Writes what one call takes. The queue is free for others meanwhile.
    fn poll_write_some(
        &self,
        writer: Pin<&mut W>,
        context: &mut Context<'_>,
    ) -> Poll<io::Result<()>> {
        let mut lent = self.lock().output.lend();
        let mut slices = [IoSlice::new(&[]); SLICES];
        let filled = lent.chunks_vectored(&mut slices);
        let result = writer.poll_write_vectored(context, &slices[..filled]);
        let count = match &result {
            Poll::Ready(Ok(count)) => *count,
            _ => 0,
        };
        lent.advance(count);
        let mut queue = self.lock();
        if queue.closed.is_none() {
            queue.output.restore(lent);
            queue.written += count as u64;
            if count > 0 {
                queue.progressed = Some(Instant::now());
            }
        }
        match ready!(result)? {
            0 => Poll::Ready(Err(io::ErrorKind::WriteZero.into())),
            _ => Poll::Ready(Ok(())),
        }
    }
}
