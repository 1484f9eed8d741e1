//! How a child process has ended.

use mcp_wire_tokio::shutdown::Step;
use mcp_wire_tokio::{CallError, ChildEnd, Closed, ProcessExit};
use rustix::io::Errno;
use rustix::process::{Pid, test_kill_process};
use std::os::unix::process::ExitStatusExt;
use std::process::ExitStatus;

/// K2: the exit of a child, which is known, and for which the shutdown had to go so far.
#[track_caller]
pub(crate) fn exit_after(step: Step, child: Option<ChildEnd>) -> ProcessExit {
    let child = child.expect("there was a child");
    assert_eq!(child.step, step, "{child}");
    child.exit.expect("its exit is seen")
}

/// K4: the exit of a child that has exited by itself, which is why the connection has ended.
#[track_caller]
pub(crate) fn exit_in(cause: Closed) -> ProcessExit {
    match cause {
        Closed::Exited(exit) => exit,
        other => panic!("it has not exited by itself: {other}"),
    }
}

/// How the connection ended that a call was made on.
#[track_caller]
pub(crate) fn cause_of(error: CallError) -> Closed {
    match error {
        CallError::Closed(cause) => cause,
        other => panic!("the connection has not ended: {other}"),
    }
}

pub(crate) fn code(code: i32) -> ExitStatus {
    ExitStatus::from_raw(code << 8)
}

pub(crate) fn signal(signal: i32) -> ExitStatus {
    ExitStatus::from_raw(signal)
}

pub(crate) fn pid_of(process: u32) -> Pid {
    i32::try_from(process).ok().and_then(Pid::from_raw).unwrap()
}

/// Has the process ended, and is its exit collected?
pub(crate) fn is_gone(process: u32) -> bool {
    test_kill_process(pid_of(process)) == Err(Errno::SRCH)
}
