//! `cargo xtask bench`: what our code costs, beside a bare loop (the limit) and other SDKs, in one run.
//!
//! It gives counts and ratios, never bare times: those say more of the machine than of the code. Nothing fails for being slow;
//! `--check` compares counts of instructions with those on record, which do not depend on how busy the machine is.

mod callgrind;
mod chart;
mod client;
mod counts;
mod end_to_end;
mod figures;
mod goals;
mod growth;
mod in_process;
mod memory;
pub(crate) mod peers;
mod programs;
mod report;
mod table;
mod tools;

use crate::failure::Failure;
use goals::Goals;
use programs::Programs;
use report::Report;

const USAGE: &str =
    "usage: cargo xtask bench [PART ...] [--rounds N | --smoke] | --check | --record";

/// The parts, in the order in which they run.
const PARTS: &[(&str, Part)] = &[
    ("in-process", in_process::run),
    ("end-to-end", end_to_end::run),
    ("client", client::run),
    ("memory", memory::run),
    ("growth", growth::run),
];

/// Measures something, and adds what it finds to the report.
type Part = fn(&Programs, Effort, &mut Report) -> Result<(), Failure>;

/// How much is measured.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct Effort {
    /// How often everything is measured in turn. Medians count.
    rounds: usize,
    /// What a number of requests is divided by.
    divisor: usize,
}

impl Effort {
    const SMOKE: Self = Self { rounds: 1, divisor: 20 };

    fn requests(self, requests: usize) -> usize {
        (requests / self.divisor).max(1)
    }
}

#[derive(Debug, PartialEq, Eq)]
enum Job {
    /// Compares counts of instructions with those on record.
    Check,
    Measure(Vec<&'static str>, Effort),
    /// Puts counts of instructions on record.
    Record,
}

/// Measures the parts that are named, or all of them; then the tables and the chart in `docs` are written anew.
pub(crate) fn run(arguments: &[String]) -> Result<(), Failure> {
    match parse(arguments)? {
        Job::Check => counts::check(),
        Job::Record => counts::record(),
        Job::Measure(parts, effort) => {
            let programs = Programs::build(effort)?;
            let mut report = Report::default();
            for (name, part) in PARTS {
                if parts.contains(name) {
                    println!("measuring: {name}");
                    part(&programs, effort, &mut report)?;
                }
            }
            report.print();
            if parts.len() == PARTS.len() && effort != Effort::SMOKE {
                goals::add_build(&mut report.goals)?;
                Goals::print(&report.goals);
                report.write()?;
            }
            Ok(())
        }
    }
}

fn parse(arguments: &[String]) -> Result<Job, Failure> {
    let names: Vec<&str> = PARTS.iter().map(|(name, _)| *name).collect();
    let usage = || Failure::Usage(format!("{USAGE}, where PART is one of {}", names.join(", ")));
    let mut parts = Vec::new();
    let mut effort = Effort { rounds: 5, divisor: 1 };
    let mut arguments = arguments.iter().map(String::as_str);
    while let Some(argument) = arguments.next() {
        match argument {
            "--check" => return Ok(Job::Check),
            "--record" => return Ok(Job::Record),
            "--smoke" => effort = Effort::SMOKE,
            "--rounds" => {
                let rounds = arguments.next().and_then(|rounds| rounds.parse().ok());
                effort.rounds = rounds.filter(|rounds| *rounds > 0).ok_or_else(usage)?;
            }
            part => {
                let known = names.iter().find(|name| **name == part).ok_or_else(usage)?;
                parts.push(*known);
            }
        }
    }
    Ok(Job::Measure(if parts.is_empty() { names } else { parts }, effort))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn parsed(line: &str) -> Option<Job> {
        let arguments: Vec<String> = line.split_whitespace().map(str::to_owned).collect();
        parse(&arguments).ok()
    }

    #[test]
    fn arguments_are_understood() {
        let all = PARTS.iter().map(|(name, _)| *name).collect();
        assert_eq!(parsed(""), Some(Job::Measure(all, Effort { rounds: 5, divisor: 1 })));
        let some = Job::Measure(vec!["memory"], Effort { rounds: 2, divisor: 1 });
        assert_eq!(parsed("memory --rounds 2"), Some(some));
        assert_eq!(parsed("client --smoke"), Some(Job::Measure(vec!["client"], Effort::SMOKE)));
        assert_eq!(parsed("--check"), Some(Job::Check));
        for wrong in ["nothing", "--rounds", "--rounds 0", "--rounds x"] {
            assert_eq!(parsed(wrong), None, "{wrong}");
        }
    }
}
