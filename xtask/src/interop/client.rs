//! The official clients.

use crate::install::Program;

/// A client, which drives our server in each of its modes.
pub(crate) struct Client {
    pub(crate) name: &'static str,
    /// It shakes hands at once (`legacy`), asks `server/discover` first (`auto`), or takes the modern era for granted.
    pub(crate) modes: &'static [&'static str],
    /// What is driven, as its registry calls it. The version is pinned in the folder of the driver.
    pub(crate) package: &'static str,
    /// Its driver.
    pub(crate) program: Program,
    /// The arguments of the driver that select the client.
    pub(crate) arguments: &'static [&'static str],
    /// The modes that are part of `--smoke`.
    pub(crate) smoke: &'static [&'static str],
}

const LEGACY: &[&str] = &["legacy"];
const BOTH: &[&str] = &["legacy", "auto", "modern"];

/// The era that comes of a mode where the server speaks both.
pub(crate) fn era(mode: &str) -> &'static str {
    if mode == "legacy" { "legacy" } else { "modern" }
}

const TYPESCRIPT: Program = Program::Node { folder: "typescript", script: "drive.mjs" };
const INSPECTOR: Program = Program::Node { folder: "inspector", script: "drive.mjs" };
const PYTHON_1: Program = Program::Python {
    script: "python/drive.py",
    requirements: "python/requirements-1.txt",
    environment: "python-1",
};
const PYTHON_2: Program = Program::Python {
    script: "python/drive.py",
    requirements: "python/requirements-2.txt",
    environment: "python-2",
};

pub(crate) const CLIENTS: &[Client] = &[
    Client {
        name: "typescript-1",
        modes: LEGACY,
        package: "@modelcontextprotocol/sdk 1",
        program: TYPESCRIPT,
        arguments: &["--sdk", "1"],
        smoke: &["legacy"],
    },
    Client {
        name: "typescript-2",
        modes: BOTH,
        package: "@modelcontextprotocol/client 2",
        program: TYPESCRIPT,
        arguments: &["--sdk", "2"],
        smoke: &[],
    },
    Client {
        name: "python-1",
        modes: LEGACY,
        package: "mcp 1",
        program: PYTHON_1,
        arguments: &[],
        smoke: &[],
    },
    Client {
        name: "python-2",
        modes: BOTH,
        package: "mcp 2",
        program: PYTHON_2,
        arguments: &[],
        smoke: &["modern"],
    },
    Client {
        name: "inspector",
        modes: BOTH,
        package: "@modelcontextprotocol/inspector 2, its command line",
        program: INSPECTOR,
        arguments: &[],
        smoke: &[],
    },
];
