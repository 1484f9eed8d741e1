//! Counts of instructions on record. They say the same on a busy machine as on a quiet one, so that continuous integration can
//! hold them.

use super::callgrind::{self, instructions_per_request};
use super::in_process::Setting;
use super::table::count;
use super::tools::drive;
use crate::failure::Failure;
use crate::workspace;
use serde_json::{Map, Value};
use std::fs;
use std::path::PathBuf;

/// How much a count may rise.
const TOLERANCE: f64 = 1.1;

/// What is counted: a name, the measurement, the shape of messages, and how many.
const COUNTS: &[(&str, &str, &str, usize)] = &[
    ("read a small message", "read", "small", 2000),
    ("read a medium message", "read", "medium", 300),
    ("read a large message", "read", "large", 4),
    ("serve a small message", "serve", "small", 2000),
    ("serve a small message with MCP's session", "serve-mcp", "small", 2000),
    ("answer a small message", "answer", "small", 2000),
];

const SERVER: &str = "an echo of a whole server on tokio";
const SERVER_TASK: &str = "the same from a task";

/// Fails where a count has risen by more than a tenth.
pub(crate) fn check() -> Result<(), Failure> {
    let recorded: Map<String, Value> = serde_json::from_str(&fs::read_to_string(path())?)
        .map_err(|error| Failure::Task(format!("{} is not readable: {error}", path().display())))?;
    let mut risen = 0;
    for (name, now) in counts()? {
        let before = recorded.get(&name).and_then(Value::as_f64);
        let verdict = match before {
            None => "not on record",
            Some(before) if now > before * TOLERANCE => "RISEN",
            Some(before) if now * TOLERANCE < before => "fallen: put it on record",
            Some(_) => "as before",
        };
        risen += usize::from(before.is_none_or(|before| now > before * TOLERANCE));
        println!(
            "{name}: {} instructions, {} on record: {verdict}",
            count(now),
            before.map_or("none".to_owned(), count)
        );
    }
    match risen {
        0 => Ok(()),
        _ => Err(Failure::Task(
            "counts have risen by more than a tenth: find out why, or put them on record with \
             `cargo xtask bench --record`"
                .to_owned(),
        )),
    }
}

/// Puts the counts of now on record.
pub(crate) fn record() -> Result<(), Failure> {
    let counts = counts()?.into_iter().map(|(name, now)| (name, Value::from(now.round() as u64)));
    let counts: Map<String, Value> = counts.collect();
    let text = serde_json::to_string_pretty(&counts)
        .map_err(|error| Failure::Task(format!("counts cannot be written: {error}")))?;
    fs::write(path(), text + "\n")?;
    println!("written: {}", path().display());
    Ok(())
}

fn path() -> PathBuf {
    workspace::root().join("tests/bench/instructions.json")
}

fn counts() -> Result<Vec<(String, f64)>, Failure> {
    callgrind::require()?;
    let mut build = workspace::cargo();
    build.args(["build", "--release", "-p", "in-process", "-p", "load", "-p", "ours"]);
    build.args(["--bin", "in-process", "--bin", "load", "--bin", "echo-tokio"]);
    workspace::foreground(&mut build)?;
    let directory = workspace::target_directory()?.join("release");
    let program = |name: &str| directory.join(name).to_string_lossy().into_owned();
    let mut counts = Vec::new();
    for (name, measurement, shape, messages) in COUNTS {
        let program = program("in-process");
        let setting = Setting::new(&program, measurement, shape, *messages);
        counts.push(((*name).to_owned(), setting.instructions()?));
    }
    for (name, tool) in [(SERVER, "echo"), (SERVER_TASK, "echo_task")] {
        let server = [program("echo-tokio"), "current".to_owned()];
        let instructions = instructions_per_request(&server, drive(&program("load"), tool))?;
        counts.push((name.to_owned(), instructions));
    }
    Ok(counts)
}
