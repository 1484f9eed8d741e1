//! The notifications of a connection, as a stream beside those who handle them.

use crate::call::Call;
use crate::peer::Peer;
use futures_util::stream::Stream;
use mcp_wire_core::mcp::{self, SubscriptionFilter};
use mcp_wire_core::message::{Json, Notification};
use mcp_wire_core::rpc::{self, CallOptions};
use serde::Deserialize;
use std::cell::OnceCell;
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
#[must_use = "dropping it ends it"]
pub struct Notifications {
    peer: Peer,
    queue: Arc<Queue>,
    ended: bool,
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

/// What has changed, as a server tells.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub enum Change {
    /// The list of prompts.
    Prompts,
    /// A resource, by its URI.
    Resource(String),
    /// The list of resources, or of their templates.
    Resources,
    /// The list of tools.
    Tools,
}

impl Notice {
    /// What has changed, where this tells of a change.
    #[must_use]
    pub fn change(&self) -> Option<Change> {
        #[derive(Deserialize)]
        struct Updated {
            uri: String,
        }
        let Self::Notification(notification) = self else { return None };
        match notification.method() {
            "notifications/prompts/list_changed" => Some(Change::Prompts),
            "notifications/resources/list_changed" => Some(Change::Resources),
            "notifications/resources/updated" => {
                let Updated { uri } = serde_json::from_str(notification.params()?).ok()?;
                Some(Change::Resource(uri))
            }
            "notifications/tools/list_changed" => Some(Change::Tools),
            _ => None,
        }
    }
}

impl Peer {
    /// The notifications that the peer sends from now on. Handlers see them too.
    pub fn notifications(&self) -> Notifications {
        self.notifications_of(Wanted::All)
    }

    /// Those of them that are wanted.
    pub(crate) fn notifications_of(&self, wanted: Wanted) -> Notifications {
        let queue = Arc::new(Queue::new(wanted));
        self.shared.lock().subscribers.add(&queue);
        Notifications { peer: self.clone(), queue, ended: false }
    }

    /// Opens a stream with a request, and gives the notifications that are tagged with its number.
    pub(crate) fn listen(
        &self,
        method: &str,
        params: Json,
        options: CallOptions,
    ) -> (Call, Notifications) {
        let queue = Arc::new(Queue::new(Wanted::Nothing));
        let call = Call::start_stream(self.clone(), method, params, options, queue.clone());
        (call, Notifications { peer: self.clone(), queue, ended: false })
    }
}

impl Notifications {
    /// Waits for the next one; `None` once the connection has ended and everything is taken. Cancel-safe.
    pub async fn next(&mut self) -> Option<Notice> {
        poll_fn(|context| self.poll_notice(context)).await
    }

    pub(crate) fn peer(&self) -> &Peer {
        &self.peer
    }

    /// No more of them are wanted but those that are here.
    pub(crate) fn end(&mut self) {
        self.ended = true;
    }

    pub(crate) fn poll_notice(&self, context: &Context<'_>) -> Poll<Option<Notice>> {
        // In this order, so that what is seen last is not missed.
        let ended = self.ended || self.peer.closed().is_some();
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

/// Which notifications somebody wants.
#[derive(Debug)]
pub(crate) enum Wanted {
    All,
    /// Changes, as they come without a stream.
    Changes(SubscriptionFilter),
    /// None yet.
    Nothing,
    /// Those that are tagged with the number of a call.
    Stream(i64),
}

impl Wanted {
    /// `tag` is read once, whoever wants to know.
    fn matches(&self, notification: &Notification, tag: &OnceCell<Option<i64>>) -> bool {
        match self {
            Self::All => true,
            Self::Changes(filter) => filter.matches(notification),
            Self::Nothing => false,
            Self::Stream(number) => {
                *tag.get_or_init(|| mcp::subscription_of(notification)) == Some(*number)
            }
        }
    }
}

#[derive(Debug)]
pub(crate) struct Queue(Mutex<Inner>);

#[derive(Debug)]
struct Inner {
    wanted: Wanted,
    notices: VecDeque<Notice>,
    bytes: usize,
    waker: Option<Waker>,
}

impl Queue {
    fn new(wanted: Wanted) -> Self {
        let notices = VecDeque::new();
        Self(Mutex::new(Inner { wanted, notices, bytes: 0, waker: None }))
    }

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
        } else {
            self.lag(1);
        }
    }

    fn lag(&mut self, by: usize) {
        if let Some(Notice::Lagged(count)) = self.notices.back_mut() {
            *count += by;
        } else {
            self.notices.push_back(Notice::Lagged(by));
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
    /// Somebody wants what is tagged with this call from now on.
    pub(crate) fn add_stream(&mut self, queue: &Arc<Queue>, call: rpc::Call) {
        queue.lock().wanted = Wanted::Stream(call.number());
        self.add(queue);
    }

    fn add(&mut self, queue: &Arc<Queue>) {
        if self.0.len() == self.0.capacity() {
            self.0.retain(|queue| queue.strong_count() > 0);
        }
        self.0.push(Arc::downgrade(queue));
    }

    pub(crate) fn tell(&mut self, notification: &Notification, wake: &mut Vec<Waker>) {
        let tag = OnceCell::new();
        self.0.retain(|queue| {
            let Some(queue) = queue.upgrade() else { return false };
            let mut inner = queue.lock();
            if inner.wanted.matches(notification, &tag) {
                inner.push(notification);
                wake.extend(inner.waker.take());
            }
            true
        });
    }

    /// So many notifications were dropped, and nobody knows whose.
    pub(crate) fn lagged(&mut self, count: usize, wake: &mut Vec<Waker>) {
        for queue in self.0.iter().filter_map(Weak::upgrade) {
            let mut inner = queue.lock();
            inner.lag(count);
            wake.extend(inner.waker.take());
        }
    }

    /// The connection has ended: nobody waits in vain.
    pub(crate) fn end(&mut self, wake: &mut Vec<Waker>) {
        for queue in self.0.drain(..).filter_map(|queue| queue.upgrade()) {
            wake.extend(queue.lock().waker.take());
        }
    }
}
