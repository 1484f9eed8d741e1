//! Revision 2026-07-28, from a client to a server and back, in memory.

use crate::support::World;
use crate::support::pair::{host_of, server, talk, tool};
use mcp_wire_driver::{
    CallError, CallOptions, Client, Context, Eras, ErrorObject, Json, LogLevel, NoArguments,
    Notice, OnProgress, Revision, SendError,
};
use serde_json::json;
use std::sync::Arc;

/// P3, P4: by default both sides speak the latest revision; each can be pinned to an era.
#[test]
fn the_latest_revision_is_found() {
    for (client, served, revision) in [
        (Eras::Both, Eras::Both, Revision::V2026_07_28),
        (Eras::Modern, Eras::Both, Revision::V2026_07_28),
        (Eras::Legacy, Eras::Both, Revision::V2025_11_25),
        (Eras::Both, Eras::Legacy, Revision::V2025_11_25),
        (Eras::Both, Eras::Modern, Revision::V2026_07_28),
    ] {
        let (_world, client, _server) = talk(host_of(client), server().eras(served));
        assert_eq!(client.server_info().revision, revision);
        assert_eq!(
            client.server_info().implementation.as_ref().map(|it| it.name.as_str()),
            Some("test")
        );
    }
    for (client, served) in [(Eras::Modern, Eras::Legacy), (Eras::Legacy, Eras::Modern)] {
        let world = World::default();
        let runtime = world.runtime.clone();
        let server = Arc::new(server().eras(served));
        let connecting = world.start(Client::connect_server(runtime, host_of(client), server));
        world.run();
        assert!(connecting.take().expect("it is over").is_err());
    }
}

/// N6: since the modern era each request asks for log messages; before, the connection does.
#[test]
fn logs_are_asked_for_in_every_revision() {
    for eras in [Eras::Legacy, Eras::Modern] {
        let logging = server().capability("logging", Json::empty_object()).tool(
            tool("t"),
            async |context: Context, _: NoArguments| {
                for level in [LogLevel::Info, LogLevel::Error] {
                    context.log(level, None, Json::null()).unwrap();
                }
            },
        );
        let (world, client, _server) = talk(host_of(eras), logging);
        let mut notifications = client.notifications();
        let done = world.start(async move {
            client.set_log_level(LogLevel::Warning).await.unwrap();
            client.call_tool("t", &json!({})).await.unwrap();
            client.close().await
        });
        world.run();
        done.take().expect("it is over");
        let heard = world.start(async move {
            let first = notifications.next().await;
            (first, notifications.next().await)
        });
        world.run();
        let (first, second) = heard.take().expect("it is over");
        let Some(Notice::Notification(message)) = first else { panic!("{eras:?}: nothing") };
        assert!(message.params().unwrap().contains("error"));
        assert_eq!(second, None);
    }
}

/// P2: progress, pings and what is gone, in the modern era.
#[test]
fn small_things_work_in_the_modern_era() {
    let telling = server().tool(tool("t"), async |context: Context, _: NoArguments| {
        context.progress(1.0, Some(2.0), None).unwrap();
        assert_eq!(context.client().map(|client| client.name), Some("test".to_owned()));
        assert!(context.require("sampling").is_err() && context.require("roots").is_ok());
        format!("{:?}", context.revision())
    });
    let (world, client, _server) = talk(host_of(Eras::Modern).roots([]), telling);
    let done = world.start(async move {
        client.ping().await.unwrap();
        let refused = client.request("ping", None, CallOptions::default()).await;
        assert_eq!(refused, Err(CallError::NotSent(SendError::NotInRevision("ping".to_owned()))));
        let options = CallOptions::default().with_progress(OnProgress::Report);
        let mut call = client.start_tool("t", &json!({}), options);
        let progress = call.progress().await.map(|progress| progress.progress);
        (progress, call.await.unwrap().to_string())
    });
    world.run();
    let (progress, result) = done.take().expect("it is over");
    assert_eq!(progress, Some(1.0));
    assert!(result.contains("V2026_07_28") && result.contains("complete"), "{result}");
}

/// Q6, P2: what goes wrong in a handler has the form of the request's revision.
#[test]
fn a_lost_request_is_answered_in_its_revision() {
    let panics = server().tool(tool("t"), async |_: Context, _: NoArguments| -> String {
        std::panic::panic_any(())
    });
    let (world, client, _server) = talk(host_of(Eras::Modern), panics);
    let call = world.start(async move { client.call_tool("t", &json!({})).await });
    world.run();
    let Some(Err(CallError::Peer(error))) = call.take() else { panic!("no error") };
    assert_eq!(error, ErrorObject::internal());
}
