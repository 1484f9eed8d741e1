//! The small methods beside tools, resources and prompts.

use crate::options::{Group, Options};
use crate::report::{Failure, Report, ensure};
use crate::session::Session;
use mcp_wire_driver::{LogLevel, Notice, Notifications, Runtime};
use serde_json::{Value, json};

pub(super) async fn ping(session: &Session) -> Result<Value, Failure> {
    session.client.ping().await?;
    Ok(json!({}))
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
        report.step("logging/setLevel", log(session)).await;
    }
    if options.has(Group::Subscribe) {
        report.step("resources/subscribe", subscribe(session)).await;
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
    Ok(message)
}

async fn subscribe(session: &Session) -> Result<Value, Failure> {
    let uri = &session.resources.first().ok_or("there is no resource to subscribe to")?.uri;
    let mut notifications = session.client.notifications();
    session.client.subscribe(uri).await?;
    provoke_update(session).await?;
    let updated = next(&mut notifications, "notifications/resources/updated").await?;
    ensure(updated["uri"] == **uri, format_args!("{updated} is about {uri}"))?;
    provoke_update(session).await?;
    session.client.unsubscribe(uri).await?;
    Ok(json!({ "uri": uri }))
}

/// Some servers tell of an update by themselves. The second time undoes the first.
async fn provoke_update(session: &Session) -> Result<(), Failure> {
    if session.has_tool("toggle-subscriber-updates") {
        session.text_of("toggle-subscriber-updates", &json!({})).await?;
    } else if session.has_tool("create_entities") {
        session.text_of("create_entities", &json!({ "entities": [] })).await?;
    }
    Ok(())
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
