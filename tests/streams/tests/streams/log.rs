//! Standard error is the application's: the library logs, and nothing else.

use crate::support::message::{call, ping, text};
use crate::support::{Process, Session, Streams, on_every_runtime, on_every_stream, program};
use serde_json::json;
use std::process::Command;

on_every_stream!(nothing_is_written_to_standard_error, the_log_says_how_streams_are_waited_for);
on_every_runtime!(a_closed_standard_error_does_no_harm, a_broken_standard_error_does_no_harm);

/// S5: without a subscriber nothing is said, whatever happens.
fn nothing_is_written_to_standard_error(runtime: &str, streams: Streams) {
    let mut session = Session::begin(runtime, streams, &["--quiet", "--max-frame", "1000"]);
    session.peer.write(b"no message\n{\"jsonrpc\":\"2.0\",\"id\":1}\n").unwrap();
    session.peer.write(format!("{}\n", "x".repeat(2000)).as_bytes()).unwrap();
    session.peer.write(b"{\"jsonrpc\":\"2.0\",\"id\":77,\"result\":{}}\n").unwrap();
    assert_eq!(session.peer.receive()["error"]["code"], -32600);
    session.peer.send(&call(2, "log", json!({ "level": "error", "text": "x" })));
    assert_eq!(session.peer.receive()["method"], "notifications/message");
    assert_eq!(session.peer.receive()["id"], 2);
    let process = session.end();
    assert_eq!(process.errors(), "");
}

/// S3, S5: with one, the log says what the streams are.
fn the_log_says_how_streams_are_waited_for(runtime: &str, streams: Streams) {
    let errors = Session::begin(runtime, streams, &[]).end().errors();
    let (kind, way) = match streams {
        Streams::Pipes => ("Pipe", "Readiness"),
        Streams::Sockets => ("Socket", "Readiness"),
        Streams::Terminal => ("Terminal", "Thread"),
    };
    assert_eq!(errors.matches(&format!("kind: {kind}")).count(), 2, "{errors}");
    assert_eq!(errors.matches(way).count(), 2, "{errors}");
}

/// S1, S5: `2>&-`.
fn a_closed_standard_error_does_no_harm(runtime: &str) {
    let (peer, theirs) = Streams::Pipes.open();
    let mut command = Command::new("sh");
    command.args(["-c", "exec \"$0\" \"$@\" 2>&-"]);
    let server = program(runtime, &[]);
    command.arg(server.get_program()).args(server.get_args());
    command.stdin(theirs.input).stdout(theirs.output);
    let process = Process::spawn(command);
    serves_while_it_logs(Session { peer, process }, "printed");
}

/// S1, S5, Q6: standard error is a pipe that nobody reads any more. What is lost is the log, and the handler that prints.
fn a_broken_standard_error_does_no_harm(runtime: &str) {
    let (peer, theirs) = Streams::Pipes.open();
    let (reader, writer) = std::io::pipe().unwrap();
    drop(reader);
    let mut command = program(runtime, &[]);
    command.stdin(theirs.input).stdout(theirs.output).stderr(writer);
    let process = Process::spawn_without_errors(command);
    serves_while_it_logs(Session { peer, process }, "");
}

/// A panic and bad lines are logged, or would be. `printed` is the answer of the tool that prints, nothing where it fails.
fn serves_while_it_logs(mut session: Session, printed: &str) {
    session.shake_hands();
    for number in 0..20 {
        session.peer.write(b"no message\n").unwrap();
        session.peer.send(&call(number, "boom", json!({})));
        assert_eq!(session.peer.receive()["error"]["code"], -32603);
        session.peer.send(&call("stray", "stray_print", json!({})));
        let reply = session.peer.receive();
        if printed.is_empty() {
            assert_eq!(reply["error"]["code"], -32603, "{reply}");
        } else {
            assert_eq!(text(&reply), printed);
        }
        session.peer.send(&ping("alive"));
        assert_eq!(session.peer.receive()["id"], "alive");
    }
    session.end();
}
