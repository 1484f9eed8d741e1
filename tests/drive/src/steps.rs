//! The steps, in their order.

mod asks;
mod cancellation;
mod close;
mod conduct;
mod echo;
mod errors;
mod faults;
mod files;
mod graph;
mod lists;
mod opening;
mod subscriptions;
mod utilities;

use crate::answers::{self, Asked};
use crate::options::{Group, Options};
use crate::report::Report;
use mcp_wire_driver::{Client, ConnectError, Era, Eras, Host, Runtime};
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
    let host = Arc::new(answers::host(&asked).eras(options.eras));
    let mut session = None;
    report.step("connect", opening::open(&connect, &host, &asked, options, &mut session)).await;
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
    subscriptions::run(report, &session, options).await;
    if options.has(Group::Asks) {
        asks::run(report, &mut session).await;
    }
    if options.has(Group::Interview) {
        report.step("interview", asks::interview(&session)).await;
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
    if options.has(Group::Starts) {
        report.step("starts", opening::starts(&session, options.eras)).await;
    }
    report.step("conduct", conduct::conduct(&mut session, opening::requests(options))).await;
    report.step("close", close::close(&session, options.ending)).await;
    drop(session);

    if options.has(Group::Faults) {
        report.step("die", faults::die(&connect, &host)).await;
    }
    if options.eras == Eras::Both && options.era == Era::Legacy {
        report.step("pinned to the modern era", opening::refused(&connect, &asked)).await;
    }
    let runtime = report.runtime.clone();
    report.step("drop", close::dropped(&runtime, &connect, &host)).await;
}
