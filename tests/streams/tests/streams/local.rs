//! Servers whose handlers may not leave their thread.

use crate::support::message::{call, text};
use crate::support::{Session, Streams, on_every_runtime};
use serde_json::json;

on_every_runtime!(handlers_stay_on_their_thread);

/// Such a handler answers like any other, and keeps its state from call to call.
fn handlers_stay_on_their_thread(runtime: &str) {
    let mut session = Session::begin(runtime, Streams::Pipes, &["--local"]);
    for count in ["1", "2"] {
        session.peer.send(&call(count, "count", json!({})));
        let reply = session.peer.receive();
        assert_eq!((&reply["id"], text(&reply)), (&count.into(), count));
    }
    session.end();
}
