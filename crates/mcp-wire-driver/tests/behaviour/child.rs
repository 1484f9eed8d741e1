//! A session with a child process, in virtual time: how it ends, what is read to the last, and what is told of it.

use crate::support::{Child, Dies, Input, Output, Takes, World, agreed, error, response, seconds};
use mcp_wire_driver::shutdown::{Step, Times};
use mcp_wire_driver::{
    CallError, ChildEnd, Client, Closed, ConfigError, ConnectError, Eras, HandshakeError, Host,
    Json, ProcessExit, SessionEnd, SpawnError, Spawned,
};
use serde_json::{Value, json};
use std::future::Pending;
use std::io::ErrorKind::{BrokenPipe, ConnectionReset, NotFound};
use std::os::unix::process::ExitStatusExt;
use std::process::ExitStatus;
use std::time::Duration;

const END_OF_INPUT: &str = "end of input";

fn milliseconds(count: u64) -> Duration {
    Duration::from_millis(count)
}

fn code(code: i32) -> ExitStatus {
    ExitStatus::from_raw(code << 8)
}

fn exited(status: ExitStatus, stderr: &str) -> ProcessExit {
    ProcessExit::new(status, stderr)
}

/// Closes the session, and waits for its end in virtual time: how it ended, and when.
#[track_caller]
fn close(child: &Child, client: &Client) -> (SessionEnd, u64) {
    let client = client.clone();
    ended(child, async move { client.close().await })
}

/// Waits for the end of a session, in virtual time.
#[track_caller]
fn ended(child: &Child, end: impl Future<Output = SessionEnd> + 'static) -> (SessionEnd, u64) {
    let end = child.start_task(end);
    let mut passed = 0;
    loop {
        if let Some(end) = end.take() {
            return (end, passed);
        }
        assert!(passed < 600_000, "it does not end: {:?}", child.history());
        child.world.advance(milliseconds(1));
        passed += 1;
    }
}

