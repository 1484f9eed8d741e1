//! The echo tool: payloads that a careless framing would break, a large one, and many at once.

use crate::report::{Failure, Report, ensure};
use crate::session::{Session, ensure_echoes, succeeded};
use mcp_wire_driver::{Call, CallOptions, Runtime, ToolResult};
use serde_json::{Value, json};

const BIG: usize = 1_000_000;

const HARD_TO_FRAME: [&str; 8] = [
    "",
    "a\nb\r\nc",
    "\u{2028}\u{2029}\u{85}\u{feff}",
    "\u{0}\u{1}\u{1f}\u{7f}",
    "h\u{e9}llo \u{4f60}\u{597d} \u{1f468}\u{200d}\u{1f469}\u{200d}\u{1f467}",
    "\"\\/\u{8}\u{c}\t \\u0000",
    r#"{"jsonrpc":"2.0","id":1,"result":{}}"#,
    "Content-Length: 3\r\n\r\n{}",
];

pub(super) async fn run<Rt: Runtime>(report: &mut Report<Rt>, session: &Session, calls: usize) {
    report.step("echo", one(session)).await;
    report.step("echo framing", framing(session)).await;
    report.step("echo big", big(session)).await;
    report.step("echo concurrent", concurrent(session, calls)).await;
}

async fn one(session: &Session) -> Result<Value, Failure> {
    Ok(json!({ "text": session.echo("hello").await? }))
}

async fn framing(session: &Session) -> Result<Value, Failure> {
    for message in HARD_TO_FRAME {
        session.echo(message).await?;
    }
    Ok(json!({ "messages": HARD_TO_FRAME.len() }))
}

async fn big(session: &Session) -> Result<Value, Failure> {
    session.echo(&"x".repeat(BIG)).await?;
    Ok(json!({ "bytes": BIG }))
}

/// All are sent before the first answer is awaited.
async fn concurrent(session: &Session, count: usize) -> Result<Value, Failure> {
    let messages: Vec<String> =
        (0..count).map(|i| format!("call {i} {} end", "y".repeat(i % 97))).collect();
    let start = |message: &String| -> Call {
        let arguments = json!({ "message": message });
        session.client.start_tool("echo", &arguments, CallOptions::default())
    };
    let calls: Vec<Call> = messages.iter().map(start).collect();
    for (call, message) in calls.into_iter().zip(&messages) {
        let result: ToolResult = call.await?.parse()?;
        succeeded("echo", &result)?;
        ensure_echoes(&result.as_text(), message)?;
    }
    ensure(count > 0, "there were calls")?;
    Ok(json!({ "calls": count }))
}
