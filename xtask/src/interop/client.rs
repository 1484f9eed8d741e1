//! The official clients.

/// One client in one mode.
pub(crate) struct Client {
    pub(crate) name: &'static str,
    /// Whether the client shakes hands at once (`legacy`) or asks `server/discover` first (`auto`).
    pub(crate) mode: &'static str,
    /// What is driven, as its registry calls it. The version is pinned in the folder of the driver.
    pub(crate) package: &'static str,
    pub(crate) kit: Kit,
    /// The arguments of the driver that select the client.
    pub(crate) driver_arguments: &'static [&'static str],
    /// Whether it is part of `--smoke`.
    pub(crate) smoke: bool,
}

/// What has to be installed for a client, and how its driver is run.
#[derive(Clone, Copy)]
pub(crate) enum Kit {
    /// A folder with `package.json` and `drive.mjs`.
    Node { folder: &'static str },
    /// A requirements file of the folder `python`, installed into an environment of its own.
    Python { requirements: &'static str, environment: &'static str },
}

const TYPESCRIPT: Kit = Kit::Node { folder: "typescript" };
const INSPECTOR: Kit = Kit::Node { folder: "inspector" };
const PYTHON_1: Kit = Kit::Python { requirements: "requirements-1.txt", environment: "python-1" };
const PYTHON_2: Kit = Kit::Python { requirements: "requirements-2.txt", environment: "python-2" };

pub(crate) const CLIENTS: &[Client] = &[
    Client {
        name: "typescript-1",
        mode: "legacy",
        package: "@modelcontextprotocol/sdk 1",
        kit: TYPESCRIPT,
        driver_arguments: &["--sdk", "1"],
        smoke: true,
    },
    Client {
        name: "typescript-2",
        mode: "legacy",
        package: "@modelcontextprotocol/client 2",
        kit: TYPESCRIPT,
        driver_arguments: &["--sdk", "2"],
        smoke: false,
    },
    Client {
        name: "typescript-2",
        mode: "auto",
        package: "@modelcontextprotocol/client 2",
        kit: TYPESCRIPT,
        driver_arguments: &["--sdk", "2"],
        smoke: false,
    },
    Client {
        name: "python-1",
        mode: "legacy",
        package: "mcp 1",
        kit: PYTHON_1,
        driver_arguments: &[],
        smoke: false,
    },
    Client {
        name: "python-2",
        mode: "legacy",
        package: "mcp 2",
        kit: PYTHON_2,
        driver_arguments: &[],
        smoke: false,
    },
    Client {
        name: "python-2",
        mode: "auto",
        package: "mcp 2",
        kit: PYTHON_2,
        driver_arguments: &[],
        smoke: true,
    },
    Client {
        name: "inspector",
        mode: "legacy",
        package: "@modelcontextprotocol/inspector 2, its command line",
        kit: INSPECTOR,
        driver_arguments: &[],
        smoke: false,
    },
    Client {
        name: "inspector",
        mode: "auto",
        package: "@modelcontextprotocol/inspector 2, its command line",
        kit: INSPECTOR,
        driver_arguments: &[],
        smoke: false,
    },
];
