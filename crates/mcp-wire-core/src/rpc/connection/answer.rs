//! Answers to the peer's requests, and what ends them without one.

use super::Connection;
use crate::message::{ErrorObject, Json};
use crate::rpc::encode::{self, Addressee};
use crate::rpc::inbound::{BatchKey, Class, Entry};
use crate::rpc::{CallError, Event, Gone, SendError, Token};

impl Connection {
    /// Answers a request.
    ///
    /// A result that makes the line longer than `max_frame_out` is replaced by the error `-32603` with the data
    /// `{"error":"reply_too_large","size":..,"limit":..}`.
    ///
    /// # Errors
    ///
    /// [`Gone`] where the request was answered or cancelled already: then nothing is written. A cancelled request's slot is
    /// free after that.
    pub fn respond(
        &mut self,
        token: Token,
        outcome: Result<Json, ErrorObject>,
    ) -> Result<(), Gone> {
        let Some(Entry { id: Some(id), batch, calls, class, .. }) = self.end_request(token) else {
            return Err(Gone);
        };
        self.cancel_calls(calls, &CallError::Cancelled);
        if class == Class::Inline {
            let reply =
                |connection: &mut Self| connection.reply(Addressee::Id(&id), outcome, batch);
            self.charging_reserve(reply);
        } else {
            self.reply(Addressee::Id(&id), outcome, batch);
        }
        self.settle();
        Ok(())
    }

    /// Says that a handler is gone. A request that is still to be answered is answered with "internal error"; the slot of a
    /// cancelled one is free from here on. For a request that was answered this does nothing.
    pub fn release(&mut self, token: Token) {
        if self.inbound.is_live(token) {
            _ = self.respond(token, Err(ErrorObject::internal()));
        } else {
            self.end_request(token);
        }
    }

    /// Notes that this side did something that the protocol does not have, for whoever reads the events.
    pub(crate) fn report(&mut self, what: &'static str) {
        self.events.offer(Event::Irregular(what));
    }

    /// Forgets a request unanswered, in protocols that have no answer to it.
    pub fn ignore(&mut self, token: Token) {
        if self.inbound.abandon(token).is_some()
            && let Some(Entry { batch: Some(batch), .. }) = self.end_request(token)
        {
            self.batch_item_left_out(batch);
        }
        self.settle();
    }

    /// Sends a notification that belongs to a request of the peer, such as its progress: never after the request's end.
    ///
    /// # Errors
    ///
    /// [`SendError::RequestGone`] where the request is answered or cancelled, and as [`notify`](Self::notify).
    pub fn notify_for(
        &mut self,
        token: Token,
        method: &str,
        params: Option<Json>,
    ) -> Result<(), SendError> {
        if !self.inbound.is_live(token) {
            return Err(SendError::RequestGone);
        }
        self.notify(method, params)
    }

    /// Ends a request unanswered, and with it what was asked on its behalf. Its slot is free once the handler is gone; at
    /// once where no handler has seen it.
    pub(super) fn cancel_request(&mut self, token: Token, reason: Option<String>) {
        let Some(entry) = self.inbound.entry(token) else { return };
        let (class, batch) = (entry.class, entry.batch);
        let calls = std::mem::take(&mut entry.calls);
        if self.inbound.abandon(token).is_none() {
            return;
        }
        self.cancel_calls(calls, &CallError::Cancelled);
        if class == Class::Queued {
            self.inbound.withdraw(token);
            self.inbound.remove(token);
        } else if self.events.remove_request(token) {
            self.end_request(token);
        } else {
            self.events.push(Event::Cancelled { token, reason });
        }
        if let Some(batch) = batch {
            self.batch_item_left_out(batch);
        }
    }

    /// The handler took too long: the peer is told, the handler is cancelled.
    pub(super) fn time_out_request(&mut self, token: Token) {
        let Some(entry) = self.inbound.entry(token) else { return };
        let batch = entry.batch.take();
        let Some(id) = entry.id.clone() else { return };
        let error = ErrorObject::new(ErrorObject::INTERNAL_ERROR, "the request took too long")
            .with_data(Json::trusted(r#"{"error":"callback_timeout"}"#.into()));
        self.cancel_request(token, None);
        self.reply(Addressee::Id(&id), Err(error), batch);
    }

    /// Removes a request, and passes its slot on.
    fn end_request(&mut self, token: Token) -> Option<Entry> {
        let entry = self.inbound.remove(token)?;
        if entry.class == Class::Slotted {
            if self.inbound.queued() > 0 {
                self.start_queued();
            } else {
                self.budget.give_back(1);
            }
        }
        Some(entry)
    }

    /// Writes a reply within the limit, or keeps it for its batch.
    pub(super) fn reply(
        &mut self,
        addressee: Addressee<'_>,
        outcome: Result<Json, ErrorObject>,
        batch: Option<BatchKey>,
    ) {
        if !self.phase.writes() {
            return;
        }
        self.free_reserve();
        if let Some(batch) = batch {
            return self.batch_reply(batch, addressee, outcome);
        }
        let limit = self.config.max_frame_out;
        let mark = self.output.mark();
        encode::reply(&mut self.output, addressee, outcome);
        // A line ends with LF, which does not count.
        let size = self.output.since(mark) - 1;
        if size > limit {
            self.output.roll_back(mark);
            encode::reply(
                &mut self.output,
                addressee,
                Err(ErrorObject::reply_too_large(size, limit)),
            );
        }
    }
}
