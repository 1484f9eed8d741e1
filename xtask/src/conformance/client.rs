//! A suite against our client, scenario by scenario.

use std::fs;
use std::process::Stdio;

use super::baseline::Baseline;
use super::outcome::Outcome;
use super::tools::{Tools, shell_line, words};
use crate::failure::Failure;
use crate::workspace;

/// What a suite prints of a client that was not content.
const CLIENT_FAILED: [&str; 2] = ["CLIENT EXITED WITH ERROR", "CLIENT TIMED OUT"];

pub(crate) fn run(
    outcome: &mut Outcome,
    tools: &Tools,
    baseline: &Baseline,
) -> Result<(), Failure> {
    let shim = words(&tools.script("shim.mjs")?);
    let mut client = tools.fixture("drive");
    client.extend(tools.recorded(shim, &outcome.results)?);
    let client = shell_line(&client);

    for scenario in scenarios(outcome, tools)? {
        if baseline.is_aside(&scenario) {
            outcome.set_aside(&scenario);
            continue;
        }
        let mut suite = tools.suite(outcome.run)?;
        suite.args(["client", "--command", &client, "--scenario", &scenario]);
        suite.args(["--spec-version", outcome.run.revision]);
        suite.arg("--output-dir").arg(&outcome.results).stdin(Stdio::null());
        let output = suite.output().map_err(|error| workspace::not_started(&suite, &error))?;
        let mut log = output.stdout;
        log.extend(output.stderr);
        fs::write(outcome.results.join(format!("{scenario}.log")), &log)?;

        outcome.collect(&scenario)?;
        let log = String::from_utf8_lossy(&log);
        if CLIENT_FAILED.iter().any(|failed| log.contains(failed)) {
            let told = log.lines().find(|line| line.starts_with("fixture: "));
            outcome.fail(&scenario, told.unwrap_or("the client failed"));
        }
    }
    Ok(())
}

/// All scenarios that the suite has for clients of the revision.
fn scenarios(outcome: &Outcome, tools: &Tools) -> Result<Vec<String>, Failure> {
    let mut list = tools.suite(outcome.run)?;
    list.args(["list", "--client", "--spec-version", outcome.run.revision]);
    let list = workspace::output(&mut list)?;
    let names = list.lines().filter_map(|line| line.strip_prefix("  - ")?.split(' ').next());
    Ok(names.map(str::to_owned).collect())
}
