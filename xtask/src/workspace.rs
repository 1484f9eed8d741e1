//! Where things are, and how cargo and other programs are run.

use std::env;
use std::fs;
use std::io;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use serde_json::Value;

use crate::failure::Failure;

/// The version of all packages of the workspace, of which this program is one.
pub(crate) const VERSION: &str = env!("CARGO_PKG_VERSION");

/// The directory of the workspace's `Cargo.toml`.
pub(crate) fn root() -> PathBuf {
    let package = Path::new(env!("CARGO_MANIFEST_DIR"));
    package.parent().unwrap_or(package).to_path_buf()
}

/// The names of the crates that are published, each of which is that of a directory in `crates`.
pub(crate) fn published() -> Result<Vec<String>, Failure> {
    let mut names = Vec::new();
    for entry in fs::read_dir(root().join("crates"))? {
        names.push(entry?.file_name().to_string_lossy().into_owned());
    }
    names.sort();
    Ok(names)
}

/// The directory that cargo builds into, from `CARGO_TARGET_DIR` or whatever else configures it.
pub(crate) fn target_directory() -> Result<PathBuf, Failure> {
    let metadata = output(cargo().args(["metadata", "--no-deps", "--format-version", "1"]))?;
    let metadata: Value = serde_json::from_str(&metadata)
        .map_err(|error| Failure::Task(format!("cargo metadata printed no JSON: {error}")))?;
    match &metadata["target_directory"] {
        Value::String(directory) => Ok(PathBuf::from(directory)),
        _ => Err(Failure::Task("cargo metadata names no target directory".to_owned())),
    }
}

/// The cargo that runs this program, in the workspace's root.
pub(crate) fn cargo() -> Command {
    let mut command = Command::new(env::var_os("CARGO").unwrap_or_else(|| "cargo".into()));
    command.current_dir(root());
    command
}

/// Runs a program in the foreground: its output goes where ours goes.
pub(crate) fn foreground(command: &mut Command) -> Result<(), Failure> {
    let status = command.status().map_err(|error| not_started(command, &error))?;
    if status.success() { Ok(()) } else { Err(Failure::AlreadyTold(status)) }
}

/// Runs a program, and gives what it printed. Its errors go where ours go.
pub(crate) fn output(command: &mut Command) -> Result<String, Failure> {
    let output =
        command.stderr(Stdio::inherit()).output().map_err(|error| not_started(command, &error))?;
    if !output.status.success() {
        return Err(Failure::AlreadyTold(output.status));
    }
    String::from_utf8(output.stdout)
        .map_err(|_| Failure::Task(format!("{} printed bytes that are not UTF-8", name(command))))
}

/// The failure that stands for a program which did not even start.
pub(crate) fn not_started(command: &Command, error: &io::Error) -> Failure {
    Failure::Task(format!("{} cannot be started, is it installed? {error}", name(command)))
}

fn name(command: &Command) -> String {
    command.get_program().to_string_lossy().into_owned()
}
