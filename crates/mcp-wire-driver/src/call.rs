//! A request of ours.

use crate::calls::News;
use crate::notifications::Queue;
use crate::peer::Peer;
use crate::progress::Progress;
use crate::state::State;
use mcp_wire_core::end_of;
use mcp_wire_core::message::Json;
use mcp_wire_core::rpc::{self, CallError, CallOptions, SendError};
use std::future::{Future, poll_fn};
use std::pin::Pin;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::task::{Context, Poll, Waker};
use std::time::Instant;

/// A request of ours. Awaiting it gives the result; dropping it cancels the request, once.
///
/// With [`OnProgress::Report`](mcp_wire_core::rpc::OnProgress) in its options the peer is asked to tell of its
/// [`progress`](Self::progress).
#[derive(Debug)]
#[must_use = "dropping a call cancels it"]
pub struct Call {
    peer: Peer,
    stage: Stage,
    target: Option<Arc<Mutex<Target>>>,
}

#[derive(Debug)]
enum Stage {
    Failed(Option<CallError>),
    Over,
    Sent(rpc::Call),
    Unsent(Box<Unsent>),
}

/// A request for which there was no room yet. Its time runs.
#[derive(Debug)]
struct Unsent {
    method: String,
    params: Option<Json>,
    options: CallOptions,
    since: Instant,
    /// Where it waits for room.
    place: Option<u64>,
    /// Who wants the notifications of the stream that it opens.
    stream: Option<Arc<Queue>>,
}

/// Cancels one call from elsewhere, while somebody awaits it. Clones are the same; dropping them does nothing.
#[derive(Debug, Clone)]
pub struct Canceller {
    peer: Peer,
    target: Arc<Mutex<Target>>,
}

/// How far the call of a canceller is.
#[derive(Debug, Clone, Copy)]
enum Target {
    Cancelled,
    Sent(rpc::Call),
    Unsent,
}

impl Unsent {
    fn send(&self, state: &mut State, now: Instant) -> Result<rpc::Call, SendError> {
        let mut options = self.options.clone();
        options.waited = now.saturating_duration_since(self.since);
        let call = state.request(now, &self.method, self.params.clone(), options)?;
        if let Some(queue) = &self.stream {
            // Under the same lock, so that nothing of it is missed.
            state.subscribers.add_stream(queue, call);
        }
        Ok(call)
    }

    fn deadline(&self) -> Instant {
        let timeout = self.options.timeout.unwrap_or(self.options.ceiling);
        end_of(self.since, timeout.min(self.options.ceiling))
    }
}

impl Call {
    pub(crate) fn start(
        peer: Peer,
        method: &str,
        params: Option<Json>,
        options: CallOptions,
    ) -> Self {
        let (since, method) = ((peer.shared.now)(), method.to_owned());
        Self::send(peer, Unsent { method, params, options, since, place: None, stream: None })
    }

    /// A call that opens a stream.
    pub(crate) fn start_stream(
        peer: Peer,
        method: &str,
        params: Json,
        options: CallOptions,
        queue: Arc<Queue>,
    ) -> Self {
        let (since, method) = ((peer.shared.now)(), method.to_owned());
        let (params, stream) = (Some(params), Some(queue));
        Self::send(peer, Unsent { method, params, options, since, place: None, stream })
    }

    fn send(peer: Peer, unsent: Unsent) -> Self {
        let since = unsent.since;
        let stage = match peer.shared.command(|state| unsent.send(state, since)) {
            Ok(call) => Stage::Sent(call),
            Err(SendError::Full) => Stage::Unsent(Box::new(unsent)),
            Err(error) => Stage::Failed(Some(CallError::NotSent(error))),
        };
        Self { peer, stage, target: None }
    }

    /// A call that failed before it could be made.
    pub(crate) fn failed(peer: Peer, error: impl Into<CallError>) -> Self {
        Self { peer, stage: Stage::Failed(Some(error.into())), target: None }
    }

    /// Waits for the peer to tell how far it is; `None` once the call is settled: then await the call for its outcome.
    ///
    /// Progress that nobody takes is kept up to 64 times and 1 MiB; past that the oldest goes. Cancel-safe.
    pub async fn progress(&mut self) -> Option<Progress> {
        poll_fn(|context| {
            if self.poll_send(context).is_pending() {
                return Poll::Pending;
            }
            let Stage::Sent(call) = self.stage else { return Poll::Ready(None) };
            let news = self.peer.shared.lock().calls.news(call, context.waker());
            match news {
                News::None(_replaced) => Poll::Pending,
                News::Progress(progress) => Poll::Ready(Some(progress)),
                News::Settled | News::Unknown => Poll::Ready(None),
            }
        })
        .await
    }

