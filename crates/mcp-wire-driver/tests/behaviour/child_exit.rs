//! How a child process ends by itself, in virtual time: what is read to the last, and what is told of it.

use crate::support::child::{Child, Dies, END_OF_INPUT, code, ended, exited, expect_child};
use crate::support::{Takes, milliseconds, response, seconds};
use mcp_wire_driver::shutdown::Step;
use mcp_wire_driver::{CallError, Closed, Json};
use serde_json::{Value, json};
use std::io::ErrorKind::{BrokenPipe, ConnectionReset};
use std::os::unix::process::ExitStatusExt;
use std::process::ExitStatus;

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
    assert_eq!((after, child.history()), (0, vec![(0, "collect")]));
    assert_eq!(child.world.alive(), 0);
    let text = "the process has exited with exit status: 3, and its last words were: no key";
    assert_eq!(end.to_string(), text);
    assert_eq!(end.child.as_ref().and_then(|child| child.exit.as_ref()), Some(&exit));
    expect_child(end, cause, Some(code(3)), Step::Flush);
}

/// K4: a grandchild that holds the pipes does not hide the exit: they are read until there was nothing for 100 ms.
#[test]
fn held_pipes_are_read_until_they_are_quiet() {
    let (child, client) = Child::ready(Dies::Never);
    let [first, second, lost] =
        [(); 3].map(|()| child.start_task(client.request("test", None, Default::default())));
    let sent = child.receive();
    child.has_a_grandchild();
    child.world.advance(seconds(1));
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
    assert_eq!((after, child.history()[0]), (0, (1397, "collect")));
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

/// K4: a flood that never ends is cut off too.
#[test]
fn a_flood_is_cut_off() {
    for flood in
        [|child: &Child| child.stdout.flood(b"junk\n"), |child: &Child| child.stderr.flood(b".")]
    {
        let (child, client) = Child::ready(Dies::Never);
        let call = child.start_task(client.request("test", None, Default::default()));
        child.has_a_grandchild();
        flood(&child);
        child.exit(3);
        let outcome = call.take();
        assert!(matches!(outcome, Some(Err(CallError::Closed(Closed::Exited(_))))), "{outcome:?}");
        let (after, what) = child.history()[0];
        assert!(what == "collect" && (1000..1100).contains(&after), "{after} {what}");
    }
}

/// K4: an exit that is found when it is looked for, before anybody was told of it, is an exit by itself too.
#[test]
fn an_exit_may_be_found_before_it_is_told() {
    let (child, client) = Child::ready(Dies::Never);
    let call = child.start_task(client.request("test", None, Default::default()));
    child.exit_unseen(3);
    child.world.advance(seconds(1));
    let cause = Closed::Exited(exited(code(3), ""));
    assert_eq!(call.take(), Some(Err(CallError::Closed(cause.clone()))));
    child.exit(3);
    let (end, _) = ended(&child, async move { client.wait_closed().await });
    expect_child(end, cause, Some(code(3)), Step::Flush);
    assert_eq!(child.history(), [(1000, "collect")]);
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
