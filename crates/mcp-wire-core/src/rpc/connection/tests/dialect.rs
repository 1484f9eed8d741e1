//! P6: what differs between protocols is data.

use super::*;
use crate::rpc::{CancelNotification, Dialect, ProgressNotification};

/// P6: plain JSON-RPC has positional params and null ids, and no cancellation, progress or inline methods.
#[test]
fn plain_json_rpc() {
    let mut harness = Harness::sharing(&Budget::new(1), |config| {
        config.dialect = Dialect::default();
    });
    harness.receive(r#"{"jsonrpc":"2.0","id":null,"method":"m","params":[1]}"#);
    harness.receive(lines([cancel("null"), progress("1"), request("1", "ping")]));
    harness.expect(&[
        "request null m",
        "notification notifications/cancelled",
        "notification notifications/progress",
        "> error 1 -32603 server_busy",
    ]);
    harness.answer("null", "{}").unwrap();
    let call = harness.call("initialize");
    harness.expect(&["> result null {}", "> call 1 initialize"]);
    harness.connection.cancel(call, None).unwrap();
    harness.expect(&[]);
    harness.receive(response("1", "{}"));
    harness.expect(&["late 1"]);
}

/// P6: another protocol brings its own names.
#[test]
fn another_protocol() {
    let mut harness = Harness::sharing(&Budget::new(1), |config| {
        config.dialect = Dialect {
            cancel: Some(CancelNotification {
                method: "$/cancelRequest".into(),
                id: "id".into(),
                reason: "why".into(),
            }),
            inline: vec!["health".into()],
            progress: Some(ProgressNotification {
                method: "$/progress".into(),
                token: "token".into(),
            }),
            uncancelled: vec!["open".into()],
            unbatched: vec!["open".into()],
            ..Dialect::default()
        };
    });
    harness.connection.accept_batches();
    harness.receive(lines([request("1", "m"), request("2", "health")]));
    harness.expect(&["request 1 m", "request 2 health"]);
    let asked = harness.call("ask");
    let opened = harness.call("open");
    harness.written();
    harness.receive(r#"{"jsonrpc":"2.0","method":"$/progress","params":{"token":1}}"#);
    harness.receive(r#"{"jsonrpc":"2.0","method":"$/cancelRequest","params":{"id":1,"why":"x"}}"#);
    harness.receive(format!("[{}]", request("3", "open")));
    harness.connection.cancel(asked, None).unwrap();
    harness.connection.cancel(opened, None).unwrap();
    harness.expect(&[
        "progress 1",
        "cancelled 1: x",
        "> [error 3 -32600]",
        r#"> notify $/cancelRequest {"id":1}"#,
    ]);
}
