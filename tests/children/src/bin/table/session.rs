//! One session, from its first byte to what is left.

use crate::outcome::{self, Outcome};
use children::{Adapter, Mark, Mode, program};
use mcp_wire_tokio::{CallError, CallOptions, Client, Host, ServerCommand, Stderr, ToolResult};
use serde_json::json;
use std::thread;
use std::time::{Duration, Instant};

/// How long connecting and each call may take. The shutdown has its default times.
const PATIENCE: Duration = Duration::from_secs(2);

/// How long is waited for processes that were killed already.
const LIMIT: Duration = Duration::from_secs(1);

pub(crate) struct Session {
    pub(crate) runtime: &'static str,
    pub(crate) outcome: Outcome,
    /// How long closing took, or connecting where that failed.
    pub(crate) took: Duration,
    /// How many processes.
    pub(crate) left: usize,
}

pub(crate) fn play<A: Adapter>(mode: Mode) -> Session {
    let mark = Mark::new();
    let mut command = program(mode, &mark);
    if mode == Mode::DiesAfterBytes {
        // In the middle of the second answer to a call.
        command.arg("2000");
    }
    let command = ServerCommand::new(command).stderr(Stderr::Capture);
    let (outcome, took) = A::block_on(until_closed::<A>(command));
    let start = Instant::now();
    while !mark.processes().is_empty() && start.elapsed() < LIMIT {
        thread::sleep(Duration::from_millis(1));
    }
    Session { runtime: A::NAME, outcome, took, left: mark.processes().len() }
}

async fn until_closed<A: Adapter>(command: ServerCommand) -> (Outcome, Duration) {
    let start = Instant::now();
    let host = Host::new("table", "1").connect_timeout(PATIENCE);
    let client = match A::connect(host, command).await {
        Ok(client) => client,
        Err(error) => return (Outcome::NoSession(outcome::of_connect(&error)), start.elapsed()),
    };
    let calls = [call(&client).await, call(&client).await].map(|call| outcome::of_call(&call));
    let start = Instant::now();
    let end = client.close().await;
    (Outcome::Session { calls, end: outcome::of_end(&end) }, start.elapsed())
}

/// Gives the length of the answer.
async fn call(client: &Client) -> Result<usize, CallError> {
    let mut options = CallOptions::default();
    options.timeout = Some(PATIENCE);
    let arguments = json!({ "text": "hello ".repeat(200) });
    let result = client.start_tool("echo", &arguments, options).await?;
    let result: ToolResult =
        result.parse().map_err(|error| CallError::UnexpectedResult(error.to_string()))?;
    Ok(result.as_text().len())
}
