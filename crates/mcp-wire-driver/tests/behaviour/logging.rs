//! What is logged, and when.

use crate::support::{Wire, request};
use mcp_wire_driver::{Context, Json, Peer, Server};
use serde_json::{Value, json};
use std::cell::RefCell;
use std::fmt::Debug;
use std::sync::{Arc, Mutex};
use std::time::Duration;
use tracing::field::{Field, Visit};
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

/// Keeps the texts of warnings.
#[derive(Clone, Default)]
struct Warnings(Arc<Mutex<Vec<String>>>);

impl Visit for Warnings {
    fn record_debug(&mut self, field: &Field, value: &dyn Debug) {
        if field.name() == "message" {
            self.0.lock().expect("no panic").push(format!("{value:?}"));
        }
    }
}

impl Subscriber for Warnings {
    fn enabled(&self, metadata: &Metadata<'_>) -> bool {
        *metadata.level() <= Level::WARN
    }

    fn new_span(&self, _: &Attributes<'_>) -> Id {
        Id::from_u64(1)
    }

    fn record(&self, _: &Id, _: &Record<'_>) {}

    fn record_follows_from(&self, _: &Id, _: &Id) {}

    fn event(&self, event: &Event<'_>) {
        event.record(&mut self.clone());
    }

    fn enter(&self, _: &Id) {}

    fn exit(&self, _: &Id) {}
}

/// X1, S5: work that the end of input cuts short is told of, once; what ends in its grace is not.
#[test]
fn work_that_is_cut_short_is_told_of() {
    let warnings = Warnings::default();
    tracing::subscriber::with_default(warnings.clone(), || {
        for requests in [0, 2] {
            let server = Server::new("test", "1")
                .configure(|config| config.eof_grace = Some(Duration::ZERO))
                .method("wait", async |_: Context, _: Value| {
                    std::future::pending::<Result<Json, _>>().await
                });
            let wire = Wire::serve(server).ready();
            for id in 0..requests {
                wire.send(&request(id, "wait", &json!({})));
            }
            wire.input.end();
            wire.world.run();
        }
    });
    let told = warnings.0.lock().expect("no panic").clone();
    assert_eq!(told.len(), 1, "{told:?}");
    assert!(told[0].contains("eof_grace"), "{told:?}");
}
