#![allow(clippy::disallowed_methods, reason = "virtual time has to begin somewhere")]

use super::*;

const SECOND: Duration = Duration::from_secs(1);

/// Lets time pass until something is to be done, and says what, and after how many milliseconds in all.
fn steps(shutdown: &mut Shutdown, start: Instant) -> Vec<(u128, Action)> {
    let mut steps = Vec::new();
    let mut now = start;
    loop {
        while let Some(action) = shutdown.poll_action() {
            steps.push(((now - start).as_millis(), action));
        }
        let Some(until) = shutdown.poll_timeout() else { return steps };
        // A moment too early does nothing.
        shutdown.handle_timeout(until - Duration::from_millis(1));
        assert_eq!(shutdown.poll_action(), None);
        now = until;
        shutdown.handle_timeout(now);
    }
}

/// K2: a child that ignores everything is killed in the end, and even that wait is bounded.
#[test]
fn each_step_is_taken_in_its_time() {
    let start = Instant::now();
    let mut shutdown = Shutdown::new(start, Times::default());
    assert_eq!(
        steps(&mut shutdown, start),
        [
            (500, Action::CloseInput),
            (2500, Action::Terminate),
            (4500, Action::Kill),
            (6500, Action::Finish),
        ]
    );
    assert_eq!(shutdown.step(), Step::GaveUp);
}

/// K2: what is flushed early is closed early, and the other times count from then.
#[test]
fn a_quick_flush_is_not_waited_for() {
    let start = Instant::now();
    let mut shutdown = Shutdown::new(start, Times::default());
    shutdown.handle_flushed(start);
    shutdown.handle_flushed(start);
    assert_eq!(
        steps(&mut shutdown, start)[..2],
        [(0, Action::CloseInput), (2000, Action::Terminate)]
    );
}

/// K2: the exit ends it, whatever step it has come to, and once.
#[test]
fn the_exit_ends_it() {
    let start = Instant::now();
    for (after, step) in
        [(0, Step::Flush), (1, Step::CloseInput), (3, Step::Terminate), (5, Step::Kill)]
    {
        let mut shutdown = Shutdown::new(start, Times::default());
        let mut now = start;
        while let Some(until) =
            shutdown.poll_timeout().filter(|until| *until <= start + after * SECOND)
        {
            now = until;
            shutdown.handle_timeout(now);
        }
        while shutdown.poll_action().is_some() {}
        shutdown.handle_exit();
        shutdown.handle_exit();
        shutdown.handle_flushed(now);
        assert_eq!(shutdown.poll_action(), Some(Action::Finish), "{step:?}");
        assert_eq!((shutdown.poll_action(), shutdown.poll_timeout()), (None, None));
        assert_eq!(shutdown.step(), step);
    }
}

/// K2: each time can be set; none at all means at once.
#[test]
fn the_times_can_be_set() {
    let start = Instant::now();
    let times = Times {
        flush: Duration::ZERO,
        close_input: SECOND,
        terminate: Duration::ZERO,
        kill: Duration::ZERO,
    };
    let mut shutdown = Shutdown::new(start, times);
    while let Some(until) = shutdown.poll_timeout() {
        shutdown.handle_timeout(until);
    }
    assert_eq!((shutdown.step(), shutdown.poll_action()), (Step::GaveUp, Some(Action::Finish)));
}

/// K2: a time without end is fine too.
#[test]
fn a_time_may_have_no_end() {
    let times = Times { flush: Duration::MAX, close_input: Duration::MAX, ..Times::default() };
    let mut shutdown = Shutdown::new(Instant::now(), times);
    shutdown.handle_flushed(Instant::now());
    assert_eq!(shutdown.poll_action(), Some(Action::CloseInput));
    assert!(shutdown.poll_timeout().is_some());
}
