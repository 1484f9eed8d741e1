//! Whatever the standard streams are, the server speaks over them.

use crate::support::message::{call, initialize, initialized, lines, ping, text};
use crate::support::{Process, Session, Streams, on_every_runtime, on_every_stream, proc, program};
use serde_json::{Value, json};
use std::fs::File;
use std::io::{Seek, SeekFrom, Write};
use std::process::{Command, Stdio};

on_every_stream!(answers, text_is_kept_whatever_the_locale);
on_every_runtime!(
    reads_and_writes_files,
    reads_and_writes_the_null_device,
    lives_with_closed_streams,
    needs_no_thread_for_pipes_and_sockets,
);

/// S3, X1: requests are answered, at the end of input the process ends.
fn answers(runtime: &str, streams: Streams) {
    let mut session = Session::begin(runtime, streams, &[]);
    for number in 0..100 {
        session.peer.send(&call(number, "add", json!({ "a": number, "b": 1 })));
        let reply = session.peer.receive();
        assert_eq!(reply["id"], number);
        assert_eq!(text(&reply), (number + 1).to_string());
    }
    session.end();
}

/// F1, S3: the locale says nothing about the protocol.
fn text_is_kept_whatever_the_locale(runtime: &str, streams: Streams) {
    let (peer, theirs) = streams.open();
    let mut command = program(runtime, &[]);
    command.env("LC_ALL", "C").stdin(theirs.input).stdout(theirs.output);
    let mut session = Session { peer, process: Process::spawn(command) };
    session.shake_hands();
    let message = "größer als 漢字 \u{1f980}";
    session.peer.send(&call(1, "echo", json!({ "message": message })));
    assert_eq!(text(&session.peer.receive()), message);
    session.end();
}

/// S3, X1: `server <requests >replies`.
fn reads_and_writes_files(runtime: &str) {
    let (mut requests, mut replies) =
        (tempfile::tempfile().unwrap(), tempfile::tempfile().unwrap());
    let messages =
        [initialize(0), initialized(), ping(1), call(2, "add", json!({ "a": 1, "b": 1 }))];
    write!(requests, "{}", lines(&messages)).unwrap();
    requests.seek(SeekFrom::Start(0)).unwrap();
    // Whoever has written to the file before is not overwritten.
    writeln!(replies, "{{\"id\":\"before\"}}").unwrap();

    let mut command = program(runtime, &["--eof-grace", "none"]);
    command.stdin(requests).stdout(replies.try_clone().unwrap());
    Process::spawn(command).wait_for_success();

    assert_eq!(ids(replies), ["\"before\"", "0", "1", "2"]);
}

/// S3: the null device is at its end, and takes everything.
fn reads_and_writes_the_null_device(runtime: &str) {
    let mut command = program(runtime, &[]);
    command.stdin(Stdio::null()).stdout(Stdio::null());
    Process::spawn(command).wait_for_success();

    let mut requests = tempfile::tempfile().unwrap();
    write!(requests, "{}", lines(&[initialize(0), ping(1)])).unwrap();
    requests.seek(SeekFrom::Start(0)).unwrap();
    let mut command = program(runtime, &[]);
    command.stdin(requests).stdout(Stdio::null());
    Process::spawn(command).wait_for_success();
}

/// S3: a standard stream that is closed is at its end, or takes everything.
fn lives_with_closed_streams(runtime: &str) {
    for (redirections, replies) in [
        ("<&-", 0),
        (">&-", 0),
        ("2>&-", 2),
        ("<&- >&-", 0),
        ("<&- 2>&-", 0),
        (">&- 2>&-", 0),
        ("<&- >&- 2>&-", 0),
    ] {
        let mut requests = tempfile::tempfile().unwrap();
        write!(requests, "{}", lines(&[initialize(0), ping(1)])).unwrap();
        requests.seek(SeekFrom::Start(0)).unwrap();
        let output = tempfile::tempfile().unwrap();

        let mut command = Command::new("sh");
        command.args(["-c", &format!("exec \"$0\" \"$@\" {redirections}")]);
        let server = program(runtime, &[]);
        command.arg(server.get_program()).args(server.get_args());
        command.stdin(requests).stdout(output.try_clone().unwrap());
        Process::spawn(command).wait_for_success();

        assert_eq!(ids(output).len(), replies, "{redirections}");
    }
}

/// S3: a terminal has a thread for each direction, pipes and sockets have none; with all else equal.
fn needs_no_thread_for_pipes_and_sockets(runtime: &str) {
    let [pipes, sockets, mut terminal] =
        [Streams::Pipes, Streams::Sockets, Streams::Terminal].map(|streams| {
            let mut session = Session::begin(runtime, streams, &[]);
            for number in 0..100 {
                session.peer.send(&ping(number));
                session.peer.receive();
            }
            proc::until_idle(session.process.id());
            let threads = proc::threads(session.process.id());
            session.end();
            threads
        });
    let ours = ["mcp-wire-input", "mcp-wire-output"];
    assert!(ours.iter().all(|name| terminal.iter().any(|thread| thread == name)), "{terminal:?}");
    terminal.retain(|thread| !ours.contains(&thread.as_str()));
    assert_eq!(pipes, terminal);
    assert_eq!(sockets, terminal);
    println!("{runtime}: {} threads with pipes and sockets", pipes.len());
}

/// The ids of the messages in a file, as JSON, sorted.
fn ids(mut file: File) -> Vec<String> {
    file.seek(SeekFrom::Start(0)).unwrap();
    let messages = std::io::read_to_string(file).unwrap();
    let id = |line: &str| serde_json::from_str::<Value>(line).unwrap()["id"].to_string();
    let mut ids: Vec<String> = messages.lines().map(id).collect();
    ids.sort();
    ids
}
