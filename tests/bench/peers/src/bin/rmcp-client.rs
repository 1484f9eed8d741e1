//! rmcp's client on tokio's current thread, with what it takes of its own process:
//! `rmcp-client [--depth N] [--requests N] [--size N] -- COMMAND`.

use meter::{Calls, Progress};
use rmcp::model::CallToolRequestParams;
use rmcp::service::{Peer, RoleClient};
use rmcp::transport::TokioChildProcess;
use rmcp::{ServiceExt, object};
use serde_json::Value;
use std::error::Error;
use std::process::{ExitCode, Stdio};
use std::sync::Arc;
use tokio::process::Command;
use tokio::task::JoinSet;

fn main() -> ExitCode {
    let calls = Calls::from_arguments(std::env::args().skip(1)).map_err(Into::into);
    meter::report(calls.and_then(call))
}

#[tokio::main(flavor = "current_thread")]
async fn call(calls: Calls) -> Result<Value, Box<dyn Error + Send + Sync>> {
    let command = Command::from(calls.command());
    let (child, _) = TokioChildProcess::builder(command).stderr(Stdio::null()).spawn()?;
    let client = ().serve(child).await?;
    let calls = Arc::new(calls);
    let progress = Arc::new(calls.begin());
    let mut callers = JoinSet::new();
    for _ in 0..calls.depth {
        callers.spawn(call_on(client.peer().clone(), calls.clone(), progress.clone()));
    }
    while let Some(outcome) = callers.join_next().await {
        outcome??;
    }
    let figures = progress.figures();
    client.cancel().await?;
    Ok(figures)
}

/// Makes one call after the other, as long as there are any.
async fn call_on(
    peer: Peer<RoleClient>,
    calls: Arc<Calls>,
    progress: Arc<Progress>,
) -> Result<(), Box<dyn Error + Send + Sync>> {
    while let Some(number) = progress.next_call() {
        let message = calls.message(number);
        let arguments = object!({ "message": message.clone() });
        let params = CallToolRequestParams::new("echo").with_arguments(arguments);
        let answer = peer.call_tool(params).await?;
        let text = answer.content.first().and_then(|block| block.as_text());
        if answer.is_error == Some(true) || text.is_none_or(|text| text.text != message) {
            return Err(format!("call {number} was answered with {answer:?}").into());
        }
    }
    Ok(())
}
