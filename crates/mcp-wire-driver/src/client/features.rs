//! What servers offer, by name: tools, resources, prompts, completion, logging.

use super::{Client, is_something, unreadable};
use crate::call::Call;
use crate::items;
use crate::listed::{Prompt, Resource, ResourceTemplate, Tool};
use crate::progress::Progress;
use crate::server::{Completion, PromptResult, ResourceContents, ToolResult};
use mcp_wire_core::mcp::{Era, LogLevel};
use mcp_wire_core::message::{Json, NotJson};
use mcp_wire_core::rpc::{CallError, CallOptions, OnProgress};
use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};
use std::collections::{HashMap, HashSet};

/// How long all pages of a list may be together, in bytes.
const MAX_LIST_BYTES: usize = 64 << 20;

#[derive(Serialize)]
struct Named<'a> {
    name: &'a str,
    #[serde(skip_serializing_if = "Option::is_none")]
    arguments: Option<Json>,
}

impl<'a> Named<'a> {
    fn new(name: &'a str, arguments: &(impl Serialize + ?Sized)) -> Result<Self, NotJson> {
        let arguments = Some(Json::from_serialize(arguments)?).filter(is_something);
        Ok(Self { name, arguments })
    }
}

#[derive(Serialize)]
pub(super) struct ByUri<'a> {
    pub(super) uri: &'a str,
}

impl Client {
    /// All tools, of all pages. Cancel-safe.
    ///
    /// # Errors
    ///
    /// As [`list`](Self::list).
    pub async fn list_tools(&self) -> Result<Vec<Tool>, CallError> {
        self.list("tools/list", "tools").await
    }

    /// Calls a tool, for at most 60 s. Its arguments are an object: `&json!({ "name": "Ann" })`, a struct or a map, or `&()`
    /// for none. Cancel-safe: dropping the future cancels the call.
    ///
    /// # Errors
    ///
    /// As [`call`](Self::call). A tool that fails is no error of the call: see [`ToolResult::is_error`].
    pub async fn call_tool(
        &self,
        name: &str,
        arguments: &(impl Serialize + ?Sized),
    ) -> Result<ToolResult, CallError> {
        self.ask("tools/call", &Named::new(name, arguments)?).await
    }

    /// Calls a tool like [`call_tool`](Self::call_tool), with other deadlines, and tells of its progress, which extends them only
    /// with [`OnProgress::Restart`]. The time that answering the tool's questions takes counts. Cancel-safe: dropping the future
    /// cancels the call.
    ///
    /// # Errors
    ///
    /// As [`call`](Self::call).
    ///
    /// ```
    /// # use mcp_wire_driver::{CallError, CallOptions, Client, OnProgress};
    /// # use std::time::Duration;
    /// # async fn example(client: &Client) -> Result<(), CallError> {
    /// let options = CallOptions::default()
    ///     .with_timeout(Duration::from_secs(5))
    ///     .with_progress(OnProgress::Restart);
    /// let arguments = serde_json::json!({ "path": "a" });
    /// let result = client
    ///     .call_tool_with("delete", &arguments, options, |progress| println!("{}", progress.progress))
    ///     .await?;
    /// assert!(!result.is_error());
    /// # Ok(())
    /// # }
    /// ```
    pub async fn call_tool_with(
        &self,
        name: &str,
        arguments: &(impl Serialize + ?Sized),
        mut options: CallOptions,
        on_progress: impl FnMut(Progress),
    ) -> Result<ToolResult, CallError> {
        if options.on_progress == OnProgress::Ignore {
            options.on_progress = OnProgress::Report;
        }
        let params = Json::from_serialize(&Named::new(name, arguments)?)?;
        let result = self.converse("tools/call", params, options, on_progress).await?;
        result.parse().map_err(unreadable)
    }

    /// Begins to call a tool, with options: for its progress, another deadline, or to cancel it from elsewhere. Its result
    /// can be parsed as a [`ToolResult`]; since revision 2026-07-28 it may also ask for input, which is no result:
    /// [`call_tool`](Self::call_tool) and [`call_tool_with`](Self::call_tool_with) see to that.
    pub fn start_tool(
        &self,
        name: &str,
        arguments: &(impl Serialize + ?Sized),
        options: CallOptions,
    ) -> Call {
        match Named::new(name, arguments) {
            Ok(params) => self.start("tools/call", &params, options),
            Err(error) => Call::failed(self.peer().clone(), error),
        }
    }

    /// All resources, of all pages. Cancel-safe.
    ///
    /// # Errors
    ///
    /// As [`list`](Self::list).
    pub async fn list_resources(&self) -> Result<Vec<Resource>, CallError> {
        self.list("resources/list", "resources").await
    }

    /// All templates of resources, of all pages. Cancel-safe.
    ///
    /// # Errors
    ///
    /// As [`list`](Self::list).
    pub async fn list_resource_templates(&self) -> Result<Vec<ResourceTemplate>, CallError> {
        self.list("resources/templates/list", "resourceTemplates").await
    }

    /// Reads a resource, which may have several contents: the files of a directory, say. Cancel-safe.
    ///
    /// # Errors
    ///
    /// As [`call`](Self::call).
    pub async fn read_resource(&self, uri: &str) -> Result<Vec<ResourceContents>, CallError> {
        #[derive(Deserialize)]
        struct Read {
            #[serde(deserialize_with = "items::bounded")]
            contents: Vec<ResourceContents>,
        }
        let Read { contents } = self.ask("resources/read", &ByUri { uri }).await?;
        Ok(contents)
    }

    /// Asks to be told, with `notifications/resources/updated`, when a resource changes. Before revision 2026-07-28 alone:
    /// [`listen`](Self::listen) works in every one. Cancel-safe.
    ///
    /// # Errors
    ///
    /// As [`call`](Self::call).
    pub async fn subscribe(&self, uri: &str) -> Result<(), CallError> {
        self.settle("resources/subscribe", &ByUri { uri }).await
    }

