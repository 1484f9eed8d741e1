//! Slots for running requests, shared by the connections of one server.

use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

/// How many requests a server runs at once, over all of its connections, and how many of them one connection may hold.
///
/// Clones share the same slots.
#[derive(Debug, Clone)]
pub struct Budget(Arc<Shared>);

#[derive(Debug)]
struct Shared {
    slots: usize,
    share: usize,
    taken: AtomicUsize,
}

impl Default for Budget {
    /// 1024 slots, of which one connection may hold half.
    fn default() -> Self {
        Self::new(1024)
    }
}

impl Budget {
    /// `max_in_flight` slots (at least one), of which one connection may hold half, and at least one.
    #[must_use]
    pub fn new(max_in_flight: usize) -> Self {
        Self::with_share(max_in_flight, max_in_flight / 2)
    }

    /// `max_in_flight` slots, of which one connection may hold `share`. Both are at least one.
    #[must_use]
    pub fn with_share(max_in_flight: usize, share: usize) -> Self {
        let slots = max_in_flight.max(1);
        Self(Arc::new(Shared { slots, share: share.clamp(1, slots), taken: AtomicUsize::new(0) }))
    }

    /// How many slots there are.
    #[must_use]
    pub fn slots(&self) -> usize {
        self.0.slots
    }

    /// How many slots one connection may hold.
    #[must_use]
    pub fn share(&self) -> usize {
        self.0.share
    }

    /// How many slots are taken.
    #[must_use]
    pub fn taken(&self) -> usize {
        self.0.taken.load(Ordering::Acquire)
    }

    /// Takes a slot for a connection that holds `held` already. False where there is none.
    pub(super) fn take(&self, held: usize) -> bool {
        let more = |taken| (taken < self.0.slots).then_some(taken + 1);
        held < self.0.share
            && self.0.taken.fetch_update(Ordering::AcqRel, Ordering::Acquire, more).is_ok()
    }

    pub(super) fn give_back(&self, slots: usize) {
        self.0.taken.fetch_sub(slots, Ordering::AcqRel);
    }
}
