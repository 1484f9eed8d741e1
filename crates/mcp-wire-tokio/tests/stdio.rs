//! The example `everything` as a real child process, over pipes and socket pairs.
#![cfg(unix)]

#[path = "../../../tests/built.rs"]
mod built;

use built::example;
use serde_json::{Value, json};
use std::fs::File;
use std::io::{BufRead, BufReader, Read, Write};
use std::net::Shutdown;
use std::os::fd::OwnedFd;
use std::os::unix::net::UnixStream;
use std::path::PathBuf;
use std::process::{Child, Command, Stdio};

fn command(arguments: &[&str]) -> Command {
    let mut command = Command::new(example("everything"));
    command.args(arguments).stderr(Stdio::piped()).env_remove("RUST_LOG");
    command
}

/// The client's ends of a server's streams.
struct Client {
    server: Child,
    input: Box<dyn Write>,
    output: BufReader<Box<dyn Read>>,
}

impl Client {
    fn over_pipes(arguments: &[&str]) -> Self {
        let mut command = command(arguments);
        let mut server =
            command.stdin(Stdio::piped()).stdout(Stdio::piped()).spawn().expect("it starts");
        let input = Box::new(server.stdin.take().expect("it is piped"));
        let output: Box<dyn Read> = Box::new(server.stdout.take().expect("it is piped"));
        Self { server, input, output: BufReader::new(output) }
    }

    /// As Node starts its children: with a socket for each stream. Gives our end of the server's input, too.
    fn over_sockets(arguments: &[&str]) -> (Self, UnixStream) {
        let pair = || UnixStream::pair().expect("there are sockets");
        let ((input, its_input), (output, its_output)) = (pair(), pair());
        let mut command = command(arguments);
        command.stdin(OwnedFd::from(its_input)).stdout(OwnedFd::from(its_output));
        let server = command.spawn().expect("it starts");
        // The command holds the server's ends.
        drop(command);
        let ours = input.try_clone().expect("a socket can be cloned");
        let output: Box<dyn Read> = Box::new(output);
        (Self { server, input: Box::new(input), output: BufReader::new(output) }, ours)
    }

    fn ready(mut self) -> Self {
        let params = json!({ "protocolVersion": "2025-11-25", "capabilities": {} });
        self.send(&json!({ "jsonrpc": "2.0", "id": 0, "method": "initialize", "params": params }));
        assert_eq!(self.receive()["result"]["serverInfo"]["name"], "everything");
        self.send(&json!({ "jsonrpc": "2.0", "method": "notifications/initialized" }));
        self
    }

    fn send(&mut self, message: &Value) {
        writeln!(self.input, "{message}").and_then(|()| self.input.flush()).expect("it is read");
    }

    fn call(&mut self, id: i64, tool: &str, arguments: &Value) {
        let params = json!({ "name": tool, "arguments": arguments });
        self.send(&json!({ "jsonrpc": "2.0", "id": id, "method": "tools/call", "params": params }));
    }

    fn receive(&mut self) -> Value {
        let mut line = String::new();
        self.output.read_line(&mut line).expect("output is UTF-8");
        serde_json::from_str(&line).unwrap_or_else(|error| panic!("{error}: {line:?}"))
    }

    /// What else the server has written until its end, its exit code, and its standard error.
    fn end(&mut self) -> (String, Option<i32>, String) {
        let (mut output, mut errors) = (String::new(), String::new());
        self.output.read_to_string(&mut output).expect("output is UTF-8");
        let mut stderr = self.server.stderr.take().expect("it is piped");
        stderr.read_to_string(&mut errors).expect("logs are UTF-8");
        let status = self.server.wait().expect("it is our child");
        (output, status.code(), errors)
    }

    fn hang_up(&mut self) -> (String, Option<i32>, String) {
        self.input = Box::new(std::io::sink());
        self.end()
    }
}

fn text(reply: &Value) -> &str {
    reply["result"]["content"][0]["text"].as_str().unwrap_or_else(|| panic!("no text: {reply}"))
}

/// X1, X5: over pipes a server answers, and exits by itself with code 0 once its input has ended.
#[test]
fn a_server_over_pipes_answers_and_exits() {
    let mut client = Client::over_pipes(&[]).ready();
    client.call(1, "echo", &json!({ "message": "hello" }));
    assert_eq!(text(&client.receive()), "hello");
    client.call(2, "add", &json!({ "a": 1, "b": 2.5 }));
    assert_eq!(text(&client.receive()), "3.5");
    let (rest, code, _) = client.hang_up();
    assert_eq!((rest.as_str(), code), ("", Some(0)));
}

/// S1: what a tool prints lands on standard error, and damages nothing.
#[test]
fn a_stray_line_lands_on_standard_error() {
    let (by_sockets, _) = Client::over_sockets(&[]);
    for client in [Client::over_pipes(&[]), by_sockets] {
        let mut client = client.ready();
        for id in 1..=3 {
            client.call(id, "stray_print", &json!({}));
            assert_eq!(text(&client.receive()), "printed");
        }
        client.send(&json!({ "jsonrpc": "2.0", "id": 4, "method": "ping" }));
        assert_eq!(client.receive()["id"], 4);
        let (rest, code, errors) = client.hang_up();
        assert_eq!((rest.as_str(), code), ("", Some(0)));
        assert_eq!(errors.matches("a stray line on standard output").count(), 3, "{errors}");
    }
}

