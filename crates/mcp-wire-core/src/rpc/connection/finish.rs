//! The end: of input, of patience, of the connection.

use super::Connection;
use crate::end_of;
use crate::rpc::deadlines::Waiting;
use crate::rpc::{CallError, Closed, Event, ProcessExit, Role};
use std::io;
use std::time::{Duration, Instant};

/// How long a client whose writes fail goes on reading.
const LINGER: Duration = Duration::from_secs(1);

/// Where in its life a connection is.
#[derive(Debug)]
pub(super) enum Phase {
    Open,
    /// Requests in flight go on, new ones are not admitted.
    Draining {
        cause: Closed,
        until: Option<Instant>,
        input: Input,
    },
    /// Nothing can be written any more; what the peer has written is still read.
    Lingering {
        cause: Closed,
        until: Instant,
    },
    /// Everything is settled; what is left of the output is written.
    Flushing {
        cause: Closed,
    },
    Closed {
        cause: Closed,
    },
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Input {
    Ended,
    Open,
}

/// Output makes no progress: until when that is fine.
#[derive(Debug)]
pub(super) struct Stall {
    pub(super) until: Instant,
    written: u64,
    limit: Duration,
}

impl Phase {
    pub(super) fn reads(&self) -> bool {
        matches!(
            self,
            Self::Open | Self::Lingering { .. } | Self::Draining { input: Input::Open, .. }
        )
    }

    pub(super) fn writes(&self) -> bool {
        matches!(self, Self::Open | Self::Draining { .. } | Self::Flushing { .. })
    }

    pub(super) fn calls(&self) -> bool {
        matches!(self, Self::Open | Self::Draining { input: Input::Open, .. })
    }

    pub(super) fn refuses_requests(&self) -> bool {
        !matches!(self, Self::Open)
    }

    pub(super) fn is_flushing(&self) -> bool {
        matches!(self, Self::Flushing { .. })
    }

    pub(super) fn until(&self) -> Option<Instant> {
        match self {
            Self::Draining { until, .. } => *until,
            Self::Lingering { until, .. } => Some(*until),
            _ => None,
        }
    }

    pub(super) fn closing(&self) -> Option<&Closed> {
        match self {
            Self::Closed { cause } | Self::Flushing { cause } => Some(cause),
            _ => None,
        }
    }

    pub(super) fn closed(&self) -> Option<&Closed> {
        match self {
            Self::Closed { cause } => Some(cause),
            _ => None,
        }
    }
}

impl Connection {
    /// The input has ended. In the server role what is in flight goes on for the grace of the configuration; in the client
    /// role every call fails at once. A second time does nothing.
    pub fn handle_eof(&mut self, now: Instant) {
        self.input_ended(now, Closed::Eof);
    }

    /// Reading has failed, which is the end of input with a cause.
    pub fn handle_read_error(&mut self, now: Instant, error: io::ErrorKind) {
        self.input_ended(now, Closed::ReadFailed(error));
    }

    /// The process at the other end has exited, and what it wrote is read: that is the end of input, with the exit as the
    /// cause. It outranks the broken pipe that the exit may have led to before.
    pub fn handle_exit(&mut self, now: Instant, exit: ProcessExit) {
        self.input_ended(now, Closed::Exited(exit));
    }

    /// Writing has failed: nobody listens any more. In the server role that is the end. In the client role what the peer has
    /// written is still read, for at most 1 s.
    pub fn handle_write_error(&mut self, now: Instant, error: io::ErrorKind) {
        self.tell_time(now);
        let cause = Closed::WriteFailed(error);
        if self.config.role == Role::Client && self.phase.calls() {
            self.phase = Phase::Lingering { cause, until: now + LINGER };
            self.output.clear();
            self.cancel_requests();
        } else if !matches!(self.phase, Phase::Lingering { .. }) {
            // A client that is about to end knows a better cause than a server that does not listen any more.
            let earlier = match &self.phase {
                Phase::Flushing { cause } if self.config.role == Role::Client => {
                    Some(cause.clone())
                }
                _ => None,
            };
            self.end(earlier.unwrap_or(cause));
        }
    }

    /// The time is `now`. Calling it too early or too often does nothing.
    pub fn handle_timeout(&mut self, now: Instant) {
        self.tell_time(now);
        let mut timed_out = Vec::new();
        while let Some((deadline, waiting)) = self.deadlines.pop_due(now) {
            match waiting {
                Waiting::Call(number) => timed_out.extend(self.time_out_call(number, deadline)),
                Waiting::Request(token) => {
                    self.withdraw_or_notify(std::mem::take(&mut timed_out), None);
                    self.time_out_request(token);
                }
            }
        }
        self.withdraw_or_notify(timed_out, None);
        self.end_phase(now);
        self.settle();
    }

    /// Ends the connection from this side: handlers are cancelled unanswered, calls fail (a client's are taken back), and
    /// what is left of the output is written, as long as the peer takes it. A second time does nothing.
    pub fn close(&mut self) {
        if let Phase::Lingering { cause, .. } = &self.phase {
            // Nobody wants to read on.
            let cause = cause.clone();
            self.end(cause);
        }
        self.flush(Closed::Local);
        self.settle();
    }

    /// Ends the connection from this side, gently: new requests are answered "busy", those in flight go on for `grace`
    /// (`None`: until they are done), then it closes. A second time can only shorten the grace.
    pub fn shutdown(&mut self, now: Instant, grace: Option<Duration>) {
        self.drain(now, grace, Closed::Local);
    }

