//! What came of a run, and the line of the table that it becomes.

use std::fs;
use std::path::PathBuf;
use std::time::Instant;

use serde_json::Value;

use super::baseline::{Baseline, Judgement};
use super::runs::Run;
use crate::failure::Failure;

/// What came of a run.
pub(crate) struct Outcome {
    pub(crate) run: &'static Run,
    /// Where the suite and the bridges put what they have to say.
    pub(crate) results: PathBuf,
    /// How many lines were checked against a schema.
    pub(crate) lines: u64,
    checks: Vec<Check>,
    /// Scenarios that were left out.
    aside: Vec<String>,
    begin: Instant,
}

/// One check of a scenario.
pub(crate) struct Check {
    pub(crate) scenario: String,
    /// What the suite calls it; empty for what is about the scenario as such.
    pub(crate) id: String,
    /// Why it failed.
    pub(crate) failure: Option<String>,
}

impl Outcome {
    pub(crate) fn new(run: &'static Run, results: PathBuf) -> Self {
        let begin = Instant::now();
        Self { run, results, lines: 0, checks: Vec::new(), aside: Vec::new(), begin }
    }

    pub(crate) fn pass(&mut self, scenario: &str) {
        self.add(scenario, "", None);
    }

    pub(crate) fn fail(&mut self, scenario: &str, why: &str) {
        self.add(scenario, "", Some(why.to_owned()));
    }

    pub(crate) fn set_aside(&mut self, scenario: &str) {
        self.aside.push(scenario.to_owned());
    }

    fn add(&mut self, scenario: &str, id: &str, failure: Option<String>) {
        self.checks.push(Check { scenario: scenario.to_owned(), id: id.to_owned(), failure });
    }

    /// Reads what the suite wrote about a scenario.
    pub(crate) fn collect(&mut self, scenario: &str) -> Result<(), Failure> {
        let Some(directory) = self.directory(scenario)? else {
            self.fail(scenario, "the suite wrote no results");
            return Ok(());
        };
        let checks = fs::read_to_string(directory.join("checks.json"))?;
        let checks: Vec<Value> = serde_json::from_str(&checks)
            .map_err(|error| Failure::Task(format!("the suite wrote no JSON: {error}")))?;
        for check in checks {
            let id = check["id"].as_str().unwrap_or_default();
            match check["status"].as_str() {
                Some("SUCCESS") => self.add(scenario, id, None),
                Some("FAILURE" | "WARNING") => {
                    let why = check["errorMessage"].as_str().or(check["description"].as_str());
                    self.add(scenario, id, Some(why.unwrap_or_default().to_owned()));
                }
                // What could not be asked, and what is only told.
                _ => {}
            }
        }
        Ok(())
    }

    /// The directory of a scenario's results: its name is that of the scenario and the time.
    fn directory(&self, scenario: &str) -> Result<Option<PathBuf>, Failure> {
        let beginnings = [format!("server-{scenario}-20"), format!("{scenario}-20")];
        for entry in fs::read_dir(&self.results)? {
            let entry = entry?;
            let name = entry.file_name().to_string_lossy().into_owned();
            if entry.path().is_dir() && beginnings.iter().any(|it| name.starts_with(it)) {
                return Ok(Some(entry.path()));
            }
        }
        Ok(None)
    }

    /// Prints one line, and below it what failed. Gives whether that is as the baseline has it.
    pub(crate) fn print(&self, baseline: &mut Baseline) -> bool {
        let (mut passed, mut expected, mut unexpected) = (0, 0, Vec::new());
        for scenario in &self.aside {
            baseline.judge(scenario, "", false);
        }
        for check in &self.checks {
            match (
                baseline.judge(&check.scenario, &check.id, check.failure.is_some()),
                &check.failure,
            ) {
                (Judgement::Aside, _) => {}
                (Judgement::Expected, Some(_)) => expected += 1,
                (Judgement::Counted, Some(why)) => unexpected.push((check, why)),
                (_, None) => passed += 1,
            }
        }
        println!(
            "{:<22} {:>6} {:>8} {:>6} {:>6} {:>7.1}",
            self.run.name(),
            passed,
            expected,
            unexpected.len(),
            self.lines,
            self.begin.elapsed().as_secs_f64()
        );
        for (check, why) in &unexpected {
            println!("    {} {}: {why}", check.scenario, check.id);
        }
        unexpected.is_empty() && passed > 0
    }
}

/// The head of the table that `Outcome::print` continues.
pub(crate) fn print_header() {
    println!(
        "{:<22} {:>6} {:>8} {:>6} {:>6} {:>7}",
        "run", "passed", "expected", "failed", "lines", "seconds"
    );
}
