//! How a session begins.

use super::Connect;
use crate::answers::{self, Asked};
use crate::options::{Group, Options};
use crate::process_group::ProcessGroup;
use crate::report::{Failure, ensure};
use crate::session::Session;
use mcp_wire_driver::{ConnectError, Era, Eras, Host};
use serde_json::{Value, json};
use std::sync::Arc;

pub(super) async fn open(
    connect: &impl Connect,
    host: &Arc<Host>,
    asked: &Arc<Asked>,
    options: &Options,
    session: &mut Option<Session>,
) -> Result<Value, Failure> {
    let client = connect(host.clone()).await?;
    let server = client.server_info().clone();
    *session = Some(Session::new(client, asked.clone()));
    let revision = server.revision.as_str();
    let is_expected = server.revision.era() == options.era;
    ensure(is_expected, format_args!("{revision} is of the {:?} era", options.era))?;
    let implementation = server.implementation.as_ref();
    ensure(implementation.is_some(), "the server says who it is")?;
    Ok(json!({
        "revision": revision,
        "server": implementation.map(|it| (it.name.as_str(), it.version.as_str())),
        "capabilities": server.capabilities.parse::<Value>()?,
        "instructions": server.instructions,
    }))
}

/// How many requests it takes to open a session.
pub(super) fn requests(options: &Options) -> u64 {
    // A server that dies of the first one is started once more.
    let dies = options.has(Group::Starts);
    let is_refused = options.eras == Eras::Both && options.era == Era::Legacy;
    if is_refused && !dies { 2 } else { 1 }
}

/// P4: the server tells what it was asked first, each time that it was started.
pub(super) async fn starts(session: &Session, eras: Eras) -> Result<Value, Failure> {
    let starts = session.text_of("starts", &json!({})).await?;
    let starts: Value = serde_json::from_str(&starts)?;
    let expected = match eras {
        Eras::Legacy => json!(["initialize"]),
        _ => json!(["server/discover", "initialize"]),
    };
    ensure(starts == expected, format_args!("{starts} are the starts {expected}"))?;
    Ok(json!({ "starts": starts }))
}

/// P4: a client that is pinned to the modern era does not fall back.
pub(super) async fn refused(connect: &impl Connect, asked: &Arc<Asked>) -> Result<Value, Failure> {
    let host = Arc::new(answers::host(asked).eras(Eras::Modern));
    match connect(host).await {
        Err(error @ ConnectError::Handshake { .. }) => {
            let left = ProcessGroup::of_our_child();
            ensure(left.is_none(), format_args!("nothing is left of the server, not {left:?}"))?;
            Ok(json!({ "error": error.to_string() }))
        }
        Err(error) => Err(error.into()),
        Ok(client) => Err(format!("it speaks {}", client.server_info().revision.as_str()).into()),
    }
}
