//! How this side ends a session with a child process, in virtual time.

use crate::support::child::{Child, Dies, END_OF_INPUT, code, ended, expect_child};
use crate::support::{Takes, host, milliseconds, seconds};
use mcp_wire_driver::shutdown::{Step, Times};
use mcp_wire_driver::{CallError, Client, Closed, HandshakeError, SessionEnd};
use std::io::ErrorKind::Interrupted;
use std::os::unix::process::ExitStatusExt;
use std::process::ExitStatus;
use std::time::Duration;

/// Closes the session, and waits for its end in virtual time: how it ended, and when.
#[track_caller]
fn close(child: &Child, client: &Client) -> (SessionEnd, u64) {
    let client = client.clone();
    ended(child, async move { client.close().await })
}

/// K2: closing goes as far as it has to: end of input, and 2 s later a request to terminate, and 2 s later a kill. The exit
/// is collected before it returns.
#[test]
fn closing_goes_as_far_as_it_has_to() {
    let signal = ExitStatus::from_raw;
    let cases = [
        (
            Dies::AtTheEndOfInput,
            signal(0),
            Step::CloseInput,
            vec![(0, END_OF_INPUT), (0, "collect")],
        ),
        (
            Dies::WhenTerminated,
            signal(15),
            Step::Terminate,
            vec![(0, END_OF_INPUT), (2000, "terminate"), (2000, "collect")],
        ),
        (
            Dies::WhenKilled,
            signal(9),
            Step::Kill,
            vec![(0, END_OF_INPUT), (2000, "terminate"), (4000, "kill"), (4000, "collect")],
        ),
    ];
    for (dies, status, step, history) in cases {
        let (child, client) = Child::ready(dies);
        let (end, after) = close(&child, &client);
        expect_child(end, Closed::Local, Some(status), step);
        assert_eq!(u128::from(after), history.last().unwrap().0);
        assert_eq!(child.history(), history);
        assert_eq!(child.world.alive(), 0);
    }
}

/// K2: a child that does not even die when it is killed is not waited for for ever.
#[test]
fn a_child_that_does_not_die_is_given_up() {
    let (child, client) = Child::ready(Dies::Never);
    let (end, after) = close(&child, &client);
    expect_child(end.clone(), Closed::Local, None, Step::GaveUp);
    assert_eq!(after, 6000);
    assert_eq!(child.history()[..3], [(0, END_OF_INPUT), (2000, "terminate"), (4000, "kill")]);
    assert_eq!(child.world.alive(), 0);
    assert!(end.to_string().ends_with("the server was killed, and runs still"), "{end}");
}

/// K2: an exit between two steps ends the wait.
#[test]
fn an_exit_between_two_steps_ends_the_wait() {
    let (child, client) = Child::ready(Dies::Never);
    let closed = child.start_task(async move { client.close().await });
    child.world.advance(milliseconds(3500));
    assert_eq!(closed.take(), None);
    child.exit(4);
    expect_child(closed.take().unwrap(), Closed::Local, Some(code(4)), Step::Terminate);
    assert_eq!(child.history().last(), Some(&(3500, "collect")));
}

/// K2: each time can be chosen, none at all and for ever included.
#[test]
fn the_times_can_be_chosen() {
    let with = |change: fn(&mut Times), dies| {
        let mut times = Times::default();
        change(&mut times);
        Child::start_with(host(), times, dies).shake_hands()
    };
    let quick = |times: &mut Times| {
        (times.close_input, times.terminate) = (milliseconds(7), milliseconds(30))
    };
    let (child, client) = with(quick, Dies::WhenKilled);
    let (end, after) = close(&child, &client);
    expect_child(end, Closed::Local, Some(ExitStatus::from_raw(9)), Step::Kill);
    assert_eq!(after, 37);

    let at_once = |times: &mut Times| {
        (times.close_input, times.terminate, times.kill) = Default::default();
    };
    let (child, client) = with(at_once, Dies::Never);
    let (end, after) = close(&child, &client);
    expect_child(end, Closed::Local, None, Step::GaveUp);
    assert_eq!(after, 0);

    let (child, client) = with(|times| times.close_input = Duration::MAX, Dies::WhenTerminated);
    let closed = child.start_task(async move { client.close().await });
    child.world.advance(seconds(3600));
    assert_eq!((closed.take(), child.history()), (None, vec![(0, END_OF_INPUT)]));
    child.exit(0);
    expect_child(closed.take().unwrap(), Closed::Local, Some(code(0)), Step::CloseInput);
}

