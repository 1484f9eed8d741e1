//! What is asked, and how the answer is shown.

use crate::options::{Options, Output};
use crate::screen::Progress;
use mcp_wire_driver::{CallError, CallOptions, Client, Json, OnProgress, ToolResult};
use serde_json::{Map, Value, json};

/// What is asked.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Request {
    method: String,
    params: Value,
}

impl Request {
    /// Reads a request: a method, and what goes with it.
    pub(crate) fn from_arguments(arguments: &[String]) -> Result<Self, String> {
        let mut arguments = arguments.iter();
        let method = arguments.next().ok_or("name a request")?;
        let mut needed = |what: &str| arguments.next().ok_or(format!("name {what} after {method}"));
        let mut params = match method.as_str() {
            "tools/call" => json!({ "name": needed("the tool")? }),
            "prompts/get" => json!({ "name": needed("the prompt")? }),
            "resources/read" => json!({ "uri": needed("the resource's URI")? }),
            _ => json!({}),
        };
        if let Some(text) = arguments.next() {
            let object: Map<String, Value> = serde_json::from_str(text).map_err(|error| {
                format!("what goes with {method} has to be an object in JSON: {error}")
            })?;
            match method.as_str() {
                "tools/call" | "prompts/get" => params["arguments"] = object.into(),
                _ => params = object.into(),
            }
        }
        if let Some(more) = arguments.next() {
            return Err(format!(
                "{more:?} is too much: put the arguments of {method} into one object"
            ));
        }
        Ok(Self { method: method.clone(), params })
    }

    pub(crate) fn method(&self) -> &str {
        &self.method
    }
}

/// Makes the request, shows its progress, and prints its result. False where a tool says that it has failed.
pub(crate) async fn make(client: &Client, options: &Options) -> Result<bool, CallError> {
    let request = &options.request;
    if options.output == Output::People {
        match request.method() {
            "tools/list" => {
                for tool in client.list_tools().await? {
                    entry(&tool.name, tool.description.as_deref());
                }
                return Ok(true);
            }
            "resources/list" => {
                for resource in client.list_resources().await? {
                    entry(&resource.uri, resource.description.as_deref().or(Some(&resource.name)));
                }
                return Ok(true);
            }
            "prompts/list" => {
                for prompt in client.list_prompts().await? {
                    entry(&prompt.name, prompt.description.as_deref());
                }
                return Ok(true);
            }
            _ => {}
        }
    }
    let result = call(client, options).await?;
    if request.method() != "tools/call" || options.output == Output::Json {
        println!("{result}");
        return Ok(true);
    }
    let result: ToolResult =
        result.parse().map_err(|error| CallError::UnexpectedResult(error.to_string()))?;
    for block in result.content() {
        println!("{}", readable(block));
    }
    if let Some(structured) = result.structured().filter(|_| result.content().is_empty()) {
        println!("{structured}");
    }
    Ok(!result.is_error())
}

async fn call(client: &Client, options: &Options) -> Result<Json, CallError> {
    let mut call_options = CallOptions::default();
    call_options.timeout = Some(options.timeout);
    call_options.on_progress = OnProgress::Restart;
    let params = Json::from(options.request.params.clone());
    let mut call = client.request(options.request.method(), Some(params), call_options);
    let mut shown = Progress::default();
    while let Some(progress) = call.progress().await {
        shown.show(&progress);
    }
    shown.clear();
    call.await
}

fn entry(name: &str, description: Option<&str>) {
    println!("{name}");
    for line in description.unwrap_or_default().lines() {
        println!("    {line}");
    }
}

/// Text as it is, anything else by what it is.
fn readable(block: &Json) -> String {
    let value: Value = block.parse().unwrap_or_default();
    match (value["type"].as_str(), value["text"].as_str()) {
        (Some("text"), Some(text)) => text.to_owned(),
        (Some(kind @ ("image" | "audio")), _) => {
            let media = value["mimeType"].as_str().unwrap_or("unknown media type");
            format!("[{kind}, {media}: --json shows it]")
        }
        _ => block.to_string(),
    }
}
