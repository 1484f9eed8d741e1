//! Tools that make the server ask the client.

use crate::answers::{ELICITED, ROOT, SAMPLED, example_of};
use crate::report::{Failure, Report, ensure};
use crate::session::Session;
use mcp_wire_driver::Runtime;
use serde_json::{Value, json};
use std::sync::atomic::{AtomicUsize, Ordering};

pub(super) async fn run<Rt: Runtime>(report: &mut Report<Rt>, session: &mut Session) {
    // Listed again, since a server may add such tools once it knows what the client can do.
    match session.client.list_tools().await {
        Ok(tools) => session.tools = tools,
        Err(error) => {
            report.step("asks", async { Err(error.into()) }).await;
            return;
        }
    }
    let asked = session.asked.clone();
    report.step("sampling", ask(session, "sampl", &asked.sampling, SAMPLED)).await;
    report.step("elicitation", ask(session, "elicit", &asked.elicitation, ELICITED)).await;
    report.step("roots", ask(session, "roots", &asked.roots, ROOT)).await;
}

/// Calls the tool with this in its name, which must ask, and tell of the answer.
async fn ask(
    session: &Session,
    part_of_name: &str,
    asked: &AtomicUsize,
    answer: &str,
) -> Result<Value, Failure> {
    let fits = |name: &str| name.contains(part_of_name) && !name.contains("url");
    let tool = session.tools.iter().find(|tool| fits(tool.name()));
    let tool = tool.ok_or(format!("there is no tool with {part_of_name:?} in its name"))?;
    let text = session.text_of(tool.name(), &example_of(tool.input_schema())).await?;
    ensure(asked.load(Ordering::SeqCst) > 0, "the client was asked")?;
    ensure(text.contains(answer), format_args!("{text:?} holds the answer {answer:?}"))?;
    Ok(json!({ "tool": tool.name() }))
}
