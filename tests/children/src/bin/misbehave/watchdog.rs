//! Nothing of this program outlives a test for long that should have ended it.

use std::process;
use std::thread;
use std::time::Duration;

/// No test needs it for longer.
const LIFETIME: Duration = Duration::from_secs(60);

pub(crate) fn start() {
    thread::spawn(|| {
        thread::sleep(LIFETIME);
        // Not a word: whoever should read it may be what hangs.
        process::exit(9);
    });
}
