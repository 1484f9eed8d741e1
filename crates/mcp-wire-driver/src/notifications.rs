//! The notifications of a connection, as a stream beside those who handle them.

use crate::peer::Peer;
use futures_util::stream::Stream;
use mcp_wire_core::message::Notification;
use std::collections::VecDeque;
use std::future::poll_fn;
use std::pin::Pin;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError, Weak};
use std::task::{Context, Poll, Waker};

/// How many untaken notifications are kept.
const MAX_UNTAKEN: usize = 1024;

/// How many bytes of them.
const MAX_UNTAKEN_BYTES: usize = 16 << 20;

/// The notifications that the peer sends from now on, but for progress and cancellation, which belong to requests.
///
/// It never holds the connection up: past 1024 untaken ones, or 16 MiB of them, new ones are dropped and counted. Any number
/// of these may exist, and each sees all. Dropping it ends it.
#[derive(Debug)]
pub struct Notifications {
    peer: Peer,
    queue: Arc<Queue>,
}

/// A notification, or what became of some.
#[derive(Debug, Clone, PartialEq)]
#[non_exhaustive]
pub enum Notice {
    /// So many came here while too many were untaken, and were dropped.
    Lagged(usize),
    /// A notification.
    Notification(Notification),
}

impl Peer {
    /// The notifications that the peer sends from now on. Handlers see them too.
    #[must_use]
    pub fn notifications(&self) -> Notifications {
        let queue = Arc::new(Queue::default());
        self.shared.lock().subscribers.add(&queue);
        Notifications { peer: self.clone(), queue }
    }
}

impl Notifications {
    /// Waits for the next one; `None` once the connection has ended and everything is taken. Cancel-safe.
    pub async fn next(&mut self) -> Option<Notice> {
        poll_fn(|context| self.poll_notice(context)).await
    }

    fn poll_notice(&self, context: &Context<'_>) -> Poll<Option<Notice>> {
        // In this order, so that what is seen last is not missed.
        let ended = self.peer.closed().is_some();
        let mut waker = Some(context.waker().clone());
        let mut inner = self.queue.lock();
        if let Some(notice) = inner.pop() {
            return Poll::Ready(Some(notice));
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

impl Stream for Notifications {
    type Item = Notice;

    fn poll_next(self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<Option<Notice>> {
        self.poll_notice(context)
    }
}

#[derive(Debug, Default)]
pub(crate) struct Queue(Mutex<Inner>);

#[derive(Debug, Default)]
struct Inner {
    notices: VecDeque<Notice>,
    bytes: usize,
    waker: Option<Waker>,
}

impl Queue {
    fn lock(&self) -> MutexGuard<'_, Inner> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Inner {
    fn push(&mut self, notification: &Notification) {
        if self.notices.len() < MAX_UNTAKEN && self.bytes + notification.size() <= MAX_UNTAKEN_BYTES
        {
            self.bytes += notification.size();
            self.notices.push_back(Notice::Notification(notification.clone()));
        } else if let Some(Notice::Lagged(count)) = self.notices.back_mut() {
            *count += 1;
        } else {
            self.notices.push_back(Notice::Lagged(1));
        }
    }

    fn pop(&mut self) -> Option<Notice> {
        let notice = self.notices.pop_front()?;
        if let Notice::Notification(notification) = &notice {
            self.bytes -= notification.size();
        }
        Some(notice)
    }
}

/// Those who want to see the notifications of a connection.
#[derive(Debug, Default)]
pub(crate) struct Subscribers(Vec<Weak<Queue>>);

impl Subscribers {
    fn add(&mut self, queue: &Arc<Queue>) {
        if self.0.len() == self.0.capacity() {
            self.0.retain(|queue| queue.strong_count() > 0);
        }
        self.0.push(Arc::downgrade(queue));
    }

    pub(crate) fn tell(&mut self, notification: &Notification, wake: &mut Vec<Waker>) {
        self.0.retain(|queue| {
            let Some(queue) = queue.upgrade() else { return false };
            let mut inner = queue.lock();
            inner.push(notification);
            wake.extend(inner.waker.take());
            true
        });
    }

    /// The connection has ended: nobody waits in vain.
    pub(crate) fn end(&mut self, wake: &mut Vec<Waker>) {
        for queue in self.0.drain(..).filter_map(|queue| queue.upgrade()) {
            wake.extend(queue.lock().waker.take());
        }
    }
}
