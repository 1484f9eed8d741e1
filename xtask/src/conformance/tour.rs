//! Our client and our server with each other: what no suite asks for is on the wire too, in every revision.

use std::fs::File;
use std::process::{Command, Stdio};

use super::outcome::Outcome;
use super::tools::Tools;
use crate::failure::Failure;
use crate::workspace;

pub(crate) fn run(outcome: &mut Outcome, tools: &Tools) -> Result<(), Failure> {
    let mut line = tools.fixture("drive");
    line.extend(tools.recorded(tools.fixture("serve"), &outcome.results)?);
    let log = outcome.results.join("session.log");
    let mut client = Command::new(&line[0]);
    client.args(&line[1..]).stdin(Stdio::null()).stderr(File::create(&log)?);
    client.env("MCP_CONFORMANCE_SCENARIO", "tour");
    client.env("MCP_CONFORMANCE_PROTOCOL_VERSION", outcome.run.revision);
    let status = client.status().map_err(|error| workspace::not_started(&client, &error))?;
    if status.success() {
        outcome.pass("tour");
    } else {
        outcome.fail("tour", &format!("the client failed: see {}", log.display()));
    }
    Ok(())
}