    /// What cancels this call from elsewhere, with a reason.
    #[must_use]
    pub fn canceller(&mut self) -> Canceller {
        let target = match self.stage {
            Stage::Sent(call) => Target::Sent(call),
            Stage::Unsent(_) => Target::Unsent,
            Stage::Failed(_) | Stage::Over => Target::Cancelled,
        };
        let target = self.target.get_or_insert_with(|| Arc::new(Mutex::new(target)));
        Canceller { peer: self.peer.clone(), target: target.clone() }
    }

    /// Ready once the request is sent, or cannot be sent any more.
    fn poll_send(&mut self, context: &Context<'_>) -> Poll<()> {
        let Stage::Unsent(unsent) = &mut self.stage else { return Poll::Ready(()) };
        let now = (self.peer.shared.now)();
        let until = unsent.deadline();
        let target = self.target.as_deref();
        let (sent, _replaced) = self.peer.shared.command(|state| {
            let mut target = target.map(lock);
            if matches!(target.as_deref(), Some(Target::Cancelled)) {
                return (Err(CallError::Cancelled), None);
            }
            match unsent.send(state, now) {
                Ok(call) => {
                    if let Some(target) = &mut target {
                        **target = Target::Sent(call);
                    }
                    (Ok(Some(call)), None)
                }
                Err(SendError::Full) if now < until => {
                    let waker = context.waker();
                    (Ok(None), state.wait_for_room(&mut unsent.place, Some(until), waker))
                }
                Err(SendError::Full) => (Err(CallError::TimedOut), None),
                Err(error) => (Err(CallError::NotSent(error)), None),
            }
        });
        self.stage = match sent {
            Ok(Some(call)) => Stage::Sent(call),
            Ok(None) => return Poll::Pending,
            Err(error) => Stage::Failed(Some(error)),
        };
        Poll::Ready(())
    }
}

impl Future for Call {
    type Output = Result<Json, CallError>;

    fn poll(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<Self::Output> {
        let this = &mut *self;
        if this.poll_send(context).is_pending() {
            return Poll::Pending;
        }
        let outcome = match &mut this.stage {
            Stage::Sent(call) => {
                let mut state = this.peer.shared.lock();
                let news = loop {
                    match state.calls.news(*call, context.waker()) {
                        // Whoever awaits the outcome does not want it any more.
                        News::Progress(_) => {}
                        news => break news,
                    }
                };
                let outcome = state.calls.take_outcome(*call);
                drop(state);
                match (news, outcome) {
                    (News::None(_replaced), _) => return Poll::Pending,
                    (_, Some(outcome)) => outcome,
                    (_, None) => Err(CallError::Cancelled),
                }
            }
            Stage::Failed(error) => Err(error.take().unwrap_or(CallError::Cancelled)),
            Stage::Over | Stage::Unsent(_) => Err(CallError::Cancelled),
        };
        this.stage = Stage::Over;
        Poll::Ready(outcome)
    }
}

impl Drop for Call {
    fn drop(&mut self) {
        match &self.stage {
            Stage::Sent(call) => {
                let _waiting = self.peer.shared.command(|state| state.abandon_call(*call));
            }
            Stage::Unsent(unsent) => {
                if let Some(place) = unsent.place {
                    let left = self.peer.shared.lock().senders.leave(place);
                    drop(left);
                }
            }
            Stage::Failed(_) | Stage::Over => {}
        }
    }
}

impl Canceller {
    /// Cancels the call: whoever awaits it gets [`CallError::Cancelled`], and the peer is told once, with the reason, which
    /// it may show. A call that is settled stays so, and a second time does nothing.
    pub fn cancel(&self, reason: Option<&str>) {
        let mut wake: Vec<Waker> = Vec::new();
        self.peer.shared.command(|state| {
            match std::mem::replace(&mut *lock(&self.target), Target::Cancelled) {
                Target::Sent(call) => {
                    if state.connection.cancel(call, reason).is_ok() {
                        state.calls.settle(call, Err(CallError::Cancelled), &mut wake);
                    }
                }
                // It waits for room, and looks again.
                Target::Unsent => state.senders.wake_all(&mut wake),
                Target::Cancelled => {}
            }
        });
        wake.into_iter().for_each(Waker::wake);
    }
}

fn lock(target: &Mutex<Target>) -> MutexGuard<'_, Target> {
    target.lock().unwrap_or_else(PoisonError::into_inner)
}
