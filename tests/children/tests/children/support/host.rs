//! What a host does.

use super::Server;
use super::deadline::AMPLE;
use children::Adapter;
use mcp_wire_tokio::{CallError, Client, Host};
use serde_json::json;

/// A host that waits for long.
pub(crate) fn host() -> Host {
    Host::new("children", "1").connect_timeout(AMPLE)
}

/// A session, where there has to be one.
#[track_caller]
pub(crate) fn connect<A: Adapter>(server: &Server) -> impl Future<Output = Client> {
    let connect = A::connect(host(), server.command());
    async { connect.await.unwrap_or_else(|error| panic!("no session: {error}")) }
}

/// Has the tool say the text.
pub(crate) async fn echo(client: &Client, text: &str) -> Result<String, CallError> {
    let result = client.call_tool("echo", &json!({ "text": text })).await?;
    Ok(result.as_text())
}

/// The id of the process that answers, as it says itself.
#[track_caller]
pub(crate) fn process_of(client: &Client) -> u32 {
    let instructions = client.server_info().instructions.as_deref().unwrap_or_default();
    instructions.strip_prefix("process ").unwrap().parse().unwrap()
}
