//! Looking on at a connection.

use crate::peer::Peer;
use futures_util::stream::Stream;
use mcp_wire_core::observe::{self, Direction, Observed};
use std::future::poll_fn;
use std::num::NonZeroUsize;
use std::pin::Pin;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError, Weak};
use std::task::{Context, Poll, Waker};

/// How much an observer keeps for whoever asks for it.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub struct ObserverLimits {
    /// How many bytes all untaken lines may have. Default: 16 MiB.
    pub max_bytes: usize,
    /// How long a line may be to be shown whole, in bytes. Default: 1 MiB.
    pub max_frame: NonZeroUsize,
    /// How many lines may be untaken. Default: 1024.
    pub max_lines: usize,
}

impl Default for ObserverLimits {
    fn default() -> Self {
        let max_frame = NonZeroUsize::new(1 << 20).unwrap_or(NonZeroUsize::MIN);
        Self { max_bytes: 16 << 20, max_frame, max_lines: 1024 }
    }
}

/// Sees the lines of one connection in both directions, as they went over the stream, from now on.
///
/// It never holds the connection up: what is not taken in time is dropped and counted. Dropping it ends it.
#[derive(Debug)]
#[must_use = "dropping it ends it"]
pub struct Observer {
    peer: Peer,
    window: Arc<Window>,
}

/// The side of an observer that the driver writes to.
#[derive(Debug)]
pub(crate) struct Window(Mutex<Inner>);

#[derive(Debug)]
struct Inner {
    observer: observe::Observer,
    waker: Option<Waker>,
}

/// The observers of a connection.
#[derive(Debug, Default)]
pub(crate) struct Windows {
    windows: Vec<Weak<Window>>,
    received_mid_line: Position,
    sent_mid_line: Position,
}

/// Where in its lines a stream is.
#[derive(Debug, Default, Clone, Copy, PartialEq, Eq)]
enum Position {
    #[default]
    BetweenLines,
    WithinLine,
}

impl Peer {
    /// Looks on at this connection from now on.
    pub fn observe(&self, limits: &ObserverLimits) -> Observer {
        let observer = observe::Observer::new(limits.max_frame, limits.max_lines, limits.max_bytes);
        let window = Arc::new(Window(Mutex::new(Inner { observer, waker: None })));
        self.shared.lock().windows.add(&window);
        Observer { peer: self.clone(), window }
    }
}

impl Observer {
    /// Waits for the next line; `None` once the connection has ended and everything is taken. Cancel-safe.
    pub async fn next(&mut self) -> Option<Observed> {
        poll_fn(|context| self.poll_observed(context)).await
    }

    /// Takes the next line, if it is there.
    pub fn try_next(&mut self) -> Option<Observed> {
        self.window.lock().observer.poll()
    }

    fn poll_observed(&self, context: &Context<'_>) -> Poll<Option<Observed>> {
        // In this order, so that what is seen last is not missed.
        let ended = self.peer.closed().is_some();
        let mut waker = Some(context.waker().clone());
        let mut inner = self.window.lock();
        if let Some(observed) = inner.observer.poll() {
            return Poll::Ready(Some(observed));
        }
        if ended {
            return Poll::Ready(None);
        }
        // The former one is dropped after the lock.
        std::mem::swap(&mut inner.waker, &mut waker);
        drop(inner);
        // Whoever told of the end in between had nobody to wake.
        if self.peer.closed().is_some() {
            context.waker().wake_by_ref();
        }
        Poll::Pending
    }
}

impl Stream for Observer {
    type Item = Observed;

    fn poll_next(self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<Option<Observed>> {
        self.poll_observed(context)
    }
}

impl Window {
    fn lock(&self) -> MutexGuard<'_, Inner> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Windows {
    fn add(&mut self, window: &Arc<Window>) {
        let mut inner = window.lock();
        for direction in [Direction::Received, Direction::Sent] {
            if *self.position(direction) == Position::WithinLine {
                inner.observer.skip_line(direction);
            }
        }
        drop(inner);
        self.windows.push(Arc::downgrade(window));
    }

    /// Notes how a piece of the stream ended, and shows it to whoever looks on.
    pub(crate) fn record(&mut self, direction: Direction, bytes: &[u8], wake: &mut Vec<Waker>) {
        if let Some(last) = bytes.last() {
            *self.position(direction) =
                if *last == b'\n' { Position::BetweenLines } else { Position::WithinLine };
        }
        self.windows.retain(|window| {
            let Some(window) = window.upgrade() else { return false };
            let mut inner = window.lock();
            inner.observer.record(direction, bytes);
            wake.extend(inner.waker.take());
            true
        });
    }

    /// The connection has ended: nobody waits in vain.
    pub(crate) fn end(&mut self, wake: &mut Vec<Waker>) {
        for window in self.windows.drain(..).filter_map(|window| window.upgrade()) {
            wake.extend(window.lock().waker.take());
        }
    }

    fn position(&mut self, direction: Direction) -> &mut Position {
        match direction {
            Direction::Sent => &mut self.sent_mid_line,
            _ => &mut self.received_mid_line,
        }
    }
}
