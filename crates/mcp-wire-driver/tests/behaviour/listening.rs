//! Being told of changes, in every revision.

use crate::support::pair::{discovered, host_of, server, talk, tool};
use crate::support::{ClientWire, notification, response};
use futures_util::StreamExt;
use mcp_wire_driver::{
    CallError, Change, Client, Closed, Context, Eras, NoArguments, Notice, Resource, Server,
    SubscriptionFilter,
};
use serde_json::json;
use std::time::Duration;

fn changing() -> Server {
    let server = server();
    let notifier = server.notifier();
    server
        .tool_now(tool("t"), move |_: &Context, _: NoArguments| {
            notifier.resource_updated("test://b");
            notifier.resource_updated("test://a");
        })
        .fixed_resource(Resource::new("test://a", "a"), "a")
        .fixed_resource(Resource::new("test://b", "b"), "b")
        .list_changed()
        .subscriptions()
}

fn method(notice: Option<Notice>) -> String {
    match notice {
        Some(Notice::Notification(notification)) => notification.method().to_owned(),
        other => format!("{other:?}"),
    }
}

/// N3, N4: being told of changes is asked for in one way, in every revision.
#[test]
fn a_client_listens_in_every_revision() {
    for eras in [Eras::Legacy, Eras::Modern] {
        let (world, client, server) = talk(host_of(eras), changing());
        let mut filter = SubscriptionFilter::new();
        filter.tools_list_changed = true;
        filter.resource_subscriptions = vec!["test://a".to_owned()];
        let listener = client.clone();
        let listening = world.start(async move { listener.listen(filter).await });
        world.run();
        let mut subscription = listening.take().expect("it is over").expect("it listens");
        assert!(subscription.honoured().tools_list_changed);

        server.notifier().tools_changed();
        server.notifier().prompts_changed();
        let caller = client.clone();
        let called = world.start(async move { caller.call_tool("t", &()).await });
        let heard = world.start(async move {
            let first = subscription.next().await.and_then(|notice| notice.change());
            let second = subscription.next().await.and_then(|notice| notice.change());
            (first, second, subscription)
        });
        world.run();
        assert!(called.take().expect("it is over").is_ok());
        let (first, second, mut subscription) = heard.take().expect("both came");
        assert_eq!(first, Some(Change::Tools), "{eras:?}");
        assert_eq!(second, Some(Change::Resource("test://a".to_owned())), "{eras:?}");

        // The end of the server ends it.
        server.shutdown(None);
        let ended = world.start(async move { (subscription.by_ref().count().await, subscription) });
        world.run();
        let (more, subscription) = ended.take().expect("it ends");
        assert_eq!(more, 0);
        assert_eq!(subscription.end(), None, "{eras:?}");
    }
}

/// N4: dropping a subscription ends it on the server too; one with a lost connection tells why.
#[test]
fn a_subscription_ends_when_it_is_dropped() {
    let (world, client, server) = talk(host_of(Eras::Modern), changing());
    let listen = |client: &Client| {
        let client = client.clone();
        let mut filter = SubscriptionFilter::new();
        filter.tools_list_changed = true;
        let listening = world.start(async move { client.listen(filter).await });
        world.run();
        listening.take().expect("it is over").expect("it listens")
    };
    let streams = || server.connections()[0].in_flight();
    let first = listen(&client);
    let mut second = listen(&client);
    assert_eq!(streams(), 2);
    drop(first);
    world.run();
    assert_eq!(streams(), 1);
    client.peer().close();
    let ended = world.start(async move { (method(second.next().await), second.end().cloned()) });
    world.run();
    let (last, end) = ended.take().expect("it ends");
    assert_eq!(last, "None");
    assert!(matches!(end, Some(CallError::Closed(_))));
}

/// N4: before the modern era too, a subscription that a lost connection ends tells why.
#[test]
fn a_lost_connection_ends_a_subscription() {
    let (wire, client) = ClientWire::ready(host_of(Eras::Legacy));
    let (listener, filter) = (client.clone(), SubscriptionFilter::new().tools());
    let listening = wire.start(async move { listener.listen(filter).await });
    let mut subscription = listening.take().expect("it is over").expect("it listens");
    wire.send(&notification("notifications/tools/list_changed", &json!({})));
    client.peer().close();
    let ended = wire.start(async move {
        let change = subscription.next().await.and_then(|notice| notice.change());
        (change, method(subscription.next().await), subscription.end().cloned())
    });
    let end = Some(CallError::Closed(Closed::Local));
    assert_eq!(ended.take(), Some((Some(Change::Tools), "None".to_owned(), end)));
}

