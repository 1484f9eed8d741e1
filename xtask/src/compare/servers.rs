//! The servers that are compared, and which version each of them is.

use crate::bench::peers;
use crate::failure::Failure;
use crate::workspace;
use serde_json::Value;
use std::fs;
use std::process::Command;

/// Whose server it is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Owner {
    Ours,
    Other,
}

/// A server with the tools `echo`, `slow`, `boom` and `stray_print`.
#[derive(Debug)]
pub(crate) struct Server {
    pub(crate) name: &'static str,
    /// Of its SDK, and of what runs it where that is not in the program.
    pub(crate) version: String,
    pub(crate) command: Vec<String>,
    pub(crate) owner: Owner,
}

/// One server of ours, which stands for all where there is little time.
pub(crate) fn smallest() -> Result<Vec<Server>, Failure> {
    ours(&OURS[..1])
}

/// Ours on each runtime, and those on other SDKs.
pub(crate) fn all() -> Result<Vec<Server>, Failure> {
    let mut servers = ours(OURS)?;
    let others = peers::servers(&peers::build(&["rmcp-server", "tower-server"])?)?;
    for (contender, name, package) in OTHERS {
        let Some(other) = others.iter().find(|other| other.name == *contender) else {
            return Err(Failure::Task(format!(
                "no server is called {contender:?}: name it as the bench does"
            )));
        };
        let command = other.command.clone();
        let version = version(package, &command)?;
        servers.push(Server { name, version, command, owner: Owner::Other });
    }
    Ok(servers)
}

/// The name, and the program.
const OURS: &[(&str, &str)] = &[
    ("mcp-wire on tokio", "everything-tokio"),
    ("mcp-wire on smol", "everything-smol"),
    ("mcp-wire on async-std", "everything-async-std"),
];

/// The name that the bench has for it, ours, and where its version is.
const OTHERS: &[(&str, &str, Package)] = &[
    ("rmcp on stdin, multi", "rmcp on stdin", Package::Crate("rmcp")),
    ("rmcp on pipes, multi", "rmcp on pipes", Package::Crate("rmcp")),
    ("tower-mcp", "tower-mcp", Package::Crate("tower-mcp")),
    ("TypeScript", "TypeScript SDK", Package::Npm("@modelcontextprotocol/server")),
    ("Python", "Python SDK", Package::Python("mcp")),
];

/// Something with a version, pinned in `tests/bench/peers`.
enum Package {
    Crate(&'static str),
    Npm(&'static str),
    Python(&'static str),
}

fn ours(servers: &[(&'static str, &str)]) -> Result<Vec<Server>, Failure> {
    let mut build = workspace::cargo();
    build.args(["build", "--release", "-p", "ours"]);
    for (_, program) in servers {
        build.args(["--bin", program]);
    }
    workspace::foreground(&mut build)?;
    let directory = workspace::target_directory()?.join("release");
    let server = |(name, program): &(&'static str, &str)| Server {
        name,
        version: env!("CARGO_PKG_VERSION").to_owned(),
        command: vec![directory.join(program).to_string_lossy().into_owned()],
        owner: Owner::Ours,
    };
    Ok(servers.iter().map(server).collect())
}

fn version(package: &Package, command: &[String]) -> Result<String, Failure> {
    let peers = workspace::root().join("tests/bench/peers");
    let read = |file: &str| fs::read_to_string(peers.join(file));
    let (name, pinned) = match package {
        Package::Crate(name) => (name, crate_version(name, &read("Cargo.lock")?)),
        Package::Npm(name) => (name, npm_version(name, &read("typescript/package.json")?)),
        Package::Python(name) => (name, python_version(name, &read("python/requirements.txt")?)),
    };
    let missing = || Failure::Task(format!("{name} has no version in tests/bench/peers: pin it"));
    let pinned = pinned.ok_or_else(missing)?;
    match package {
        Package::Crate(_) => Ok(pinned),
        Package::Npm(_) => Ok(format!("{pinned} on Node {}", interpreter_version(command)?)),
        Package::Python(_) => Ok(format!("{pinned} on {}", interpreter_version(command)?)),
    }
}

/// What the interpreter says of itself. The last argument is the script.
fn interpreter_version(command: &[String]) -> Result<String, Failure> {
    let mut interpreter = Command::new(&command[0]);
    interpreter.args(&command[1..command.len() - 1]).arg("--version");
    Ok(workspace::output(&mut interpreter)?.trim().to_owned())
}

fn crate_version(name: &str, lock: &str) -> Option<String> {
    let (_, rest) = lock.split_once(&format!("name = \"{name}\"\nversion = \""))?;
    Some(rest.split_once('"')?.0.to_owned())
}

fn npm_version(name: &str, manifest: &str) -> Option<String> {
    let manifest: Value = serde_json::from_str(manifest).ok()?;
    manifest["dependencies"][name].as_str().map(str::to_owned)
}

fn python_version(name: &str, requirements: &str) -> Option<String> {
    let mut pins = requirements.lines().filter_map(|line| line.split_once("=="));
    pins.find(|(package, _)| *package == name).map(|(_, version)| version.trim().to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn versions_are_found_where_they_are_pinned() {
        let lock = "name = \"rmcp-macros\"\nversion = \"1.0.0\"\n\nname = \"rmcp\"\nversion = \"3.11.0\"\n";
        assert_eq!(crate_version("rmcp", lock).as_deref(), Some("3.11.0"));
        assert_eq!(crate_version("tower-mcp", lock), None);
        let manifest = r#"{"dependencies":{"@scope/server":"2.4.0"}}"#;
        assert_eq!(npm_version("@scope/server", manifest).as_deref(), Some("2.4.0"));
        assert_eq!(npm_version("zod", manifest), None);
        assert_eq!(python_version("mcp", "anyio==4.0\nmcp==2.3.0\n").as_deref(), Some("2.3.0"));
        assert_eq!(python_version("mcp", ""), None);
    }
}