    /// Like [`shutdown`](Self::shutdown), for another cause: the server behind the connection goes, say.
    pub fn drain(&mut self, now: Instant, grace: Option<Duration>, cause: Closed) {
        self.tell_time(now);
        let ends = grace.map(|grace| end_of(now, grace));
        match &mut self.phase {
            Phase::Open => {
                self.phase = Phase::Draining { cause, until: ends, input: Input::Open };
                self.end_streams();
            }
            Phase::Draining { until, cause: earlier, .. } => {
                *until = sooner(*until, ends);
                if *earlier == Closed::Local {
                    *earlier = cause;
                }
            }
            _ => {}
        }
        self.end_phase(now);
        self.settle();
    }

    /// Ends the connection at once, unwritten output included, for the given cause: the transport is dropped, say. After the
    /// end this does nothing.
    pub fn abort(&mut self, cause: Closed) {
        self.end(cause);
    }

    fn input_ended(&mut self, now: Instant, cause: Closed) {
        self.tell_time(now);
        match &mut self.phase {
            Phase::Open if self.config.role == Role::Client => self.flush(cause),
            Phase::Open => {
                let until = self.config.eof_grace.map(|grace| end_of(now, grace));
                self.phase = Phase::Draining { cause: cause.clone(), until, input: Input::Ended };
                self.end_streams();
                self.cancel_parked(&cause);
            }
            Phase::Draining { input, until, .. } if *input == Input::Open => {
                *input = Input::Ended;
                // A client's answers are read by nobody.
                let grace = match self.config.role {
                    Role::Client => Some(Duration::ZERO),
                    Role::Server => self.config.eof_grace,
                };
                *until = sooner(*until, grace.map(|grace| end_of(now, grace)));
                self.cancel_parked(&cause);
            }
            Phase::Lingering { cause: broken, .. } => {
                let exited = matches!(cause, Closed::Exited(_));
                let cause = if exited { cause } else { broken.clone() };
                self.end(cause);
            }
            _ => {}
        }
        self.end_phase(now);
        self.settle();
    }

    /// Ends what lasts for a while only, once that is over.
    fn end_phase(&mut self, now: Instant) {
        if self.phase.until().is_none_or(|until| until > now) {
            return;
        }
        match &self.phase {
            Phase::Draining { cause, .. } => {
                let cause = cause.clone();
                self.flush(cause);
            }
            Phase::Lingering { cause, .. } => {
                let cause = cause.clone();
                self.end(cause);
            }
            _ => {}
        }
    }

    /// No answer can come any more: calls fail, and the requests that wait for them are cancelled unanswered.
    fn cancel_parked(&mut self, cause: &Closed) {
        for token in self.inbound.tokens() {
            if self.inbound.entry(token).is_some_and(|entry| !entry.calls.is_empty()) {
                self.cancel_request(token, None);
            }
        }
        self.fail_calls(cause);
    }

    /// What stays open is to be ended now, by whoever knows how.
    fn end_streams(&mut self) {
        if self.inbound.streams() > 0 {
            self.events.push(Event::Draining);
        }
    }

    fn fail_calls(&mut self, cause: &Closed) {
        for number in self.outbound.numbers() {
            self.settle_call(number, Err(CallError::Closed(cause.clone())));
        }
    }

    fn cancel_requests(&mut self) {
        for token in self.inbound.tokens() {
            self.cancel_request(token, None);
        }
    }

    /// Everything is settled, batches too, since their open items are cancelled; what is left of the output is written.
    fn flush(&mut self, cause: Closed) {
        if !matches!(self.phase, Phase::Open | Phase::Draining { .. }) {
            return;
        }
        self.cancel_requests();
        if self.config.role == Role::Client && cause == Closed::Local {
            // So that the server need not finish what is asked before it goes.
            self.cancel_calls(self.outbound.numbers(), &CallError::Closed(cause.clone()));
        }
        self.fail_calls(&cause);
        self.phase = Phase::Flushing { cause };
        self.stall = None;
    }

    /// The end, at once.
    fn end(&mut self, cause: Closed) {
        if self.closed().is_some() {
            return;
        }
        self.phase = Phase::Closed { cause: cause.clone() };
        self.output.clear();
        self.cancel_requests();
        self.fail_calls(&cause);
        self.batches.clear();
        self.deadlines.clear();
        self.started.clear();
        self.stall = None;
        self.events.push(Event::Closed(cause));
    }

    /// Goes on to the next phase where nothing is left to wait for.
    pub(super) fn settle(&mut self) {
        if let Phase::Draining { cause, .. } = &self.phase
            && self.inbound.live() == 0
        {
            let cause = cause.clone();
            self.flush(cause);
        }
        if let Phase::Flushing { cause } = &self.phase
            && self.output.unwritten() == 0
        {
            let cause = cause.clone();
            self.end(cause);
        }
    }

    /// How long output may go without progress now.
    pub(super) fn stall_limit(&self) -> Option<Duration> {
        if self.phase.is_flushing() {
            Some(self.config.flush_stall)
        } else if self.phase.writes() && self.is_backed_up() && self.output.unwritten() > 0 {
            Some(self.config.write_stall)
        } else {
            None
        }
    }

    /// Notes progress of the output, and ends the connection where there was none for too long.
    pub(super) fn watch_output(&mut self, now: Instant) {
        let written = self.output.progress();
        match (self.stall_limit(), &self.stall) {
            (None, _) => self.stall = None,
            (Some(limit), Some(stall)) if stall.written == written && stall.limit == limit => {
                if stall.until <= now {
                    self.end(Closed::Stalled);
                }
            }
            (Some(limit), _) => {
                self.stall = Some(Stall { until: end_of(now, limit), written, limit })
            }
        }
    }
}

/// The earlier of two ends, of which none means never.
fn sooner(one: Option<Instant>, other: Option<Instant>) -> Option<Instant> {
    [one, other].into_iter().flatten().min()
}