    /// Asks to be told no longer, before revision 2026-07-28. Cancel-safe.
    ///
    /// # Errors
    ///
    /// As [`call`](Self::call).
    pub async fn unsubscribe(&self, uri: &str) -> Result<(), CallError> {
        self.settle("resources/unsubscribe", &ByUri { uri }).await
    }

    /// All prompts, of all pages. Cancel-safe.
    ///
    /// # Errors
    ///
    /// As [`list`](Self::list).
    pub async fn list_prompts(&self) -> Result<Vec<Prompt>, CallError> {
        self.list("prompts/list", "prompts").await
    }

    /// Fills in a prompt. Its arguments have to be strings: `&json!({ "code": "..." })`, a map or a struct of them, or `&()`
    /// for none. Cancel-safe.
    ///
    /// # Errors
    ///
    /// As [`call`](Self::call).
    pub async fn get_prompt(
        &self,
        name: &str,
        arguments: &(impl Serialize + ?Sized),
    ) -> Result<PromptResult, CallError> {
        self.ask("prompts/get", &Named::new(name, arguments)?).await
    }

    /// Asks what may be meant by the beginning of an argument. `reference` is a
    /// [`CompletionReference`](crate::exports::CompletionReference), or JSON like that. Cancel-safe.
    ///
    /// # Errors
    ///
    /// As [`call`](Self::call).
    pub async fn complete(
        &self,
        reference: &(impl Serialize + ?Sized),
        argument: &str,
        value: &str,
    ) -> Result<Completion, CallError> {
        #[derive(Serialize)]
        struct Argument<'a> {
            name: &'a str,
            value: &'a str,
        }
        #[derive(Serialize)]
        struct Complete<'a, R: ?Sized> {
            r#ref: &'a R,
            argument: Argument<'a>,
        }
        #[derive(Deserialize)]
        struct Completed {
            completion: Completion,
        }
        let argument = Argument { name: argument, value };
        let complete = Complete { r#ref: reference, argument };
        let completed: Completed = self.call("completion/complete", &complete).await?;
        Ok(completed.completion)
    }

    /// Asks for log messages of this level and the more serious ones (`notifications/message`). Since revision 2026-07-28
    /// that holds for the requests from now on, and nothing is sent. Cancel-safe.
    ///
    /// # Errors
    ///
    /// As [`call`](Self::call).
    pub async fn set_log_level(&self, level: LogLevel) -> Result<(), CallError> {
        #[derive(Serialize)]
        struct SetLevel {
            level: &'static str,
        }
        if self.server_info().revision.era() == Era::Modern {
            self.peer().set_log_level(level);
            return Ok(());
        }
        self.settle("logging/setLevel", &SetLevel { level: level.as_str() }).await
    }

    /// Asks for a sign of life. Since revision 2026-07-28 there is no `ping`: the server is asked what it speaks. Cancel-safe.
    ///
    /// # Errors
    ///
    /// As [`call`](Self::call).
    pub async fn ping(&self) -> Result<(), CallError> {
        let method = match self.server_info().revision.era() {
            Era::Modern => "server/discover",
            _ => "ping",
        };
        self.request(method, None, CallOptions::default()).await.map(drop)
    }

    /// All items of a list, of all pages: `method` gives them under the name `member`. Cancel-safe.
    ///
    /// # Errors
    ///
    /// Of the first page that fails, as [`call`](Self::call); [`CallError::UnexpectedResult`] for a list that has no end.
    pub async fn list<T: DeserializeOwned>(
        &self,
        method: &str,
        member: &str,
    ) -> Result<Vec<T>, CallError> {
        #[derive(Serialize)]
        struct From {
            #[serde(skip_serializing_if = "Option::is_none")]
            cursor: Option<Json>,
        }
        let (now, mut bytes) = (self.peer().clock(), 0);
        let begun = now();
        let (mut items, mut seen) = (Vec::new(), HashSet::new());
        let mut cursor: Option<Json> = None;
        loop {
            // All pages together have the time that one call may take at most.
            let options = CallOptions::default();
            let left = options.ceiling.saturating_sub(now().saturating_duration_since(begun));
            let params = &From { cursor: cursor.clone() };
            let page = self.start(method, params, options.with_ceiling(left)).await?;
            bytes += page.as_str().len();
            let mut page: HashMap<String, Json> = page.parse().map_err(unreadable)?;
            let missing = || CallError::UnexpectedResult(format!("it has no {member:?}"));
            let page_items: Vec<T> =
                page.remove(member).ok_or_else(missing)?.parse().map_err(unreadable)?;
            items.extend(page_items);
            let next = page.remove("nextCursor").filter(|next| next.as_str() != "null");
            match next {
                None => return Ok(items),
                Some(next) if bytes > MAX_LIST_BYTES || !seen.insert(next.to_string()) => break,
                next => cursor = next,
            }
        }
        Err(CallError::UnexpectedResult(format!("the list of {member} has no end")))
    }

    /// Makes a call that the server may have questions about, which the host answers.
    async fn ask<T: DeserializeOwned>(
        &self,
        method: &str,
        params: &(impl Serialize + ?Sized),
    ) -> Result<T, CallError> {
        let params = Json::from_serialize(params)?;
        let result = self.converse(method, params, CallOptions::default(), drop).await?;
        result.parse().map_err(unreadable)
    }

    /// Makes a call whose result says nothing.
    async fn settle(&self, method: &str, params: &impl Serialize) -> Result<(), CallError> {
        self.start(method, params, CallOptions::default()).await.map(drop)
    }
}
