//! The small methods beside tools, resources and prompts.

use crate::options::{Group, Options};
use crate::report::{Failure, Report, ensure};
use crate::session::Session;
use crate::wire::Wire;
use mcp_wire_driver::{LogLevel, Notice, Notifications, Runtime};
use serde_json::{Value, json};

const LEVEL: &str = "io.modelcontextprotocol/logLevel";

/// The modern era has no `ping`.
pub(super) async fn ping(session: &Session) -> Result<Value, Failure> {
    let mut wire = Wire::watch(&session.client);
    session.client.ping().await?;
    let method = if session.is_modern() { "server/discover" } else { "ping" };
    let asked = wire.sent(method).len();
    ensure(asked == 1, format_args!("{method} is asked once, not {asked} times"))?;
    Ok(json!({ "method": method }))
}

pub(super) async fn run<Rt: Runtime>(
    report: &mut Report<Rt>,
    session: &Session,
    options: &Options,
) {
    if options.has(Group::Completion) {
        report.step("completion/complete", complete(session)).await;
    }
    if options.has(Group::Logging) {
        report.step("logging", log(session)).await;
    }
}

async fn complete(session: &Session) -> Result<Value, Failure> {
    session.ensure_declares("completions")?;
    let completable = session.prompts.iter().rfind(|prompt| !prompt.arguments.is_empty());
    let prompt = completable.ok_or("there is no argument to complete")?;
    let reference = json!({ "type": "ref/prompt", "name": prompt.name });
    let completion = session.client.complete(&reference, &prompt.arguments[0].name, "").await?;
    ensure(!completion.values.is_empty(), "there are values")?;
    Ok(json!({ "prompt": prompt.name, "values": completion.values }))
}

async fn log(session: &Session) -> Result<Value, Failure> {
    session.ensure_declares("logging")?;
    let mut wire = Wire::watch(&session.client);
    let mut notifications = session.client.notifications();
    session.client.set_log_level(LogLevel::Debug).await?;
    if session.has_tool("log") {
        session.text_of("log", &json!({ "level": "notice", "text": "hello" })).await?;
    } else {
        // It goes on for ever, so that this server has to be told to end.
        session.text_of("toggle-simulated-logging", &json!({})).await?;
    }
    let message = next(&mut notifications, "notifications/message").await?;
    ensure(message["level"].is_string(), format_args!("{message} has a level"))?;

    // The level is told once and for all, or with each request.
    let set = wire.sent("logging/setLevel").len();
    let told = wire.sent("tools/call");
    let told = &told.first().ok_or("the call was not seen on the wire")?["params"]["_meta"][LEVEL];
    let (expected, level) =
        if session.is_modern() { (0, json!(LogLevel::Debug.as_str())) } else { (1, Value::Null) };
    let is_told = set == expected && *told == level;
    ensure(is_told, format_args!("the level is set {expected} times, and told as {level}"))?;
    Ok(message)
}

/// The params of the next notification with this method.
async fn next(notifications: &mut Notifications, method: &str) -> Result<Value, Failure> {
    loop {
        let notice = notifications.next().await.ok_or("the connection ended")?;
        if let Notice::Notification(notification) = notice
            && notification.method() == method
        {
            return Ok(notification.into_params().parse()?);
        }
    }
}
