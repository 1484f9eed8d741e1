//! What a peer may cost.

use crate::support::{answer, call, limited, pair, receive_as_server};
use mcp_wire_rmcp::{ConfigError, Limits, SendError};
use rmcp::model::{CustomNotification, ServerJsonRpcMessage, ServerNotification};
use rmcp::service::RoleServer;
use rmcp::transport::Transport;
use serde_json::json;
use std::time::Duration;

/// Q4: past the limit requests are answered "busy", and are taken again once others are answered or cancelled.
#[tokio::test(start_paused = true)]
async fn requests_past_the_limit_are_told_so() {
    let (mut transport, mut peer) = limited(1 << 16, |limits| limits.max_in_flight = 2);
    let ping = "{\"jsonrpc\":\"2.0\",\"id\":\"ping\",\"method\":\"ping\"}\n";
    peer.write([call(1), call(2), call(3), ping.into()].concat()).await;
    for id in [json!(1), json!(2), json!("ping")] {
        assert_eq!(receive_as_server(&mut transport).await.unwrap()["id"], id);
    }
    answer(&mut transport, 1, 0).await.unwrap();
    let busy = peer.message().await;
    assert_eq!((&busy["id"], &busy["error"]["data"]["error"]), (&json!(3), &json!("server_busy")));
    assert_eq!(peer.message().await["id"], 1);

    let cancel = "{\"jsonrpc\":\"2.0\",\"method\":\"notifications/cancelled\",\"params\":{\"requestId\":2}}\n";
    peer.write([cancel.to_owned(), call(2)].concat()).await;
    assert_eq!(
        receive_as_server(&mut transport).await.unwrap()["method"],
        "notifications/cancelled"
    );
    assert_eq!(receive_as_server(&mut transport).await.unwrap()["id"], 2, "its id is free again");
}

/// Q5: the limit in bytes; one request is always taken.
#[tokio::test(start_paused = true)]
async fn requests_are_limited_in_bytes() {
    let (mut transport, mut peer) = limited(1 << 16, |limits| limits.max_in_flight_bytes = 10);
    peer.write([call(1), call(2)].concat()).await;
    peer.end().await;
    assert_eq!(receive_as_server(&mut transport).await.unwrap()["id"], 1);
    assert_eq!(receive_as_server(&mut transport).await, None);
    assert_eq!(peer.message().await["id"], 2);
}

/// I4: an id that is in use is refused, and a bad line with it is not answered in its place.
#[tokio::test(start_paused = true)]
async fn an_id_in_flight_stays_with_its_request() {
    let (mut transport, mut peer) = pair(1 << 16);
    let bad = "{\"id\":1,\"method\":\"tools/list\"}\n";
    peer.write([call(1), bad.into(), call(1), call(2)].concat()).await;
    assert_eq!(receive_as_server(&mut transport).await.unwrap()["id"], 1);
    assert_eq!(receive_as_server(&mut transport).await.unwrap()["id"], 2);
    answer(&mut transport, 1, 0).await.unwrap();
    assert_eq!(peer.message().await["error"]["code"], -32600, "one refusal");
    assert!(peer.message().await.get("result").is_some());
}

/// B1: with the output at its limit requests are refused, and past it nothing is read.
#[tokio::test(start_paused = true)]
async fn unread_output_stops_reading() {
    let (mut transport, mut peer) = limited(64, |limits| limits.max_outbound = 1000);
    drop(answer(&mut transport, 1, 2000));
    tokio::select! {
        biased;
        _ = receive_as_server(&mut transport) => panic!("a request was taken"),
        () = peer.write(call(2)) => {}
    }
    let refused = async {
        let first = peer.message().await;
        (first, peer.message().await)
    };
    tokio::select! {
        _ = receive_as_server(&mut transport) => panic!("a request was taken"),
        (first, second) = refused => {
            assert_eq!((&first["id"], &second["id"]), (&json!(1), &json!(2)));
            assert_eq!(second["error"]["data"]["error"], "server_busy");
        }
    }
    // Past the reserve not even that.
    drop(answer(&mut transport, 3, 2 << 20));
    let flood = async {
        for _ in 0..100_000 {
            peer.write(call(4)).await;
        }
    };
    // The clock only moves once nothing else does.
    let flood = tokio::time::timeout(Duration::from_secs(1), flood);
    tokio::select! {
        _ = receive_as_server(&mut transport) => panic!("a request was taken"),
        flooded = flood => assert!(flooded.is_err(), "everything was read"),
    }
}

/// F14: a reply past the limit becomes an error, anything else is refused to whoever sends it.
#[tokio::test(start_paused = true)]
async fn long_messages_are_not_sent() {
    let (mut transport, mut peer) = limited(1 << 16, |limits| limits.max_frame_out = 4096);
    answer(&mut transport, 7, 5000).await.unwrap();
    let replaced = peer.message().await;
    assert_eq!(
        (&replaced["id"], &replaced["error"]["data"]["error"], &replaced["error"]["data"]["limit"]),
        (&json!(7), &json!("reply_too_large"), &json!(4096))
    );
    let notification = ServerNotification::CustomNotification(CustomNotification::new(
        "notifications/large",
        Some(json!({ "x": "y".repeat(5000) })),
    ));
    let message = ServerJsonRpcMessage::notification(notification);
    let refused = Transport::<RoleServer>::send(&mut transport, message).await;
    assert!(matches!(refused, Err(SendError::TooLarge { size: 5000.., limit: 4096 })));
}

/// F7: a line past the limit is refused, and forgotten.
#[tokio::test(start_paused = true)]
async fn long_lines_are_not_read() {
    let (mut transport, mut peer) = limited(1 << 16, |limits| limits.max_frame = 100);
    let long = "x".repeat(100);
    peer.write(format!("{{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"{long}\"}}\n{}", call(2)))
        .await;
    peer.write(format!(
        "{{\"id\":3,\"method\":\"m\",\"params\":{{\"x\":\"{long}\"}}}}\n{}",
        call(4)
    ))
    .await;
    for id in [2, 4] {
        assert_eq!(receive_as_server(&mut transport).await.unwrap()["id"], id);
    }
    Transport::<RoleServer>::close(&mut transport).await.unwrap();
    let refused = peer.message().await;
    assert_eq!((&refused["id"], &refused["error"]["code"]), (&json!(3), &json!(-32600)));
    assert_eq!(peer.rest().await, "");
}

/// F7, F14: limits that cannot work are refused.
#[test]
fn impossible_limits_are_refused() {
    let check = |change: fn(&mut Limits)| {
        let mut limits = Limits::default();
        change(&mut limits);
        pair(1).0.with_limits(limits).map(|_| ())
    };
    assert_eq!(check(|_| {}), Ok(()));
    assert_eq!(check(|limits| limits.max_frame = 0), Err(ConfigError::Zero("max_frame")));
    assert_eq!(check(|limits| limits.max_in_flight = 0), Err(ConfigError::Zero("max_in_flight")));
    assert_eq!(check(|limits| limits.max_outbound = 0), Err(ConfigError::Zero("max_outbound")));
    assert_eq!(
        check(|limits| limits.max_frame_out = 4095),
        Err(ConfigError::FrameOutTooSmall(4095))
    );
}
