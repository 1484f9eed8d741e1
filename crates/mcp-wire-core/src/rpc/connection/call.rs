//! Our requests and notifications.

use super::Connection;
use crate::end_of;
use crate::message::Json;
use crate::rpc::deadlines::Waiting;
use crate::rpc::encode;
use crate::rpc::outbound::{CancelOnWire, Outgoing, Patience, Place};
use crate::rpc::{Call, CallError, CallOptions, Event, Gone, OnProgress, Output, SendError};
use std::time::{Duration, Instant};

impl Connection {
    /// Sends a notification.
    ///
    /// # Errors
    ///
    /// [`SendError::Closed`], [`SendError::Full`] while the peer reads too slowly, [`SendError::TooLarge`].
    pub fn notify(&mut self, method: &str, params: Option<Json>) -> Result<(), SendError> {
        if !self.takes_notifications() {
            return Err(SendError::Closed);
        }
        self.send(None, method, params).map(drop)
    }

    /// Can notifications still be sent? Not once everything is settled, and only the rest of the output is being written.
    #[must_use]
    pub fn takes_notifications(&self) -> bool {
        self.phase.writes() && !self.phase.is_flushing()
    }

    /// Is a notification short enough to be sent?
    ///
    /// # Errors
    ///
    /// [`SendError::TooLarge`].
    pub(crate) fn check_size(
        &self,
        method: &str,
        params: Option<&Json>,
    ) -> Result<usize, SendError> {
        let mut scratch = Output::default();
        append_call(&mut scratch, self.config.max_frame_out, None, method, params.cloned())
    }

    /// The name that the next request of ours will have: for params that hold it, such as a progress token.
    #[must_use]
    pub fn next_call(&self) -> Call {
        self.outbound.next()
    }

    /// Sends a request. Its outcome comes as [`Event::Response`], exactly once, unless [`cancel`](Self::cancel) came first.
    ///
    /// # Errors
    ///
    /// [`SendError::Closed`] also once the input has ended, since no answer can come; [`SendError::Full`] while the peer
    /// reads too slowly; [`SendError::RequestGone`] where the request on whose behalf it is made is over;
    /// [`SendError::TooLarge`].
    pub fn request(
        &mut self,
        now: Instant,
        method: &str,
        params: Option<Json>,
        options: CallOptions,
    ) -> Result<Call, SendError> {
        self.tell_time(now);
        if !self.phase.calls() {
            return Err(SendError::Closed);
        }
        if options.on_behalf_of.is_some_and(|token| !self.inbound.is_live(token)) {
            return Err(SendError::RequestGone);
        }
        let call = self.outbound.next();
        // Inline methods open a connection, or tell whether it lives: they are not kept back.
        let place = if self.calls_held && !self.config.dialect.is_inline(method) {
            if self.output.unwritten() + self.outbound.held_bytes() >= self.config.max_outbound {
                return Err(SendError::Full);
            }
            let mut line = Output::default();
            append_call(&mut line, self.config.max_frame_out, Some(call.0), method, params)?;
            Place::Held(line.pop_message().unwrap_or_default())
        } else {
            let start = self.output.end();
            Place::Output { start, length: self.send(Some(call.0), method, params)? }
        };
        let never = self.config.dialect.uncancelled.iter().any(|uncancelled| uncancelled == method);
        let left = |limit: Duration| end_of(now, limit.saturating_sub(options.waited));
        let ceiling = left(options.ceiling);
        let deadline = options.timeout.map_or(ceiling, |timeout| ceiling.min(left(timeout)));
        self.outbound.insert(Outgoing {
            deadline,
            ceiling,
            restart: options.timeout.filter(|_| options.on_progress == OnProgress::Restart),
            parent: options.on_behalf_of,
            place,
            patience: if self.config.dialect.is_stream(method) {
                Patience::LimitedAtFirst
            } else {
                Patience::Limited
            },
            cancel: if never { CancelOnWire::Never } else { CancelOnWire::Notify },
        });
        if let Some(entry) = options.on_behalf_of.and_then(|token| self.inbound.entry(token)) {
            entry.calls.push(call.0);
        }
        self.wait_for(deadline, Waiting::Call(call.0));
        Ok(call)
    }

    /// Cancels a call of ours, for a reason that the peer may show, and that is left out where it is too long for a frame: the
    /// peer is told, unless nothing of the request is written yet, which is then withdrawn. There will be no
    /// [`Event::Response`].
    ///
    /// # Errors
    ///
    /// [`Gone`] where it is over already.
    pub fn cancel(&mut self, call: Call, reason: Option<&str>) -> Result<(), Gone> {
        let ended = self.end_call(call.0).ok_or(Gone)?;
        self.withdraw_or_notify(vec![(call.0, ended)], reason);
        Ok(())
    }

    /// Lets a call that opens a stream wait from now on for as long as it takes. Others keep their deadline.
    pub(crate) fn wait_for_ever(&mut self, call: Call) {
        let Some(now) = self.clock else { return };
        if let Some(call) = self.outbound.find_mut(call.0)
            && call.patience == Patience::LimitedAtFirst
        {
            // The deadline that was set finds that it is not the latest.
            call.ceiling = end_of(now, Duration::MAX);
            call.deadline = call.ceiling;
            call.restart = None;
            call.patience = Patience::Endless;
        }
    }

