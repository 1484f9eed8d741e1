//! A suite against our server.

use std::fs::File;
use std::process::Stdio;

use super::bridge::Bridge;
use super::outcome::Outcome;
use super::tools::Tools;
use crate::failure::Failure;
use crate::workspace;

pub(crate) fn run(outcome: &mut Outcome, tools: &Tools) -> Result<(), Failure> {
    let bridge = Bridge::start(outcome, tools)?;
    let mut suite = tools.suite(outcome.run)?;
    suite.args(["server", "--url", &bridge.url]).args(outcome.run.selection());
    suite.arg("--output-dir").arg(&outcome.results);
    let log = outcome.results.join("suite.log");
    suite.stdin(Stdio::null()).stderr(File::create(&log)?);
    let output = suite.output().map_err(|error| workspace::not_started(&suite, &error))?;
    drop(bridge);

    // Its exit status says whether all passed, which only the baseline can judge.
    let output = String::from_utf8_lossy(&output.stdout);
    let scenarios = output.lines().filter_map(begun).collect::<Vec<_>>();
    if scenarios.is_empty() {
        outcome.fail("suite", &format!("it ran nothing: see {}", log.display()));
    }
    for scenario in scenarios {
        outcome.collect(scenario)?;
    }
    Ok(())
}

/// The scenario that a line of the suite's output says has begun.
fn begun(line: &str) -> Option<&str> {
    line.strip_prefix("=== Running scenario: ")?.strip_suffix(" ===")
}
