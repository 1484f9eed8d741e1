//! Our client on tokio's current thread, with what it takes of its own process:
//! `call-tokio [--depth N] [--requests N] [--size N] -- COMMAND`.

use std::process::ExitCode;

#[cfg(target_os = "linux")]
fn main() -> ExitCode {
    match meter::Calls::from_arguments(std::env::args().skip(1)) {
        Ok(calls) => meter::report(linux::call(calls)),
        Err(message) => ours::refuse(&message),
    }
}

#[cfg(not(target_os = "linux"))]
fn main() -> ExitCode {
    ours::refuse("call-tokio reads its own clocks, so run it on Linux")
}

#[cfg(target_os = "linux")]
mod linux {
    use mcp_wire_tokio::{Client, Eras, Host, ServerCommand, Stderr, connect_command};
    use meter::{Calls, Progress};
    use serde_json::{Value, json};
    use std::error::Error;
    use std::sync::Arc;
    use tokio::task::JoinSet;

    #[tokio::main(flavor = "current_thread")]
    pub(crate) async fn call(calls: Calls) -> Result<Value, Box<dyn Error + Send + Sync>> {
        // The handshake that every server knows.
        let host = Host::new("call-tokio", env!("CARGO_PKG_VERSION")).eras(Eras::Legacy);
        let command = ServerCommand::new(calls.command()).stderr(Stderr::Null);
        let client = connect_command(host, command).await?;
        let calls = Arc::new(calls);
        let progress = Arc::new(calls.begin());
        let mut callers = JoinSet::new();
        for _ in 0..calls.depth {
            callers.spawn(call_on(client.clone(), calls.clone(), progress.clone()));
        }
        while let Some(outcome) = callers.join_next().await {
            outcome??;
        }
        let figures = progress.figures();
        client.close().await;
        Ok(figures)
    }

    /// Makes one call after the other, as long as there are any.
    async fn call_on(
        client: Client,
        calls: Arc<Calls>,
        progress: Arc<Progress>,
    ) -> Result<(), Box<dyn Error + Send + Sync>> {
        while let Some(number) = progress.next_call() {
            let message = calls.message(number);
            let answer = client.call_tool("echo", &json!({ "message": message })).await?;
            if answer.is_error() || answer.as_text() != message {
                return Err(format!("call {number} was answered with {answer:?}").into());
            }
        }
        Ok(())
    }
}
