//! Progress, log messages and change notifications.

use crate::support::{Gate, Wire, call, notification, request, tool};
use mcp_wire_driver::{Context, Json, LogLevel, Peer, SendError, Server};
use serde_json::{Value, json};
use std::sync::{Arc, Mutex};

fn with_token(id: i64, tool: &str, token: &Value) -> Value {
    let params = json!({ "name": tool, "arguments": {}, "_meta": { "progressToken": token } });
    request(id, "tools/call", &params)
}

/// A server whose tool `steps` tells of progress that does not always rise.
fn stepping() -> Server {
    Server::new("test", "1").tool(tool("steps"), |context: Context, _: Value| async move {
        for step in [1.0, 2.0, 2.0, 1.5, f64::NAN, f64::INFINITY, 2.5] {
            context.progress(step, Some(3.0), Some("step")).expect("the request is live");
        }
        context.wants_progress().to_string()
    })
}

/// N2: progress is told under the client's token, strictly rising, and before the reply.
#[test]
fn progress_rises() {
    for token in [json!("a"), json!(7)] {
        let wire = Wire::serve(stepping()).ready();
        wire.send(&with_token(1, "steps", &token));
        let messages = wire.receive();
        let told: Vec<&Value> = messages[..messages.len() - 1]
            .iter()
            .inspect(|message| assert_eq!(message["method"], "notifications/progress"))
            .inspect(|message| assert_eq!(message["params"]["progressToken"], token))
            .map(|message| &message["params"]["progress"])
            .collect();
        assert_eq!(told, [1.0, 2.0, 2.5]);
        assert_eq!(messages[3]["result"]["content"][0]["text"], "true");
    }
}

/// N2: a client that did not ask is told nothing.
#[test]
fn progress_is_told_only_when_asked_for() {
    let wire = Wire::serve(stepping()).ready();
    wire.send(&call(1, "steps"));
    assert_eq!(wire.receive_one()["result"]["content"][0]["text"], "false");
}

/// N2: methods that are no tools have it too.
#[test]
fn any_method_can_tell_of_progress() {
    let server = Server::new("test", "1").method("test", |context: Context, _: Value| async move {
        context.progress(1.0, None, None).expect("the request is live");
        Ok(Json::empty_object())
    });
    let wire = Wire::serve(server).ready();
    wire.send(&request(1, "test", &json!({ "_meta": { "progressToken": 0 } })));
    assert_eq!(wire.receive()[0]["params"], json!({ "progressToken": 0, "progress": 1.0 }));
}

/// N2: after the reply nothing is told, and the caller learns why.
#[test]
fn progress_ends_with_the_reply() {
    let kept: Arc<Mutex<Option<Context>>> = Arc::default();
    let keep = Arc::clone(&kept);
    let server =
        Server::new("test", "1").tool_now(tool("keep"), move |context: &Context, _: Value| {
            *keep.lock().unwrap() = Some(context.clone());
            "kept"
        });
    let wire = Wire::serve(server).ready();
    wire.send(&with_token(1, "keep", &json!(1)));
    wire.receive();
    let context = kept.lock().unwrap().take().unwrap();
    assert_eq!(context.progress(1.0, None, None), Err(SendError::RequestGone));
    assert_eq!(wire.receive(), [Value::Null; 0]);
}

/// N6: log messages go out from the level that the client has set; until then all of them do.
#[test]
fn the_client_sets_the_log_level() {
    let server = Server::new("test", "1").capability("logging", Json::empty_object()).tool(
        tool("log"),
        |context: Context, _: Value| async move {
            for level in LogLevel::ALL {
                context.log(level, Some("here"), Json::null()).expect("the request is live");
            }
        },
    );
    let wire = Wire::serve(server).ready();
    let levels = |wire: &Wire| -> Vec<Value> {
        wire.send(&call(1, "log"));
        let messages = wire.receive();
        let logged = messages.iter().filter(|message| message["method"] == "notifications/message");
        logged.map(|message| message["params"]["level"].clone()).collect()
    };
    assert_eq!(levels(&wire).len(), 8);
    wire.send(&request(2, "logging/setLevel", &json!({ "level": "critical" })));
    assert_eq!(wire.receive_one()["result"], json!({}));
    assert_eq!(levels(&wire), [json!("critical"), json!("alert"), json!("emergency")]);
    wire.send(&request(3, "logging/setLevel", &json!({ "level": "loud" })));
    assert_eq!(wire.receive_one()["error"]["code"], -32602);
    assert_eq!(levels(&wire).len(), 3);
}

/// N3: before the handshake is over changes wait, each once; other notifications are refused before the reply.
#[test]
fn changes_wait_for_the_client() {
    let wire = Wire::serve(stepping().list_changed());
    let change = "notifications/tools/list_changed";
    assert_eq!(wire.peer.try_notify(change, None), Ok(()));
    assert_eq!(wire.peer.try_notify(change, None), Ok(()));
    assert_eq!(wire.peer.try_notify("other", None), Err(SendError::NotReady));
    assert_eq!(wire.receive(), [Value::Null; 0]);
    wire.initialize(&json!({}));
    assert_eq!(wire.receive_one()["method"], change);
}

/// N1: wire order is the order of emission, replies included.
#[test]
fn the_order_of_emission_is_kept() {
    let gate = Gate::default();
    let at = gate.clone();
    let server = Server::new("test", "1").tool(tool("talk"), move |context: Context, _: Value| {
        let at = at.clone();
        async move {
            context.peer().notify("first", None).await.expect("the connection is open");
            at.pass().await;
            context.peer().try_notify("second", None).expect("the connection is open");
            "third"
        }
    });
    let wire = Wire::serve(server).ready();
    wire.send(&call(1, "talk"));
    assert_eq!(wire.receive_one()["method"], "first");
    gate.open();
    let messages = wire.receive();
    assert_eq!((&messages[0]["method"], &messages[1]["id"]), (&json!("second"), &json!(1)));
}

/// Q1: notifications reach their handlers in read order; those that do not fit are ignored.
#[test]
fn notifications_reach_their_handlers() {
    let heard: Arc<Mutex<Vec<i64>>> = Arc::default();
    let hear = Arc::clone(&heard);
    let server =
        Server::new("test", "1").notification("test/count", move |peer: &Peer, [n]: [i64; 1]| {
            hear.lock().unwrap().push(n);
            peer.try_notify("test/heard", None).expect("the connection is open");
        });
    let server = server.configure(|config| {
        config.dialect.params = mcp_wire_driver::message::Params::ObjectOrArray;
    });
    let wire = Wire::serve(server).ready();
    for params in [json!([1]), json!(["x"]), json!([2])] {
        wire.send(&notification("test/count", &params));
    }
    assert_eq!(*heard.lock().unwrap(), [1, 2]);
    assert_eq!(wire.receive().len(), 2);
}
