//! The steps, in their order.

mod asks;
mod cancellation;
mod close;
mod echo;
mod errors;
mod faults;
mod files;
mod graph;
mod lists;
mod utilities;

use crate::answers::{self, Asked};
use crate::options::{Group, Options};
use crate::report::{Failure, Report, ensure};
use crate::session::Session;
use mcp_wire_driver::{Client, ConnectError, Host, Runtime};
use serde_json::{Value, json};
use std::sync::Arc;

/// Starts the server anew, and connects.
pub(crate) trait Connect: AsyncFn(Arc<Host>) -> Result<Client, ConnectError> {}

impl<F: AsyncFn(Arc<Host>) -> Result<Client, ConnectError>> Connect for F {}

/// Takes all steps of one server.
pub(crate) async fn run<Rt: Runtime>(
    report: &mut Report<Rt>,
    options: &Options,
    connect: impl Connect,
) {
    let asked = Arc::new(Asked::default());
    let host = Arc::new(answers::host(&asked));
    let mut session = None;
    report.step("connect", first(&connect, &host, &asked, &mut session)).await;
    let Some(mut session) = session else { return };

    report.step("ping", utilities::ping(&session)).await;
    lists::run(report, &mut session, options).await;
    if options.has(Group::Echo) {
        echo::run(report, &session, options.calls).await;
    }
    errors::run(report, &session).await;
    if options.has(Group::Slow) {
        cancellation::run(report, &session).await;
    }
    utilities::run(report, &session, options).await;
    if options.has(Group::Asks) {
        asks::run(report, &mut session).await;
    }
    if options.has(Group::Files) {
        files::run(report, &session).await;
    }
    if options.has(Group::Graph) {
        graph::run(report, &session).await;
    }
    if options.has(Group::Faults) {
        report.step("garbage", faults::garbage(&session)).await;
    }
    report.step("close", close::close(&session, options.ending)).await;
    drop(session);

    if options.has(Group::Faults) {
        report.step("die", faults::die(&connect, &host)).await;
    }
    let runtime = report.runtime.clone();
    report.step("drop", close::dropped(&runtime, &connect, &host)).await;
}

async fn first(
    connect: &impl Connect,
    host: &Arc<Host>,
    asked: &Arc<Asked>,
    session: &mut Option<Session>,
) -> Result<Value, Failure> {
    let client = connect(host.clone()).await?;
    let server = client.server().clone();
    *session = Some(Session::new(client, asked.clone()));
    let implementation = server.implementation.as_ref();
    ensure(implementation.is_some(), "the server says who it is")?;
    Ok(json!({
        "revision": server.revision.as_str(),
        "server": implementation.map(|it| (it.name.as_str(), it.version.as_str())),
        "capabilities": server.capabilities.parse::<Value>()?,
        "instructions": server.instructions,
    }))
}
