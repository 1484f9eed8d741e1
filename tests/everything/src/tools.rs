//! Tools that need nobody else.

use mcp_wire_driver::{Context, HandlerError, Json, LogLevel, NoArguments, Runtime, Server, Tool};
use serde::Deserialize;
use serde_json::json;
use std::time::Duration;

#[derive(Deserialize)]
struct Echo {
    message: String,
}

#[derive(Deserialize)]
struct Add {
    a: f64,
    b: f64,
}

#[derive(Deserialize)]
struct Slow {
    ms: u64,
    steps: u32,
}

#[derive(Deserialize)]
struct Big {
    bytes: usize,
}

#[derive(Deserialize)]
struct Log {
    level: String,
    text: String,
}

pub(crate) fn add<Rt: Runtime>(server: Server, runtime: Rt) -> Server {
    let message = object(json!({ "message": { "type": "string" } }));
    server
        .tool_now(
            Tool::new("echo", "Gives back a message", message.clone()),
            |_: &Context, echo: Echo| echo.message,
        )
        .tool(
            Tool::new("echo_task", "Gives back a message, from a task", message),
            async |_: Context, echo: Echo| echo.message,
        )
        .tool(
            Tool::new(
                "add",
                "Adds two numbers",
                object(json!({ "a": { "type": "number" }, "b": { "type": "number" } })),
            ),
            async |_: Context, Add { a, b }| (a + b).to_string(),
        )
        .tool(
            Tool::new(
                "slow",
                "Takes so many milliseconds, in so many steps, and tells of each",
                object(json!({
                    "ms": { "type": "integer", "minimum": 0 },
                    "steps": { "type": "integer", "minimum": 1 },
                })),
            ),
            move |context: Context, slow: Slow| run_slowly(runtime.clone(), context, slow),
        )
        .tool(
            Tool::new(
                "big",
                "Gives a text of so many bytes",
                object(json!({ "bytes": { "type": "integer", "minimum": 0 } })),
            ),
            async |_: Context, big: Big| "x".repeat(big.bytes),
        )
        .tool(Tool::new("boom", "Panics", object(json!({}))), |_: Context, _: NoArguments| {
            explode()
        })
        .tool(
            Tool::new(
                "log",
                "Sends a log message",
                object(json!({ "level": { "type": "string" }, "text": { "type": "string" } })),
            ),
            log,
        )
        .tool(
            Tool::new("stray_print", "Prints to standard output", object(json!({}))),
            async |_: Context, _: NoArguments| {
                stray_print();
                "printed"
            },
        )
}

/// The schema of an object all of whose members are required.
pub(crate) fn object(properties: serde_json::Value) -> serde_json::Value {
    let required: Vec<String> =
        properties.as_object().map(|members| members.keys().cloned().collect()).unwrap_or_default();
    json!({ "type": "object", "properties": properties, "required": required })
}

async fn run_slowly<Rt: Runtime>(
    runtime: Rt,
    context: Context,
    slow: Slow,
) -> Result<String, HandlerError> {
    let steps = slow.steps.max(1);
    let start = Rt::now();
    let whole = Duration::from_millis(slow.ms);
    for step in 1..=steps {
        runtime.sleep_until(start + whole * step / steps).await;
        let message = format!("step {step} of {steps}");
        context.progress(step.into(), Some(steps.into()), Some(&message))?;
    }
    Ok(format!("{steps} steps in {} ms", slow.ms))
}

async fn explode() -> String {
    panic!("boom, as asked")
}

async fn log(context: Context, log: Log) -> Result<&'static str, HandlerError> {
    let level: LogLevel = log.level.parse()?;
    context.log(level, Some("everything"), Json::from_serialize(&log.text)?)?;
    Ok("logged")
}

#[allow(clippy::print_stdout, reason = "to show that it does no harm")]
fn stray_print() {
    println!("a stray line on standard output");
}
