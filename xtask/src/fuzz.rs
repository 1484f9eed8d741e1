//! `cargo xtask fuzz`: the fuzz targets, with the corpus as seeds.

use std::fs;
use std::process::{Command, Stdio};

use crate::failure::Failure;
use crate::workspace;

const TARGETS: &[&str] = &["frame", "message", "connection", "duplex", "session"];

const USAGE: &str = "usage: cargo xtask fuzz [TARGET ...] [--seconds N | --smoke]";

/// How long to look for faults.
enum Effort {
    Seconds(u32),
    /// As many runs as continuous integration can afford.
    Smoke,
}

impl Effort {
    fn option(&self) -> String {
        match self {
            Effort::Seconds(seconds) => format!("-max_total_time={seconds}"),
            Effort::Smoke => "-runs=5000".to_owned(),
        }
    }
}

/// Runs the targets that are named, or all: for 60 s each, for `--seconds N`, or, with `--smoke`, for a few thousand inputs.
pub(crate) fn run(arguments: &[String]) -> Result<(), Failure> {
    let (targets, effort) = parse(arguments)?;
    let toolchain = toolchain()?;
    let seeds = workspace::root().join("fuzz").join("corpus");
    for target in TARGETS {
        fs::create_dir_all(seeds.join(target))?;
    }
    workspace::foreground(
        workspace::cargo()
            .args(["run", "--quiet", "-p", "model", "--bin", "seeds", "--"])
            .arg(seeds),
    )?;
    for target in targets {
        println!("fuzzing {target}");
        let mut command = toolchain.command();
        command.args(["run", target, "--", "-max_len=4096", "-len_control=0", "-timeout=10"]);
        command.arg(effort.option());
        workspace::foreground(&mut command)?;
    }
    Ok(())
}

fn parse(arguments: &[String]) -> Result<(Vec<&str>, Effort), Failure> {
    let usage =
        || Failure::Usage(format!("{USAGE}, where TARGET is one of {}", TARGETS.join(", ")));
    let (mut targets, mut effort) = (Vec::new(), Effort::Seconds(60));
    let mut arguments = arguments.iter().map(String::as_str);
    while let Some(argument) = arguments.next() {
        match argument {
            "--smoke" => effort = Effort::Smoke,
            "--seconds" => {
                let seconds = arguments.next().and_then(|seconds| seconds.parse().ok());
                effort = Effort::Seconds(seconds.ok_or_else(usage)?);
            }
            target if TARGETS.contains(&target) => targets.push(target),
            _ => return Err(usage()),
        }
    }
    if targets.is_empty() {
        targets = TARGETS.to_vec();
    }
    Ok((targets, effort))
}

/// What builds with a sanitizer, which the stable compiler has but does not offer.
enum Toolchain {
    Nightly,
    Stable,
}

impl Toolchain {
    fn command(&self) -> Command {
        // The cargo that runs this program is one of a fixed toolchain: the one that chooses is found by its name.
        let mut command = Command::new("cargo");
        command.current_dir(workspace::root()).env_remove("RUSTC").env_remove("RUSTUP_TOOLCHAIN");
        match self {
            Toolchain::Nightly => command.args(["+nightly", "fuzz"]),
            Toolchain::Stable => command.env("RUSTC_BOOTSTRAP", "1").arg("fuzz"),
        };
        command
    }
}

/// The nightly compiler where there is one, else the stable one; with `cargo fuzz`, or an error that says how to get it.
fn toolchain() -> Result<Toolchain, Failure> {
    let works = |toolchain: &Toolchain| {
        let mut command = toolchain.command();
        command.arg("--version").stdout(Stdio::null()).stderr(Stdio::null());
        command.status().is_ok_and(|status| status.success())
    };
    [Toolchain::Nightly, Toolchain::Stable].into_iter().find(works).ok_or_else(|| {
        Failure::Task(
            "cargo fuzz is missing: `cargo install cargo-fuzz --locked` installs it".into(),
        )
    })
}
