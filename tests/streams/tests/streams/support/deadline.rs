//! Waiting, never for ever.

use rustix::event::{PollFd, PollFlags, Timespec, poll};
use std::os::fd::AsFd;
use std::time::{Duration, Instant};

/// Nothing that these tests wait for takes longer, on however busy a machine: it is there, or something hangs.
pub(crate) const LIMIT: Duration = Duration::from_secs(10);

/// Waits until the descriptor is ready, which the end of a stream and its failure are too.
pub(crate) fn until_ready(descriptor: impl AsFd, readiness: PollFlags, what: &str) {
    let mut descriptors = [PollFd::new(&descriptor, readiness)];
    let limit = Timespec::try_from(LIMIT).unwrap();
    match poll(&mut descriptors, Some(&limit)) {
        Ok(0) => panic!("waited {LIMIT:?} in vain: {what}"),
        Ok(_) | Err(rustix::io::Errno::INTR) => {}
        Err(error) => panic!("cannot wait, {what}: {error}"),
    }
}

/// Looks again and again until there is an answer: nobody tells when `/proc` changes.
pub(crate) fn until<A>(what: &str, mut look: impl FnMut() -> Option<A>) -> A {
    let start = Instant::now();
    loop {
        if let Some(answer) = look() {
            return answer;
        }
        assert!(start.elapsed() < LIMIT, "waited {LIMIT:?} in vain: {what}");
        pause();
    }
}

/// Lets others run between two looks.
pub(crate) fn pause() {
    std::thread::sleep(Duration::from_millis(1));
}
