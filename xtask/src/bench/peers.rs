//! Servers on other SDKs, built and ready to start.

use super::chart::Color;
use super::programs::{Contender, path};
use crate::failure::Failure;
use crate::install::{Installation, Program};
use crate::workspace;
use std::path::{Path, PathBuf};
use std::process::Command;

/// Builds programs on other SDKs in Rust, or all of them where none is named, and gives their directory.
pub(crate) fn build(programs: &[&str]) -> Result<PathBuf, Failure> {
    let manifest = workspace::root().join("tests/bench/peers/Cargo.toml");
    let directory = workspace::target_directory()?.join("peers");
    let mut build = workspace::cargo();
    build.args(["build", "--release", "--locked", "--manifest-path"]).arg(manifest);
    build.args(programs.iter().flat_map(|program| ["--bin", program]));
    workspace::foreground(build.arg("--target-dir").arg(&directory))?;
    Ok(directory.join("release"))
}

/// The servers on other SDKs. Those in other languages are installed, unless they are already.
pub(crate) fn servers(directory: &Path) -> Result<Vec<Contender>, Failure> {
    let server = |name, command: Vec<String>, divisor| Contender {
        name,
        command,
        tool: "echo",
        color: Color::Peer,
        divisor,
    };
    let rmcp = |streams: &str, threads: &str| {
        vec![path(directory, "rmcp-server"), streams.to_owned(), threads.to_owned()]
    };
    let installation = Installation::prepare("bench/peers")?;
    let typescript = Program::Node { folder: "typescript", script: "server.mjs" };
    let python = Program::Python {
        script: "python/server.py",
        requirements: "python/requirements.txt",
        environment: "python/environment",
    };
    Ok(vec![
        server("rmcp on pipes, current", rmcp("pipes", "current"), 4),
        server("rmcp on pipes, multi", rmcp("pipes", "multi"), 4),
        server("rmcp on stdin, current", rmcp("stdio", "current"), 10),
        server("rmcp on stdin, multi", rmcp("stdio", "multi"), 10),
        server("tower-mcp", vec![path(directory, "tower-server")], 10),
        server("TypeScript", words(&installation.install(&typescript)?), 20),
        server("Python", words(&installation.install(&python)?), 40),
    ])
}

/// A command as words. What it adds to the environment is said by `env`, which starts it.
fn words(command: &Command) -> Vec<String> {
    let mut words = Vec::new();
    for (name, value) in command.get_envs() {
        if let Some(value) = value {
            words.push(format!("{}={}", name.to_string_lossy(), value.to_string_lossy()));
        }
    }
    if !words.is_empty() {
        words.insert(0, "env".to_owned());
    }
    words.push(command.get_program().to_string_lossy().into_owned());
    words.extend(command.get_args().map(|argument| argument.to_string_lossy().into_owned()));
    words
}
