//! The official servers: programs that are published, and peers of ours on the official SDKs.

use std::path::Path;
use std::process::Command;

use crate::install::Program;

/// A server, which our client drives in each of its modes.
pub(crate) struct Server {
    pub(crate) name: &'static str,
    /// Our client shakes hands at once (`legacy`), asks `server/discover` first (`auto`), or asks nothing else (`modern`).
    pub(crate) modes: &'static [&'static str],
    /// What is driven, as its registry calls it. The version is pinned in the folder of the server.
    pub(crate) package: &'static str,
    pub(crate) program: Program,
    /// What the program is told beside that. `SCRATCH` is replaced by the path of an empty directory.
    arguments: &'static [&'static str],
    environment: &'static [(&'static str, &'static str)],
    /// The steps that it takes beside those that every server takes.
    steps: &'static [&'static str],
    /// And those that it takes beside them in the modern era.
    modern_steps: &'static [&'static str],
    /// How it ends: `by-itself` when its input does, or `by-signal`.
    ending: &'static str,
    /// The modes that are part of `--smoke`.
    pub(crate) smoke: &'static [&'static str],
}

const SCRATCH: &str = "{scratch}";

/// Of a server that knows the handshake alone: being asked what it speaks, it has to work all the same.
const LEGACY: &[&str] = &["legacy", "auto"];
const BOTH: &[&str] = &["legacy", "auto", "modern"];

const fn published(executable: &'static str) -> Program {
    Program::Npx { folder: "servers/published", executable }
}

pub(crate) const SERVERS: &[Server] = &[
    Server {
        name: "server-typescript",
        modes: BOTH,
        package: "@modelcontextprotocol/server 2",
        program: Program::Node { folder: "servers/typescript", script: "serve.mjs" },
        arguments: &[],
        environment: &[],
        steps: &[
            "echo",
            "slow",
            "resources",
            "pages",
            "prompts",
            "completion",
            "logging",
            "subscribe",
            "changes",
            "asks",
            "interview",
            "faults",
        ],
        modern_steps: &[],
        ending: "by-itself",
        smoke: &["modern"],
    },
    Server {
        name: "server-python",
        modes: BOTH,
        package: "mcp 2",
        program: Program::Python {
            script: "servers/python/serve.py",
            requirements: "python/requirements-2.txt",
            environment: "python-2",
        },
        arguments: &[],
        environment: &[],
        steps: &["echo", "slow", "resources", "prompts", "completion", "changes", "asks"],
        modern_steps: &["subscribe"],
        ending: "by-itself",
        smoke: &["legacy"],
    },
    Server {
        name: "server-rust",
        modes: BOTH,
        package: "rmcp 3",
        program: Program::Cargo { folder: "servers/rust" },
        arguments: &[],
        environment: &[],
        steps: &[
            "echo",
            "slow",
            "resources",
            "pages",
            "prompts",
            "completion",
            "logging",
            "subscribe",
            "changes",
            "asks",
        ],
        modern_steps: &[],
        ending: "by-itself",
        smoke: &[],
    },
    Server {
        name: "server-fragile",
        modes: LEGACY,
        package: "@modelcontextprotocol/server 2, exiting unless it is asked initialize first",
        program: Program::Node { folder: "servers/typescript", script: "fragile.mjs" },
        arguments: &["{scratch}/starts"],
        environment: &[],
        steps: &["echo", "resources", "starts"],
        modern_steps: &[],
        ending: "by-itself",
        smoke: &["auto"],
    },
    Server {
        name: "server-everything",
        modes: LEGACY,
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
        modern_steps: &[],
        ending: "by-signal",
        smoke: &[],
    },
    Server {
        name: "server-filesystem",
        modes: LEGACY,
        package: "@modelcontextprotocol/server-filesystem",
        program: published("mcp-server-filesystem"),
        arguments: &[SCRATCH],
        environment: &[],
        steps: &["files"],
        modern_steps: &[],
        ending: "by-itself",
        smoke: &["auto"],
    },
    Server {
        name: "server-memory",
        modes: LEGACY,
        package: "@modelcontextprotocol/server-memory",
        program: published("mcp-server-memory"),
        arguments: &[],
        environment: &[("MEMORY_FILE_PATH", "{scratch}/memory.jsonl")],
        steps: &["graph", "resources", "subscribe"],
        modern_steps: &[],
        ending: "by-itself",
        smoke: &[],
    },
];

impl Server {
    /// What our driver has to know of it.
    pub(crate) fn driver_arguments(&self, mode: &str) -> [String; 6] {
        let era = self.era(mode);
        let mut steps = self.steps.to_vec();
        if era == "modern" {
            steps.extend(self.modern_steps);
        }
        ["--era", era, "--steps", &steps.join(","), "--ending", self.ending].map(str::to_owned)
    }

    /// The era that comes of a mode.
    fn era(&self, mode: &str) -> &'static str {
        if mode != "legacy" && self.modes.contains(&"modern") { "modern" } else { "legacy" }
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
