//! A look on at a client and its server.

use super::example;
use mcp_wire_smol::{Host, ServerCommand, Stderr, connect_command};
use rustix::process::{Pid, Signal, kill_process};
use serde_json::{Value, json};
use std::io::{BufRead, BufReader, Read, Write};
use std::process::{Child, ChildStdin, ChildStdout, Command, Stdio};
use std::thread;
use std::time::{Duration, Instant};

/// A server behind a tap, whose standard error goes nowhere.
struct Tapped {
    tap: Child,
    input: Option<ChildStdin>,
    output: BufReader<ChildStdout>,
}

impl Tapped {
    fn start(options: &[&str], server: &[&str]) -> Self {
        Self::start_with(options, server, Stdio::null())
    }

    fn start_with(options: &[&str], server: &[&str], stderr: Stdio) -> Self {
        let mut command = Command::new(example("tap"));
        command.args(options).arg("--").args(server);
        command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(stderr);
        let mut tap = command.spawn().expect("it starts");
        let input = tap.stdin.take();
        let output = BufReader::new(tap.stdout.take().expect("it is piped"));
        Self { tap, input, output }
    }

    fn write(&mut self, bytes: &[u8]) {
        self.input.as_mut().expect("it is open").write_all(bytes).expect("it is read");
    }

    fn line(&mut self) -> String {
        let mut line = String::new();
        self.output.read_line(&mut line).expect("output is UTF-8");
        line
    }

    /// The rest of the output, and the exit code.
    fn end(&mut self) -> (Vec<u8>, Option<i32>) {
        let mut rest = Vec::new();
        self.output.read_to_end(&mut rest).expect("it can be read");
        (rest, self.tap.wait().expect("it is our child").code())
    }

    fn hang_up(&mut self) -> (Vec<u8>, Option<i32>) {
        self.input = None;
        self.end()
    }

    /// What it has told on standard error, which has to be piped; one line of JSON each.
    fn told(&mut self) -> Vec<Value> {
        let mut stderr = String::new();
        let mut pipe = self.tap.stderr.take().expect("it is piped");
        pipe.read_to_string(&mut stderr).expect("it is UTF-8");
        stderr.lines().map(|line| serde_json::from_str(line).expect("it is JSON")).collect()
    }
}

impl Drop for Tapped {
    fn drop(&mut self) {
        _ = self.tap.kill();
        _ = self.tap.wait();
    }
}

#[test]
fn a_client_and_its_server_do_not_notice() {
    smol::block_on(async {
        let mut command = Command::new(example("tap"));
        command.arg("--").arg(example("everything_smol"));
        let command = ServerCommand::new(command).stderr(Stderr::Null);
        let client = connect_command(Host::new("test", "1.0.0"), command).await.unwrap();
        let sum = client.call_tool("add", &json!({ "a": 1, "b": 2 })).await.unwrap();
        assert_eq!(sum.as_text(), "3");
        let exit = client.close().await.child.and_then(|child| child.exit);
        assert!(exit.is_some_and(|exit| exit.status.success()));
    });
}

#[test]
fn bytes_are_not_touched() {
    let mut bytes: Vec<u8> = (0..1_u64 << 20).map(|at| ((at * at) >> 3) as u8).collect();
    bytes.extend(b"\r\n\n\xEF\xBB\xBF{\"jsonrpc\":\"2.0\",\n  no end");
    let mut tapped = Tapped::start(&[], &["cat"]);
    let mut input = tapped.input.take().expect("it is open");
    let writing = thread::spawn({
        let bytes = bytes.clone();
        move || input.write_all(&bytes)
    });
    let (received, code) = tapped.end();
    assert!(received == bytes, "{} bytes of {}", received.len(), bytes.len());
    assert_eq!(code, Some(0));
    writing.join().expect("no panic").expect("it is read");
}

