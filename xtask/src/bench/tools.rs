//! Figures that other programs give: system calls, and the size of a program.

use super::figures::{Figures, measure};
use super::programs::{Contender, Programs};
use crate::failure::Failure;
use crate::workspace;
use std::fs;
use std::process::{Command, Stdio};

/// The system calls of a server for each request: those of a long run less those of a short one. Not a number where `strace` is
/// not there.
pub(crate) fn system_calls(
    programs: &Programs,
    server: &Contender,
    depth: usize,
) -> Result<f64, Failure> {
    let counts = workspace::target_directory()?.join("bench").join("strace");
    fs::create_dir_all(counts.parent().unwrap_or(&counts))?;
    let total = |requests: usize| {
        let mut command: Vec<String> =
            ["strace", "-f", "-c", "-U", "calls,name", "-o"].map(str::to_owned).into();
        command.push(counts.to_string_lossy().into_owned());
        command.extend_from_slice(&server.command);
        let (depth, requests) = (depth.to_string(), requests.to_string());
        let options =
            ["--tool", server.tool, "--depth", &depth, "--requests", &requests, "--warmup", "500"];
        measure(&mut programs.load("run", &options, &command)).ok()?;
        let text = fs::read_to_string(&counts).ok()?;
        let total = text.lines().find(|line| line.trim_end().ends_with(" total"))?;
        total.split_whitespace().next()?.parse::<f64>().ok()
    };
    // Deep runs need many requests for one call.
    let (few, many) = if depth == 1 { (1_000, 3_000) } else { (4_000, 24_000) };
    Ok(match (total(few), total(many)) {
        (Some(short), Some(long)) => (long - short) / (many - few) as f64,
        _ => f64::NAN,
    })
}

/// Loads a server with so many echoes, 64 at once: for what is counted, where the load itself is not of interest.
pub(crate) fn drive<'a>(
    load: &'a str,
    tool: &'a str,
) -> impl Fn(&[String], usize) -> Result<(), Failure> + 'a {
    move |server, requests| {
        let mut command = Command::new(load);
        command.args(["run", "--tool", tool, "--depth", "64", "--warmup", "500", "--requests"]);
        command.arg(requests.to_string()).arg("--").args(server);
        measure(&mut command).map(drop).map_err(Failure::Task)
    }
}

/// How large a program is without its symbols, in bytes.
pub(crate) fn stripped_size(program: &str) -> Result<f64, Failure> {
    let stripped = workspace::target_directory()?.join("bench").join("stripped");
    fs::create_dir_all(stripped.parent().unwrap_or(&stripped))?;
    let mut strip = Command::new("strip");
    strip.arg("-o").arg(&stripped).arg(program).stderr(Stdio::null());
    Ok(match strip.status() {
        Ok(status) if status.success() => fs::metadata(&stripped)?.len() as f64,
        _ => f64::NAN,
    })
}

/// What the load generator finds, or nothing but not-a-numbers where the server does not stand it.
pub(crate) fn run_load(
    programs: &Programs,
    server: &Contender,
    mode: &str,
    options: &[&str],
) -> Figures {
    measure(&mut programs.load(mode, options, &server.command)).unwrap_or_default()
}
