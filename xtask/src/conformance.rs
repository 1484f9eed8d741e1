//! `cargo xtask conformance`: the official conformance suites, which know servers and clients over HTTP alone, against a
//! server and a client of ours on standard streams.

mod baseline;
mod bridge;
mod client;
mod options;
mod outcome;
mod runs;
mod schemas;
mod server;
#[cfg(test)]
mod tests;
mod tools;
mod tour;

use baseline::Baseline;
use options::{Action, HELP, Options};
use outcome::Outcome;
use runs::{Leg, RUNS, Run};
use tools::Tools;

use crate::failure::Failure;

/// Runs what the options select; fails when a check fails that the baseline does not name, or the other way round.
pub(crate) fn run(arguments: &[String]) -> Result<(), Failure> {
    let options = Options::parse(arguments)?;
    match options.action {
        Action::Help => println!("{HELP}"),
        Action::List => list(),
        Action::Run => run_all(&options)?,
    }
    Ok(())
}

fn list() {
    for run in RUNS {
        println!("{:<22} {}", run.name(), run.description());
    }
}

fn run_all(options: &Options) -> Result<(), Failure> {
    let tools = Tools::prepare(options.runtime)?;
    let mut baseline = Baseline::read()?;

    outcome::print_header();
    let mut failed = 0;
    for run in &options.runs {
        let outcome = measure(run, &tools, &baseline)?;
        failed += usize::from(!outcome.print(&mut baseline));
    }
    let complaints = baseline.complaints(options.runs.len() == RUNS.len());
    for complaint in &complaints {
        println!("{complaint}");
    }
    if failed > 0 || !complaints.is_empty() {
        return Err(Failure::Task(format!(
            "{failed} of {} runs failed, and {} lines of the baseline are wrong",
            options.runs.len(),
            complaints.len()
        )));
    }
    println!("\nall {} runs passed", options.runs.len());
    Ok(())
}

/// Runs one, and then looks at all lines that were written by our side meanwhile.
fn measure(run: &'static Run, tools: &Tools, baseline: &Baseline) -> Result<Outcome, Failure> {
    let mut outcome = Outcome::new(run, tools.results(run)?);
    let sides = match run.leg {
        Leg::Client => {
            client::run(&mut outcome, tools, baseline)?;
            "client"
        }
        Leg::Server => {
            server::run(&mut outcome, tools)?;
            "server"
        }
        Leg::Tour => {
            tour::run(&mut outcome, tools)?;
            "both"
        }
    };
    schemas::check(&mut outcome, tools, sides)?;
    Ok(outcome)
}
