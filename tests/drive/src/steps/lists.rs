//! Everything that can be listed, read and got.

use crate::answers::example_of;
use crate::options::{Group, Options};
use crate::report::{Failure, Report, ensure};
use crate::session::Session;
use crate::wire::Wire;
use mcp_wire_driver::Runtime;
use serde_json::{Value, json};

pub(super) async fn run<Rt: Runtime>(
    report: &mut Report<Rt>,
    session: &mut Session,
    options: &Options,
) {
    report.step("tools/list", tools(session)).await;
    if options.has(Group::Resources) {
        report.step("resources/list", resources(session, options.has(Group::Pages))).await;
        report.step("resources/templates/list", templates(session)).await;
        report.step("resources/read", read(session)).await;
    }
    if options.has(Group::Prompts) {
        report.step("prompts/list", prompts(session)).await;
        report.step("prompts/get", get(session)).await;
    }
}

async fn tools(session: &mut Session) -> Result<Value, Failure> {
    session.ensure_declares("tools")?;
    session.tools = session.client.list_tools().await?;
    ensure(!session.tools.is_empty(), "there are tools")?;
    for tool in &session.tools {
        let kind = tool.input_schema.member("type");
        let takes_object = kind.is_some_and(|kind| kind.as_str() == r#""object""#);
        ensure(takes_object, format_args!("{} takes an object", tool.name))?;
    }
    let names: Vec<&str> = session.tools.iter().map(|tool| tool.name.as_str()).collect();
    Ok(json!({ "names": names }))
}

async fn resources(session: &mut Session, in_pages: bool) -> Result<Value, Failure> {
    session.ensure_declares("resources")?;
    let mut wire = Wire::watch(&session.client);
    session.resources = session.client.list_resources().await?;
    ensure(!session.resources.is_empty(), "there are resources")?;
    let pages = wire.sent("resources/list").len();
    ensure(!in_pages || pages > 1, format_args!("{pages} is more than one page"))?;

    let mut uris: Vec<&str> = session.resources.iter().map(|it| it.uri.as_str()).collect();
    uris.sort_unstable();
    uris.dedup();
    ensure(uris.len() == session.resources.len(), "no resource comes twice")?;
    Ok(json!({ "pages": pages, "uris": uris }))
}

async fn templates(session: &mut Session) -> Result<Value, Failure> {
    session.templates = session.client.list_resource_templates().await?;
    let templates: Vec<&str> =
        session.templates.iter().map(|it| it.uri_template.as_str()).collect();
    Ok(json!({ "templates": templates }))
}

async fn read(session: &Session) -> Result<Value, Failure> {
    let uri = &session.resources.last().ok_or("there is no resource to read")?.uri;
    let read = session.client.read_resource(uri).await?;
    let is_there = read.first().is_some_and(|it| it.text.is_some() || it.blob.is_some());
    ensure(is_there, "it has contents")?;
    Ok(json!({ "uri": uri }))
}

async fn prompts(session: &mut Session) -> Result<Value, Failure> {
    session.ensure_declares("prompts")?;
    session.prompts = session.client.list_prompts().await?;
    let names: Vec<&str> = session.prompts.iter().map(|it| it.name.as_str()).collect();
    Ok(json!({ "names": names }))
}

async fn get(session: &Session) -> Result<Value, Failure> {
    let prompt = session.prompts.first().ok_or("there is no prompt to get")?;
    let required = prompt.arguments.iter().filter(|argument| argument.required);
    let required: Vec<&str> = required.map(|argument| argument.name.as_str()).collect();
    let arguments = example_of(&json!({ "required": required }));
    let result = session.client.get_prompt(&prompt.name, &arguments).await?;
    ensure(!result.messages.is_empty(), "it has messages")?;
    Ok(json!({ "name": prompt.name }))
}
