//! What is asked, and what has to come back.

use crate::failure::Failure;
use serde::Deserialize;
use serde::de::IgnoredAny;
use std::borrow::Cow;

#[cfg(test)]
mod tests;

const ALPHABET: &str = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";

/// How many bytes of each text tell whose it is.
const MARK: usize = 10;

/// Calls of one tool, which gives its argument `message` back. Each message is its own: it starts with the request's id.
#[derive(Debug, Clone)]
pub(crate) struct Work {
    tool: String,
    padding: String,
}

/// What a line of the server's is.
#[derive(Debug, PartialEq, Eq)]
pub(crate) enum Reply {
    /// The right answer to the request of this id.
    Answer(u64),
    /// A JSON-RPC error for it, such as "server busy".
    Refusal(u64),
    /// A message of the server's own.
    Other,
}

impl Work {
    /// Texts of `size` bytes, or of ten where that is less.
    pub(crate) fn new(tool: &str, size: usize) -> Self {
        let padding = ALPHABET.chars().cycle().take(size.saturating_sub(MARK)).collect();
        Self { tool: tool.to_owned(), padding }
    }

    /// Appends the line of one request.
    pub(crate) fn write_request(&self, id: u64, output: &mut Vec<u8>) {
        let head = format!(
            r#"{{"jsonrpc":"2.0","id":{id},"method":"tools/call","params":{{"name":"{}","arguments":{{"message":"{id:010}"#,
            self.tool
        );
        output.extend_from_slice(head.as_bytes());
        output.extend_from_slice(self.padding.as_bytes());
        output.extend_from_slice(b"\"}}}\n");
    }

    /// Reads a line of the server's.
    pub(crate) fn check(&self, line: &[u8]) -> Result<Reply, Failure> {
        self.judge(line).map_err(|reason| {
            let start = String::from_utf8_lossy(&line[..line.len().min(300)]);
            Failure::new(format!("{reason}, in {start}"))
        })
    }

    fn judge(&self, line: &[u8]) -> Result<Reply, String> {
        let message: Message = serde_json::from_slice(line).map_err(|error| error.to_string())?;
        if message.jsonrpc != "2.0" {
            return Err("jsonrpc is not 2.0".to_owned());
        }
        let Some(id) = message.id else {
            let is_ours = message.method.is_none() && message.error.is_none();
            return if is_ours { Err("there is no id".to_owned()) } else { Ok(Reply::Other) };
        };
        if message.error.is_some() && message.result.is_none() {
            return Ok(Reply::Refusal(id));
        }
        let result = message.result.ok_or("there is no result")?;
        let [block] = result.content.as_slice() else {
            return Err("the content is not one block".to_owned());
        };
        if result.is_error == Some(true) || block.kind != "text" {
            return Err("the result is an error, or no text".to_owned());
        }
        let is_right = block
            .text
            .split_at_checked(MARK)
            .is_some_and(|(mark, rest)| mark.parse() == Ok(id) && rest == self.padding);
        if is_right { Ok(Reply::Answer(id)) } else { Err("the text is wrong".to_owned()) }
    }
}

#[derive(Deserialize)]
struct Message<'a> {
    jsonrpc: &'a str,
    id: Option<u64>,
    method: Option<&'a str>,
    #[serde(borrow)]
    result: Option<CallResult<'a>>,
    error: Option<IgnoredAny>,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct CallResult<'a> {
    #[serde(borrow)]
    content: Vec<Block<'a>>,
    is_error: Option<bool>,
}

#[derive(Deserialize)]
struct Block<'a> {
    #[serde(rename = "type")]
    kind: &'a str,
    #[serde(borrow)]
    text: Cow<'a, str>,
}
