//! The example server `everything`, which each adapter has.

use serde_json::Value;

use crate::failure::Failure;
use crate::workspace;

/// The runtime that a server runs on.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Runtime {
    AsyncStd,
    Smol,
    Tokio,
}

impl Runtime {
    pub(crate) const NAMES: &str = "tokio|smol|async-std";

    /// Reads the value of `--runtime`.
    pub(crate) fn parse(name: Option<&String>) -> Result<Self, Failure> {
        match name.map(String::as_str) {
            Some("async-std") => Ok(Self::AsyncStd),
            Some("smol") => Ok(Self::Smol),
            Some("tokio") => Ok(Self::Tokio),
            _ => Err(Failure::Usage(format!("name a runtime after --runtime: {}", Self::NAMES))),
        }
    }

    /// The value of `--runtime` that means it.
    pub(crate) fn name(self) -> &'static str {
        match self {
            Self::AsyncStd => "async-std",
            Self::Smol => "smol",
            Self::Tokio => "tokio",
        }
    }

    fn package_and_example(self) -> (&'static str, &'static str) {
        match self {
            Self::AsyncStd => ("mcp-wire-async-std", "everything_async_std"),
            Self::Smol => ("mcp-wire-smol", "everything_smol"),
            Self::Tokio => ("mcp-wire-tokio", "everything"),
        }
    }
}

/// Builds the example for this runtime, optimised, and gives the path of its executable.
pub(crate) fn build(runtime: Runtime) -> Result<String, Failure> {
    let (package, example) = runtime.package_and_example();
    let messages = workspace::output(workspace::cargo().args([
        "build",
        "--release",
        "--package",
        package,
        "--example",
        example,
        "--message-format",
        "json-render-diagnostics",
    ]))?;
    messages
        .lines()
        .filter_map(|line| serde_json::from_str::<Value>(line).ok())
        .find_map(|message| message["executable"].as_str().map(str::to_owned))
        .ok_or_else(|| Failure::Task("cargo built no executable".to_owned()))
}
