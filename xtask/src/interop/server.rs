//! The server that is driven unless the command line names another.

use serde_json::Value;

use crate::failure::Failure;
use crate::workspace;

/// Builds the everything example and gives its command.
pub(crate) fn build_everything() -> Result<Vec<String>, Failure> {
    let messages = workspace::output(workspace::cargo().args([
        "build",
        "--release",
        "--package",
        "mcp-wire-tokio",
        "--example",
        "everything",
        "--message-format",
        "json-render-diagnostics",
    ]))?;
    messages
        .lines()
        .filter_map(|line| serde_json::from_str::<Value>(line).ok())
        .find_map(|message| message["executable"].as_str().map(str::to_owned))
        .map(|executable| vec![executable])
        .ok_or_else(|| Failure::Task("cargo built no executable".to_owned()))
}
