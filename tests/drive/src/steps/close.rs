//! The end of a session: gently, and by dropping it.

use super::Connect;
use crate::options::Ending;
use crate::process_group::ProcessGroup;
use crate::report::{Failure, ensure};
use crate::session::Session;
use mcp_wire_driver::shutdown::Step;
use mcp_wire_driver::{Closed, Host, Runtime};
use serde_json::{Value, json};
use std::sync::Arc;
use std::time::{Duration, Instant};

/// How often the system is asked whether a group is gone, of which nobody tells.
const PAUSE: Duration = Duration::from_millis(20);

/// The server exits at the end of its input, or when it is told to, and nothing of its group is left.
pub(super) async fn close(session: &Session, ending: Ending) -> Result<Value, Failure> {
    let start = Instant::now();
    let end = session.client.close().await;
    let milliseconds = start.elapsed().as_millis() as u64;
    ensure(end.cause == Closed::Local, format_args!("{} is our own close", end.cause))?;
    let child = end.child.ok_or("nothing is known of the process")?;
    let exit = child.exit.ok_or("the exit was not seen")?;
    let status = exit.status;
    match ending {
        Ending::ByItself => {
            ensure(child.step <= Step::CloseInput, format_args!("{:?} is no signal", child.step))?;
            ensure(status.success(), format_args!("{status} is a success"))?;
        }
        Ending::BySignal => {
            ensure(child.step == Step::Terminate, format_args!("{:?} is a signal", child.step))?;
        }
    }
    let left = session.group.map_or(Vec::new(), ProcessGroup::left);
    ensure(left.is_empty(), format_args!("nothing is left of the process group, not {left:?}"))?;
    Ok(json!({
        "afterMs": milliseconds,
        "exit": status.to_string(),
        "group": session.group.is_some(),
    }))
}

/// Dropping the last handle kills the group.
pub(super) async fn dropped<Rt: Runtime>(
    runtime: &Rt,
    connect: &impl Connect,
    host: &Arc<Host>,
) -> Result<Value, Failure> {
    let client = connect(host.clone()).await?;
    let Some(group) = ProcessGroup::of_our_child() else { return Ok(json!({ "group": false })) };
    let processes = group.left().len();
    drop(client);
    while !group.left().is_empty() {
        runtime.sleep_until(Rt::now() + PAUSE).await;
    }
    Ok(json!({ "processes": processes }))
}
