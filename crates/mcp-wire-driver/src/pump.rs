//! The pump: one future that moves bytes between a stream and a connection. It reads and writes at once, watches the clock,
//! and wakes whoever waits for what happened.

use crate::Runtime;
use crate::incoming::Incoming;
use crate::peer::Peer;
use crate::state::Shared;
use bytes::Buf;
use futures_io::{AsyncRead, AsyncWrite};
use mcp_wire_core::end_of;
use mcp_wire_core::frame::Decoder;
use mcp_wire_core::mcp::Session;
use mcp_wire_core::observe::Direction;
use mcp_wire_core::rpc::{Closed, Connection, ProcessExit};
use pin_project::{pin_project, pinned_drop};
use std::fmt;
use std::future::Future;
use std::io::{self, IoSlice};
use std::pin::Pin;
use std::sync::Arc;
use std::task::{Context, Poll, Waker, ready};
use std::time::Instant;

/// How much is read at once, in bytes. It never changes: some streams lose bytes when it does.
const READ_BUFFER: usize = 64 << 10;

/// After so many rounds another task gets its turn.
pub(crate) const ROUNDS: usize = 32;

/// How many pieces of output are written at once.
const SLICES: usize = 16;

/// Connects two byte streams to a connection. Nothing happens until the driver is polled.
///
/// A reader that fails with a [`ProcessExit`] inside its error tells that the process at the other end has exited: that is
/// then the cause of the end.
pub fn connect<R, W, Rt: Runtime>(
    runtime: Rt,
    reader: R,
    writer: W,
    mut connection: Connection,
    session: Option<Session>,
) -> (Peer, Incoming, Driver<R, W, Rt>) {
    // The connection knows no time until it is told.
    connection.handle_timeout(Rt::now());
    let decoder = connection.decoder();
    let shared = Arc::new(Shared::new(connection, session, Rt::now));
    let peer = Peer { shared };
    let driver = Driver {
        runtime,
        peer: peer.clone(),
        reader,
        writer,
        decoder,
        buffer: vec![0; READ_BUFFER].into(),
        armed: None,
        sleep: None,
        needs_flush: false,
        ending: Ending::Running,
        wake: Vec::new(),
    };
    (peer.clone(), Incoming::new(peer), driver)
}

/// Moves the bytes of one connection. It has to be polled (awaited, or spawned) for anything to happen, and is ready with the
/// cause once the connection has ended.
///
/// Dropping it ends the connection: handlers are cancelled, and everybody who waits is told.
#[pin_project(PinnedDrop)]
#[must_use = "a driver does nothing unless polled"]
pub struct Driver<R, W, Rt: Runtime> {
    runtime: Rt,
    peer: Peer,
    #[pin]
    reader: R,
    #[pin]
    writer: W,
    decoder: Decoder,
    buffer: Box<[u8]>,
    /// When `sleep` is ready.
    armed: Option<Instant>,
    #[pin]
    sleep: Option<Rt::Sleep>,
    needs_flush: bool,
    ending: Ending,
    /// Wakers to be called once the lock is free.
    wake: Vec<Waker>,
}

impl<R, W, Rt: Runtime> fmt::Debug for Driver<R, W, Rt> {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.debug_struct("Driver").field("ending", &self.ending).finish_non_exhaustive()
    }
}

#[derive(Debug)]
enum Ending {
    Running,
    /// The connection has ended; the stream is being closed, for at most this long.
    Closing(Closed, Instant),
    Over(Closed),
}

/// What writing came to.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Write {
    /// The stream takes no more now, and will wake the task.
    Blocked,
    Done,
}

/// How much was read.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Amount {
    /// As much as is read at once.
    Full,
    Some,
}

/// What one round came to.
pub(crate) enum Round {
    /// Something happened: look again.
    Busy,
    Ended(Closed),
    /// Nothing happened, and the waker is kept wherever something may.
    Idle,
    /// A lot was read, and more may be there: another task gets its turn first.
    Full,
}

