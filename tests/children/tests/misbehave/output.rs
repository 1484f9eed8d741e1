//! What it writes besides answers, and how.

use crate::process::Process;
use serde_json::Value;

#[test]
fn prints_banner() {
    let mut process = Process::spawn(&["prints-banner"]);
    process.initialize();
    let mut lines = Vec::new();
    while lines.last().is_none_or(|line: &String| !line.contains("jsonrpc")) {
        lines.push(process.line());
    }
    let answer: Value = serde_json::from_str(&lines.pop().unwrap()).unwrap();
    assert_eq!(answer["id"], 0);
    assert_eq!(lines.len(), 7);
    assert_eq!(lines[6], r#"{"level":"info","id":1}"#);
}

#[test]
fn floods_junk() {
    let mut process = Process::spawn(&["floods-junk"]);
    process.initialize();
    for _ in 0..10_000 {
        assert!(["junk", ""].contains(&process.line().as_str()));
    }
}

#[test]
fn floods_stderr() {
    const FLOOD: usize = 4 << 20;

    let mut process = Process::spawn(&["floods-stderr"]);
    process.initialize();
    let flood = process.errors(FLOOD);
    assert!(flood.ends_with(b"...\n"));
    assert_eq!(process.receive()["id"], 0);
    process.call(1);
    process.errors(FLOOD);
    assert_eq!(process.receive()["id"], 1);
}

#[test]
fn one_byte_at_a_time() {
    let mut process = Process::ready(&["one-byte-at-a-time"]);
    process.call(1);
    assert_eq!(process.receive()["id"], 1);
}
