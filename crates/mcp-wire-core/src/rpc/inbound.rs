//! The peer's requests: which are in flight, under which token.

use super::Token;
use crate::message::{Id, Request};
use std::collections::{HashMap, VecDeque, hash_map};
use std::sync::atomic::{AtomicU64, Ordering};

/// How many connections there were in this process: a token of another one is told apart, whatever budgets they have.
static CONNECTIONS: AtomicU64 = AtomicU64::new(0);

/// How a request is admitted.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Class {
    /// Answered at once: needs no slot, cannot be cancelled.
    Inline,
    /// Waits for a slot.
    Queued,
    /// Holds a slot.
    Slotted,
    /// Stays open: needs no slot, can be cancelled.
    Stream,
}

/// The batch that a request came in.
pub(super) type BatchKey = u64;

#[derive(Debug)]
pub(super) struct Entry {
    /// `None` once it is cancelled: the id is free, but the handler is not gone yet.
    pub(super) id: Option<Id>,
    pub(super) class: Class,
    pub(super) size: usize,
    pub(super) batch: Option<BatchKey>,
    /// Calls to the peer on its behalf: while there are any, it is parked.
    pub(super) calls: Vec<i64>,
}

#[derive(Debug)]
struct Slot {
    generation: u32,
    entry: Option<Entry>,
}

#[derive(Debug)]
pub(super) struct Inbound {
    connection: u64,
    slots: Vec<Slot>,
    free: Vec<u32>,
    by_id: HashMap<Id, Token>,
    queue: VecDeque<(Token, Request)>,
    bytes: usize,
    /// How many entries hold a slot of the budget.
    slotted: usize,
    /// How many entries stay open.
    streams: usize,
}

impl Inbound {
    pub(super) fn new() -> Self {
        Self {
            connection: CONNECTIONS.fetch_add(1, Ordering::Relaxed),
            slots: Vec::new(),
            free: Vec::new(),
            by_id: HashMap::new(),
            queue: VecDeque::new(),
            bytes: 0,
            slotted: 0,
            streams: 0,
        }
    }

    /// How many requests wait for an answer, queued ones included.
    pub(super) fn live(&self) -> usize {
        self.by_id.len()
    }

    pub(super) fn slotted(&self) -> usize {
        self.slotted
    }

    pub(super) fn streams(&self) -> usize {
        self.streams
    }

    pub(super) fn queued(&self) -> usize {
        self.queue.len()
    }

    pub(super) fn bytes(&self) -> usize {
        self.bytes
    }

    pub(super) fn find(&self, id: &Id) -> Option<Token> {
        self.by_id.get(id).copied()
    }

    pub(super) fn tokens(&self) -> Vec<Token> {
        let mut tokens: Vec<Token> = self.by_id.values().copied().collect();
        tokens.sort_unstable_by_key(|token| (token.slot, token.generation));
        tokens
    }

    pub(super) fn entry(&mut self, token: Token) -> Option<&mut Entry> {
        if token.connection != self.connection {
            return None;
        }
        let slot = self.slots.get_mut(token.slot())?;
        if slot.generation == token.generation { slot.entry.as_mut() } else { None }
    }

    pub(super) fn is_live(&self, token: Token) -> bool {
        token.connection == self.connection
            && self.slots.get(token.slot()).is_some_and(|slot| {
                slot.generation == token.generation
                    && slot.entry.as_ref().is_some_and(|entry| entry.id.is_some())
            })
    }

    /// Registers a request. `None` where one of its id is in flight.
    pub(super) fn insert(
        &mut self,
        id: Id,
        class: Class,
        size: usize,
        batch: Option<BatchKey>,
    ) -> Option<Token> {
        let hash_map::Entry::Vacant(vacant) = self.by_id.entry(id) else { return None };
        let slot = self.free.pop().unwrap_or_else(|| {
            self.slots.push(Slot { generation: 0, entry: None });
            (self.slots.len() - 1) as u32
        });
        let place = &mut self.slots[slot as usize];
        let id = Some(vacant.key().clone());
        place.entry = Some(Entry { id, class, size, batch, calls: Vec::new() });
        let token = Token { connection: self.connection, slot, generation: place.generation };
        vacant.insert(token);
        self.bytes += size;
        self.slotted += usize::from(class == Class::Slotted);
        self.streams += usize::from(class == Class::Stream);
        Some(token)
    }

    /// Cancelled, but the handler is not gone: the id is free, the slot is not.
    pub(super) fn abandon(&mut self, token: Token) -> Option<Id> {
        let id = self.entry(token)?.id.take()?;
        self.by_id.remove(&id);
        Some(id)
    }

    /// The request is over, and its slot is free.
    pub(super) fn remove(&mut self, token: Token) -> Option<Entry> {
        self.entry(token)?;
        let slot = &mut self.slots[token.slot()];
        let entry = slot.entry.take()?;
        slot.generation = slot.generation.wrapping_add(1);
        self.free.push(token.slot);
        if let Some(id) = &entry.id {
            self.by_id.remove(id);
        }
        self.bytes -= entry.size;
        self.slotted -= usize::from(entry.class == Class::Slotted);
        self.streams -= usize::from(entry.class == Class::Stream);
        if self.slots.len() == self.free.len() && self.slots.len() > 64 {
            self.shrink();
        }
        Some(entry)
    }

    pub(super) fn enqueue(&mut self, token: Token, request: Request) {
        self.queue.push_back((token, request));
    }

    /// The next queued request now holds a slot.
    pub(super) fn dequeue(&mut self) -> Option<(Token, Request)> {
        let (token, request) = self.queue.pop_front()?;
        if let Some(entry) = self.entry(token) {
            entry.class = Class::Slotted;
            self.slotted += 1;
        }
        Some((token, request))
    }

    /// Takes a queued request out of the queue. True where it was there.
    pub(super) fn withdraw(&mut self, token: Token) -> bool {
        let found = self.queue.iter().position(|(other, _)| *other == token);
        found.and_then(|at| self.queue.remove(at)).is_some()
    }

    /// Nothing is in flight: memory follows that. Generations must not start again, or an old token would fit a new request.
    fn shrink(&mut self) {
        self.by_id.shrink_to(64);
        self.queue.shrink_to(64);
    }
}
