//! Changes that a server tells of.

use super::*;
use crate::mcp::server_session::changes::{MAX_WAITING, MAX_WAITING_BYTES};
use std::collections::HashMap;

pub(super) const UNDECLARED: &str =
    "Irregular(\"a change that the server did not declare to tell of is told to nobody\")";

/// N3: before the reply only replies are written; change notifications wait for `initialized`, merged, in order.
#[test]
fn change_notifications_wait_and_merge() {
    let updated = |harness: &mut Harness, uri: &str| {
        let params = Json::new(format!(r#"{{"uri":"{uri}"}}"#)).unwrap();
        let method = "notifications/resources/updated";
        harness.session.notify(&mut harness.connection, method, Some(params))
    };
    let mut harness = Harness::new();
    for _ in 0..3 {
        assert_eq!(harness.notify("notifications/tools/list_changed"), Ok(()));
        assert_eq!(updated(&mut harness, "a"), Ok(()));
    }
    assert_eq!(harness.notify("notifications/message"), Err(SendError::NotReady));
    assert_eq!(harness.written(), [""; 0]);
    harness.check(&initialize("2025-06-18", "{}"), &[&initialized_as("2025-06-18")]);
    assert_eq!(updated(&mut harness, "b"), Ok(()));
    assert_eq!(harness.notify("notifications/tools/list_changed"), Ok(()));
    assert_eq!(harness.written(), [""; 0]);
    assert_eq!(harness.notify("notifications/message"), Ok(()));
    assert_eq!(harness.written(), [r#"{"jsonrpc":"2.0","method":"notifications/message"}"#]);
    harness.receive(INITIALIZED);
    let merged = [
        r#"{"jsonrpc":"2.0","method":"notifications/tools/list_changed"}"#,
        r#"{"jsonrpc":"2.0","method":"notifications/resources/updated","params":{"uri":"a"}}"#,
        r#"{"jsonrpc":"2.0","method":"notifications/resources/updated","params":{"uri":"b"}}"#,
    ];
    assert_eq!(harness.written(), merged);
    harness.receive(INITIALIZED);
    assert_eq!(harness.written(), [""; 0], "a second one changes nothing");
    assert_eq!(updated(&mut harness, "a"), Ok(()));
    assert_eq!(harness.written(), [merged[1]]);
}

/// N3: what waits is bounded.
#[test]
fn waiting_change_notifications_are_bounded() {
    let mut harness = Harness::new();
    for n in 0..MAX_WAITING {
        assert_eq!(harness.notify(&format!("{n}/list_changed")), Ok(()));
    }
    assert_eq!(harness.notify("more/list_changed"), Err(SendError::Full));
    assert_eq!(harness.notify("0/list_changed"), Ok(()), "this one waits already");
}

/// N1, N3: while the client reads too slowly, change notifications wait, merged; others are refused.
#[test]
fn change_notifications_wait_for_room() {
    let mut harness = Harness::new();
    let config = Config { dialect: crate::mcp::dialect(), max_outbound: 1, ..Config::default() };
    harness.connection = Connection::new(config, Budget::default()).unwrap();
    harness.receive(&initialize("2025-06-18", "{}"));
    harness.receive(INITIALIZED);
    assert!(!harness.connection.has_room());
    for _ in 0..3 {
        assert_eq!(harness.notify("notifications/tools/list_changed"), Ok(()));
        assert_eq!(harness.notify("notifications/prompts/list_changed"), Ok(()));
    }
    assert_eq!(harness.notify("notifications/message"), Err(SendError::Full));
    let tools = r#"{"jsonrpc":"2.0","method":"notifications/tools/list_changed"}"#;
    let prompts = r#"{"jsonrpc":"2.0","method":"notifications/prompts/list_changed"}"#;
    assert_eq!(harness.written().len(), 1, "the reply");
    harness.session.send_changes(&mut harness.connection);
    assert_eq!(harness.written(), [tools], "one at a time, since one fills the output");
    harness.session.send_changes(&mut harness.connection);
    assert_eq!(harness.written(), [prompts]);
    harness.session.send_changes(&mut harness.connection);
    assert_eq!(harness.written(), [""; 0]);
    harness.connection.close();
    assert_eq!(harness.notify("notifications/tools/list_changed"), Err(SendError::Closed));
}

/// N3: what is not declared is told to nobody, and the one who tells it learns of that from the log.
#[test]
fn undeclared_changes_are_told_to_nobody() {
    let mut harness =
        Harness::with_capabilities(r#"{"tools":{"listChanged":false},"resources":{}}"#);
    harness.receive(&initialize("2025-06-18", "{}"));
    harness.receive(INITIALIZED);
    harness.written();
    for change in ["tools/list_changed", "resources/list_changed", "resources/updated"] {
        assert_eq!(harness.notify(&format!("notifications/{change}")), Ok(()));
        assert_eq!((harness.written(), harness.events()), (vec![], vec![UNDECLARED.to_owned()]));
    }
}

/// F14, N1: a change that is too large for a line is refused to whoever sends it, to the byte.
#[test]
fn a_change_that_is_too_large_is_refused() {
    let mut harness = Harness::ready("2025-06-18", "{}");
    let limit = harness.connection.config().max_frame_out;
    let around =
        r#"{"jsonrpc":"2.0","method":"notifications/resources/updated","params":{"uri":""}}"#.len();
    for (length, fits) in [(limit - around, true), (limit - around + 1, false)] {
        let params = Json::from_serialize(&HashMap::from([("uri", "x".repeat(length))])).unwrap();
        let method = "notifications/resources/updated";
        let told = harness.session.notify(&mut harness.connection, method, Some(params));
        assert_eq!((told.is_ok(), harness.written().len()), (fits, usize::from(fits)));
    }
}

/// N3: changes that wait are bounded in bytes too.
#[test]
fn waiting_changes_are_bounded_in_bytes() {
    let mut harness = Harness::new();
    let mut told = Ok(());
    let mut bytes = 0;
    for number in 0..100 {
        let text = format!("{number}{}", "x".repeat(1_000_000));
        let params = Json::from_serialize(&HashMap::from([("uri", &text)])).unwrap();
        let method = "notifications/resources/updated";
        told = harness.session.notify(&mut harness.connection, method, Some(params));
        if told.is_err() {
            break;
        }
        bytes += text.len();
    }
    assert_eq!(told, Err(SendError::Full));
    assert!(bytes <= MAX_WAITING_BYTES);
}