impl<R: AsyncRead, W: AsyncWrite, Rt: Runtime> Driver<R, W, Rt> {
    /// One round: read once, write what there is, look at the clock.
    pub(crate) fn poll_round(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Round {
        if !matches!(self.ending, Ending::Running) {
            return match self.poll_close(context) {
                Poll::Ready(cause) => Round::Ended(cause),
                Poll::Pending => Round::Idle,
            };
        }
        // Whoever gives the connection something to do from here on wakes this task.
        let wants_input = self.peer.shared.wait_for_commands(context.waker());
        let read = if wants_input { self.as_mut().poll_read(context) } else { Poll::Pending };
        let write = self.as_mut().poll_write(context);
        let clock = self.as_mut().poll_clock(context).is_ready();

        let this = self.as_mut().project();
        let mut state = this.peer.shared.lock();
        state.sort_events(this.wake);
        state.look_for_room(this.wake);
        // Reading stops while the peer takes no output, and then nothing else wakes the reader.
        let to_read = !wants_input && state.connection.wants_input();
        let to_write = state.connection.output().has_remaining() && write != Write::Blocked;
        let log = state.log.take();
        let closed = state.closed().cloned();
        let grace = state.connection.config().flush_stall;
        drop(state);
        let woke = !this.wake.is_empty();
        this.wake.drain(..).for_each(Waker::wake);
        log.emit();
        if let Some(cause) = closed {
            *this.ending = Ending::Closing(cause, end_of(Rt::now(), grace));
            return Round::Busy;
        }
        match read {
            Poll::Ready(Amount::Full) => Round::Full,
            Poll::Ready(Amount::Some) => Round::Busy,
            Poll::Pending if clock || woke || to_read || to_write => Round::Busy,
            Poll::Pending => Round::Idle,
        }
    }

    /// Ready where something was read.
    fn poll_read(self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<Amount> {
        let this = self.project();
        let read = ready!(this.reader.poll_read(context, this.buffer));
        let now = Rt::now();
        let amount = if matches!(read, Ok(READ_BUFFER)) { Amount::Full } else { Amount::Some };
        let mut state = this.peer.shared.lock();
        let state = &mut *state;
        // Sorted line by line: what the handshake agrees on holds for the very next line, wherever the pieces end.
        match read {
            Ok(0) => {
                this.decoder.finish(|frame| state.handle_frame(now, frame, this.wake));
                state.connection.handle_eof(now);
            }
            Ok(count) => {
                let bytes = &this.buffer[..count];
                state.windows.record(Direction::Received, bytes, this.wake);
                this.decoder.decode(bytes, |frame| state.handle_frame(now, frame, this.wake));
            }
            Err(error) if is_transient(&error) => {}
            Err(error) => {
                this.decoder.finish(|frame| state.handle_frame(now, frame, this.wake));
                match error.get_ref().and_then(|inner| inner.downcast_ref::<ProcessExit>()) {
                    Some(exit) => state.connection.handle_exit(now, exit.clone()),
                    None => state.connection.handle_read_error(now, error.kind()),
                }
            }
        }
        Poll::Ready(amount)
    }

    /// Writes as much as the stream takes. The output is lent for that, so that a slow stream holds up nobody.
    fn poll_write(self: Pin<&mut Self>, context: &mut Context<'_>) -> Write {
        let mut this = self.project();
        let mut state = this.peer.shared.lock();
        let output = state.connection.output();
        if !output.has_remaining() && !*this.needs_flush {
            return Write::Done;
        }
        let mut lent = output.lend();
        drop(state);
        let mut outcome = Ok(Write::Done);
        let mut progress = false;
        while lent.has_remaining() && outcome == Ok(Write::Done) {
            let mut slices = [IoSlice::new(&[]); SLICES];
            let filled = lent.chunks_vectored(&mut slices);
            match this.writer.as_mut().poll_write_vectored(context, &slices[..filled]) {
                Poll::Pending => outcome = Ok(Write::Blocked),
                Poll::Ready(Ok(0)) => outcome = Err(io::ErrorKind::WriteZero),
                Poll::Ready(Ok(count)) => {
                    this.peer.shared.lock().sent(&slices[..filled], count, this.wake);
                    lent.advance(count);
                    progress = true;
                }
                Poll::Ready(Err(error)) if is_transient(&error) => {
                    context.waker().wake_by_ref();
                    outcome = Ok(Write::Blocked);
                }
                Poll::Ready(Err(error)) => outcome = Err(error.kind()),
            }
        }
        *this.needs_flush |= progress;
        if *this.needs_flush && outcome == Ok(Write::Done) {
            match this.writer.as_mut().poll_flush(context) {
                Poll::Pending => {}
                Poll::Ready(Ok(())) => *this.needs_flush = false,
                Poll::Ready(Err(error)) => outcome = Err(error.kind()),
            }
        }
        let mut state = this.peer.shared.lock();
        state.connection.output().restore(lent);
        if let Err(error) = outcome {
            *this.needs_flush = false;
            state.connection.handle_write_error(Rt::now(), error);
        } else if progress {
            state.wrote(this.wake);
            // A connection that watches the output's progress is told of it.
            if state.connection.poll_timeout().is_some() {
                state.connection.handle_timeout(Rt::now());
            }
        }
        outcome.unwrap_or(Write::Done)
    }

    /// Ready where a deadline has passed. The timer is set anew only for an earlier one: a call too early does nothing, and a
    /// timer for every call would cost a lot.
    fn poll_clock(self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<()> {
        let mut this = self.project();
        let Some(deadline) = this.peer.shared.lock().timeout() else { return Poll::Pending };
        let now = Rt::now();
        // A busy runtime looks at its timers late.
        if deadline > now {
            if this.armed.is_none_or(|armed| deadline < armed) {
                *this.armed = Some(deadline);
                this.sleep.set(Some(this.runtime.sleep_until(deadline)));
            }
            match this.sleep.as_mut().as_pin_mut() {
                Some(sleep) => drop(ready!(sleep.poll(context))),
                None => return Poll::Pending,
            }
        }
        *this.armed = None;
        this.sleep.set(None);
        let now = now.max(Rt::now());
        let mut state = this.peer.shared.lock();
        state.connection.handle_timeout(now);
        state.senders.wake_due(now, this.wake);
        Poll::Ready(())
    }

    /// Closes the stream. A peer that does not let it close is not waited for.
    fn poll_close(self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<Closed> {
        let mut this = self.project();
        let (cause, until) = match &*this.ending {
            Ending::Closing(cause, until) => (cause.clone(), *until),
            Ending::Over(cause) => return Poll::Ready(cause.clone()),
            Ending::Running => return Poll::Pending,
        };
        let hopeless = matches!(cause, Closed::Stalled | Closed::WriteFailed(_));
        if !hopeless && this.writer.as_mut().poll_close(context).is_pending() {
            if *this.armed != Some(until) {
                *this.armed = Some(until);
                this.sleep.set(Some(this.runtime.sleep_until(until)));
            }
            if let Some(sleep) = this.sleep.as_mut().as_pin_mut() {
                drop(ready!(sleep.poll(context)));
            }
        }
        *this.ending = Ending::Over(cause.clone());
        Poll::Ready(cause)
    }
}

impl<R: AsyncRead, W: AsyncWrite, Rt: Runtime> Future for Driver<R, W, Rt> {
    type Output = Closed;

    fn poll(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<Closed> {
        for _ in 0..ROUNDS {
            match self.as_mut().poll_round(context) {
                Round::Busy => {}
                Round::Ended(cause) => return Poll::Ready(cause),
                Round::Full => break,
                Round::Idle => return Poll::Pending,
            }
        }
        Rt::yield_now(context);
        Poll::Pending
    }
}

#[pinned_drop]
impl<R, W, Rt: Runtime> PinnedDrop for Driver<R, W, Rt> {
    fn drop(self: Pin<&mut Self>) {
        let mut wake = Vec::new();
        let mut state = self.peer.shared.lock();
        state.connection.abort(Closed::Dropped);
        state.sort_events(&mut wake);
        let log = state.log.take();
        drop(state);
        wake.into_iter().for_each(Waker::wake);
        log.emit();
    }
}

/// Neither an end nor an error: somebody else has made the stream non-blocking, or a signal came.
pub(crate) fn is_transient(error: &io::Error) -> bool {
    matches!(error.kind(), io::ErrorKind::Interrupted | io::ErrorKind::WouldBlock)
}
