//! Keeps a server running: starts it again when it has died, ever more slowly while it keeps dying, and asks again to be told
//! of changes, which a new process knows nothing of.
//!
//! `cargo run --example restart -- COMMAND [ARGUMENT ...]`

#![allow(
    clippy::print_stderr,
    reason = "a program for people at a terminal: what it prints is its purpose"
)]

use mcp_wire_tokio::{
    CallError, Client, ConnectError, Host, Notice, ServerCommand, Stderr, SubscriptionFilter,
    connect_command,
};
use std::process::{Command, ExitCode};
use std::sync::Arc;
use std::time::Duration;
use tokio::time::{Instant, sleep};

/// The first wait before a server is started again. It doubles each time.
const FIRST_WAIT: Duration = Duration::from_millis(250);

/// The longest one.
const LONGEST_WAIT: Duration = Duration::from_secs(30);

/// A server that has run for so long was well: the waits begin anew.
const WELL: Duration = Duration::from_secs(60);

#[tokio::main]
async fn main() -> ExitCode {
    let command: Vec<String> = std::env::args().skip(1).collect();
    if command.is_empty() {
        eprintln!("usage: restart COMMAND [ARGUMENT ...]");
        return ExitCode::from(2);
    }
    let host = Arc::new(Host::new("restart", "1.0.0"));
    let mut wait = FIRST_WAIT;
    loop {
        let started = Instant::now();
        match connect(&host, &command).await {
            Ok(client) => {
                let why = use_until_it_ends(&client).await;
                eprintln!("{}{why}", client.close().await);
            }
            // Nothing will be better the next time.
            Err(error @ (ConnectError::Config(_) | ConnectError::Spawn(_))) => {
                eprintln!("{error}");
                return ExitCode::FAILURE;
            }
            Err(error) => eprintln!("{error}"),
        }
        if started.elapsed() >= WELL {
            wait = FIRST_WAIT;
        }
        eprintln!("starting it again in {wait:?}");
        sleep(wait).await;
        wait = (wait * 2).min(LONGEST_WAIT);
    }
}

async fn connect(host: &Arc<Host>, command: &[String]) -> Result<Client, ConnectError> {
    let mut server = Command::new(&command[0]);
    server.args(&command[1..]);
    connect_command(host.clone(), ServerCommand::new(server).stderr(Stderr::Capture)).await
}

/// What the program is for goes here. A call that was lost is not made again by itself: only the program knows whether it
/// may be made twice.
async fn use_until_it_ends(client: &Client) -> String {
    let mut filter = SubscriptionFilter::new();
    filter.tools_list_changed = true;
    let mut changes = match client.listen(filter).await {
        Ok(changes) => changes,
        Err(CallError::Closed(_)) => return String::new(),
        Err(error) => return format!("; it tells of no changes: {error}"),
    };
    eprintln!("{} tools", client.list_tools().await.map_or(0, |tools| tools.len()));
    while let Some(notice) = changes.next().await {
        match notice {
            Notice::Notification(change) => eprintln!("{}", change.method()),
            other => eprintln!("{other:?}: changes were missed"),
        }
    }
    String::new()
}