/// X4, K2: closing twice, or giving up on it, changes nothing; all who wait are told the same, once the exit is collected.
#[test]
fn closing_may_be_given_up() {
    let (child, client) = Child::ready(Dies::WhenTerminated);
    let call = child.start_task(client.request("test", None, Default::default()));
    let waiting = [(); 2].map(|()| {
        let client = client.clone();
        child.start_task(async move { client.wait_closed().await })
    });
    let given_up = client.clone();
    child.start_task(async move { given_up.close().await }).cancel();
    assert_eq!(call.take(), Some(Err(CallError::Closed(Closed::Local))));
    child.world.advance(seconds(1));
    let (end, after) = close(&child, &client);
    assert_eq!((after, child.history().len()), (1000, 3));
    for waiting in waiting {
        assert_eq!(waiting.take(), Some(end.clone()));
    }
    let (again, after) = close(&child, &client);
    assert_eq!((again, after), (end, 0));
}

/// K2, X1: what is left for the child is written before its input is closed, as long as it takes it, and no longer.
#[test]
fn unwritten_input_is_flushed() {
    let (child, client) = Child::ready(Dies::AtTheEndOfInput);
    child.stdin.takes(Takes::Bytes(3));
    client.peer().try_notify("last", None).unwrap();
    let closing = client.clone();
    let closed = child.start_task(async move { closing.close().await });
    child.world.advance(milliseconds(400));
    assert_eq!((closed.take(), child.history()), (None, vec![]));
    child.stdin.takes(Takes::All);
    child.world.run();
    assert_eq!(child.receive()[0]["method"], "last");
    let end = closed.take().unwrap();
    expect_child(end, Closed::Local, Some(code(0)), Step::CloseInput);

    let (child, client) = Child::ready(Dies::AtTheEndOfInput);
    child.stdin.takes(Takes::Bytes(0));
    client.peer().try_notify("never read", None).unwrap();
    let (end, after) = close(&child, &client);
    expect_child(end, Closed::Stalled, Some(code(0)), Step::CloseInput);
    assert_eq!((after, child.history()), (500, vec![(500, END_OF_INPUT), (500, "collect")]));
}

/// K2, K5: stdout and stderr are read throughout, so that a child that has much to say can end.
#[test]
fn pipes_are_read_to_the_end() {
    let (child, client) = Child::ready(Dies::WhenKilled);
    let closed = child.start_task(async move { client.close().await });
    for _ in 0..8 {
        child.stdout.push("x".repeat(100_000));
        child.stderr.push("y".repeat(100_000));
        child.world.advance(milliseconds(500));
        assert_eq!((child.stdout.unread(), child.stderr.unread()), (0, 0));
    }
    assert!(closed.take().is_some());
}

/// K4: after the exit, what others still write is read until there was nothing for 100 ms, for at most 1 s.
#[test]
fn held_pipes_are_read_after_a_shutdown() {
    for (chatter, after) in [(3, 397), (100, 1000)] {
        let (child, client) = Child::ready(Dies::AtTheEndOfInput);
        child.has_a_grandchild();
        let closed = child.start_task(async move { client.close().await });
        for _ in 0..chatter {
            child.world.advance(milliseconds(99));
            child.stdout.push("junk\n");
            child.world.run();
        }
        child.world.advance(milliseconds(100));
        assert!(closed.take().is_some());
        assert_eq!(child.history(), [(0, END_OF_INPUT), (after, "collect")]);
    }
}

/// K2: a child that floods its output is shut down all the same.
#[test]
fn a_flood_stops_no_shutdown() {
    for flood in
        [|child: &Child| child.stdout.flood(b"junk\n"), |child: &Child| child.stderr.flood(b".")]
    {
        let (child, client) = Child::ready(Dies::WhenKilled);
        let closed = child.start_task(async move { client.close().await });
        flood(&child);
        child.world.run();
        expect_child(
            closed.take().unwrap(),
            Closed::Local,
            Some(ExitStatus::from_raw(9)),
            Step::Kill,
        );
    }
}

