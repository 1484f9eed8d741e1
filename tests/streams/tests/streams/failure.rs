//! The client goes away without a word.

use crate::support::message::{ping, slow};
use crate::support::{Process, Session, Streams, on_every_runtime, proc, program};
use std::process::Command;

on_every_runtime!(
    a_closed_pipe_is_a_write_error,
    a_closed_socket_is_a_write_error,
    a_terminal_that_is_read_does_not_hold_up_the_end,
    a_hung_up_terminal_is_the_end,
);

/// X2, X5: standard output is closed, standard input stays open, and another process holds it too.
fn a_closed_pipe_is_a_write_error(runtime: &str) {
    closed_output_is_a_write_error(runtime, Streams::Pipes);
}

/// X2, X5: the same with sockets.
fn a_closed_socket_is_a_write_error(runtime: &str) {
    closed_output_is_a_write_error(runtime, Streams::Sockets);
}

fn closed_output_is_a_write_error(runtime: &str, streams: Streams) {
    let (peer, theirs) = streams.open();
    let output = theirs.output.try_clone().unwrap();
    let mut session = Session::begin_on(peer, theirs, runtime, &[]);
    let mut holder = Command::new("sleep");
    holder.arg("60").stdout(session.peer.input().try_clone().unwrap());
    let _holder = Process::spawn(holder);
    session.peer.send(&slow("running", 3_600_000));
    proc::until_idle(session.process.id());

    session.peer.stop_listening(&output);
    // Nothing is to be written: nothing happens, and above all no spinning.
    proc::until_idle(session.process.id());
    session.peer.send(&ping(1));
    session.process.wait_for_failure();
    let errors = session.process.errors();
    assert!(errors.contains("writing failed: broken pipe"), "{errors}");
}

/// X5: a thread sits in a read of a terminal that nobody types at, while the process ends by a write error.
fn a_terminal_that_is_read_does_not_hold_up_the_end(runtime: &str) {
    let (mut terminal, their_terminal) = Streams::Terminal.open();
    let (mut pipes, their_pipes) = Streams::Pipes.open();
    let mut command = program(runtime, &[]);
    let output = their_pipes.output.try_clone().unwrap();
    command.stdin(their_terminal.input).stdout(their_pipes.output);
    let mut server = Process::spawn(command);
    terminal.send(&ping(1));
    assert_eq!(pipes.receive()["id"], 1);
    pipes.stop_listening(&output);
    terminal.send(&ping(2));
    server.wait_for_failure();
    assert!(server.errors().contains("writing failed: broken pipe"));
}

/// X1, X2: the terminal's window is closed. There is nobody left to tell, and the process ends by itself.
fn a_hung_up_terminal_is_the_end(runtime: &str) {
    let session = Session::begin(runtime, Streams::Terminal, &[]);
    proc::until_idle(session.process.id());
    let Session { peer, mut process } = session;
    drop(peer);
    let status = process.wait();
    assert!(status.code().is_some(), "{status}");
}
