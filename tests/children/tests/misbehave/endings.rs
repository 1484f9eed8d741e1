//! How it ends, or does not.

use crate::process::Process;
use rustix::io::Errno;
use rustix::process::{Pid, Signal, test_kill_process};
use std::io::ErrorKind;
use std::os::unix::process::ExitStatusExt;

#[test]
fn exits_at_once() {
    let mut process = Process::spawn(&["exits-at-once"]);
    assert_eq!(process.error(), "the database cannot be opened");
    assert_eq!(process.wait().code(), Some(3));
    assert_eq!(process.rest(), "");
}

#[test]
fn dies_mid_call() {
    let mut process = Process::ready(&["dies-mid-call"]);
    process.call(1);
    assert_eq!(process.error(), "dies in a call");
    assert_eq!(process.rest(), "");
    assert_eq!(process.wait().code(), Some(3));
}

/// Also where nobody hears that it dies.
#[test]
fn dies_mid_call_unheard() {
    let mut process = Process::ready(&["dies-mid-call"]);
    process.stop_listening();
    process.call(1);
    assert_eq!(process.rest(), "");
    assert_eq!(process.wait().code(), Some(3));
}

#[test]
fn dies_after_bytes() {
    let mut process = Process::spawn(&["dies-after-bytes", "17"]);
    process.initialize();
    assert_eq!(process.rest().len(), 17);
    assert_eq!(process.wait().signal(), Some(9));
}

#[test]
fn ignores_end_of_input() {
    let mut process = Process::ready(&["ignores-end-of-input"]);
    process.hang_up();
    assert_eq!(process.error(), "ignores the end of its input");
    process.signal(Signal::TERM);
    assert_eq!(process.wait().signal(), Some(15));
}

#[test]
fn ignores_terminate() {
    let mut process = Process::ready(&["ignores-terminate"]);
    process.signal(Signal::TERM);
    assert_eq!(process.error(), "ignores that it has to terminate");
    process.call(1);
    assert_eq!(process.receive()["id"], 1);
    process.hang_up();
    assert!(process.wait().success());
}

#[test]
fn ignores_both() {
    let mut process = Process::ready(&["ignores-both"]);
    process.hang_up();
    assert_eq!(process.error(), "ignores the end of its input");
    process.signal(Signal::TERM);
    assert_eq!(process.error(), "ignores that it has to terminate");
    process.signal(Signal::KILL);
    assert_eq!(process.wait().signal(), Some(9));
}

#[test]
fn closes_stdin() {
    let mut process = Process::ready(&["closes-stdin"]);
    process.call(1);
    assert_eq!(process.receive()["id"], 1);
    process.wait_until_unread();
    assert_eq!(process.try_send(&[0]), Err(ErrorKind::BrokenPipe));
    assert!(!process.has_ended());
}

/// It has read what it was sent before it ends.
#[test]
fn reads_slowly() {
    let mut process = Process::ready(&["reads-slowly"]);
    assert_eq!(process.try_send(&[0; 10_000]), Ok(()));
    process.hang_up();
    assert!(process.wait().success());
    assert_eq!(process.rest(), "");
}

#[test]
fn closes_stdout() {
    let mut process = Process::ready(&["closes-stdout"]);
    process.call(1);
    assert_eq!(process.rest(), "");
    assert!(!process.has_ended());
    process.hang_up();
    assert!(process.wait().success());
}

/// The group is not empty before the grandchild is dead, too: that is how its streams end.
#[test]
fn leaves_grandchild() {
    let mut process = Process::ready(&["leaves-grandchild"]);
    let error = process.error();
    let id = error.strip_prefix("grandchild ").and_then(|id| Pid::from_raw(id.parse().ok()?));
    let grandchild = id.unwrap_or_else(|| panic!("no id: {error}"));
    process.call(1);
    assert_eq!(process.receive()["id"], 1);
    assert!(process.wait().success());
    assert_eq!(test_kill_process(grandchild), Ok::<(), Errno>(()));
    process.signal(Signal::KILL);
    assert_eq!(process.rest(), "");
}

/// What it does not read stays in the pipe.
#[test]
fn never_reads() {
    let mut process = Process::ready(&["never-reads"]);
    process.call(1);
    process.hang_up();
    assert!(!process.has_ended());
    process.signal(Signal::TERM);
    assert_eq!(process.wait().signal(), Some(15));
    assert_eq!(process.rest(), "");
}
