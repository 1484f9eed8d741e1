//! Asking the user whether some work may be done.

use crate::context::Context;
use mcp_wire_core::message::Json;
use mcp_wire_core::rpc::CallError;
use serde::Deserialize;
use serde_json::json;
use std::fmt;

/// Why some work may not be done.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub enum Denial {
    /// The user has closed the question.
    Cancelled,
    /// The user has declined.
    Declined,
    /// The question could not be asked, or was not answered in time.
    Failed(CallError),
    /// The answer is not a clear yes.
    Unclear,
}

impl fmt::Display for Denial {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Cancelled => {
                formatter.write_str("not approved: the user has closed the question")
            }
            Self::Declined => formatter.write_str("not approved: the user has declined"),
            Self::Failed(error) => write!(formatter, "not approved: {error}"),
            Self::Unclear => formatter.write_str("not approved: the answer is not a clear yes"),
        }
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
    /// clear yes, and nothing else does: the user has accepted, and has set the field that they were asked to set to `true`.
    ///
    /// Cancel-safe: dropping it withdraws the question. (Elicitation, since revision 2025-06-18.)
    ///
    /// # Errors
    ///
    /// [`Denial`]; with `?` in a tool the model is told of it.
    pub async fn approve(&self, question: &str) -> Result<(), Denial> {
        let params = json!({
            "message": question,
            "requestedSchema": {
                "type": "object",
                "properties": { "approved": { "type": "boolean", "title": "Approve", "default": false } },
                "required": ["approved"],
            },
        });
        let answer = self.elicit(params.into()).await.map_err(Denial::Failed)?;
        read(&answer)
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
