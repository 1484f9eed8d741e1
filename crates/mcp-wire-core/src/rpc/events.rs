//! Events that nobody has taken yet, within limits.

use super::{Config, Event, Token};
use crate::message::Fault;
use std::collections::VecDeque;

#[derive(Debug)]
pub(super) struct Events {
    queue: VecDeque<Event>,
    bytes: usize,
    /// How many of them are faults.
    faults: usize,
    lagged: Dropped,
    suppressed: Dropped,
    /// What a layer above has taken, but its consumer has not.
    backlog: Backlog,
    max_bytes: usize,
    max_count: usize,
    max_faults: usize,
}

#[derive(Debug, Default)]
struct Backlog {
    count: usize,
    bytes: usize,
}

/// Events that were not kept: how many, and behind how many of those that were.
#[derive(Debug, Default)]
struct Dropped {
    count: usize,
    behind: usize,
}

impl Dropped {
    fn add(&mut self, kept: usize) {
        if self.count == 0 {
            self.behind = kept;
        }
        self.count += 1;
    }

    fn removed(&mut self, at: usize) {
        if at < self.behind {
            self.behind -= 1;
        }
    }

    /// The count, once it is its turn.
    fn take(&mut self) -> Option<usize> {
        (self.count > 0 && self.behind == 0).then(|| std::mem::take(&mut self.count))
    }
}

impl Events {
    pub(super) fn new(config: &Config) -> Self {
        Self {
            queue: VecDeque::new(),
            bytes: 0,
            faults: 0,
            lagged: Dropped::default(),
            suppressed: Dropped::default(),
            backlog: Backlog::default(),
            max_bytes: config.max_event_bytes,
            max_count: config.max_events,
            max_faults: config.max_faults,
        }
    }

    pub(super) fn set_backlog(&mut self, count: usize, bytes: usize) {
        self.backlog = Backlog { count, bytes };
    }

    pub(super) fn is_full(&self) -> bool {
        self.queue.len() + self.backlog.count >= self.max_count
            || self.bytes + self.backlog.bytes >= self.max_bytes
    }

    pub(super) fn len(&self) -> usize {
        self.queue.len()
    }

    pub(super) fn bytes(&self) -> usize {
        self.bytes
    }

    /// Keeps an event whatever the limits: those are bounded by what they belong to.
    pub(super) fn push(&mut self, event: Event) {
        self.bytes += event.size();
        self.queue.push_back(event);
    }

    /// Keeps an event, or counts it as dropped.
    pub(super) fn offer(&mut self, event: Event) {
        if self.is_full() {
            self.lagged.add(self.queue.len());
        } else {
            self.push(event);
        }
    }

    /// Keeps a fault, or counts it as suppressed.
    pub(super) fn fault(&mut self, fault: Fault) {
        if self.faults >= self.max_faults {
            self.suppressed.add(self.queue.len());
        } else if self.is_full() {
            self.lagged.add(self.queue.len());
        } else {
            self.faults += 1;
            self.push(Event::Fault(fault));
        }
    }

    pub(super) fn pop(&mut self) -> Option<Event> {
        if let Some(count) = self.suppressed.take() {
            return Some(Event::Suppressed(count));
        }
        if let Some(count) = self.lagged.take() {
            return Some(Event::Lagged(count));
        }
        let event = self.queue.pop_front()?;
        self.removed(0, &event);
        Some(event)
    }

    /// Takes back a request that nobody has seen. True where there was one.
    pub(super) fn remove_request(&mut self, token: Token) -> bool {
        let is_it = |event: &Event| matches!(event, Event::Request(other, _) if *other == token);
        self.queue.iter().rposition(is_it).and_then(|at| self.remove(at)).is_some()
    }

    fn remove(&mut self, at: usize) -> Option<Event> {
        let event = self.queue.remove(at)?;
        self.removed(at, &event);
        Some(event)
    }

    fn removed(&mut self, at: usize, event: &Event) {
        self.bytes -= event.size();
        self.faults -= usize::from(matches!(event, Event::Fault(_)));
        self.suppressed.removed(at);
        self.lagged.removed(at);
    }
}
