//! The official servers: programs that are published, and peers of ours on the official SDKs.

use std::path::Path;
use std::process::Command;

use crate::install::Program;

/// One server in one mode.
pub(crate) struct Server {
    pub(crate) name: &'static str,
    /// Whether our client shakes hands at once (`legacy`) or asks `server/discover` first (`auto`).
    pub(crate) mode: &'static str,
    /// What is driven, as its registry calls it. The version is pinned in the folder of the server.
    pub(crate) package: &'static str,
    pub(crate) program: Program,
    /// What the program is told beside that. `SCRATCH` is replaced by the path of an empty directory.
    arguments: &'static [&'static str],
    environment: &'static [(&'static str, &'static str)],
    /// The steps that it takes beside those that every server takes.
    steps: &'static [&'static str],
    /// How it ends: `by-itself` when its input does, or `by-signal`.
    ending: &'static str,
    /// Whether it is part of `--smoke`.
    pub(crate) smoke: bool,
}

const SCRATCH: &str = "{scratch}";

const fn published(executable: &'static str) -> Program {
    Program::Npx { folder: "servers/published", executable }
}

pub(crate) const SERVERS: &[Server] = &[
    Server {
        name: "server-typescript",
        mode: "legacy",
        package: "@modelcontextprotocol/server 2",
        program: Program::Node { folder: "servers/typescript", script: "serve.mjs" },
        arguments: &[],
        environment: &[],
        steps: &[
            "echo",
            "slow",
            "resources",
            "prompts",
            "completion",
            "logging",
            "subscribe",
            "asks",
            "faults",
        ],
        ending: "by-itself",
        smoke: true,
    },
    Server {
        name: "server-python",
        mode: "legacy",
        package: "mcp 2",
        program: Program::Python {
            script: "servers/python/serve.py",
            requirements: "python/requirements-2.txt",
            environment: "python-2",
        },
        arguments: &[],
        environment: &[],
        steps: &["echo", "slow", "resources", "prompts", "completion", "asks"],
        ending: "by-itself",
        smoke: true,
    },
    Server {
        name: "server-rust",
        mode: "legacy",
        package: "rmcp 3",
        program: Program::Cargo { folder: "servers/rust" },
        arguments: &[],
        environment: &[],
        steps: &[
            "echo",
            "slow",
            "resources",
            "prompts",
            "completion",
            "logging",
            "subscribe",
            "asks",
        ],
        ending: "by-itself",
        smoke: false,
    },
    Server {
        name: "server-everything",
        mode: "legacy",
        package: "@modelcontextprotocol/server-everything",
        program: published("mcp-server-everything"),
        arguments: &[],
        environment: &[],
        steps: &[
            "echo",
            "slow",
            "resources",
            "prompts",
            "completion",
            "logging",
            "subscribe",
            "asks",
        ],
        ending: "by-signal",
        smoke: false,
    },
    Server {
        name: "server-filesystem",
        mode: "legacy",
        package: "@modelcontextprotocol/server-filesystem",
        program: published("mcp-server-filesystem"),
        arguments: &[SCRATCH],
        environment: &[],
        steps: &["files"],
        ending: "by-itself",
        smoke: true,
    },
    Server {
        name: "server-memory",
        mode: "legacy",
        package: "@modelcontextprotocol/server-memory",
        program: published("mcp-server-memory"),
        arguments: &[],
        environment: &[("MEMORY_FILE_PATH", "{scratch}/memory.jsonl")],
        steps: &["graph", "resources", "subscribe"],
        ending: "by-itself",
        smoke: false,
    },
];

impl Server {
    /// What our driver has to know of it.
    pub(crate) fn driver_arguments(&self) -> [String; 4] {
        ["--steps".to_owned(), self.steps.join(","), "--ending".to_owned(), self.ending.to_owned()]
    }

    /// What our client starts: a client of ours hands down nothing but a few variables, so the rest goes through `env`.
    pub(crate) fn command_line(&self, mut program: Command, scratch: &Path) -> Vec<String> {
        let fill = |text: &str| text.replace(SCRATCH, &scratch.to_string_lossy());
        program.args(self.arguments.iter().map(|argument| fill(argument)));
        program.envs(self.environment.iter().map(|(name, value)| (name, fill(value))));

        let mut line: Vec<String> = program
            .get_envs()
            .filter_map(|(name, value)| {
                Some(format!("{}={}", name.to_string_lossy(), value?.to_string_lossy()))
            })
            .collect();
        if !line.is_empty() {
            line.insert(0, "env".to_owned());
        }
        line.push(program.get_program().to_string_lossy().into_owned());
        line.extend(program.get_args().map(|argument| argument.to_string_lossy().into_owned()));
        line
    }
}
