//! The transport itself: what `rmcp` asks of one, over a pair of streams.

use crate::judgement::{Judge, Verdict, cancelled_by, unanswered, wire_id};
use crate::ledger::Ledger;
use crate::lines::Lines;
use crate::outbound::Outbound;
use crate::{Limits, SendError};
use mcp_wire_core::frame::DEFAULT_MAX_FRAME;
use mcp_wire_core::message::{ErrorObject, Json};
use mcp_wire_core::rpc::{Closed, ConfigError};
use rmcp::model::{JsonRpcError, JsonRpcMessage, JsonRpcResponse};
use rmcp::service::{RxJsonRpcMessage, ServiceRole, TxJsonRpcMessage};
use std::borrow::Cow;
use std::future::pending;
use std::sync::Arc;
use tokio::io::{AsyncRead, AsyncWrite};
use tokio::time::{Instant, sleep_until, timeout};

/// How many bytes of output beyond `max_outbound` refusals may take, before reading stops.
const RESERVE: u64 = 1 << 20;

/// A transport for `rmcp` over any pair of tokio streams, for servers and clients.
///
/// Give it to `serve`, where `rmcp`'s own transport, or a pair of streams, would stand. [`stdio`](crate::stdio) makes one of the
/// standard streams.
///
/// It starts no task: it reads, and writes what nobody waits for, while `rmcp` waits for the next message. A message is queued
/// when `rmcp` sends it, so messages go out in that order, and the future that `rmcp` gets is ready once the message is
/// written and flushed. All futures are cancel-safe: dropping one never cuts a message, and loses none.
/// But one that was polled has to be polled on or dropped, as `rmcp` does: it may be the one that writes for all.
#[derive(Debug)]
pub struct StreamTransport<R, W> {
    judge: Judge,
    ledger: Ledger,
    limits: Limits,
    lines: Lines<R>,
    outbound: Arc<Outbound<W>>,
    /// Since when the peer has been given time to read on, where it is.
    patient_since: Option<Instant>,
}

impl<R, W> StreamTransport<R, W> {
    /// A transport that reads from one stream and writes to the other.
    #[must_use]
    pub fn new(reader: R, writer: W) -> Self {
        Self {
            judge: Judge::new(),
            ledger: Ledger::default(),
            limits: Limits::default(),
            lines: Lines::new(reader, DEFAULT_MAX_FRAME),
            outbound: Arc::new(Outbound::new(writer)),
            patient_since: None,
        }
    }

    /// The same with other limits, before anything is read.
    ///
    /// # Errors
    ///
    /// [`ConfigError`] where the limits cannot work.
    pub fn with_limits(mut self, limits: Limits) -> Result<Self, ConfigError> {
        self.lines.limit(limits.check()?);
        self.limits = limits;
        Ok(self)
    }

    /// Is there so much unwritten output that no more requests are taken?
    fn is_backed_up(&self) -> bool {
        self.outbound.unwritten() >= self.limits.max_outbound as u64
    }

    /// Is there so much that not even a refusal would find room?
    fn is_full(&self) -> bool {
        self.outbound.unwritten() >= (self.limits.max_outbound as u64).saturating_add(RESERVE)
    }

    fn take_next<Role: ServiceRole>(&mut self) -> Option<Verdict<Role>> {
        match self.lines.next() {
            Some(frame) => {
                let is_backed_up = self.is_backed_up();
                Some(self.judge.judge(frame, &self.limits, is_backed_up, &mut self.ledger))
            }
            // A handler that asked the client something would wait for as long as `rmcp` lets it. Callers of a client are told
            // by `rmcp` itself.
            None if self.lines.has_ended() && !Role::IS_CLIENT => {
                self.ledger.abandon().map(|id| unanswered(id, &"the peer closed its output"))
            }
            None => None,
        }
    }

    /// Queues a message, and says where it ends.
    fn queue<Role: ServiceRole>(
        &mut self,
        message: TxJsonRpcMessage<Role>,
    ) -> Result<u64, SendError> {
        let message = self.enter::<Role>(message);
        let json = Json::from_serialize(&message).map_err(SendError::NotJson)?;
        let (size, limit) = (json.as_str().len(), self.limits.max_frame_out);
        if size <= limit {
            return Ok(self.outbound.push(json)?);
        }
        match message {
            JsonRpcMessage::Response(JsonRpcResponse { id, .. })
            | JsonRpcMessage::Error(JsonRpcError { id: Some(id), .. }) => {
                tracing::warn!(%id, size, limit, "a reply is too large: an error takes its place");
                let error = ErrorObject::reply_too_large(size, limit);
                return Ok(self.outbound.push_error(&wire_id(&id), error)?);
            }
            JsonRpcMessage::Request(request) => _ = self.ledger.settle(&request.id),
            _ => {}
        }
        Err(SendError::TooLarge { size, limit })
    }

