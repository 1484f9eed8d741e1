//! Waiting, never for ever.

use std::thread;
use std::time::{Duration, Instant};

/// Nothing that these tests wait for takes longer, on however busy a machine: it is there, or something hangs.
pub(crate) const LIMIT: Duration = Duration::from_secs(10);

/// What is given to that which has to happen: the test gives up before.
pub(crate) const AMPLE: Duration = Duration::from_secs(300);

/// What is given to that which never happens.
pub(crate) const SHORT: Duration = Duration::from_millis(50);

/// Looks again and again until something holds: nobody tells when `/proc` changes.
#[track_caller]
pub(crate) fn until(what: &str, mut holds: impl FnMut() -> bool) {
    let start = Instant::now();
    while !holds() {
        assert!(start.elapsed() < LIMIT, "waited {LIMIT:?} in vain until {what}");
        thread::sleep(Duration::from_millis(1));
    }
}
