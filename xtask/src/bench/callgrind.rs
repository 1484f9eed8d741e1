//! Instructions and allocations, counted by valgrind. Counts do not depend on how busy the machine is.

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

/// The instructions of a program, inside of the functions of this name.
pub(crate) fn instructions_in(function: &str, command: &[String]) -> Result<f64, Failure> {
    let output = OutputFile::new()?;
    let mut callgrind = tool(&output);
    callgrind.arg(format!("--toggle-collect={function}")).args(command);
    run(&mut callgrind)?;
    output.total()
}

/// The instructions of a server for each request: those of a long run less those of a short one, so that its start does not
/// count. `drive` runs a load of so many requests against the command.
pub(crate) fn instructions_per_request(
    server: &[String],
    drive: impl Fn(&[String], usize) -> Result<(), Failure>,
) -> Result<f64, Failure> {
    let total = |requests| {
        let output = OutputFile::new()?;
        let mut command = words(&tool(&output));
        command.extend_from_slice(server);
        drive(&command, requests)?;
        output.total()
    };
    Ok((total(MANY)? - total(FEW)?) / (MANY - FEW) as f64)
}

/// The allocations of a server for each request, in the same way.
pub(crate) fn allocations_per_request(
    server: &[String],
    drive: impl Fn(&[String], usize) -> Result<(), Failure>,
) -> Result<f64, Failure> {
    let total = |requests| {
        let output = OutputFile::new()?;
        let log = format!("--log-file={}", output.0.display());
        let mut command: Vec<String> =
            ["valgrind", "--tool=dhat", "--dhat-out-file=/dev/null", &log]
                .map(str::to_owned)
                .into();
        command.extend_from_slice(server);
        drive(&command, requests)?;
        output.blocks()
    };
    Ok((total(MANY)? - total(FEW)?) / (MANY - FEW) as f64)
}

const FEW: usize = 1_000;
const MANY: usize = 3_000;

fn tool(output: &OutputFile) -> Command {
    let mut command = Command::new("env");
    command.arg(format!("{}={}", NO_REPEATED_MOVES.0, NO_REPEATED_MOVES.1));
    command.args(["valgrind", "--tool=callgrind", "--log-file=/dev/null"]);
    command.arg(format!("--callgrind-out-file={}", output.0.display()));
    command
}

fn words(command: &Command) -> Vec<String> {
    let arguments = std::iter::once(command.get_program()).chain(command.get_args());
    arguments.map(|argument| argument.to_string_lossy().into_owned()).collect()
}

fn run(command: &mut Command) -> Result<(), Failure> {
    workspace::output(command).map(drop)
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
