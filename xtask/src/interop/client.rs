//! The official clients.

use crate::install::Program;

/// One client in one mode.
pub(crate) struct Client {
    pub(crate) name: &'static str,
    /// Whether the client shakes hands at once (`legacy`) or asks `server/discover` first (`auto`).
    pub(crate) mode: &'static str,
    /// What is driven, as its registry calls it. The version is pinned in the folder of the driver.
    pub(crate) package: &'static str,
    /// Its driver.
    pub(crate) program: Program,
    /// The arguments of the driver that select the client.
    pub(crate) arguments: &'static [&'static str],
    /// Whether it is part of `--smoke`.
    pub(crate) smoke: bool,
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
        mode: "legacy",
        package: "@modelcontextprotocol/sdk 1",
        program: TYPESCRIPT,
        arguments: &["--sdk", "1"],
        smoke: true,
    },
    Client {
        name: "typescript-2",
        mode: "legacy",
        package: "@modelcontextprotocol/client 2",
        program: TYPESCRIPT,
        arguments: &["--sdk", "2"],
        smoke: false,
    },
    Client {
        name: "typescript-2",
        mode: "auto",
        package: "@modelcontextprotocol/client 2",
        program: TYPESCRIPT,
        arguments: &["--sdk", "2"],
        smoke: false,
    },
    Client {
        name: "python-1",
        mode: "legacy",
        package: "mcp 1",
        program: PYTHON_1,
        arguments: &[],
        smoke: false,
    },
    Client {
        name: "python-2",
        mode: "legacy",
        package: "mcp 2",
        program: PYTHON_2,
        arguments: &[],
        smoke: false,
    },
    Client {
        name: "python-2",
        mode: "auto",
        package: "mcp 2",
        program: PYTHON_2,
        arguments: &[],
        smoke: true,
    },
    Client {
        name: "inspector",
        mode: "legacy",
        package: "@modelcontextprotocol/inspector 2, its command line",
        program: INSPECTOR,
        arguments: &[],
        smoke: false,
    },
    Client {
        name: "inspector",
        mode: "auto",
        package: "@modelcontextprotocol/inspector 2, its command line",
        program: INSPECTOR,
        arguments: &[],
        smoke: false,
    },
];
