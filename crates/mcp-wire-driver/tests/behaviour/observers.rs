//! Looking on at a connection.

use crate::support::{Takes, Wire, request};
use futures_util::StreamExt;
use mcp_wire_driver::observe::{Direction, Observed};
use mcp_wire_driver::{Observer, ObserverLimits, Server};
use serde_json::json;

fn lines(observer: &mut Observer) -> Vec<(Direction, String)> {
    std::iter::from_fn(|| observer.try_next())
        .map(|observed| match observed {
            Observed::Line(direction, bytes) => {
                (direction, String::from_utf8(bytes).expect("what was sent is text"))
            }
            other => panic!("no line: {other:?}"),
        })
        .collect()
}

/// N5: an observer sees the raw messages of both directions, bad ones too.
#[test]
fn both_directions_are_seen_raw() {
    let wire = Wire::serve(Server::new("test", "1")).ready();
    let mut observer = wire.peer.observe(&ObserverLimits::default());
    wire.input.push("{ \"jsonrpc\":\"2.0\" ,\"id\":1,\"method\":\"ping\"}\r\nnonsense\n");
    wire.receive();
    assert_eq!(
        lines(&mut observer),
        [
            (Direction::Received, "{ \"jsonrpc\":\"2.0\" ,\"id\":1,\"method\":\"ping\"}".into()),
            (Direction::Received, "nonsense".into()),
            (Direction::Sent, "{\"jsonrpc\":\"2.0\",\"id\":1,\"result\":{}}".into()),
        ]
    );
}

/// N5: one that comes in the middle of a line begins with the next.
#[test]
fn an_observer_begins_with_a_whole_line() {
    let wire = Wire::serve(Server::new("test", "1")).ready();
    wire.output.takes(Takes::Bytes(5));
    wire.input.push("{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"ping\"}\n{\"jsonrpc\":\"2.0\",");
    wire.world.run();
    let mut observer = wire.peer.observe(&ObserverLimits::default());
    wire.input.push(
        "\"id\":2,\"method\":\"ping\"}\n{\"jsonrpc\":\"2.0\",\"id\":3,\"method\":\"ping\"}\n",
    );
    wire.output.takes(Takes::All);
    wire.receive();
    let seen: Vec<String> = lines(&mut observer).into_iter().map(|(_, line)| line).collect();
    assert_eq!(seen.iter().filter(|line| line.contains("method")).count(), 1, "{seen:?}");
    assert!(seen.iter().all(|line| line.starts_with('{') && line.ends_with('}')), "{seen:?}");
    assert_eq!(
        seen.last().map(String::as_str),
        Some("{\"jsonrpc\":\"2.0\",\"id\":3,\"result\":{}}")
    );
}

/// N5: a slow observer is told what it missed, and harms nothing.
#[test]
fn a_slow_observer_harms_nothing() {
    let wire = Wire::serve(Server::new("test", "1")).ready();
    let mut limits = ObserverLimits::default();
    limits.max_lines = 3;
    let mut observer = wire.peer.observe(&limits);
    for id in 0..100 {
        wire.send(&request(id, "ping", &json!({})));
    }
    assert_eq!(wire.receive().len(), 100);
    let seen: Vec<Observed> = std::iter::from_fn(|| observer.try_next()).collect();
    assert_eq!((seen.len(), seen.last()), (4, Some(&Observed::Lagged(197))));
}

/// N5: an observer that waits is woken, and told the end.
#[test]
fn an_observer_waits_for_lines_and_for_the_end() {
    let wire = Wire::serve(Server::new("test", "1")).ready();
    let observer = wire.peer.observe(&ObserverLimits::default());
    let task = wire.world.start(observer.count());
    wire.send(&request(1, "ping", &json!({})));
    assert_eq!(task.take(), None);
    wire.input.end();
    wire.world.run();
    assert_eq!(task.take(), Some(2));
}
