//! Where the fixture is.

use crate::{Mark, Mode};
use std::env;
use std::path::PathBuf;
use std::process::Command;

/// The fixture as a command, with a mark on it. It lies beside the program that asks, or a directory above where that is a test.
#[must_use]
pub fn program(mode: Mode, mark: &Mark) -> Command {
    let mut command = Command::new(path());
    command.arg(mode.name());
    mark.put_on(&mut command);
    command
}

/// What to do, where it is not there.
#[must_use]
pub fn not_built() -> Option<String> {
    let path = path();
    let missing =
        || format!("{} is missing: cargo build --package children --bins", path.display());
    (!path.exists()).then(missing)
}

fn path() -> PathBuf {
    let program = env::current_exe().unwrap_or_default();
    let mut directory = program.parent().map(PathBuf::from).unwrap_or_default();
    if directory.ends_with("deps") {
        directory.pop();
    }
    directory.join(format!("misbehave{}", env::consts::EXE_SUFFIX))
}
