//! One connection, by hand: see the functions in the order of a loop. How they work is sorted by what they do:
//! `receive` for what comes in, `answer` for requests of the peer, `call` for requests of ours, `finish` for the end.

mod answer;
mod batch;
mod call;
mod finish;
mod receive;

#[cfg(test)]
mod tests;

use super::deadlines::{Deadlines, Waiting};
use super::events::Events;
use super::inbound::Inbound;
use super::outbound::Outbound;
use super::{Budget, Closed, Config, ConfigError, Event, Output, Token};
use crate::frame::Decoder;
use crate::message::Rules;
use batch::Batches;
use finish::{Phase, Stall};
use std::num::NonZeroUsize;
use std::time::Instant;

/// One connection, either side of it.
///
/// It is a state machine: nothing happens inside a call but what its arguments bring about, and nothing is lost between
/// calls. No input panics or blocks it, and no buffer grows beyond the limits of its [`Config`].
#[derive(Debug)]
pub struct Connection {
    config: Config,
    rules: Rules,
    budget: Budget,
    inbound: Inbound,
    outbound: Outbound,
    deadlines: Deadlines,
    /// Requests that began to run, whose time-out is still to be set: that takes the time, which comes with the next input.
    started: Vec<Token>,
    events: Events,
    output: Output,
    /// How much of the reserve beyond `max_outbound` is in use, in bytes.
    reserve_used: usize,
    batches: Batches,
    calls_held: bool,
    phase: Phase,
    stall: Option<Stall>,
    /// The latest time that was told.
    clock: Option<Instant>,
}

impl Connection {
    /// A connection that takes its slots from `budget`.
    ///
    /// # Errors
    ///
    /// [`ConfigError`] where the configuration cannot work.
    pub fn new(config: Config, budget: Budget) -> Result<Self, ConfigError> {
        config.check()?;
        Ok(Self {
            rules: config.rules(),
            inbound: Inbound::new(),
            outbound: Outbound::new(),
            deadlines: Deadlines::default(),
            started: Vec::new(),
            events: Events::new(&config),
            output: Output::default(),
            reserve_used: 0,
            batches: Batches::default(),
            calls_held: false,
            phase: Phase::Open,
            stall: None,
            clock: None,
            budget,
            config,
        })
    }

    /// A decoder with this connection's limit, for byte streams.
    #[must_use]
    pub fn decoder(&self) -> Decoder {
        NonZeroUsize::new(self.config.max_frame).map_or_else(Decoder::default, Decoder::new)
    }

    /// The configuration.
    #[must_use]
    pub fn config(&self) -> &Config {
        &self.config
    }

    /// What happened next, if anything. It changes with every input and every command.
    pub fn poll_event(&mut self) -> Option<Event> {
        self.settle();
        self.events.pop()
    }

    /// When to call [`handle_timeout`](Self::handle_timeout); a time in the past means now. It changes with every input and
    /// command, and when output is written. Tell the time once at the beginning: until then no wait can be measured.
    #[must_use]
    pub fn poll_timeout(&self) -> Option<Instant> {
        let stall = match &self.stall {
            Some(stall) => Some(stall.until),
            None => self.stall_limit().and(self.clock),
        };
        let started = if self.started.is_empty() { None } else { self.clock };
        [self.deadlines.earliest(), self.phase.until(), stall, started].into_iter().flatten().min()
    }

    /// The output. Write from it, and [`advance`](bytes::Buf::advance) it by what was written.
    pub fn output(&mut self) -> &mut Output {
        &mut self.output
    }

    /// May more input be read now? False at the end, and while the peer takes no output at all. It changes with every input,
    /// and when output is written.
    #[must_use]
    pub fn wants_input(&self) -> bool {
        self.phase.reads()
            && !(self.is_backed_up() && self.reserve_used >= self.config.outbound_reserve)
    }

    /// Is there room for notifications and requests of ours? It changes with every command, and when output is written.
    #[must_use]
    pub fn has_room(&self) -> bool {
        !self.is_backed_up()
    }

    /// Tells how many events a layer above has taken of which its consumer has not, and their size in bytes: they count
    /// towards the limits on events.
    pub fn set_backlog(&mut self, count: usize, bytes: usize) {
        self.events.set_backlog(count, bytes);
    }

    /// Is this request of the peer still to be answered?
    #[must_use]
    pub fn is_live(&self, token: Token) -> bool {
        self.inbound.is_live(token)
    }

    /// How many requests of the peer are still to be answered, queued ones included.
    #[must_use]
    pub fn in_flight(&self) -> usize {
        self.inbound.live()
    }

    /// How many of those stay open, as subscriptions do.
    #[must_use]
    pub fn streams(&self) -> usize {
        self.inbound.streams()
    }

    /// How many of those wait for a slot.
    #[must_use]
    pub fn queued(&self) -> usize {
        self.inbound.queued()
    }

    /// How many slots of the budget this connection holds. Cancelled requests hold theirs until their handler is gone.
    #[must_use]
    pub fn slots_held(&self) -> usize {
        self.inbound.slotted()
    }

    /// How many calls of ours wait for their answer.
    #[must_use]
    pub fn calls(&self) -> usize {
        self.outbound.len()
    }

    /// How many bytes are buffered: requests in flight, untaken events, requests kept back, and unwritten output.
    #[must_use]
    pub fn buffered(&self) -> usize {
        self.inbound.bytes()
            + self.events.bytes()
            + self.outbound.held_bytes()
            + self.output.unwritten()
            + self.batches.bytes()
    }

    /// How many events were not taken yet.
    #[must_use]
    pub fn events(&self) -> usize {
        self.events.len()
    }

    /// How it will end, once that is decided and only the rest of the output is written; or how it ended.
    #[must_use]
    pub fn closing(&self) -> Option<&Closed> {
        self.phase.closing()
    }

    /// How it ended, once it has.
    #[must_use]
    pub fn closed(&self) -> Option<&Closed> {
        self.phase.closed()
    }

    /// The latest time that was told.
    pub(crate) fn clock(&self) -> Option<Instant> {
        self.clock
    }

    /// Is so much output unwritten that no new request is admitted?
    fn is_backed_up(&self) -> bool {
        self.output.unwritten() + self.batches.bytes() >= self.config.max_outbound
    }

    /// Below the limit nothing of the reserve is in use.
    fn free_reserve(&mut self) {
        if !self.is_backed_up() {
            self.reserve_used = 0;
        }
    }

    fn wait_for(&mut self, at: Instant, waiting: Waiting) {
        self.deadlines.add(at, waiting);
        let (inbound, outbound) = (&self.inbound, &self.outbound);
        self.deadlines.compact(inbound.slotted() + outbound.len(), |at, waiting| match waiting {
            // Progress moves a call's deadline: only the latest one counts.
            Waiting::Call(number) => outbound.deadline(number) == Some(at),
            Waiting::Request(token) => inbound.is_live(token),
        });
    }
}

impl Drop for Connection {
    fn drop(&mut self) {
        self.budget.give_back(self.inbound.slotted());
    }
}