#[test]
fn half_a_line_is_passed_on_at_once() {
    let mut tapped = Tapped::start(&[], &["cat"]);
    tapped.write(b"{\"json");
    let mut half = [0; 6];
    tapped.output.read_exact(&mut half).unwrap();
    assert_eq!(&half, b"{\"json");
    assert_eq!(tapped.hang_up(), (Vec::new(), Some(0)));
}

#[test]
fn after_the_end_of_input_the_output_goes_on() {
    let mut tapped = Tapped::start(&[], &["sh", "-c", "cat >/dev/null; echo late; exit 3"]);
    tapped.write(b"anything\n");
    assert_eq!(tapped.hang_up(), (b"late\n".to_vec(), Some(3)));
}

#[test]
fn the_end_of_output_is_passed_on() {
    let mut tapped =
        Tapped::start(&[], &["sh", "-c", "echo last; exec >&-; cat >/dev/null; exit 4"]);
    // The server lives, and its output has ended.
    let mut output = String::new();
    tapped.output.read_to_string(&mut output).unwrap();
    assert_eq!(output, "last\n");
    tapped.input = None;
    assert_eq!(tapped.tap.wait().unwrap().code(), Some(4));
}

#[test]
fn the_exit_of_the_server_is_its_own() {
    for (script, code) in [("exit 7", 7), ("kill -KILL $$", 128 + 9)] {
        // Its input stays open: a server may go first.
        let mut tapped = Tapped::start(&[], &["sh", "-c", script]);
        assert_eq!(tapped.end(), (Vec::new(), Some(code)), "{script}");
    }
    assert_eq!(Tapped::start(&[], &["/no/such/server"]).end().1, Some(127));
    assert_eq!(Tapped::start(&["--fast"], &["cat"]).end().1, Some(2));
}

#[test]
fn what_the_server_leaves_behind_does_not_keep_it() {
    let mut tapped = Tapped::start(&[], &["sh", "-c", "sleep 3600 & echo $!"]);
    let left_behind: i32 = tapped.line().trim().parse().unwrap();
    assert_eq!(tapped.end(), (Vec::new(), Some(0)));
    _ = kill_process(Pid::from_raw(left_behind).unwrap(), Signal::KILL);
}

#[test]
fn a_signal_is_the_servers_to_answer() {
    // What waits beside the shell ends with the input, should the signal miss it.
    let script = "trap 'echo gone; exit 5' TERM; exec 3<&0; echo ready; cat <&3 >/dev/null & wait";
    let mut tapped = Tapped::start(&[], &["sh", "-c", script]);
    assert_eq!(tapped.line(), "ready\n");
    kill_process(Pid::from_child(&tapped.tap), Signal::TERM).unwrap();
    assert_eq!(tapped.end(), (b"gone\n".to_vec(), Some(5)));
}

#[test]
fn a_client_that_reads_no_more_does_not_keep_it() {
    // More than a pipe holds, so that something is left when the server has gone.
    let script = "trap '' TERM; echo ready; head -c 100000 /dev/zero; exit 6";
    let mut tapped = Tapped::start(&[], &["sh", "-c", script]);
    let mut ready = [0; 6];
    tapped.output.get_mut().read_exact(&mut ready).unwrap();
    let start = Instant::now();
    let status = loop {
        // The server's as long as it lives, and then the tap's.
        kill_process(Pid::from_child(&tapped.tap), Signal::TERM).unwrap();
        if let Some(status) = tapped.tap.try_wait().unwrap() {
            break status;
        }
        assert!(start.elapsed() < Duration::from_secs(10), "it does not end");
        thread::sleep(Duration::from_millis(1));
    };
    assert_eq!(status.code(), Some(6));
}

