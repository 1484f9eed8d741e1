//! What is measured, built and ready to start.

use super::Effort;
use super::chart::Color;
use super::peers;
use crate::failure::Failure;
use crate::workspace;
use std::path::{Path, PathBuf};
use std::process::Command;

/// A server, as it is started, and the tool of it that is called.
#[derive(Debug, Clone)]
pub(crate) struct Contender {
    pub(crate) name: &'static str,
    pub(crate) command: Vec<String>,
    pub(crate) tool: &'static str,
    pub(crate) color: Color,
    /// How many requests it is measured with, of those that the fast ones are: others would take hours.
    pub(crate) divisor: usize,
}

#[derive(Debug)]
pub(crate) struct Programs {
    ours: PathBuf,
    peers: Option<PathBuf>,
    /// The limit first, then our servers, then those of others.
    pub(crate) servers: Vec<Contender>,
}

impl Programs {
    /// Builds our own programs, and those of others unless this is a smoke test.
    pub(crate) fn build(effort: Effort) -> Result<Self, Failure> {
        let smoke = effort == Effort::SMOKE;
        let mut build = workspace::cargo();
        build.args([
            "build",
            "--release",
            "-p",
            "in-process",
            "-p",
            "limit",
            "-p",
            "load",
            "-p",
            "ours",
        ]);
        if smoke {
            build.args(["--bin", "in-process", "--bin", "limit", "--bin", "load"]);
            build.args([
                "--bin",
                "echo-tokio",
                "--bin",
                "call-tokio",
                "--bin",
                "connections-tokio",
            ]);
        }
        workspace::foreground(&mut build)?;
        let target = workspace::target_directory()?;
        let ours = target.join("release");
        let mut servers = our_servers(&ours, smoke);
        let mut peers = None;
        if !smoke {
            let directory = peers::build(&[])?;
            servers.extend(peers::servers(&directory)?);
            peers = Some(directory);
        }
        Ok(Self { ours, peers, servers })
    }

    /// A program of ours.
    pub(crate) fn ours(&self, name: &str) -> String {
        path(&self.ours, name)
    }

    /// A program on somebody else's SDK, unless this is a smoke test.
    pub(crate) fn peer(&self, name: &str) -> Option<String> {
        Some(path(self.peers.as_ref()?, name))
    }

    /// The load generator, in this mode, with a server.
    pub(crate) fn load(&self, mode: &str, options: &[&str], server: &[String]) -> Command {
        let mut load = Command::new(self.ours("load"));
        load.arg(mode).args(options).arg("--").args(server);
        load
    }

    /// The server of this name.
    pub(crate) fn server(&self, name: &str) -> Option<&Contender> {
        self.servers.iter().find(|server| server.name == name)
    }
}

pub(super) fn path(directory: &Path, name: &str) -> String {
    directory.join(name).to_string_lossy().into_owned()
}

/// A command as words. What it adds to the environment is said by `env`, which starts it.
pub(super) fn words(command: &Command) -> Vec<String> {
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

fn our_servers(directory: &Path, smoke: bool) -> Vec<Contender> {
    let server = |name, program: &str, arguments: &[&str], tool| {
        let color = if name == "limit" { Color::Limit } else { Color::Ours };
        let mut command = vec![path(directory, program)];
        command.extend(arguments.iter().map(|argument| (*argument).to_owned()));
        Contender { name, command, tool, color, divisor: 1 }
    };
    let mut servers = vec![
        server("limit", "limit", &[], "echo"),
        server("tokio, current", "everything-tokio", &["current"], "echo"),
        server("tokio, current, task", "everything-tokio", &["current"], "echo_task"),
        server("tokio, multi", "everything-tokio", &["multi"], "echo"),
        server("tokio, multi, task", "everything-tokio", &["multi"], "echo_task"),
        server("smol", "everything-smol", &[], "echo"),
        server("smol, task", "everything-smol", &[], "echo_task"),
        server("async-std", "everything-async-std", &[], "echo"),
        server("async-std, task", "everything-async-std", &[], "echo_task"),
    ];
    if smoke {
        // One program does for all that continuous integration can afford.
        servers.truncate(3);
        for server in servers.iter_mut().skip(1) {
            server.command[0] = path(directory, "echo-tokio");
        }
    }
    servers
}
