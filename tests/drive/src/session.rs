//! One session, and what the steps have learnt of its server.

use crate::answers::Asked;
use crate::process_group::ProcessGroup;
use crate::report::{Failure, ensure};
use crate::wire::Wire;
use mcp_wire_driver::{Client, Era, Prompt, Resource, ResourceTemplate, Tool, ToolResult};
use serde_json::{Value, json};
use std::sync::Arc;

/// One session, and what the steps have learnt of its server.
pub(crate) struct Session {
    pub(crate) client: Client,
    pub(crate) group: Option<ProcessGroup>,
    pub(crate) asked: Arc<Asked>,
    /// All that went over the wire once the session was open.
    pub(crate) wire: Wire,
    pub(crate) tools: Vec<Tool>,
    pub(crate) resources: Vec<Resource>,
    pub(crate) templates: Vec<ResourceTemplate>,
    pub(crate) prompts: Vec<Prompt>,
}

impl Session {
    pub(crate) fn new(client: Client, asked: Arc<Asked>) -> Self {
        Self {
            wire: Wire::watch(&client),
            client,
            group: ProcessGroup::of_our_child(),
            asked,
            tools: Vec::new(),
            resources: Vec::new(),
            templates: Vec::new(),
            prompts: Vec::new(),
        }
    }

    /// Is the session of an era in which each request says by itself what it needs to?
    pub(crate) fn is_modern(&self) -> bool {
        self.client.server_info().revision.era() == Era::Modern
    }

    pub(crate) fn ensure_declares(&self, capability: &str) -> Result<(), Failure> {
        let declares = self.client.server_info().has(capability);
        ensure(declares, format_args!("the server declares the {capability} capability"))
    }

    pub(crate) fn has_tool(&self, name: &str) -> bool {
        self.tools.iter().any(|tool| tool.name == name)
    }

    /// Calls a tool that must not fail, and gives its text.
    pub(crate) async fn text_of(&self, tool: &str, arguments: &Value) -> Result<String, Failure> {
        let result = self.client.call_tool(tool, arguments).await?;
        succeeded(tool, &result)?;
        Ok(result.as_text())
    }

    /// The echo tool's answer, which must hold the message unharmed.
    pub(crate) async fn echo(&self, message: &str) -> Result<String, Failure> {
        let text = self.text_of("echo", &json!({ "message": message })).await?;
        ensure_echoes(&text, message)?;
        Ok(text)
    }
}

/// The tool did not fail.
pub(crate) fn succeeded(tool: &str, result: &ToolResult) -> Result<(), Failure> {
    ensure(!result.is_error(), format_args!("{tool} succeeds, as it says: {}", result.as_text()))
}

pub(crate) fn ensure_echoes(text: &str, message: &str) -> Result<(), Failure> {
    let length = message.len();
    ensure(text.contains(message), format_args!("echo gives the {length} bytes back that it got"))
}
