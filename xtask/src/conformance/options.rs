//! The command line.

use super::runs::{Leg, RUNS, Run};
use crate::everything::Runtime;
use crate::failure::Failure;

pub(crate) const HELP: &str = "\
Usage: cargo xtask conformance [OPTION ...]

Runs the official conformance suites against a server and a client of ours, through bridges between HTTP and standard
streams, and checks all that these two write against the official schemas.

  --list            list the runs
  --only NAME,...   only these runs
  --suite NAME      only the runs of a side: server, client, or tour for both of ours with each other
  --spec VERSION    only the runs of a revision
  --runtime NAME    what our side runs on: tokio (default), smol or async-std";

pub(crate) enum Action {
    Help,
    List,
    Run,
}

pub(crate) struct Options {
    pub(crate) action: Action,
    pub(crate) runs: Vec<&'static Run>,
    pub(crate) runtime: Runtime,
}

impl Options {
    pub(crate) fn parse(arguments: &[String]) -> Result<Self, Failure> {
        let mut options =
            Options { action: Action::Run, runs: RUNS.iter().collect(), runtime: Runtime::Tokio };
        let mut arguments = arguments.iter();
        while let Some(argument) = arguments.next() {
            match argument.as_str() {
                "--help" | "-h" => options.action = Action::Help,
                "--list" => options.action = Action::List,
                "--only" => options.keep_only(arguments.next())?,
                "--runtime" => options.runtime = Runtime::parse(arguments.next())?,
                "--spec" => options.keep_revision(arguments.next())?,
                "--suite" => options.keep_leg(arguments.next())?,
                unknown => {
                    return Err(Failure::Usage(format!("no option {unknown:?}\n\n{HELP}")));
                }
            }
        }
        if options.runs.is_empty() {
            return Err(Failure::Usage("no run is left".to_owned()));
        }
        Ok(options)
    }

    fn keep_only(&mut self, names: Option<&String>) -> Result<(), Failure> {
        let names: Vec<&str> = names.map_or(Vec::new(), |names| names.split(',').collect());
        let known: Vec<String> = RUNS.iter().map(Run::name).collect();
        if names.is_empty() || names.iter().any(|name| !known.iter().any(|it| it == name)) {
            return Err(Failure::Usage(format!("name runs after --only: {}", known.join(", "))));
        }
        self.runs.retain(|run| names.contains(&run.name().as_str()));
        Ok(())
    }

    fn keep_revision(&mut self, revision: Option<&String>) -> Result<(), Failure> {
        let Some(revision) = revision.filter(|it| RUNS.iter().any(|run| run.revision == **it))
        else {
            return Err(Failure::Usage("name a revision after --spec, as --list does".to_owned()));
        };
        self.runs.retain(|run| run.revision == *revision);
        Ok(())
    }

    fn keep_leg(&mut self, name: Option<&String>) -> Result<(), Failure> {
        let legs = [Leg::Client, Leg::Server, Leg::Tour];
        let Some(leg) = legs.into_iter().find(|leg| name.is_some_and(|name| name == leg.name()))
        else {
            return Err(Failure::Usage(
                "name a side after --suite: server, client or tour".to_owned(),
            ));
        };
        self.runs.retain(|run| run.leg == leg);
        Ok(())
    }
}
