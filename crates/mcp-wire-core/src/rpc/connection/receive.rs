//! What comes in: classification, admission, cancellation, bad lines.

use super::Connection;
use crate::end_of;
use crate::frame::Frame;
use crate::message::{
    ErrorObject, Fault, FaultKind, Id, Message, Notification, Request, Response, items, member,
};
use crate::rpc::deadlines::Waiting;
use crate::rpc::encode::Addressee;
use crate::rpc::inbound::{BatchKey, Class};
use crate::rpc::{Call, CallError, Event, IdMatching, Role, Token, Unattributed};
use std::borrow::Cow;
use std::time::Instant;

impl Connection {
    /// Takes what a [`Decoder`](crate::frame::Decoder) found. Bad lines become events.
    pub fn handle_frame(&mut self, now: Instant, frame: Frame<'_>) {
        self.tell_time(now);
        self.receive(frame);
        self.settle();
    }

    /// Takes one whole message, for transports that frame messages by themselves. A longer one than `max_frame` is refused
    /// like a line. Bad messages become events.
    pub fn handle_message<'a>(&mut self, now: Instant, text: impl Into<Cow<'a, [u8]>>) {
        let text = text.into();
        if text.len() > self.config.max_frame {
            let head = Cow::Borrowed(&text[..self.config.max_frame]);
            self.handle_frame(now, Frame::Oversize { head });
        } else {
            self.handle_frame(now, Frame::Line(text));
        }
    }

    fn receive(&mut self, frame: Frame<'_>) {
        if !self.phase.reads() {
            return;
        }
        if self.batches.accepted()
            && let Frame::Line(line) | Frame::Unterminated(line) = &frame
            && let Some(items) = items(line, self.config.max_batch)
        {
            return self.receive_batch(line, items);
        }
        match Message::read_frame(frame, &self.rules) {
            Ok(message) => self.dispatch(message, None),
            Err(fault) => self.refuse(*fault, None),
        }
    }

    pub(super) fn dispatch(&mut self, message: Message, batch: Option<BatchKey>) {
        match message {
            Message::Request(request) => self.admit(request, batch),
            Message::Notification(notification) => self.notified(notification),
            Message::Response(response) => self.responded(response),
        }
    }

    /// Admission: nothing is registered for a request that is refused.
    fn admit(&mut self, request: Request, batch: Option<BatchKey>) {
        let Some(class) = self.take_place(&request) else {
            return match self.inbound.find(request.id()) {
                Some(_) => self.in_flight_already(&request, batch),
                None => self.busy(&request, batch),
            };
        };
        let (id, size) = (request.id().clone(), request.size());
        let Some(token) = self.inbound.insert(id, class, size, batch) else {
            self.budget.give_back(usize::from(class == Class::Slotted));
            return self.in_flight_already(&request, batch);
        };
        match class {
            Class::Inline | Class::Stream => self.events.push(Event::Request(token, request)),
            Class::Slotted => self.start(token, request),
            Class::Queued => {
                self.inbound.enqueue(token, request);
                while self.inbound.queued() > 0 && self.budget.take(self.inbound.slotted()) {
                    self.start_queued();
                }
            }
        }
    }

    /// How a request is admitted, if at all. Where it is to hold a slot, that is taken.
    fn take_place(&self, request: &Request) -> Option<Class> {
        if self.phase.refuses_requests() || self.events.is_full() {
            return None;
        }
        if self.config.dialect.is_inline(request.method()) {
            return Some(Class::Inline);
        }
        let (held, streams) = (self.inbound.slotted(), self.inbound.streams());
        let bytes = self.inbound.bytes().saturating_add(request.size());
        let too_many_bytes = bytes > self.config.max_in_flight_bytes;
        if self.is_backed_up() || held + streams > 0 && too_many_bytes {
            return None;
        }
        if self.config.dialect.is_stream(request.method()) {
            return (streams < self.config.max_streams).then_some(Class::Stream);
        }
        if self.inbound.queued() == 0 && self.budget.take(held) {
            return Some(Class::Slotted);
        }
        // Only a connection that holds a slot has one to pass on.
        let may_wait = held > 0 && self.inbound.queued() < self.config.max_queued;
        may_wait.then_some(Class::Queued)
    }

    fn in_flight_already(&mut self, request: &Request, batch: Option<BatchKey>) {
        let error = ErrorObject::id_in_flight();
        self.reply_unadmitted(Addressee::Id(request.id()), error, batch);
    }

    pub(super) fn start_queued(&mut self) {
        if let Some((token, request)) = self.inbound.dequeue() {
            self.start(token, request);
        }
    }

    fn start(&mut self, token: Token, request: Request) {
        if self.config.callback_timeout.is_some() {
            self.started.push(token);
        }
        self.events.push(Event::Request(token, request));
    }

    fn busy(&mut self, request: &Request, batch: Option<BatchKey>) {
        let code = self.config.busy_code;
        let error = ErrorObject { code, ..ErrorObject::server_busy(request.method()) };
        self.reply_unadmitted(Addressee::Id(request.id()), error, batch);
    }

    /// Answers what was not admitted, out of the reserve where the output is at its limit.
    fn reply_unadmitted(
        &mut self,
        addressee: Addressee<'_>,
        error: ErrorObject,
        batch: Option<BatchKey>,
    ) {
        self.charging_reserve(|connection| connection.reply(addressee, Err(error), batch));
    }

    /// Counts what `write` writes towards the reserve, where the output is at its limit.
    pub(super) fn charging_reserve(&mut self, write: impl FnOnce(&mut Self)) {
        let backed_up = self.is_backed_up();
        let before = self.output.unwritten() + self.batches.bytes();
        write(self);
        let after = self.output.unwritten() + self.batches.bytes();
        if backed_up {
            self.reserve_used += after.saturating_sub(before);
        }
    }

    fn notified(&mut self, notification: Notification) {
        let dialect = &self.config.dialect;
        if let Some(cancel) = &dialect.cancel
            && cancel.method == notification.method()
        {
            let params = notification.params().unwrap_or_default();
            let id = member(params, &cancel.id).and_then(|value| value.id(params));
            let reason = member(params, &cancel.reason).and_then(|value| value.text(params));
            if let Some(id) = id {
                if self.is_stream_of_ours(&id) {
                    // A server may end one in this way: the session knows.
                    // It is not lost where too much is untaken: nothing else would end the stream.
                    self.events.push(Event::Notification(notification));
                } else {
                    self.cancelled_by_peer(&id, reason);
                }
            }
            return;
        }
        if let Some(progress) = &dialect.progress
            && progress.method == notification.method()
        {
            let params = notification.params().unwrap_or_default();
            let token = member(params, &progress.token).and_then(|value| value.id(params));
            let number = token.and_then(|token| token.as_i64());
            if let Some(number) = number.filter(|number| self.outbound.was_made(*number)) {
                if !self.outbound.contains(number) {
                    // It comes late, and nobody waits for it.
                    return;
                }
                self.call_progressed(number);
                let event =
                    Event::Progress { call: Call(number), params: notification.into_params() };
                return self.events.offer(event);
            }
        }
        self.events.offer(Event::Notification(notification));
    }

    /// Unknown, finished and wrongly typed ids do nothing, and inline requests cannot be cancelled.
    fn cancelled_by_peer(&mut self, id: &Id, reason: Option<String>) {
        let Some(token) = self.inbound.find(id) else { return };
        if self.inbound.entry(token).is_some_and(|entry| entry.class != Class::Inline) {
            self.cancel_request(token, reason);
        }
    }

    fn responded(&mut self, response: Response) {
        match self.call_of(response.id()) {
            Some(number) if self.outbound.contains(number) => {
                self.settle_call(number, response.into_outcome().map_err(CallError::Peer));
            }
            Some(number) => self.events.offer(Event::Late(Call(number))),
            None => {
                let text = format!("a response to the id {}", response.id());
                let id = Some(response.id().clone());
                let fault =
                    Fault::new(FaultKind::UnknownResponse, text.as_bytes(), id, Default::default());
                self.events.fault(fault);
            }
        }
    }

    /// Is this the id of a call of ours that stays open?
    fn is_stream_of_ours(&self, id: &Id) -> bool {
        self.inbound.find(id).is_none()
            && self.call_of(id).is_some_and(|number| self.outbound.waits_for_ever(number))
    }

    /// The number of the call that an id means, if there ever was one.
    fn call_of(&self, id: &Id) -> Option<i64> {
        let digits = || match self.config.id_matching {
            IdMatching::Exact => None,
            IdMatching::Lenient => id.as_str()?.parse().ok(),
        };
        id.as_i64().or_else(digits).filter(|number| self.outbound.was_made(*number))
    }

    /// A line that is no message: whoever waits for its answer, or through it for one, is told where that can be known.
    pub(super) fn refuse(&mut self, fault: Fault, batch: Option<BatchKey>) {
        let awaited = fault.response_id().and_then(|id| self.call_of(id));
        if let Some(number) = awaited.filter(|number| self.outbound.contains(*number)) {
            self.settle_call(number, Err(CallError::InvalidResponse(fault.kind())));
        } else if self.config.role == Role::Server {
            self.answer_refused(&fault, batch);
        }
        self.events.fault(fault);
    }

    fn answer_refused(&mut self, fault: &Fault, batch: Option<BatchKey>) {
        if let Some(id) = fault.request_id() {
            if self.inbound.find(id).is_none() {
                self.reply_unadmitted(Addressee::Id(id), fault.answer(), batch);
            }
            return;
        }
        let seen = fault.seen();
        let is_notification = seen.method && !seen.id && seen.object;
        if fault.id().is_some() || seen.outcome || is_notification {
            return;
        }
        let addressee = match self.config.unattributed {
            Unattributed::Silent => return,
            Unattributed::NullId => Addressee::Null,
            Unattributed::OmitId => Addressee::Omitted,
        };
        self.reply_unadmitted(addressee, fault.answer(), batch);
    }

    /// Notes the time, and sets the time-outs of requests that have begun to run.
    pub(super) fn tell_time(&mut self, now: Instant) {
        self.clock = Some(self.clock.map_or(now, |clock| clock.max(now)));
        if let Some(timeout) = self.config.callback_timeout {
            for token in std::mem::take(&mut self.started) {
                if self.inbound.is_live(token) {
                    self.wait_for(end_of(now, timeout), Waiting::Request(token));
                }
            }
        }
        self.watch_output(now);
    }
}
