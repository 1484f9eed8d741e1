//! Servers on other SDKs, built and ready to start.

use super::chart::Color;
use super::programs::{Contender, path, words};
use crate::failure::Failure;
use crate::install::{Installation, Program};
use crate::workspace;
use std::path::{Path, PathBuf};

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
