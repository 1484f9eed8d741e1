//! Arithmetic with time, which comes in as an argument.

use std::time::{Duration, Instant};

/// A wait that no clock can tell the end of ends in a hundred years.
const FOR_EVER: Duration = Duration::from_secs(100 * 365 * 24 * 60 * 60);

/// When a wait that begins now is over, however long it is.
#[must_use]
pub fn end_of(now: Instant, wait: Duration) -> Instant {
    now.checked_add(wait).or_else(|| now.checked_add(FOR_EVER)).unwrap_or(now)
}
