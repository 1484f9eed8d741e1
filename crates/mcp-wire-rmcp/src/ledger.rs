//! Who waits for an answer, in either direction.
//!
//! `rmcp` keeps books of its own, but shows them to nobody. These are for what it does not do: to refuse a request whose id is
//! taken, to say "busy", and to settle a question that cannot be answered any more.

use rmcp::model::RequestId;
use std::collections::{HashMap, HashSet};

#[derive(Debug, Default)]
pub(crate) struct Ledger {
    /// Requests of the peer that are not answered, with their sizes in bytes.
    in_flight: HashMap<RequestId, usize>,
    in_flight_bytes: usize,
    /// Requests of ours that are not answered.
    asked: HashSet<RequestId>,
}

impl Ledger {
    pub(crate) fn is_in_flight(&self, id: &RequestId) -> bool {
        self.in_flight.contains_key(id)
    }

    /// Is there room for one more request of the peer? Always, when there is no other.
    pub(crate) fn has_room(&self, size: usize, most: usize, most_bytes: usize) -> bool {
        self.in_flight.is_empty()
            || self.in_flight.len() < most
                && self.in_flight_bytes.saturating_add(size) <= most_bytes
    }

    /// The peer waits for an answer.
    pub(crate) fn admit(&mut self, id: RequestId, size: usize) {
        self.in_flight_bytes += size;
        self.in_flight.insert(id, size);
    }

    /// The peer waits no longer: it is answered, or has cancelled.
    pub(crate) fn release(&mut self, id: &RequestId) {
        self.in_flight_bytes -= self.in_flight.remove(id).unwrap_or_default();
    }

    /// We wait for an answer.
    pub(crate) fn ask(&mut self, id: RequestId) {
        self.asked.insert(id);
    }

    /// We wait no longer. True, if we did. Some peers turn `1` into `"1"`, and `rmcp` lets them.
    pub(crate) fn settle(&mut self, id: &RequestId) -> bool {
        let number = || match id {
            RequestId::String(text) => text.parse().ok().map(RequestId::Number),
            RequestId::Number(_) => None,
        };
        self.asked.remove(id) || number().is_some_and(|number| self.asked.remove(&number))
    }

    /// Any request of ours that still waits. It does so no longer.
    pub(crate) fn abandon(&mut self) -> Option<RequestId> {
        let id = self.asked.iter().next()?.clone();
        self.asked.remove(&id);
        Some(id)
    }
}
