//! Being told of changes.

use crate::options::{Group, Options};
use crate::report::{Failure, Report, ensure};
use crate::session::Session;
use crate::wire::Wire;
use mcp_wire_driver::{Notice, Runtime, Subscription, SubscriptionFilter};
use serde_json::{Value, json};

const UPDATED: &str = "notifications/resources/updated";
const SUBSCRIPTION: &str = "io.modelcontextprotocol/subscriptionId";

pub(super) async fn run<Rt: Runtime>(
    report: &mut Report<Rt>,
    session: &Session,
    options: &Options,
) {
    if options.has(Group::Subscribe) {
        report.step("resource updates", updates(session)).await;
    }
    if options.has(Group::Changes) {
        report.step("list changes", list_changes(session)).await;
    }
}

/// N3, N4: a resource is subscribed to in the way of the era.
async fn updates(session: &Session) -> Result<Value, Failure> {
    let uri = &session.resources.first().ok_or("there is no resource to subscribe to")?.uri;
    let mut wire = Wire::watch(&session.client);
    let mut filter = SubscriptionFilter::new();
    filter.resource_subscriptions = vec![uri.clone()];
    let mut subscription = session.client.listen(filter.clone()).await?;
    ensure_honoured(&subscription, &filter)?;
    let first = if session.is_modern() { "subscriptions/listen" } else { "resources/subscribe" };
    let asked: Vec<&Value> = wire.sent(first).iter().map(|request| &request["id"]).collect();
    let [Value::Number(id)] = asked[..] else {
        return Err(format!("{asked:?} is one request {first}").into());
    };
    let id = json!(id);

    provoke_update(session, uri).await?;
    let updated = next(&mut subscription, UPDATED).await?;
    ensure(updated["uri"] == **uri, format_args!("{updated} is about {uri}"))?;
    if session.is_modern() {
        let tag = &updated["_meta"][SUBSCRIPTION];
        ensure(*tag == id, format_args!("{updated} belongs to the stream {id}"))?;
    }

    drop(subscription);
    if !session.is_modern() {
        session.client.unsubscribe(uri).await?;
    }
    let told = wire.received(UPDATED).len();
    provoke_update(session, uri).await?;
    if session.is_modern() {
        let cancelled = wire.sent("notifications/cancelled");
        let ids: Vec<&Value> = cancelled.iter().map(|it| &it["params"]["requestId"]).collect();
        ensure(ids == [&id], format_args!("{ids:?} ends the stream {id}"))?;
    }
    if session.has_tool("touch") {
        session.echo("after the update").await?;
        let more = wire.received(UPDATED).len() - told;
        ensure(more == 0, format_args!("no update comes after the end, not {more}"))?;
    }
    Ok(json!({ "uri": uri }))
}

/// Each list, and each change once.
async fn list_changes(session: &Session) -> Result<Value, Failure> {
    let mut filter = SubscriptionFilter::new();
    filter.prompts_list_changed = true;
    filter.resources_list_changed = true;
    filter.tools_list_changed = true;
    let mut subscription = session.client.listen(filter.clone()).await?;
    ensure_honoured(&subscription, &filter)?;
    for list in ["tools", "prompts", "resources"] {
        session.text_of("change_list", &json!({ "list": list })).await?;
        match subscription.next().await {
            Some(Notice::Notification(change))
                if change.method() == format!("notifications/{list}/list_changed") => {}
            other => return Err(format!("a change of {list} is told with {other:?}").into()),
        }
    }
    Ok(json!({}))
}

fn ensure_honoured(subscription: &Subscription, asked: &SubscriptionFilter) -> Result<(), Failure> {
    let honoured = subscription.honoured();
    ensure(honoured == asked, format_args!("{honoured:?} is all that was asked for"))
}

/// Some servers tell of an update by themselves. The second time undoes the first.
async fn provoke_update(session: &Session, uri: &str) -> Result<(), Failure> {
    if session.has_tool("touch") {
        session.text_of("touch", &json!({ "uri": uri })).await?;
    } else if session.has_tool("toggle-subscriber-updates") {
        session.text_of("toggle-subscriber-updates", &json!({})).await?;
    } else if session.has_tool("create_entities") {
        session.text_of("create_entities", &json!({ "entities": [] })).await?;
    }
    Ok(())
}

/// The params of the next notification with this method.
async fn next(subscription: &mut Subscription, method: &str) -> Result<Value, Failure> {
    loop {
        let notice = subscription.next().await.ok_or("the subscription ended")?;
        if let Notice::Notification(notification) = notice
            && notification.method() == method
        {
            return Ok(notification.into_params().parse()?);
        }
    }
}
