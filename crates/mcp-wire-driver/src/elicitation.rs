//! Asking the user: for a form to be filled in, or whether some work may be done.

use crate::context::Context;
use crate::input::InputError;
use mcp_wire_core::message::Json;
use serde::Deserialize;
use serde::de::DeserializeOwned;
use serde_json::json;
use std::fmt;

/// Why a question to the user has no answer to go on with.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub enum Denial {
    /// The user has closed the question.
    Cancelled,
    /// The user has declined.
    Declined,
    /// The answer does not fit the question, or is not the clear yes that was asked for.
    Unclear,
}

impl fmt::Display for Denial {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str(match self {
            Self::Cancelled => "the user has closed the question",
            Self::Declined => "the user has declined",
            Self::Unclear => "the user's answer is not clear",
        })
    }
}

impl std::error::Error for Denial {}

/// What a host answers a server that asks the user something: see [`Host::on_elicitation`](crate::Host::on_elicitation).
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Elicited(Json);

impl Elicited {
    /// The user has filled in the form: its fields are the members of an object.
    #[must_use]
    pub fn accept(fields: impl Into<Json>) -> Self {
        Self(Json::trusted(format!(r#"{{"action":"accept","content":{}}}"#, fields.into())))
    }

    /// The user has closed the question.
    #[must_use]
    pub fn cancel() -> Self {
        Self(Json::trusted(r#"{"action":"cancel"}"#.to_owned()))
    }

    /// The user has declined.
    #[must_use]
    pub fn decline() -> Self {
        Self(Json::trusted(r#"{"action":"decline"}"#.to_owned()))
    }
}

impl From<Elicited> for Json {
    fn from(answer: Elicited) -> Self {
        answer.0
    }
}

#[derive(Deserialize)]
struct Answer {
    action: String,
    content: Option<Json>,
}

#[derive(Deserialize)]
struct Approval {
    approved: Json,
}

impl Approval {
    fn clear(self) -> Result<(), Denial> {
        if self.approved.as_str() == "true" { Ok(()) } else { Err(Denial::Unclear) }
    }
}

impl Context {
    /// Asks the user, through the client, to fill in a form, and waits at most 60 s for the answer, which is read as `T`. The
    /// schema is that of an object whose properties are plain: text, numbers, truth values and choices.
    ///
    /// It works as [`input`](Self::input) does, since revision 2025-06-18: the handler may run again from its start, and has
    /// to ask in the same order each time. Asking the same again after an answer, because that will not do, asks the user again.
    /// Cancel-safe: dropping it withdraws the question.
    ///
    /// # Errors
    ///
    /// [`InputError`], to be given back with `?`; [`InputError::Denied`] where the user was asked and did not fill in the form,
    /// with [`Denial::Unclear`] where what they filled in is no `T`.
    ///
    /// ```
    /// # use mcp_wire_driver::{Context, InputError};
    /// use serde_json::json;
    ///
    /// #[derive(serde::Deserialize)]
    /// struct Guests {
    ///     number: u32,
    /// }
    ///
    /// async fn book(context: Context) -> Result<String, InputError> {
    ///     let number = json!({ "type": "integer", "minimum": 1 });
    ///     let form = json!({ "type": "object", "properties": { "number": number }, "required": ["number"] });
    ///     let guests: Guests = context.ask("How many will you be?", form).await?;
    ///     Ok(format!("a table for {}", guests.number))
    /// }
    /// ```
    pub async fn ask<T: DeserializeOwned>(
        &self,
        message: &str,
        schema: impl Into<Json>,
    ) -> Result<T, InputError> {
        let schema = schema.into();
        self.fill_in(&format!("ask: {message}"), message, &schema).await
    }

    /// Asks the user, through the client, whether some work may be done, and waits at most 60 s for the answer. `Ok` means a
    /// clear yes, and nothing else does: the user has accepted, and has set the field that they were asked to set, a boolean
    /// named `approved`, to `true`.
    ///
    /// It works as [`input`](Self::input) does, since revision 2025-06-18: the handler may run again from its start.
    /// Cancel-safe: dropping it withdraws the question.
    ///
    /// # Errors
    ///
    /// [`InputError`], to be given back with `?`; [`InputError::Denied`] where the user was asked and did not approve.
    pub async fn approve(&self, question: &str) -> Result<(), InputError> {
        let schema = json!({
            "type": "object",
            "properties": { "approved": { "type": "boolean", "title": "Approve", "default": false } },
            "required": ["approved"],
        });
        let asked = format!("approve: {question}");
        let approval: Approval = self.fill_in(&asked, question, &schema.into()).await?;
        approval.clear().map_err(InputError::Denied)
    }

    async fn fill_in<T: DeserializeOwned>(
        &self,
        question: &str,
        message: &str,
        schema: &Json,
    ) -> Result<T, InputError> {
        #[derive(serde::Serialize)]
        #[serde(rename_all = "camelCase")]
        struct Form<'a> {
            message: &'a str,
            requested_schema: &'a Json,
        }
        let params = Json::from_serialize(&Form { message, requested_schema: schema })
            .map_err(|error| InputError::Failed(error.into()))?;
        let answer = self.input_to(question, "elicitation/create", params).await?;
        read(&answer).map_err(InputError::Denied)
    }
}

/// A repeated member makes an answer unclear.
fn read<T: DeserializeOwned>(answer: &Json) -> Result<T, Denial> {
    let answer: Answer = answer.parse().map_err(|_| Denial::Unclear)?;
    match answer.action.as_str() {
        "accept" => answer.content.and_then(|it| it.parse().ok()).ok_or(Denial::Unclear),
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
            let read = read(&Json::new(answer).unwrap()).and_then(Approval::clear);
            assert_eq!(read, expected, "{answer}");
        }
    }
}
