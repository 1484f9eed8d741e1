//! What the runs need: Node, the suites, the bridges, and our own side.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use super::runs::Run;
use crate::everything::Runtime;
use crate::failure::Failure;
use crate::install::{self, Installation};
use crate::workspace;

/// What the runs need: Node, the suites, the bridges, and our own side.
pub(crate) struct Tools {
    installation: Installation,
    /// The path of our own side.
    fixture: String,
    runtime: Runtime,
}

impl Tools {
    pub(crate) fn prepare(runtime: Runtime) -> Result<Self, Failure> {
        let installation = Installation::prepare("conformance-suite")?;
        let fixture = install::build_package("fixture")?;
        Ok(Self { installation, fixture, runtime })
    }

    /// Node with a script of ours or of a package.
    pub(crate) fn script(&self, path: &str) -> Result<Command, Failure> {
        self.installation.node_script("", path)
    }

    /// The suite of a run.
    pub(crate) fn suite(&self, run: &Run) -> Result<Command, Failure> {
        self.script(&format!("node_modules/{}/dist/index.js", run.package()))
    }

    /// Our own side: what it is to be, and what follows that.
    pub(crate) fn fixture(&self, part: &str) -> Vec<String> {
        [&self.fixture, "--runtime", self.runtime.name(), part].map(str::to_owned).into()
    }

    /// A server with all its lines written down in a directory of results.
    pub(crate) fn recorded(
        &self,
        server: Vec<String>,
        results: &Path,
    ) -> Result<Vec<String>, Failure> {
        let tap = workspace::root().join("tests/interop/tap.mjs");
        let mut line = words(&self.script(&tap.to_string_lossy())?);
        line.push("--whole".to_owned());
        line.push(recording(results).to_string_lossy().into_owned());
        line.extend(server);
        Ok(line)
    }

    /// An empty directory for the results of a run.
    pub(crate) fn results(&self, run: &Run) -> Result<PathBuf, Failure> {
        let results = self.installation.empty_directory(&format!("results/{}", run.name()))?;
        fs::write(recording(&results), "")?;
        Ok(results)
    }
}

/// The file that takes all lines.
pub(crate) fn recording(results: &Path) -> PathBuf {
    results.join("wire.jsonl")
}

/// A command and its arguments.
pub(crate) fn words(command: &Command) -> Vec<String> {
    let words = [command.get_program()].into_iter().chain(command.get_args());
    words.map(|word| word.to_string_lossy().into_owned()).collect()
}

/// A command as a shell takes it.
pub(crate) fn shell_line(words: &[String]) -> String {
    let quoted = words.iter().map(|word| format!("'{}'", word.replace('\'', r"'\''")));
    quoted.collect::<Vec<_>>().join(" ")
}
