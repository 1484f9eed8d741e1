//! Tools that make the server ask the client.

use crate::answers::{ELICITED, ROOT, SAMPLED, example_of};
use crate::report::{Failure, Report, ensure};
use crate::session::Session;
use crate::wire::{Message, Wire};
use mcp_wire_driver::Runtime;
use serde::Deserialize;
use serde_json::value::RawValue;
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
    let tool = session.tools.iter().find(|tool| fits(&tool.name));
    let tool = tool.ok_or(format!("there is no tool with {part_of_name:?} in its name"))?;
    let mut wire = Wire::watch(&session.client);
    let text = session.text_of(&tool.name, &example_of(&tool.input_schema.parse()?)).await?;
    ensure(asked.load(Ordering::SeqCst) > 0, "the client was asked")?;
    ensure(text.contains(answer), format_args!("{text:?} holds the answer {answer:?}"))?;
    let rounds = if session.is_modern() { rounds(&mut wire)? } else { 1 };
    let calls = wire.sent("tools/call").len();
    ensure(calls == rounds, format_args!("{rounds} calls are made, not {calls}"))?;
    Ok(json!({ "tool": tool.name, "rounds": rounds }))
}

/// Asks two things at once, and then another, which takes as many rounds in the modern era.
pub(super) async fn interview(session: &Session) -> Result<Value, Failure> {
    let mut wire = Wire::watch(&session.client);
    let text = session.text_of("interview", &json!({})).await?;
    for answer in [ELICITED, ROOT, SAMPLED] {
        ensure(text.contains(answer), format_args!("{text:?} holds the answer {answer:?}"))?;
    }
    if session.is_modern() {
        let rounds = rounds(&mut wire)?;
        ensure(rounds == 3, format_args!("{rounds} rounds are 3"))?;
    }
    Ok(json!({}))
}

/// L3: what a server needs to know is given back, and the same is asked again with the answers: under a new id, with the
/// server's state as it was written. Gives how many rounds it took.
fn rounds(wire: &mut Wire) -> Result<usize, Failure> {
    let is_call = |message: &&Message| message.value["method"] == "tools/call";
    let calls: Vec<(String, Value)> = wire
        .all_sent()
        .iter()
        .filter(is_call)
        .map(|message| (message.line.clone(), message.value.clone()))
        .collect();
    ensure(calls.len() > 1, "there is more than one round")?;
    for pair in calls.windows(2) {
        let [(_, before), (line, after)] = pair else { continue };
        ensure(before["id"] != after["id"], "each round has an id of its own")?;
        for member in ["name", "arguments"] {
            let is_kept = before["params"][member] == after["params"][member];
            ensure(is_kept, format_args!("{member} is the same in each round"))?;
        }
        let answer = wire.answer_to(&before["id"]).ok_or("the round was not answered")?;
        let asked: Vec<&String> = keys(&answer.value["result"]["inputRequests"]);
        let answered: Vec<&String> = keys(&after["params"]["inputResponses"]);
        ensure(asked == answered, format_args!("{answered:?} answers {asked:?}"))?;
        // What some readers take for the end of a line is always escaped.
        let given = state_in(&answer.line)?.map(|state| state.replace('\u{2028}', "\\u2028"));
        let echoed = state_in(line)?;
        ensure(given == echoed, format_args!("{echoed:?} is the state {given:?}"))?;
    }
    Ok(calls.len())
}

fn keys(object: &Value) -> Vec<&String> {
    object.as_object().into_iter().flatten().map(|(key, _)| key).collect()
}

/// The state that is in a line, as it is written there.
fn state_in(line: &str) -> Result<Option<String>, Failure> {
    #[derive(Deserialize)]
    struct Line {
        /// Of a request, or of the answer that asked for it.
        #[serde(alias = "result")]
        params: Params,
    }
    #[derive(Deserialize)]
    struct Params {
        #[serde(rename = "requestState")]
        state: Option<Box<RawValue>>,
    }
    let line: Line = serde_json::from_str(line)?;
    Ok(line.params.state.map(|state| state.get().to_owned()))
}