#[test]
fn each_message_is_told_as_json() {
    let server = example("everything_smol");
    let server = [server.to_str().expect("it is UTF-8"), "--era", "legacy"];
    let mut tapped = Tapped::start_with(&["--json"], &server, Stdio::piped());
    let params = json!({ "protocolVersion": "2025-11-25", "capabilities": {} });
    let initialize =
        json!({ "jsonrpc": "2.0", "id": "a", "method": "initialize", "params": params });
    tapped.write(format!("{initialize}\n").as_bytes());
    let answer = tapped.line();
    tapped.write(b"{\"jsonrpc\":\"2.0\",\"method\":\"notifications/initialized\"}\n");
    tapped.write(b"{\"jsonrpc\":\"2.0\",\"id\":7,\"method\":\"nothing\"}\n");
    tapped.line();
    // The last one lacks its end.
    tapped.write(b"garbage \x1b");
    assert_eq!(tapped.hang_up(), (Vec::new(), Some(0)));

    let mut stderr = String::new();
    tapped.tap.stderr.take().unwrap().read_to_string(&mut stderr).unwrap();
    // The server has told of the garbage too.
    let told: Vec<Value> =
        stderr.lines().filter_map(|line| serde_json::from_str(line).ok()).collect();
    let shown = |index: usize, names: [&str; 5]| names.map(|name| told[index][name].clone());
    let names = ["from", "kind", "id", "method", "bytes"];
    assert_eq!(
        shown(0, names),
        [
            json!("client"),
            json!("request"),
            json!("a"),
            json!("initialize"),
            json!(initialize.to_string().len())
        ]
    );
    assert_eq!(
        shown(1, names),
        [
            json!("server"),
            json!("answer"),
            json!("a"),
            json!("initialize"),
            json!(answer.len() - 1)
        ]
    );
    assert!(told[1]["latency_ms"].as_f64().is_some_and(|latency| latency > 0.0), "{}", told[1]);
    assert_eq!((&told[2]["kind"], &told[2]["id"]), (&json!("notification"), &Value::Null));
    assert_eq!((&told[4]["id"], &told[4]["error"]["code"]), (&json!(7), &json!(-32601)));
    assert_eq!((&told[5]["kind"], &told[5]["bytes"]), (&json!("no message"), &json!(9)));
    assert_eq!(told.len(), 6, "{told:?}");
}

#[test]
fn each_message_is_told_to_people() {
    let mut tapped = Tapped::start_with(&[], &["cat"], Stdio::piped());
    tapped.write(b"{\"jsonrpc\":\"2.0\",\"id\":7,\"method\":\"greet\"}\n");
    tapped.write(b"\x1b[2Jgarbage\n");
    tapped.hang_up();
    let mut stderr = String::new();
    tapped.tap.stderr.take().unwrap().read_to_string(&mut stderr).unwrap();
    let has =
        |words: [&str; 4]| stderr.lines().any(|line| words.iter().all(|word| line.contains(word)));
    assert!(has(["→", "request", "7", "greet"]) && has(["←", "request", "7", "greet"]), "{stderr}");
    assert!(has(["→", "no message", "not JSON", "garbage"]), "{stderr}");
    assert!(!stderr.contains('\x1b'), "{stderr:?}");
}

#[test]
fn nobody_has_to_read_what_is_told() {
    let mut tapped = Tapped::start_with(&["--json"], &["cat"], Stdio::piped());
    let line = b"{\"jsonrpc\":\"2.0\",\"id\":7,\"method\":\"greet\"}\n";
    // Far more than a pipe holds, and the queue.
    for _ in 0..20_000 {
        tapped.write(line);
        assert_eq!(tapped.line().as_bytes(), line);
    }
    tapped.input = None;
    let told = tapped.told();
    let untold =
        |line: &Value| (line["kind"] == "untold").then(|| line["count"].as_u64()).flatten();
    let untold: u64 = told.iter().filter_map(untold).sum();
    assert!(untold > 0, "more was told than there is room for");
    let gaps = told.iter().filter(|line| line["kind"] == "untold").count();
    assert_eq!(told.len() - gaps + untold as usize, 40_000);
    assert_eq!(tapped.end(), (Vec::new(), Some(0)));
}
