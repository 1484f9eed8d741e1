//! What is logged, and when.

use crate::support::{Wire, request};
use mcp_wire_driver::{Json, Peer, Server};
use serde_json::json;
use std::cell::RefCell;
use tracing::span::{Attributes, Id, Record};
use tracing::{Event, Level, Metadata, Subscriber};

thread_local! {
    static PEER: RefCell<Option<Peer>> = const { RefCell::new(None) };
}

/// Forwards each event to the peer, as a server may do with its log.
struct Forwards;

impl Subscriber for Forwards {
    fn enabled(&self, metadata: &Metadata<'_>) -> bool {
        *metadata.level() <= Level::WARN
    }

    fn new_span(&self, _: &Attributes<'_>) -> Id {
        Id::from_u64(1)
    }

    fn record(&self, _: &Id, _: &Record<'_>) {}

    fn record_follows_from(&self, _: &Id, _: &Id) {}

    fn event(&self, event: &Event<'_>) {
        let level = Json::from_serialize(&event.metadata().level().to_string()).expect("JSON");
        PEER.with_borrow(|peer| {
            let peer = peer.as_ref().expect("the test has set it");
            peer.try_notify("notifications/message", Some(level)).expect("there is room");
        });
    }

    fn enter(&self, _: &Id) {}

    fn exit(&self, _: &Id) {}
}

/// O3, S5: a subscriber is user code: it may use the connection whose log it takes, and the first bad line alone is a warning.
#[test]
fn a_subscriber_may_use_the_connection() {
    let wire = Wire::serve(Server::new("test", "1")).ready();
    PEER.set(Some(wire.peer.clone()));
    tracing::subscriber::with_default(Forwards, || {
        wire.input.push("junk\nmore junk\n");
        wire.send(&request(1, "ping", &json!({})));
        let messages = wire.receive();
        let logged = messages.iter().filter(|message| message["params"] == "WARN").count();
        assert_eq!((messages.len(), logged), (2, 1), "{messages:?}");
    });
}
