//! Asking the user whether some work may be done.

use crate::context::Context;
use crate::server::ToolError;
use mcp_wire_core::message::Json;
use serde::Deserialize;
use serde_json::json;
use std::fmt;

/// Why some work may not be done.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub enum Denial {
    /// The user has closed the question.
    Cancelled,
    /// The user has declined.
    Declined,
    /// The answer is not a clear yes.
    Unclear,
}

impl fmt::Display for Denial {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str(match self {
            Self::Cancelled => "not approved: the user has closed the question",
            Self::Declined => "not approved: the user has declined",
            Self::Unclear => "not approved: the answer is not a clear yes",
        })
    }
}

impl std::error::Error for Denial {}

#[derive(Deserialize)]
struct Answer {
    action: String,
    content: Option<Json>,
}

#[derive(Deserialize)]
struct Content {
    approved: Json,
}

impl Context {
    /// Asks the user, through the client, whether some work may be done, and waits at most 60 s for the answer. `Ok` means a
    /// clear yes, and nothing else does: the user has accepted, and has set the field that they were asked to set, a boolean
    /// named `approved`, to `true`.
    ///
    /// It works as [`input`](Self::input) does, since revision 2025-06-18: the handler may run again from its start. Cancel-safe: dropping it withdraws the question.
    ///
    /// # Errors
    ///
    /// [`ToolError`], to be given back with `?`; [`ToolError::denial`] tells why where the user was asked and did not
    /// approve.
    pub async fn approve(&self, question: &str) -> Result<(), ToolError> {
        let params = json!({
            "message": question,
            "requestedSchema": {
                "type": "object",
                "properties": { "approved": { "type": "boolean", "title": "Approve", "default": false } },
                "required": ["approved"],
            },
        });
        let key = format!("approve: {question}");
        let answer = self.input(&key, "elicitation/create", Json::from(params)).await?;
        read(&answer).map_err(ToolError::denied)
    }
}

/// A repeated member makes an answer unclear.
fn read(answer: &Json) -> Result<(), Denial> {
    let answer: Answer = answer.parse().map_err(|_| Denial::Unclear)?;
    match answer.action.as_str() {
        "accept" => {
            let content = answer.content.and_then(|content| content.parse::<Content>().ok());
            let approved = content.is_some_and(|content| content.approved.as_str() == "true");
            if approved { Ok(()) } else { Err(Denial::Unclear) }
        }
        "cancel" => Err(Denial::Cancelled),
        "decline" => Err(Denial::Declined),
        _ => Err(Denial::Unclear),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// L2: only `accept` with the asked boolean exactly `true` is an approval.
    #[test]
    fn only_a_clear_yes_is_one() {
        for (answer, expected) in [
            (r#"{"action":"accept","content":{"approved":true}}"#, Ok(())),
            (r#"{"action":"accept","content":{"approved":true,"more":1},"_meta":{}}"#, Ok(())),
            (r#"{"action":"decline","content":{"approved":true}}"#, Err(Denial::Declined)),
            (r#"{"action":"cancel"}"#, Err(Denial::Cancelled)),
            (r#"{"action":"accept","content":{"approved":false}}"#, Err(Denial::Unclear)),
            (r#"{"action":"accept","content":{"approved":"true"}}"#, Err(Denial::Unclear)),
            (r#"{"action":"accept","content":{"approved":1}}"#, Err(Denial::Unclear)),
            (r#"{"action":"accept","content":{"Approved":true}}"#, Err(Denial::Unclear)),
            (r#"{"action":"accept","content":{}}"#, Err(Denial::Unclear)),
            (r#"{"action":"accept","content":null}"#, Err(Denial::Unclear)),
            (r#"{"action":"accept"}"#, Err(Denial::Unclear)),
            (r#"{"action":"Accept","content":{"approved":true}}"#, Err(Denial::Unclear)),
            (r#"{"content":{"approved":true}}"#, Err(Denial::Unclear)),
            (
                r#"{"action":"accept","content":{"approved":false,"approved":true}}"#,
                Err(Denial::Unclear),
            ),
            (
                r#"{"action":"decline","action":"accept","content":{"approved":true}}"#,
                Err(Denial::Unclear),
            ),
            ("[]", Err(Denial::Unclear)),
        ] {
            assert_eq!(read(&Json::new(answer).unwrap()), expected, "{answer}");
        }
    }
}
