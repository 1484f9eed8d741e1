//! Child processes that there never is a session with, in virtual time.

use crate::support::child::{Child, Dies, END_OF_INPUT, code, exited};
use crate::support::{Input, Output, World, agreed, error, host, milliseconds, seconds};
use mcp_wire_driver::shutdown::{Step, Times};
use mcp_wire_driver::{
    CallError, Client, Closed, ConfigError, ConnectError, HandshakeError, Host, SpawnError, Spawned,
};
use serde_json::json;
use std::future::Pending;
use std::io::ErrorKind::NotFound;
use std::os::unix::process::ExitStatusExt;
use std::process::ExitStatus;

/// K6: a child that dies at once is the reason, with its status and last words, and its exit is collected.
#[test]
fn a_child_that_dies_at_start_is_the_reason() {
    let child = Child::start(Dies::Never);
    child.stderr.push("usage: server FILE\n");
    child.exit(2);
    let (error, ended) = child.failure();
    let exit = exited(code(2), "usage: server FILE\n");
    let cause = CallError::Closed(Closed::Exited(exit.clone()));
    assert_eq!(error, HandshakeError::Call(cause));
    assert_eq!((ended.exit, ended.step), (Some(exit), Step::Flush));
    assert_eq!(child.history(), [(0, "collect")]);
}

/// K2, K6: why there is no session is told in words, with the child's last ones, once.
#[test]
fn a_failure_is_told_in_words() {
    let text = |child: &Child| child.connected().unwrap().unwrap_err().to_string();
    let child = Child::start(Dies::Never);
    child.stderr.push("no key\n");
    child.exit(2);
    let exit = "exit status: 2, and its last words were: no key";
    let cause = "initialize failed: no answer: the process has exited with";
    assert_eq!(text(&child), format!("{cause} {exit}"));
    let child = Child::start(Dies::WhenTerminated);
    child.send(&error(&json!(1), 1, "no"));
    child.world.advance(seconds(1));
    let end = "the server has exited after it was asked to terminate with signal: 15 (SIGTERM)";
    let told = text(&child);
    assert!(told.ends_with(&format!("; {end}")), "{told}");
}

/// K6: a child that never answers, or writes nothing but junk, is given up in time, and shut down in haste: there is no
/// session to save.
#[test]
fn a_child_that_never_answers_is_given_up() {
    for is_noisy in [false, true] {
        let host = host().connect_timeout(seconds(5));
        let child = Child::start_with(host, Times::default(), Dies::WhenKilled);
        for _ in 0..5 {
            if is_noisy {
                (0..100).for_each(|_| child.stdout.push("junk\n".repeat(1000)));
                child.stderr.push("junk\n".repeat(1000));
            }
            child.world.advance(seconds(1));
        }
        child.world.advance(seconds(1));
        let (error, ended) = child.failure();
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
        let child = Child::start_with(host(), times.clone(), Dies::WhenKilled);
        child.send(&answer);
        child.world.advance(milliseconds(520));
        let (error, _) = child.failure();
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
    let outcome = connect(host(), || Err(SpawnError::new("no-such", &NotFound.into())));
    let missing = SpawnError::new("no-such", &NotFound.into());
    assert_eq!(outcome, Some(ConnectError::Spawn(missing)));
    let text = outcome.unwrap().to_string();
    assert!(text.contains("\"no-such\" cannot be started") && text.contains("PATH"), "{text}");
    let bad = host().configure(|config| config.max_frame = 0);
    let outcome = connect(bad, || panic!("it is not started"));
    assert_eq!(outcome, Some(ConnectError::Config(ConfigError::Zero("max_frame"))));
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
