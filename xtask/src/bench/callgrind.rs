//! Instructions and allocations, counted by valgrind. Counts do not depend on how busy the machine is.

use super::programs::words;
use crate::failure::Failure;
use crate::workspace;
use std::fs;
use std::path::PathBuf;
use std::process::{Command, Stdio};
use std::sync::atomic::{AtomicUsize, Ordering};

/// An instruction that copies many bytes would count once for each of them. Loops over registers, which cost as much, count as
/// they are.
const NO_REPEATED_MOVES: (&str, &str) =
    ("GLIBC_TUNABLES", "glibc.cpu.x86_rep_movsb_threshold=1000000000000");

/// Is valgrind there?
pub(crate) fn is_installed() -> bool {
    let mut version = Command::new("valgrind");
    version.arg("--version").stdout(Stdio::null()).stderr(Stdio::null());
    version.status().is_ok_and(|status| status.success())
}

/// Fails where valgrind is not there.
pub(crate) fn require() -> Result<(), Failure> {
    if is_installed() {
        Ok(())
    } else {
        Err(Failure::Task("valgrind is missing: install it to count instructions".to_owned()))
    }
}

/// The instructions of a program, inside of the functions of this name.
pub(crate) fn instructions_in(function: &str, command: &[String]) -> Result<f64, Failure> {
    let output = OutputFile::new()?;
    let mut callgrind = tool(&output);
    callgrind.arg(format!("--toggle-collect={function}")).args(command);
    workspace::output(&mut callgrind)?;
    output.total()
}

/// The instructions of a server for each request: those of a long run less those of a short one, so that its start does not
/// count. `drive` runs a load of so many requests against the command.
pub(crate) fn instructions_per_request(
    server: &[String],
    drive: impl Fn(&[String], usize) -> Result<(), Failure>,
) -> Result<f64, Failure> {
    per_request(|requests| {
        let output = OutputFile::new()?;
        drive(&[words(&tool(&output)), server.to_vec()].concat(), requests)?;
        output.total()
    })
}

/// The allocations of a server for each request, in the same way.
pub(crate) fn allocations_per_request(
    server: &[String],
    drive: impl Fn(&[String], usize) -> Result<(), Failure>,
) -> Result<f64, Failure> {
    per_request(|requests| {
        let output = OutputFile::new()?;
        let mut dhat = Command::new("valgrind");
        dhat.args(["--tool=dhat", "--dhat-out-file=/dev/null"]);
        dhat.arg(format!("--log-file={}", output.0.display()));
        drive(&[words(&dhat), server.to_vec()].concat(), requests)?;
        output.blocks()
    })
}

/// Of a total that grows with requests what one of them adds: that of a long run less that of a short one.
fn per_request(total: impl Fn(usize) -> Result<f64, Failure>) -> Result<f64, Failure> {
    Ok((total(MANY)? - total(FEW)?) / (MANY - FEW) as f64)
}

const FEW: usize = 1_000;
const MANY: usize = 3_000;

fn tool(output: &OutputFile) -> Command {
    let mut command = Command::new("valgrind");
    command.env(NO_REPEATED_MOVES.0, NO_REPEATED_MOVES.1);
    command.args(["--tool=callgrind", "--log-file=/dev/null"]);
    command.arg(format!("--callgrind-out-file={}", output.0.display()));
    command
}

/// What valgrind writes, gone with this.
struct OutputFile(PathBuf);

impl OutputFile {
    fn new() -> Result<Self, Failure> {
        static NEXT: AtomicUsize = AtomicUsize::new(0);
        let directory = workspace::target_directory()?.join("bench");
        fs::create_dir_all(&directory)?;
        let number = NEXT.fetch_add(1, Ordering::Relaxed);
        Ok(Self(directory.join(format!("valgrind-{}-{number}", std::process::id()))))
    }

    fn total(&self) -> Result<f64, Failure> {
        let text = fs::read_to_string(&self.0)?;
        let total = text.lines().find_map(|line| line.strip_prefix("totals: "));
        number(total).ok_or_else(|| Failure::Task("callgrind wrote no total".to_owned()))
    }

    fn blocks(&self) -> Result<f64, Failure> {
        let text = fs::read_to_string(&self.0)?;
        let total = text.lines().find(|line| line.contains("Total:"));
        let blocks =
            total.and_then(|line| line.split(" in ").nth(1)).map(|rest| rest.replace(',', ""));
        let blocks = blocks.as_deref().map(|rest| rest.trim_end_matches(" blocks"));
        number(blocks).ok_or_else(|| Failure::Task("valgrind counted no allocations".to_owned()))
    }
}

fn number(text: Option<&str>) -> Option<f64> {
    text?.split_whitespace().next()?.parse().ok()
}

impl Drop for OutputFile {
    fn drop(&mut self) {
        // There may be none.
        _ = fs::remove_file(&self.0);
    }
}