    /// Enters what follows from a message of ours into the ledger.
    fn enter<Role: ServiceRole>(
        &mut self,
        message: TxJsonRpcMessage<Role>,
    ) -> TxJsonRpcMessage<Role> {
        match &message {
            JsonRpcMessage::Request(request) => self.ledger.ask(request.id.clone()),
            JsonRpcMessage::Response(JsonRpcResponse { id, .. })
            | JsonRpcMessage::Error(JsonRpcError { id: Some(id), .. }) => self.ledger.release(id),
            _ => {}
        }
        let JsonRpcMessage::Notification(mut notification) = message else { return message };
        let cancelled;
        (notification.notification, cancelled) = cancelled_by(notification.notification);
        if let Some(id) = cancelled {
            self.ledger.settle(&id);
        }
        JsonRpcMessage::Notification(notification)
    }

    /// When the session ends, unless the peer reads something until then.
    fn out_of_patience(&mut self) -> Option<Instant> {
        let allowed = if self.lines.has_ended() && self.outbound.has_unflushed() {
            self.limits.flush_stall
        } else if self.is_backed_up() {
            self.limits.write_stall
        } else {
            self.patient_since = None;
            return None;
        };
        let since = *self.patient_since.get_or_insert_with(Instant::now);
        let since = self.outbound.progressed().map_or(since, |progressed| since.max(progressed));
        // A time that the clock does not reach never comes.
        since.checked_add(allowed)
    }
}

impl<R: AsyncRead + Unpin, W: AsyncWrite + Unpin> StreamTransport<R, W> {
    /// Reads, writes, and waits, until one of them has made a difference.
    async fn wait(&mut self) {
        let deadline = self.out_of_patience();
        if deadline.is_some_and(|deadline| deadline <= Instant::now()) {
            return self.outbound.close(Closed::Stalled);
        }
        let may_read = !self.lines.has_ended() && !self.is_full();
        tokio::select! {
            () = self.lines.read(), if may_read => {}
            _ = self.outbound.flush(), if self.outbound.has_unflushed() => {}
            _ = self.outbound.ended() => {}
            () = wait_until(deadline) => {}
        }
    }

    /// Writes what is left, for as long as the peer reads.
    async fn flush_the_rest(&mut self) {
        self.lines.end();
        while self.outbound.has_unflushed() {
            self.wait().await;
        }
    }
}

impl<Role, R, W> rmcp::transport::Transport<Role> for StreamTransport<R, W>
where
    Role: ServiceRole,
    R: AsyncRead + Send + Unpin,
    W: AsyncWrite + Send + Unpin + 'static,
{
    type Error = SendError;

    fn name() -> Cow<'static, str> {
        "mcp-wire".into()
    }

    fn send(
        &mut self,
        message: TxJsonRpcMessage<Role>,
    ) -> impl Future<Output = Result<(), SendError>> + Send + 'static {
        let queued = self.queue::<Role>(message);
        let outbound = Arc::clone(&self.outbound);
        async move { Ok(outbound.flush_to(queued?).await?) }
    }

    async fn receive(&mut self) -> Option<RxJsonRpcMessage<Role>> {
        loop {
            if let Some(cause) = self.outbound.closed() {
                tracing::debug!(%cause, "the session ends");
                return None;
            }
            match self.take_next::<Role>() {
                Some(Verdict::Deliver(message)) => return Some(message),
                Some(Verdict::Refuse(id, error)) => {
                    tracing::debug!(%id, %error, "refused a request");
                    // Where the session is over, nobody is left to be told.
                    _ = self.outbound.push_error(&id, error);
                }
                Some(Verdict::Ignore) => {}
                None if self.lines.has_ended() && !self.outbound.has_unflushed() => return None,
                None => self.wait().await,
            }
        }
    }

    async fn close(&mut self) -> Result<(), SendError> {
        self.flush_the_rest().await;
        let stalled = self.outbound.closed() == Some(Closed::Stalled);
        // What cannot be closed is dropped.
        _ = timeout(self.limits.flush_stall, self.outbound.shut_down()).await;
        if stalled { Err(Closed::Stalled.into()) } else { Ok(()) }
    }
}

/// Waits until then, or for ever.
async fn wait_until(deadline: Option<Instant>) {
    match deadline {
        Some(deadline) => sleep_until(deadline).await,
        None => pending().await,
    }
}
