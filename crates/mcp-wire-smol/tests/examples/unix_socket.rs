//! A server on a Unix socket.

use super::example;
use mcp_wire_smol::{CallError, CallOptions, Client, Closed, Host, connect_streams};
use rustix::process::{Pid, Signal, kill_process};
use serde_json::json;
use smol::net::unix::UnixStream;
use std::io::{BufRead, BufReader};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};
use tempfile::TempDir;

const LIMIT: Duration = Duration::from_secs(10);

struct Server {
    process: Child,
    path: PathBuf,
    _directory: TempDir,
}

impl Server {
    fn start() -> Self {
        let directory = tempfile::tempdir().expect("there is room");
        let path = directory.path().join("socket");
        let mut command = Command::new(example("unix_socket"));
        let mut process = command.arg(&path).stderr(Stdio::piped()).spawn().expect("it starts");
        let mut line = String::new();
        let mut errors = BufReader::new(process.stderr.take().expect("it is piped"));
        errors.read_line(&mut line).expect("it says where it listens");
        assert!(line.starts_with("listening on"), "{line}");
        Self { process, path, _directory: directory }
    }

    fn terminate(&self) {
        kill_process(Pid::from_child(&self.process), Signal::TERM).expect("it runs");
    }
}

impl Drop for Server {
    fn drop(&mut self) {
        _ = self.process.kill();
        _ = self.process.wait();
    }
}

async fn connect(path: &Path) -> Client {
    let stream = UnixStream::connect(path).await.expect("it listens");
    connect_streams(Host::new("test", "1.0.0"), stream.clone(), stream)
        .await
        .expect("it speaks MCP")
}

async fn load(client: &Client) -> String {
    client.call_tool("load", &json!({})).await.expect("it is not busy").as_text()
}

/// Asks again and again until so many run.
async fn until_load_is(client: &Client, expected: &str) {
    let start = Instant::now();
    while load(client).await != expected {
        assert!(start.elapsed() < LIMIT, "the load is never {expected}");
    }
}

#[test]
fn connections_share_a_budget() {
    let server = Server::start();
    smol::block_on(async {
        let (greedy, modest) = (connect(&server.path).await, connect(&server.path).await);
        let long = json!({ "milliseconds": 3_600_000 });
        let work = || greedy.start_tool("work", &long, CallOptions::default());
        let running = [work(), work()];
        // That was its share.
        match greedy.call_tool("work", &long).await {
            Err(CallError::Peer(error)) => assert_eq!(error.message, "server busy"),
            outcome => panic!("it is not refused: {outcome:?}"),
        }
        assert_eq!(load(&modest).await, "3 of 4");
        drop(running);
        until_load_is(&modest, "1 of 4").await;
    });
}

#[test]
fn told_to_end_it_finishes_what_runs() {
    let mut server = Server::start();
    smol::block_on(async {
        let (busy, idle) = (connect(&server.path).await, connect(&server.path).await);
        let running =
            busy.start_tool("work", &json!({ "milliseconds": 300 }), CallOptions::default());
        until_load_is(&idle, "2 of 4").await;
        server.terminate();
        let result = running.await.expect("it is answered");
        assert!(result.as_str().contains("done"), "{result}");
        assert_eq!(busy.wait_closed().await.cause, Closed::Eof);
        assert_eq!(idle.wait_closed().await.cause, Closed::Eof);
    });
    assert_eq!(server.process.wait().expect("it is our child").code(), Some(0));
    assert!(!server.path.exists());
}
