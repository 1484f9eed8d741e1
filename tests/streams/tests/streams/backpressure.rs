//! A client that does not read.

use crate::support::deadline::until;
use crate::support::message::{big, lines, ping, slow};
use crate::support::{Session, Streams, on_every_stream, proc};
use serde_json::Value;
use std::collections::HashMap;

on_every_stream!(
    requests_before_any_reading_are_all_answered,
    a_client_that_never_reads_is_given_up
);

const REQUESTS: usize = 10_000;

/// B1, B3, Q4: 10,000 requests are written before the first reply is read. Each is answered once, past the limit with "busy".
fn requests_before_any_reading_are_all_answered(runtime: &str, streams: Streams) {
    let mut session = Session::begin(runtime, streams, &["--max-in-flight", "8"]);
    for number in 0..REQUESTS {
        let request = if number % 10 == 0 { ping(number) } else { slow(number, 1) };
        session.peer.send(&request);
    }
    let mut replies = HashMap::new();
    for _ in 0..REQUESTS {
        let reply = session.peer.receive();
        let number = reply["id"].as_u64().unwrap() as usize;
        let outcome = match &reply["error"]["data"]["error"] {
            Value::Null if reply.get("result").is_some() => "result",
            Value::String(error) if error == "server_busy" => "busy",
            _ => panic!("{reply}"),
        };
        assert_eq!(replies.insert(number, outcome), None, "{number} is answered twice");
    }
    assert!((0..REQUESTS).step_by(10).all(|number| replies[&number] == "result"));
    let count = |outcome| replies.values().filter(|which| **which == outcome).count();
    let (results, busy) = (count("result") - REQUESTS / 10, count("busy"));
    assert!(results > 0 && busy > 0, "{results} results, {busy} busy");
    session.end();
}

/// B1, B2: a client that writes and never reads is refused, then no longer read, then given up; at no time is there more
/// memory than the limits allow.
fn a_client_that_never_reads_is_given_up(runtime: &str, streams: Streams) {
    const REPLY: usize = 100_000;
    const MAX_OUTBOUND: usize = 1_000_000;
    // The reserve, what the four requests of its share may add, and as much again for the allocator.
    const BOUND: usize = 2 * (MAX_OUTBOUND + (1 << 20) + 4 * REPLY);

    let flags = ["--max-outbound", "1000000", "--max-in-flight", "8", "--write-stall", "1000"];
    let mut session = Session::begin(runtime, streams, &flags);
    let id = session.process.id();
    let before = proc::peak_memory(id).unwrap();
    let mut peak = before;
    let requests: Vec<Value> = (0..100).map(|number| big(number, REPLY)).collect();
    let requests = lines(&requests);
    let mut at = 0;
    // The end of the process shows in `/proc`; a pipe tells it too, a terminal does not.
    while let Some(memory) = proc::peak_memory(id) {
        peak = memory;
        let written = until("the server neither reads nor ends", || {
            match session.peer.write_some(&requests.as_bytes()[at..]) {
                Ok(0) => proc::peak_memory(id).is_none().then_some(None),
                result => Some(result.ok()),
            }
        });
        let Some(written) = written else { break };
        at = (at + written) % requests.len();
    }
    session.process.wait_for_failure();
    let errors = session.process.errors();
    assert!(errors.contains("the peer stopped reading"), "{errors}");
    assert!(peak - before < BOUND, "from {before} to {peak} bytes");
    println!("{runtime}: from {before} to {peak} bytes");
}
