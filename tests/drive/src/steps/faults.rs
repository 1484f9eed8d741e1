//! A server that misbehaves.

use super::Connect;
use crate::report::{Failure, ensure};
use crate::session::Session;
use mcp_wire_driver::{CallError, CallOptions, Closed, Era, Host, SendError, SubscriptionFilter};
use serde_json::{Value, json};
use std::sync::Arc;

/// A code that nothing else exits with.
const EXIT_CODE: i32 = 7;

/// A line that is no message costs nothing but that line.
pub(super) async fn garbage(session: &Session) -> Result<Value, Failure> {
    session.text_of("garbage", &json!({})).await?;
    session.echo("after the garbage").await?;
    Ok(json!({}))
}

/// The exit of the server is what every call ends with, and the session.
pub(super) async fn die(connect: &impl Connect, host: &Arc<Host>) -> Result<Value, Failure> {
    let client = connect(host.clone()).await?;
    let mut filter = SubscriptionFilter::new();
    filter.tools_list_changed = true;
    let mut subscription = client.listen(filter).await?;
    let slow = json!({ "ms": 60_000, "steps": 1 });
    let slow = client.start_tool("slow", &slow, CallOptions::default());
    let die = client.start_tool("die", &json!({ "code": EXIT_CODE }), CallOptions::default());
    for call in [die, slow] {
        match call.await {
            Err(CallError::Closed(cause)) => ensure_exited(&cause)?,
            other => return Err(format!("the call ended with {other:?}").into()),
        }
    }
    let end = client.wait_closed().await;
    ensure_exited(&end.cause)?;
    while subscription.next().await.is_some() {}
    if client.server_info().revision.era() == Era::Modern {
        let lost = subscription.end();
        let is_lost = matches!(lost, Some(CallError::Closed(_)));
        ensure(is_lost, format_args!("{lost:?} is a stream that was lost"))?;
    }
    let late = client.ping().await;
    let refused = matches!(late, Err(CallError::NotSent(SendError::Closed) | CallError::Closed(_)));
    ensure(refused, format_args!("{late:?} is a closed connection"))?;
    Ok(json!({ "end": end.to_string() }))
}

fn ensure_exited(cause: &Closed) -> Result<(), Failure> {
    let code = match cause {
        Closed::Exited(exit) => exit.status.code(),
        _ => None,
    };
    ensure(code == Some(EXIT_CODE), format_args!("{cause:?} is an exit with {EXIT_CODE}"))
}
