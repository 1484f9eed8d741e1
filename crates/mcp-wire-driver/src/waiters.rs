//! Tasks that wait for the same thing. Each has a place, which it leaves when it stops waiting.

#[cfg(test)]
mod tests;

use std::task::Waker;
use std::time::Instant;

#[derive(Debug, Default)]
pub(crate) struct Waiters {
    waiting: Vec<Waiter>,
    next: u64,
}

#[derive(Debug)]
struct Waiter {
    place: u64,
    until: Option<Instant>,
    waker: Waker,
}

impl Waiters {
    /// Waits at a place, a new one where there is none yet, for no longer than `until`. What comes back is to be dropped
    /// without the lock.
    pub(crate) fn wait(
        &mut self,
        place: &mut Option<u64>,
        until: Option<Instant>,
        waker: &Waker,
    ) -> Option<Waker> {
        let known = self.waiting.iter_mut().find(|waiter| Some(waiter.place) == *place);
        if let Some(waiter) = known {
            waiter.until = until;
            return Some(std::mem::replace(&mut waiter.waker, waker.clone()));
        }
        *place = Some(self.next);
        self.waiting.push(Waiter { place: self.next, until, waker: waker.clone() });
        self.next += 1;
        None
    }

    /// Waits no longer. What comes back is to be dropped without the lock.
    pub(crate) fn leave(&mut self, place: u64) -> Option<Waker> {
        let found = self.waiting.iter().position(|waiter| waiter.place == place)?;
        Some(self.waiting.swap_remove(found).waker)
    }

    /// Wakes all of them.
    pub(crate) fn wake_all(&mut self, wake: &mut Vec<Waker>) {
        wake.extend(self.waiting.drain(..).map(|waiter| waiter.waker));
    }

    /// Wakes those whose time is over.
    pub(crate) fn wake_due(&mut self, now: Instant, wake: &mut Vec<Waker>) {
        let due = |waiter: &mut Waiter| waiter.until.is_some_and(|until| until <= now);
        wake.extend(self.waiting.extract_if(.., due).map(|waiter| waiter.waker));
    }

    /// When the next one's time is over.
    pub(crate) fn earliest(&self) -> Option<Instant> {
        self.waiting.iter().filter_map(|waiter| waiter.until).min()
    }
}