/// K5: a captured stderr is read all the time, whatever the session does; the last 64 KiB of it are part of the exit.
#[test]
fn the_tail_of_stderr_is_part_of_the_exit() {
    let child = Child::start(Dies::AtTheEndOfInput);
    child.stderr.push("starting\n");
    child.world.run();
    assert_eq!(child.stderr.unread(), 0);
    let (child, client) = child.shake_hands();
    child.stderr.fail(Interrupted);
    for _ in 0..100 {
        child.stderr.push("z".repeat(50_000));
        child.world.run();
        assert_eq!(child.stderr.unread(), 0);
    }
    child.stderr.push("last words\n");
    let (end, _) = close(&child, &client);
    let exit = end.child.unwrap().exit.unwrap();
    assert_eq!(exit.stderr.len(), 64 << 10);
    assert!(exit.stderr.ends_with("zlast words\n"));
}

/// K3: dropping the last clone kills the child at once; its exit is collected by the task, where there is one still.
#[test]
fn dropping_the_client_kills_the_child() {
    let (child, client) = Child::ready(Dies::WhenKilled);
    let peer = client.peer().clone();
    drop(client.clone());
    assert_eq!(child.history(), []);
    drop(client);
    child.world.run();
    assert_eq!(peer.closed(), Some(Closed::Local));
    assert_eq!(child.history()[0], (0, "kill"));
    assert!(child.history().contains(&(0, "collect")), "{:?}", child.history());
    assert_eq!(child.world.alive(), 0);
}

/// K3: dropping a client whose session has ended hurts nobody.
#[test]
fn dropping_a_client_after_the_end_kills_nobody() {
    let (child, client) = Child::ready(Dies::AtTheEndOfInput);
    close(&child, &client);
    let history = child.history();
    drop(client);
    assert_eq!(child.history(), history);
    assert_eq!(history, [(0, END_OF_INPUT), (0, "collect")]);
}

/// K3, X3: where the runtime ends, the child is killed without it, and nobody waits in vain.
#[test]
fn the_end_of_the_runtime_kills_the_child() {
    let unseen = |end: SessionEnd| expect_child(end, Closed::Dropped, None, Step::Kill);
    let (child, client) = Child::ready(Dies::WhenKilled);
    let waiting = client.clone();
    let waiting = child.start_task(async move { waiting.wait_closed().await });
    let call = child.start_task(client.request("test", None, Default::default()));
    child.world.end_runtime();
    assert!(child.history().contains(&(0, "kill")), "{:?}", child.history());
    assert_eq!(call.take(), Some(Err(CallError::Closed(Closed::Dropped))));
    unseen(waiting.take().unwrap());
    unseen(close(&child, &client).0);

    // In the middle of a shutdown too.
    let (child, client) = Child::ready(Dies::WhenKilled);
    let closing = client.clone();
    let closing = child.start_task(async move { closing.close().await });
    child.world.advance(seconds(1));
    child.world.end_runtime();
    assert_eq!(child.history(), [(0, END_OF_INPUT), (1000, "kill")]);
    assert!(closing.take().is_some());

    // And before there was a session.
    let child = Child::start(Dies::WhenKilled);
    child.world.end_runtime();
    let (error, ended) = child.failure();
    assert_eq!(error, HandshakeError::Call(CallError::Closed(Closed::Dropped)));
    assert_eq!((ended.exit, ended.step), (None, Step::Kill));
    assert!(child.history().contains(&(0, "kill")));
}

/// K2: stdout is drained throughout, the flush included: a child that reads only once its output is taken.
#[test]
fn stdout_is_drained_during_the_flush() {
    let (child, client) = Child::ready(Dies::AtTheEndOfInput);
    child.stdin.takes(Takes::Bytes(0));
    client.peer().try_notify("last", None).unwrap();
    let closed = child.start_task(async move { client.close().await });
    child.stdout.push("x".repeat(1000));
    child.world.run();
    assert_eq!((closed.take(), child.stdout.unread()), (None, 0));
}

/// X3: the cause is how the connection ended, also where the runtime ends during the child's shutdown.
#[test]
fn the_cause_survives_the_runtime() {
    let (child, client) = Child::ready(Dies::WhenKilled);
    let closing = child.start_task(async move { client.close().await });
    child.world.advance(seconds(1));
    child.world.end_runtime();
    child.world.run();
    assert_eq!(closing.take().map(|end| end.cause), Some(Closed::Local));
}
