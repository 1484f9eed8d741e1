//! Checks all lines of a run against the official schemas.

use serde_json::Value;

use super::outcome::Outcome;
use super::tools::{Tools, recording};
use crate::failure::Failure;
use crate::workspace;

/// Looks at what `side` wrote: `client`, `server` or `both`.
pub(crate) fn check(outcome: &mut Outcome, tools: &Tools, side: &str) -> Result<(), Failure> {
    let mut checker = tools.script("schemas.mjs")?;
    checker.arg(recording(&outcome.results)).arg(side);
    for line in workspace::output(&mut checker)?.lines() {
        let told: Value = serde_json::from_str(line)
            .map_err(|error| Failure::Task(format!("the schema check printed no JSON: {error}")))?;
        match told["checked"].as_u64() {
            Some(lines) => outcome.lines = lines,
            None => outcome.fail("schema", line),
        }
    }
    if outcome.lines == 0 {
        outcome.fail("schema", "not one line was written");
    }
    Ok(())
}
