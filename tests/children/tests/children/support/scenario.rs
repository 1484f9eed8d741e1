//! One scenario, many tests.

use super::deadline::LIMIT;
use std::panic::resume_unwind;
use std::sync::mpsc::{RecvTimeoutError, channel};
use std::thread;

/// Makes a test of each scenario for each runtime.
macro_rules! on_every_runtime {
    ($($scenario:ident),+ $(,)?) => {$(
        mod $scenario {
            use crate::support::scenario::run;

            #[test]
            fn async_std() {
                run(super::$scenario::<children::AsyncStd>);
            }

            #[test]
            fn smol() {
                run(super::$scenario::<children::Smol>);
            }

            #[test]
            fn tokio() {
                run(super::$scenario::<children::TokioMultiThread>);
            }

            #[test]
            fn tokio_current_thread() {
                run(super::$scenario::<children::TokioCurrentThread>);
            }
        }
    )+};
}

pub(crate) use on_every_runtime;

/// Runs it on a thread of its own, which is left behind where it hangs.
pub(crate) fn run(scenario: fn()) {
    let (done, is_done) = channel();
    let running = thread::spawn(move || {
        scenario();
        _ = done.send(());
    });
    match is_done.recv_timeout(2 * LIMIT) {
        Ok(()) => {}
        Err(RecvTimeoutError::Timeout) => panic!("it hangs"),
        Err(RecvTimeoutError::Disconnected) => {
            if let Err(panic) = running.join() {
                resume_unwind(panic);
            }
        }
    }
}