    /// The call of this number, where it waits for an answer.
    pub(crate) fn call_of_number(&self, number: i64) -> Option<Call> {
        self.outbound.contains(number).then_some(Call(number))
    }

    /// Settles a call because of something else than a response to it. Its outcome comes as [`Event::Response`].
    pub(crate) fn settle_with(&mut self, call: Call, error: CallError) {
        self.settle_call(call.0, Err(error));
    }

    /// Keeps requests of ours back from now on, until [`release_calls`](Self::release_calls). Their time runs.
    pub fn hold_calls(&mut self) {
        self.calls_held = true;
    }

    /// Sends the requests that were kept back, in order, and keeps none back from now on.
    pub fn release_calls(&mut self) {
        self.calls_held = false;
        if !self.phase.writes() {
            return;
        }
        self.free_reserve();
        for number in self.outbound.numbers() {
            let Some(line) = self.outbound.release(number, self.output.end()) else { continue };
            self.output.append(|out| {
                out.extend_from_slice(&line);
                out.push(b'\n');
            });
        }
    }

    /// Appends a message within the limits, and says how long it is.
    fn send(
        &mut self,
        id: Option<i64>,
        method: &str,
        params: Option<Json>,
    ) -> Result<usize, SendError> {
        if self.is_backed_up() {
            return Err(SendError::Full);
        }
        self.free_reserve();
        append_call(&mut self.output, self.config.max_frame_out, id, method, params)
    }

    pub(super) fn call_progressed(&mut self, number: i64) {
        let (Some(call), Some(now)) = (self.outbound.find_mut(number), self.clock) else { return };
        if let Some(timeout) = call.restart {
            let deadline = call.ceiling.min(end_of(now, timeout));
            if call.deadline != deadline {
                call.deadline = deadline;
                self.wait_for(deadline, Waiting::Call(number));
            }
        }
    }

    /// Settles a call that the peer has answered.
    pub(super) fn settle_call(&mut self, number: i64, outcome: Result<Json, CallError>) {
        if self.end_call(number).is_some() {
            self.events.push(Event::Response { call: Call(number), outcome });
        }
    }

    /// Settles calls without an answer, and tells the peer.
    pub(super) fn cancel_calls(&mut self, numbers: Vec<i64>, error: &CallError) {
        if numbers.is_empty() {
            return;
        }
        let given_up = |number| self.give_up_call(number, error.clone());
        let ended = numbers.into_iter().filter_map(given_up).collect();
        self.withdraw_or_notify(ended, None);
    }

    /// Its time may be over. What comes back is still to be withdrawn.
    pub(super) fn time_out_call(
        &mut self,
        number: i64,
        deadline: Instant,
    ) -> Option<(i64, Outgoing)> {
        let call = self.outbound.find_mut(number)?;
        if call.deadline != deadline {
            return None;
        }
        self.give_up_call(number, CallError::TimedOut)
    }

    /// Settles a call without an answer. What comes back is still to be withdrawn.
    fn give_up_call(&mut self, number: i64, error: CallError) -> Option<(i64, Outgoing)> {
        let call = self.end_call(number)?;
        self.events.push(Event::Response { call: Call(number), outcome: Err(error) });
        Some((number, call))
    }

    fn end_call(&mut self, number: i64) -> Option<Outgoing> {
        let call = self.outbound.remove(number)?;
        if let Some(entry) = call.parent.and_then(|token| self.inbound.entry(token)) {
            entry.calls.retain(|other| *other != number);
        }
        Some(call)
    }

    /// The peer hears nothing of these calls, or that they are over. All at once, since what is behind one of them in the
    /// output moves with it.
    pub(super) fn withdraw_or_notify(&mut self, ended: Vec<(i64, Outgoing)>, reason: Option<&str>) {
        let mut unwritten = Vec::new();
        for (number, call) in ended {
            let Place::Output { start, length } = call.place else { continue };
            if start >= self.output.written() {
                unwritten.push((start, length));
            } else if call.cancel == CancelOnWire::Notify {
                self.notify_of_cancel(number, reason);
            }
        }
        unwritten.sort_unstable();
        for (start, length) in unwritten.iter().rev() {
            self.output.remove(*start, *length);
        }
        self.outbound.shift(&unwritten);
    }

    fn notify_of_cancel(&mut self, number: i64, reason: Option<&str>) {
        let Some(cancel) = &self.config.dialect.cancel else { return };
        if !self.phase.writes() {
            return;
        }
        let mut params = serde_json::json!({ cancel.id.as_ref(): number });
        let bare = Json::trusted(params.to_string());
        if let Some(reason) = reason {
            params[cancel.reason.as_ref()] = reason.into();
            let params = Some(Json::trusted(params.to_string()));
            let limit = self.config.max_frame_out;
            if append_call(&mut self.output, limit, None, &cancel.method, params).is_ok() {
                return;
            }
        }
        // A reason that is too long is left out.
        encode::call(&mut self.output, None, &cancel.method, Some(bare));
    }
}

/// Appends a message of at most `limit` bytes, and says how long it is, its LF included.
fn append_call(
    output: &mut Output,
    limit: usize,
    id: Option<i64>,
    method: &str,
    params: Option<Json>,
) -> Result<usize, SendError> {
    let mark = output.mark();
    encode::call(output, id, method, params);
    let length = output.since(mark);
    if length - 1 > limit {
        output.roll_back(mark);
        return Err(SendError::TooLarge { size: length - 1, limit });
    }
    Ok(length)
}