/// N3: before the modern era the last one who wanted to be told of a resource unsubscribes, also where another resource
/// could not be subscribed to.
#[test]
fn a_resource_that_nobody_wants_is_unsubscribed_from() {
    let (wire, client) = ClientWire::ready(host_of(Eras::Legacy));
    let listen = |uris: &[&str]| {
        let (client, mut filter) = (client.clone(), SubscriptionFilter::new());
        filter.resource_subscriptions = uris.iter().map(ToString::to_string).collect();
        wire.start(async move { client.listen(filter).await })
    };
    let subscribed = |uri: &str| {
        let asked = wire.receive_one();
        assert_eq!(
            (&asked["method"], &asked["params"]["uri"]),
            (&json!("resources/subscribe"), &json!(uri))
        );
        asked["id"].clone()
    };
    let first = listen(&["a:1"]);
    wire.send(&response(&subscribed("a:1"), &json!({})));
    let second = listen(&["a:1", "a:2"]);
    wire.send(&response(&subscribed("a:1"), &json!({})));
    let id = subscribed("a:2");
    wire.send(&json!({ "jsonrpc": "2.0", "id": id, "error": { "code": -32602, "message": "no" } }));
    assert!(matches!(second.take(), Some(Err(CallError::Peer(_)))));
    // The first one still wants to be told of the other.
    let given_up = wire.receive_one();
    assert_eq!(
        (&given_up["method"], &given_up["params"]["uri"]),
        (&json!("resources/unsubscribe"), &json!("a:2"))
    );
    drop(first.take());
    assert_eq!(wire.receive_one()["params"]["uri"], "a:1");
}

/// N4: a server that does not begin with an acknowledgement, or refuses, is not listened to.
#[test]
fn a_subscription_begins_with_its_acknowledgement() {
    let wire = ClientWire::connect(host_of(Eras::Modern));
    let client = discovered(&wire);
    let listen = || {
        let client = client.clone();
        let listening = wire.start(async move { client.listen(SubscriptionFilter::new()).await });
        let id = wire.receive_one()["id"].clone();
        (listening, id)
    };
    let (listening, id) = listen();
    wire.send(&json!({ "jsonrpc": "2.0", "id": id, "error": { "code": -32601, "message": "no" } }));
    assert!(matches!(listening.take(), Some(Err(CallError::Peer(_)))));
    let (listening, id) = listen();
    let meta = json!({ "_meta": { "io.modelcontextprotocol/subscriptionId": id } });
    wire.send(
        &json!({ "jsonrpc": "2.0", "method": "notifications/tools/list_changed", "params": meta }),
    );
    assert!(matches!(listening.take(), Some(Err(CallError::UnexpectedResult(_)))));
    // The stream that was not wanted after all is cancelled.
    assert_eq!(wire.receive_one()["method"], "notifications/cancelled");
}

/// N4, T1: an acknowledgement of a call that opens no stream does not lift its deadline.
#[test]
fn an_acknowledgement_does_not_lift_a_deadline() {
    let wire = ClientWire::connect(host_of(Eras::Modern));
    let client = discovered(&wire);
    let call = wire.start(async move { client.call_tool("t", &json!({})).await });
    let id = wire.receive_one()["id"].clone();
    let params = json!({
        "_meta": { "io.modelcontextprotocol/subscriptionId": id }, "notifications": {},
    });
    wire.send(&json!({
        "jsonrpc": "2.0", "method": "notifications/subscriptions/acknowledged", "params": params,
    }));
    wire.world.advance(Duration::from_secs(60));
    assert_eq!(call.take(), Some(Err(CallError::TimedOut)));
}

/// N4: who listens on a connection that has ended is told why it has.
#[test]
fn nobody_listens_to_an_ended_connection() {
    let wire = ClientWire::connect(host_of(Eras::Modern));
    let client = discovered(&wire);
    client.peer().close();
    wire.world.run();
    let listening = wire.start(async move { client.listen(SubscriptionFilter::new()).await });
    let error = listening.take().expect("it is over").expect_err("nobody listens");
    assert!(matches!(error, CallError::Closed(_) | CallError::NotSent(_)), "{error:?}");
}
