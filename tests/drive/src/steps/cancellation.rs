//! A slow tool: its progress, its cancellation, its time-out.

use crate::report::{Failure, Report, ensure};
use crate::session::{Session, succeeded};
use crate::wire::Wire;
use mcp_wire_driver::{Call, CallError, CallOptions, OnProgress, Runtime, ToolResult};
use serde_json::{Value, json};
use std::time::Duration;

const STEPS: usize = 5;
const REASON: &str = "the driver cancels";

pub(super) async fn run<Rt: Runtime>(report: &mut Report<Rt>, session: &Session) {
    report.step("progress", progress(session)).await;
    report.step("cancel by drop", drop_call(session)).await;
    report.step("cancel with a reason", cancel(session)).await;
    report.step("timeout", time_out(session)).await;
}

async fn progress(session: &Session) -> Result<Value, Failure> {
    let told = tell_progress(slow(session, 500, with_progress())?).await?;
    Ok(json!({ "progress": told }))
}

/// The first progress shows that the call is running by then.
async fn drop_call(session: &Session) -> Result<Value, Failure> {
    let mut wire = Wire::watch(&session.client);
    let mut call = slow(session, 1000, with_progress())?;
    call.progress().await.ok_or("the call ended without progress")?;
    drop(call);
    is_cancelled_once(session, &mut wire, None).await
}

async fn cancel(session: &Session) -> Result<Value, Failure> {
    let mut wire = Wire::watch(&session.client);
    let mut call = slow(session, 1000, with_progress())?;
    call.progress().await.ok_or("the call ended without progress")?;
    call.canceller().cancel(Some(REASON));
    let outcome = call.await;
    ensure(outcome == Err(CallError::Cancelled), format_args!("{outcome:?} is a cancellation"))?;
    is_cancelled_once(session, &mut wire, Some(REASON)).await
}

async fn time_out(session: &Session) -> Result<Value, Failure> {
    let mut wire = Wire::watch(&session.client);
    let mut options = CallOptions::default();
    options.timeout = Some(Duration::from_millis(200));
    let outcome = slow(session, 1000, options)?.await;
    ensure(outcome == Err(CallError::TimedOut), format_args!("{outcome:?} is a time-out"))?;
    let cancelled = &is_cancelled_once(session, &mut wire, None).await?;
    Ok(cancelled.clone())
}

/// The server was told once, and the connection lives on: another slow call, which ends after the first would have, has its
/// own progress and its own result, whatever the server still writes for the first one.
async fn is_cancelled_once(
    session: &Session,
    wire: &mut Wire,
    reason: Option<&str>,
) -> Result<Value, Failure> {
    session.echo("after the cancellation").await?;
    tell_progress(slow(session, 1000, with_progress())?).await?;

    let id = wire.sent("tools/call").first().map(|request| request["id"].clone());
    let id = id.ok_or("the call was not seen on the wire")?;
    let cancelled = wire.sent("notifications/cancelled");
    let ids: Vec<&Value> = cancelled.iter().map(|it| &it["params"]["requestId"]).collect();
    ensure(ids == [&id], format_args!("{ids:?} is one cancellation, of {id}"))?;
    if let Some(reason) = reason {
        let told = &cancelled[0]["params"]["reason"];
        ensure(told == reason, format_args!("{told} is the reason {reason:?}"))?;
    }
    Ok(json!({ "answered all the same": wire.answer_to(&id).is_some() }))
}

/// All progress of a call that has to succeed: it rises.
async fn tell_progress(mut call: Call) -> Result<Vec<f64>, Failure> {
    let mut told: Vec<f64> = Vec::new();
    while let Some(progress) = call.progress().await {
        told.push(progress.progress);
    }
    let result: ToolResult = call.await?.parse()?;
    succeeded("the slow tool", &result)?;
    ensure(told.is_sorted_by(|before, after| before < after), format_args!("{told:?} rises"))?;
    ensure(told.len() == STEPS, format_args!("{told:?} has {STEPS} steps"))?;
    Ok(told)
}

fn with_progress() -> CallOptions {
    let mut options = CallOptions::default();
    options.on_progress = OnProgress::Report;
    options
}

/// Starts the slow tool, by whichever name the server gives it.
fn slow(session: &Session, milliseconds: u32, options: CallOptions) -> Result<Call, Failure> {
    let (name, arguments) = if session.has_tool("slow") {
        ("slow", json!({ "ms": milliseconds, "steps": STEPS }))
    } else {
        let seconds = f64::from(milliseconds) / 1000.0;
        ("trigger-long-running-operation", json!({ "duration": seconds, "steps": STEPS }))
    };
    ensure(session.has_tool(name), format_args!("there is a tool {name}"))?;
    Ok(session.client.start_tool(name, &arguments, options))
}