#[track_caller]
fn expect_child(end: SessionEnd, cause: Closed, exit: Option<ExitStatus>, step: Step) {
    assert_eq!(end.cause, cause);
    let child = end.child.expect("there was one");
    assert_eq!((child.exit.map(|exit| exit.status), child.step), (exit, step));
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
    expect_child(end.clone(), Closed::Local, None, Step::Kill);
    assert_eq!(after, 6000);
    assert_eq!(child.history()[..3], [(0, END_OF_INPUT), (2000, "terminate"), (4000, "kill")]);
    assert_eq!(child.world.alive(), 0);
    assert!(end.to_string().ends_with("the server was killed, and its exit not seen"), "{end}");
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
        Child::start_with(Host::new("test", "1").eras(Eras::Legacy), times, dies).shake_hands()
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
    expect_child(end, Closed::Local, None, Step::Kill);
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

/// K5: a captured stderr is read all the time, whatever the session does; the last 64 KiB of it are part of the exit.
#[test]
fn the_tail_of_stderr_is_part_of_the_exit() {
    let child = Child::start(Dies::AtTheEndOfInput);
    child.stderr.push("starting\n");
    child.world.run();
    assert_eq!(child.stderr.unread(), 0);
    let (child, client) = child.shake_hands();
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

/// K4, O1: a child that exits by itself is the cause of the end, with its status and last words; its pipes are read first.
#[test]
fn an_exit_is_the_cause() {
    let (child, client) = Child::ready(Dies::Never);
    let answered = child.start_task(client.request("test", None, Default::default()));
    let lost = child.start_task(client.request("test", None, Default::default()));
    let sent = child.receive();
    child.stdout.push(format!("{}\n", response(&sent[0]["id"], &json!(1))));
    child.stderr.push("no key\n");
    child.exit(3);
    let exit = exited(code(3), "no key\n");
    let cause = Closed::Exited(exit.clone());
    assert_eq!(answered.take(), Some(Ok(Json::new("1").unwrap())));
    assert_eq!(lost.take(), Some(Err(CallError::Closed(cause.clone()))));
    let (end, after) = ended(&child, async move { client.wait_closed().await });
    let ended = Some(ChildEnd::clone(end.child.as_ref().unwrap()));
    assert_eq!((&end.cause, ended.as_ref().map(|it| it.step)), (&cause, Some(Step::Flush)));
    assert_eq!((ended.unwrap().exit, after), (Some(exit), 0));
    assert_eq!(child.history(), [(0, "collect")]);
    assert_eq!(child.world.alive(), 0);
    let text = "the process has exited with exit status: 3, and its last words were: no key";
    assert_eq!(end.to_string(), text);
}

/// K4: a grandchild that holds the pipes does not hide the exit: they are read until there was nothing for 100 ms.
#[test]
fn held_pipes_are_read_until_they_are_quiet() {
    let (child, client) = Child::ready(Dies::Never);
    let [first, second, lost] =
        [(); 3].map(|()| child.start_task(client.request("test", None, Default::default())));
    let sent = child.receive();
    child.has_a_grandchild();
    child.exit(3);
    child.world.advance(milliseconds(99));
    // Either pipe tells that there is more.
    child.stderr.push("bye");
    child.world.advance(milliseconds(99));
    child.send(&response(&sent[0]["id"], &json!(1)));
    assert_eq!(first.take(), Some(Ok(Json::new("1").unwrap())));
    child.world.advance(milliseconds(99));
    child.send(&response(&sent[1]["id"], &json!(2)));
    assert_eq!(second.take(), Some(Ok(Json::new("2").unwrap())));
    child.world.advance(milliseconds(99));
    assert_eq!((lost.take(), child.history()), (None, vec![]));
    child.world.advance(milliseconds(1));
    let cause = Closed::Exited(exited(code(3), "bye"));
    assert_eq!(lost.take(), Some(Err(CallError::Closed(cause.clone()))));
    let (end, after) = ended(&child, async move { client.wait_closed().await });
    expect_child(end, cause, Some(code(3)), Step::Flush);
    assert_eq!((after, child.history()[0]), (0, (397, "collect")));
}

/// K4: output that goes on after the exit is read for at most 1 s.
#[test]
fn output_that_goes_on_is_cut_off() {
    for talks in
        [|child: &Child| child.stdout.push("junk\n"), |child: &Child| child.stderr.push(".")]
    {
        let (child, client) = Child::ready(Dies::Never);
        let call = child.start_task(client.request("test", None, Default::default()));
        child.has_a_grandchild();
        child.exit(3);
        let mut passed = 0;
        while call.take().is_none() {
            talks(&child);
            child.world.advance(milliseconds(10));
            passed += 10;
        }
        assert_eq!((passed, child.history()), (1000, vec![(1000, "collect")]));
    }
}

/// K4: pipes that end with the process leave nothing to wait for; one that stays open is waited for.
#[test]
fn the_wait_ends_with_the_last_pipe() {
    for (ends, after) in [
        ((|child: &Child| child.stdout.end()) as fn(&Child), 100),
        (|child| child.stderr.end(), 100),
        (|child| (child.stdout.end(), child.stderr.end()).0, 0),
    ] {
        let (child, client) = Child::ready(Dies::Never);
        child.has_a_grandchild();
        child.exit(3);
        ends(&child);
        let (end, passed) = ended(&child, async move { client.wait_closed().await });
        assert!(matches!(end.cause, Closed::Exited(_)));
        assert_eq!(passed, after);
    }
}

/// K4: a child that closes its output, and lives, is waited for 1 s, so that an exit that follows is the cause; then that is
/// the end, and it is shut down.
#[test]
fn a_child_may_close_its_output_and_live() {
    let (child, client) = Child::ready(Dies::Never);
    let call = child.start_task(client.request("test", None, Default::default()));
    child.stdout.end();
    child.world.advance(milliseconds(999));
    assert_eq!(call.take(), None);
    child.exit(3);
    let cause = Closed::Exited(exited(code(3), ""));
    assert_eq!(call.take(), Some(Err(CallError::Closed(cause.clone()))));
    let (end, _) = ended(&child, async move { client.wait_closed().await });
    expect_child(end, cause, Some(code(3)), Step::Flush);

    let (child, client) = Child::ready(Dies::WhenTerminated);
    let call = child.start_task(client.request("test", None, Default::default()));
    child.stdout.end();
    child.world.advance(seconds(1));
    assert_eq!(call.take(), Some(Err(CallError::Closed(Closed::Eof))));
    let (end, after) = ended(&child, async move { client.wait_closed().await });
    expect_child(end, Closed::Eof, Some(ExitStatus::from_raw(15)), Step::Terminate);
    assert_eq!(after, 2000);
    let history = [(1000, END_OF_INPUT), (3000, "terminate"), (3000, "collect")];
    assert_eq!(child.history(), history);
}

/// X2, K4: a read that fails is the end with its cause, and the child is shut down.
#[test]
fn a_read_error_ends_the_session() {
    let (child, client) = Child::ready(Dies::AtTheEndOfInput);
    let call = child.start_task(client.request("test", None, Default::default()));
    child.stdout.fail(ConnectionReset);
    child.world.run();
    let cause = Closed::ReadFailed(ConnectionReset);
    assert_eq!(call.take(), Some(Err(CallError::Closed(cause.clone()))));
    let (end, _) = ended(&child, async move { client.wait_closed().await });
    expect_child(end, cause, Some(code(0)), Step::CloseInput);
}

/// X2: the exit outranks the broken pipe that it led to, whichever is noticed first; answers found behind it settle their
/// calls.
#[test]
fn an_exit_outranks_the_broken_pipe() {
    for exits_first in [true, false] {
        let (child, client) = Child::ready(Dies::Never);
        let answered = child.start_task(client.request("test", None, Default::default()));
        let id = child.receive()[0]["id"].clone();
        child.has_a_grandchild();
        child.stdin.takes(Takes::Fails(BrokenPipe));
        if exits_first {
            child.exit(3);
        }
        let lost = child.start_task(client.request("test", None, Default::default()));
        assert_eq!(lost.take(), None);
        child.world.advance(milliseconds(50));
        child.send(&response(&id, &json!(1)));
        assert_eq!(answered.take(), Some(Ok(Json::new("1").unwrap())));
        child.exit(3);
        child.stderr.push("bye");
        let (end, after) = ended(&child, async move { client.wait_closed().await });
        let cause = Closed::Exited(exited(code(3), "bye"));
        assert_eq!(lost.take(), Some(Err(CallError::Closed(cause.clone()))));
        expect_child(end, cause, Some(code(3)), Step::Flush);
        assert_eq!(after, 100);
    }
}

/// X2: a child that closes its input, and lives, is read from for 1 s, and then shut down.
#[test]
fn a_child_that_closes_its_input_is_shut_down() {
    let (child, client) = Child::ready(Dies::WhenTerminated);
    child.stdin.takes(Takes::Fails(BrokenPipe));
    let call = child.start_task(client.request("test", None, Default::default()));
    let (end, after) = ended(&child, async move { client.wait_closed().await });
    let cause = Closed::WriteFailed(BrokenPipe);
    assert_eq!(call.take(), Some(Err(CallError::Closed(cause.clone()))));
    expect_child(end, cause, Some(ExitStatus::from_raw(15)), Step::Terminate);
    assert_eq!(after, 3000);
    let history = [(1000, END_OF_INPUT), (3000, "terminate"), (3000, "collect")];
    assert_eq!(child.history(), history);
}

/// Why it did not connect, and how its child ended.
#[track_caller]
fn failure(child: &Child) -> (HandshakeError, ChildEnd) {
    let outcome = child.connected().expect("it is over");
    let Err(ConnectError::Handshake { error, child: Some(ended), earlier: None }) = outcome else {
        panic!("no failed handshake: {outcome:?}");
    };
    assert_eq!(child.world.alive(), 0, "something goes on");
    (error, ended)
}

/// K6: a child that dies at once is the reason, with its status and last words, and its exit is collected.
#[test]
fn a_child_that_dies_at_start_is_the_reason() {
    let child = Child::start(Dies::Never);
    child.stderr.push("usage: server FILE\n");
    child.exit(2);
    let (error, ended) = failure(&child);
    let exit = exited(code(2), "usage: server FILE\n");
    let cause = CallError::Closed(Closed::Exited(exit.clone()));
    assert_eq!(error, HandshakeError::Call(cause));
    assert_eq!((ended.exit, ended.step), (Some(exit), Step::Flush));
    assert_eq!(child.history(), [(0, "collect")]);
}

/// K6: a child that never answers, or writes nothing but junk, is given up in time, and shut down in haste: there is no
/// session to save.
#[test]
fn a_child_that_never_answers_is_given_up() {
    for is_noisy in [false, true] {
        let host = Host::new("test", "1").eras(Eras::Legacy).connect_timeout(seconds(5));
        let child = Child::start_with(host, Times::default(), Dies::WhenKilled);
        for _ in 0..5 {
            if is_noisy {
                (0..100).for_each(|_| child.stdout.push("junk\n".repeat(1000)));
                child.stderr.push("junk\n".repeat(1000));
            }
            child.world.advance(seconds(1));
        }
        child.world.advance(seconds(1));
        let (error, ended) = failure(&child);
        assert_eq!(error, HandshakeError::Call(CallError::TimedOut));
        assert_eq!(ended.exit.map(|exit| exit.status), Some(ExitStatus::from_raw(9)));
        assert_eq!(ended.step, Step::Kill);
        let history =
            [(5000, END_OF_INPUT), (5500, "terminate"), (6000, "kill"), (6000, "collect")];
        assert_eq!(child.history(), history);
    }
}

/// K6: a child that does not agree is shut down in haste too, and no slower than its times say.
#[test]
fn a_child_that_does_not_agree_is_shut_down() {
    let mut times = Times::default();
    times.terminate = milliseconds(20);
    for answer in [error(&json!(1), 1, "no"), agreed("1999-01-01")] {
        let child = Child::start_with(
            Host::new("test", "1").eras(Eras::Legacy),
            times.clone(),
            Dies::WhenKilled,
        );
        child.send(&answer);
        child.world.advance(milliseconds(520));
        let (error, _) = failure(&child);
        assert!(!matches!(error, HandshakeError::InvalidResult(_)), "{error}");
        let history = [(0, END_OF_INPUT), (500, "terminate"), (520, "kill"), (520, "collect")];
        assert_eq!(child.history(), history);
    }
}

/// K6: a program that cannot be started says why; a configuration that cannot work is told before it is.
#[test]
fn a_program_may_not_start() {
    type Never = Spawned<Output, Input, Input, Pending<()>>;
    let world = World::default();
    let connect = |host: Host, spawn: fn() -> Result<Never, SpawnError>| {
        let runtime = world.runtime.clone();
        let outcome = world.start(Client::connect_child(runtime, host, Times::default(), spawn));
        world.run();
        assert_eq!(world.alive(), 0);
        outcome.take().expect("it is over").err()
    };
    let outcome = connect(Host::new("test", "1").eras(Eras::Legacy), || {
        Err(SpawnError::new("no-such", &NotFound.into()))
    });
    let missing = SpawnError::new("no-such", &NotFound.into());
    assert_eq!(outcome, Some(ConnectError::Spawn(missing)));
    let text = outcome.unwrap().to_string();
    assert!(text.contains("\"no-such\" cannot be started") && text.contains("PATH"), "{text}");
    let bad = Host::new("test", "1").eras(Eras::Legacy).configure(|config| config.max_frame = 0);
    let outcome = connect(bad, || panic!("it is not started"));
    assert_eq!(outcome, Some(ConnectError::Config(ConfigError::Zero("max_frame"))));
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

/// K3, K6: giving up on the handshake kills the child.
#[test]
fn giving_up_on_the_handshake_kills_the_child() {
    let child = Child::start(Dies::WhenKilled);
    child.give_up();
    assert_eq!(child.history()[0], (0, "kill"));
    assert!(child.history().contains(&(0, "collect")), "{:?}", child.history());
    assert_eq!(child.world.alive(), 0);
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
    let (error, ended) = failure(&child);
    assert_eq!(error, HandshakeError::Call(CallError::Closed(Closed::Dropped)));
    assert_eq!((ended.exit, ended.step), (None, Step::Kill));
    assert!(child.history().contains(&(0, "kill")));
}

/// K2: an idle session with a child polls nothing, however much time passes.
#[test]
fn an_idle_child_is_not_polled() {
    let (child, client) = Child::ready(Dies::Never);
    // The clock for the handshake goes on until it would have been over.
    child.world.advance(seconds(60));
    let polls = (child.stdout.polls(), child.stderr.polls(), child.stdin.writes());
    child.world.advance(seconds(3600));
    assert_eq!((child.stdout.polls(), child.stderr.polls(), child.stdin.writes()), polls);
    let pinged = child.start_task(async move { client.ping().await });
    let id = child.receive()[0]["id"].clone();
    // A message does not cost those anything who wait for something else.
    child.send(&response(&id, &json!({})));
    assert_eq!(pinged.take(), Some(Ok(())));
    assert_eq!(child.stderr.polls(), polls.1);
    assert_eq!(child.receive(), [Value::Null; 0]);
}
