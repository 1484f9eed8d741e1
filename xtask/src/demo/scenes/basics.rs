//! What every client does.

use crate::demo::client::Trouble;
use crate::demo::stage::Stage;

const REVISION: &str = "2025-11-25";

pub(super) fn handshake(stage: &mut Stage<'_>) -> Result<(), Trouble> {
    let id = stage.request(
        "initialize",
        &format!(
            r#"{{"protocolVersion":"{REVISION}","capabilities":{{"elicitation":{{}}}},"clientInfo":{{"name":"demo","version":"1"}}}}"#
        ),
    );
    let answer = stage.answer(id)?;
    stage.notify("notifications/initialized", "{}");
    let result = &answer.json["result"];
    let revision = result["protocolVersion"].as_str().unwrap_or("no revision");
    let name = result["serverInfo"]["name"].as_str().unwrap_or("a server without a name");
    stage.check(revision == REVISION, &format!("{name} speaks MCP {revision}"));
    Ok(())
}

pub(super) fn tools(stage: &mut Stage<'_>) -> Result<(), Trouble> {
    let list = stage.request("tools/list", "{}");
    let answer = stage.answer(list)?;
    let tools = answer.json["result"]["tools"].as_array().cloned().unwrap_or_default();
    let names: Vec<&str> = tools.iter().filter_map(|tool| tool["name"].as_str()).collect();
    let some = names.get(..4).unwrap_or(&names).join(", ");
    let count = names.len();
    stage.check(names.contains(&"add"), &format!("it has {count} tools: {some} ..."));

    let add = stage.call("add", r#"{"a":40,"b":2}"#);
    let answer = stage.answer(add)?;
    stage.check(answer.text() == Some("42"), "40 + 2 is 42");
    Ok(())
}

pub(super) fn progress(stage: &mut Stage<'_>) -> Result<(), Trouble> {
    let slow = stage.call_with_progress("slow", r#"{"ms":300,"steps":3}"#, "three");
    let mut steps = Vec::new();
    for _ in 0..3 {
        let told = stage.wait_for("notifications/progress")?;
        steps.push(told.json["params"]["progress"].as_f64());
    }
    let is_early = !stage.client.has_received(|message| message.answers(slow));
    stage.answer(slow)?;
    let is_rising = steps == [Some(1.0), Some(2.0), Some(3.0)];
    stage.check(is_rising && is_early, "three steps told, in order, and then the answer");
    Ok(())
}

pub(super) fn elicitation(stage: &mut Stage<'_>) -> Result<(), Trouble> {
    let call = stage.call("elicit", r#"{"question":"Tea or coffee?"}"#);
    let question = stage.wait_for("elicitation/create")?;
    let id = &question.json["id"];
    stage.send(&format!(
        r#"{{"jsonrpc":"2.0","id":{id},"result":{{"action":"accept","content":{{"answer":"tea"}}}}}}"#
    ));
    let answer = stage.answer(call)?;
    let is_heard = answer.text().is_some_and(|text| text.contains("tea"));
    stage.check(is_heard, "the tool asked in the middle of its call, and got its answer");
    Ok(())
}
