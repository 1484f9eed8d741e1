//! The open files are shared with a shell, a host, the next program of a pipeline: their flags are theirs.

use crate::support::deadline::until;
use crate::support::message::{big, initialize, lines, ping, text};
use crate::support::streams::{terminal, typist};
use crate::support::{Process, Session, Streams, on_every_runtime, on_every_stream, proc, program};
use rustix::fs::{OFlags, fcntl_getfl};
use rustix::io::ioctl_fionread;
use rustix::termios::tcgetattr;
use std::io::{Seek, SeekFrom, Write};
use std::process::Command;

on_every_stream!(flags_stay_as_they_are, flags_may_change_at_any_time);
on_every_runtime!(
    a_shell_finds_its_terminal_unchanged,
    the_next_program_of_a_pipeline_loses_nothing
);

/// More than any stream buffers, so that writing has to wait.
const BIG: usize = 512 << 10;

/// S2: neither while the server waits nor afterwards do the open files have other flags than before.
fn flags_stay_as_they_are(runtime: &str, streams: Streams) {
    let (peer, theirs) = streams.open();
    let ours = theirs.share();
    let before = ours.flags();
    assert!(!before[0].contains(OFlags::NONBLOCK) && !before[1].contains(OFlags::NONBLOCK));

    let mut session = Session::begin_on(peer, theirs, runtime, &[]);
    session.peer.send(&big(1, BIG));
    assert_eq!(text(&session.peer.receive()).len(), BIG);
    proc::until_idle(session.process.id());
    assert_eq!(ours.flags(), before);

    session.peer.hang_up();
    session.process.wait_for_success();
    assert_eq!(ours.flags(), before);
}

/// S2: `WouldBlock` because somebody else made the open file non-blocking is neither an end nor an error.
fn flags_may_change_at_any_time(runtime: &str, streams: Streams) {
    let (peer, theirs) = streams.open();
    let ours = theirs.share();
    let mut session = Session::begin_on(peer, theirs, runtime, &[]);
    for round in 0..4 {
        // While it waits for input.
        proc::until_idle(session.process.id());
        ours.flip_nonblocking();
        session.peer.send(&big(round, BIG));
        // While it waits for room.
        let first = session.peer.read(1).unwrap();
        proc::until_idle(session.process.id());
        ours.flip_nonblocking();
        session.peer.put_back(first);
        let reply = session.peer.receive();
        assert_eq!((&reply["id"], text(&reply).len()), (&round.into(), BIG));
        session.peer.send(&ping("between"));
        assert_eq!(session.peer.receive()["id"], "between");
        // The next round begins the other way round.
        ours.flip_nonblocking();
    }
    drop(ours);
    session.end();
}

/// S2: a shell goes on with its terminal as if the server had never run.
fn a_shell_finds_its_terminal_unchanged(runtime: &str) {
    let (host, terminal) = terminal();
    let state =
        || (format!("{:?}", tcgetattr(&terminal).unwrap()), fcntl_getfl(&terminal).unwrap());
    let before = state();

    let mut command = Command::new("sh");
    command.args(["-c", "\"$0\" \"$@\"; read -r line; echo \"the shell read $line\""]);
    let server = program(runtime, &[]);
    command.arg(server.get_program()).args(server.get_args());
    command.stdin(terminal.try_clone().unwrap()).stdout(terminal.try_clone().unwrap());
    let mut peer = typist(host);
    let mut shell = Process::spawn(command);

    peer.send(&ping(1));
    peer.until_read("\"result\"");
    assert_eq!(state(), before);
    peer.hang_up();
    peer.write(b"what was typed\n").unwrap();
    peer.until_read("the shell read what was typed");
    shell.wait_for_success();
    assert_eq!(state(), before);
}

/// S2: `{ server; server; head; } | slow reader`: who writes to the same pipe afterwards finds it blocking, and loses nothing.
fn the_next_program_of_a_pipeline_loses_nothing(runtime: &str) {
    const ZEROS: usize = 300_000;

    let mut requests = tempfile::NamedTempFile::new().unwrap();
    write!(requests, "{}", lines(&[initialize(0), ping(1)])).unwrap();
    requests.seek(SeekFrom::Start(0)).unwrap();

    let (mut peer, theirs) = Streams::Pipes.open();
    let mut command = Command::new("sh");
    let script =
        format!("\"$1\" \"$2\" </dev/null; \"$1\" \"$2\" <\"$0\"; head -c {ZEROS} /dev/zero");
    command.args(["-c", &script]).arg(requests.path());
    let server = program(runtime, &[]);
    command.arg(server.get_program()).args(server.get_args());
    command.stdin(theirs.input).stdout(theirs.output);
    let mut shell = Process::spawn(command);

    assert_eq!(peer.receive()["id"], 0);
    assert_eq!(peer.receive()["id"], 1);
    // The reader is so slow that the pipe is full.
    let full = rustix::pipe::fcntl_getpipe_size(peer.output()).unwrap() as u64;
    until("the pipe is never full", || {
        (ioctl_fionread(peer.output()).unwrap() + 4096 > full).then_some(())
    });
    let mut zeros = peer.take_received().len();
    while let Some(bytes) = peer.read(4096) {
        assert!(bytes.iter().all(|byte| *byte == 0));
        zeros += bytes.len();
    }
    assert_eq!(zeros, ZEROS);
    shell.wait_for_success();
}