/// X1, X5: the server exits though its standard input stays open: a socket of which only our direction is shut down.
#[test]
fn a_server_exits_though_its_socket_stays_open() {
    let (client, ours) = Client::over_sockets(&[]);
    let mut client = client.ready();
    client.call(1, "echo", &json!({ "message": "hello" }));
    assert_eq!(text(&client.receive()), "hello");
    ours.shutdown(Shutdown::Write).expect("it is open");
    let (rest, code, _) = client.end();
    assert_eq!((rest.as_str(), code), ("", Some(0)));
    drop(ours);
}

/// X2, X5: the server exits when nobody reads its output any more, though its input stays open; no signal ends it.
#[test]
fn a_server_without_a_reader_exits() {
    let (by_sockets, _ours) = Client::over_sockets(&[]);
    for client in [Client::over_pipes(&[]), by_sockets] {
        let mut client = client.ready();
        client.output = BufReader::new(Box::new(std::io::empty()));
        // A process that is being started at this moment may still hold our end: the server notices at a later reply.
        while writeln!(client.input, r#"{{"jsonrpc":"2.0","id":1,"method":"ping"}}"#).is_ok() {}
        let (_, code, errors) = client.end();
        assert_eq!(code, Some(1), "{errors}");
        assert!(errors.contains("writing failed"), "{errors}");
    }
}

/// X1: work in flight is cancelled after the grace, so that the server exits whatever its tools do.
#[test]
fn a_server_exits_after_the_grace() {
    let mut client = Client::over_pipes(&["--eof-grace", "50"]).ready();
    client.call(1, "slow", &json!({ "ms": 3_600_000, "steps": 1 }));
    client.call(2, "echo", &json!({ "message": "hello" }));
    assert_eq!(client.receive()["id"], 2);
    let (rest, code, _) = client.hang_up();
    assert_eq!((rest.as_str(), code), ("", Some(0)));
}

/// X1: without a grace it finishes its work first, for batch use from a shell.
#[test]
fn a_server_may_finish_its_work_first() {
    let mut client = Client::over_pipes(&["--eof-grace", "none"]).ready();
    client.call(1, "slow", &json!({ "ms": 30, "steps": 3 }));
    let (rest, code, _) = client.hang_up();
    let reply: Value = serde_json::from_str(&rest).expect("one reply is left");
    assert_eq!((text(&reply), code), ("3 steps in 30 ms", Some(0)));
}

/// Q6: a panic ends neither the server nor its exit code.
#[test]
fn a_panic_ends_nothing() {
    let mut client = Client::over_pipes(&[]).ready();
    client.call(1, "boom", &json!({}));
    assert_eq!(client.receive()["error"]["message"], "internal error");
    client.call(2, "echo", &json!({ "message": "hello" }));
    assert_eq!(text(&client.receive()), "hello");
    let (_, code, errors) = client.hang_up();
    assert_eq!(code, Some(0));
    assert!(errors.contains("boom, as asked"));
}

/// B4: large replies go through small pipes and sockets whole.
#[test]
fn large_replies_arrive_whole() {
    const BYTES: usize = 3 << 20;
    let (by_sockets, _) = Client::over_sockets(&[]);
    for client in [Client::over_pipes(&[]), by_sockets] {
        let mut client = client.ready();
        client.call(1, "big", &json!({ "bytes": BYTES }));
        client.call(2, "echo", &json!({ "message": "after" }));
        let mut lengths = [client.receive(), client.receive()].map(|it| text(&it).len());
        lengths.sort_unstable();
        assert_eq!(lengths, ["after".len(), BYTES]);
        let (rest, code, _) = client.hang_up();
        assert_eq!((rest.as_str(), code), ("", Some(0)));
    }
}

/// S3: a file for input and a file for output serve a batch; the last line needs no line break.
#[test]
fn files_serve_a_batch() {
    let directory = PathBuf::from(env!("CARGO_TARGET_TMPDIR"));
    let (input, output) = (directory.join("batch-input"), directory.join("batch-output"));
    let params = json!({ "protocolVersion": "2025-11-25", "capabilities": {} });
    let initialize = json!({ "jsonrpc": "2.0", "id": 0, "method": "initialize", "params": params });
    let ping = json!({ "jsonrpc": "2.0", "id": 1, "method": "ping" });
    std::fs::write(&input, format!("{initialize}\n{ping}")).expect("it can be written");
    let mut server = command(&[])
        .stdin(File::open(&input).expect("it is there"))
        .stdout(File::create(&output).expect("it can be written"))
        .spawn()
        .expect("it starts");
    assert_eq!(server.wait().expect("it is our child").code(), Some(0));
    let written = std::fs::read_to_string(&output).expect("it is there");
    let ids: Vec<Value> = written
        .lines()
        .map(|line| serde_json::from_str::<Value>(line).expect("a line is JSON")["id"].clone())
        .collect();
    assert_eq!(ids, [0, 1]);
}

/// S3: an input that is empty from the start is an end.
#[test]
fn no_input_is_an_end() {
    let mut server =
        command(&[]).stdin(Stdio::null()).stdout(Stdio::null()).spawn().expect("it starts");
    assert_eq!(server.wait().expect("it is our child").code(), Some(0));
}

/// Flags that cannot be understood are refused, and nothing is served.
#[test]
fn bad_flags_are_refused() {
    let mut client = Client::over_pipes(&["--no-such-flag"]);
    let (output, code, errors) = client.end();
    assert_eq!((output.as_str(), code), ("", Some(2)));
    assert!(errors.contains("--no-such-flag"));
}
