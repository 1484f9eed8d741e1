//! Connects to a server, calls it and ends the session, again and again, and counts what this process has before and after:
//! `cargo build --package children --bins && cargo run --package children --bin cycles -- [RUNTIME [COUNT]]`.
//!
//! Every other session is closed; the rest is dropped.

#![allow(
    clippy::print_stdout,
    clippy::print_stderr,
    reason = "a program for people at a terminal: what it prints is its purpose"
)]

use children::{
    Adapter, AsyncStd, Census, Mark, Mode, Smol, TokioCurrentThread, TokioMultiThread, not_built,
    program,
};
use mcp_wire_tokio::{Host, ServerCommand, Stderr};
use serde_json::json;
use std::env;
use std::process::ExitCode;
use std::time::{Duration, Instant};

/// How often before the first count, so that whatever a runtime starts once is there.
const WARM_UP: usize = 4;

/// How long is waited for what ends by itself, such as idle threads.
const LIMIT: Duration = Duration::from_secs(20);

fn main() -> ExitCode {
    if let Some(missing) = not_built() {
        return complain(&missing);
    }
    let mut arguments = env::args().skip(1);
    let runtime = arguments.next();
    let count = match arguments.next().map(|count| count.parse()).transpose() {
        Ok(count) => count.unwrap_or(1000),
        Err(error) => return complain(&format!("usage: cycles [RUNTIME [COUNT]]: {error}")),
    };
    let outcomes = [
        on::<AsyncStd>(runtime.as_deref(), count),
        on::<Smol>(runtime.as_deref(), count),
        on::<TokioMultiThread>(runtime.as_deref(), count),
        on::<TokioCurrentThread>(runtime.as_deref(), count),
    ];
    match outcomes.iter().all(Result::is_ok) {
        true => ExitCode::SUCCESS,
        false => ExitCode::FAILURE,
    }
}

/// Where the runtime is the chosen one, or none is chosen.
fn on<A: Adapter>(chosen: Option<&str>, count: usize) -> Result<(), String> {
    if chosen.is_some_and(|name| name != A::NAME) {
        return Ok(());
    }
    println!("{}, {count} sessions", A::NAME);
    cycles::<A>(count).inspect_err(|error| eprintln!("{error}"))
}

fn complain(message: &str) -> ExitCode {
    eprintln!("{message}");
    ExitCode::from(2)
}

fn cycles<A: Adapter>(count: usize) -> Result<(), String> {
    A::block_on(async {
        for number in 0..WARM_UP {
            cycle::<A>(number).await?;
        }
        let before = until_settled::<A>(|now| now.children == 0).await;
        println!("  before: {before}");
        let start = Instant::now();
        for number in 0..count {
            cycle::<A>(number).await?;
        }
        let took = start.elapsed();
        let after = until_settled::<A>(|now| now.is_within(&before)).await;
        println!("  after:  {after}");
        println!("  {:.1} ms each", took.as_secs_f64() * 1000.0 / count.max(1) as f64);
        match after.is_within(&before) {
            true => Ok(()),
            false => Err(format!("{count} sessions have left something: {before}; now {after}")),
        }
    })
}

/// Counts until the count is right, or the time is over.
async fn until_settled<A: Adapter>(is_right: impl Fn(&Census) -> bool) -> Census {
    let start = Instant::now();
    loop {
        let now = Census::take();
        if is_right(&now) || start.elapsed() > LIMIT {
            return now;
        }
        A::sleep(Duration::from_millis(10)).await;
    }
}

async fn cycle<A: Adapter>(number: usize) -> Result<(), String> {
    let mark = Mark::new();
    let command = ServerCommand::new(program(Mode::Well, &mark)).stderr(Stderr::Capture);
    let host = Host::new("cycles", "1");
    let client = A::connect(host, command).await.map_err(|error| error.to_string())?;
    let text = format!("call {number}");
    let result = client.call_tool("echo", &json!({ "text": text })).await;
    let said = result.map_err(|error| error.to_string())?.as_text();
    if said != text {
        return Err(format!("asked for {text:?}, and got {said:?}"));
    }
    if number.is_multiple_of(2) {
        client.close().await;
    }
    Ok(())
}
