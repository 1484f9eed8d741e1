use super::*;
use std::time::Duration;

/// F8: whoever stops waiting leaves nothing behind, however many come and go.
#[test]
fn who_leaves_is_forgotten() {
    let mut waiters = Waiters::default();
    for _ in 0..1000 {
        let mut place = None;
        waiters.wait(&mut place, None, Waker::noop());
        waiters.wait(&mut place, None, Waker::noop());
        assert_eq!(waiters.waiting.len(), 1);
        assert!(waiters.leave(place.expect("a place")).is_some());
    }
    assert!(waiters.waiting.is_empty());
}

/// O2: each waits for its own time; who was woken waits anew.
#[test]
fn each_has_its_own_time() {
    let now = Instant::now();
    let second = |count| now + Duration::from_secs(count);
    let mut waiters = Waiters::default();
    let mut places = [None; 3];
    for (place, until) in places.iter_mut().zip([Some(second(2)), None, Some(second(1))]) {
        waiters.wait(place, until, Waker::noop());
    }
    assert_eq!(waiters.earliest(), Some(second(1)));
    let mut wake = Vec::new();
    waiters.wake_due(second(1), &mut wake);
    assert_eq!((wake.len(), waiters.earliest()), (1, Some(second(2))));
    waiters.wait(&mut places[2], Some(second(3)), Waker::noop());
    waiters.wake_all(&mut wake);
    assert_eq!((wake.len(), waiters.earliest()), (4, None));
}
