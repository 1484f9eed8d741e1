//! How a tool fails.

use crate::elicitation::Denial;
use crate::input::{InputError, InputRequired};
use mcp_wire_core::message::ErrorObject;
use std::any::Any;
use std::fmt;

/// A tool's failure, which the model is told of as text. Any error that can be displayed becomes one with `?`; an
/// [`ErrorObject`] stays the error of the protocol that it is, which the model is not told of.
///
/// It is also how a tool gives back what it needs to know first: see [`Context::input`](crate::Context::input).
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ToolError(pub(super) Failure);

#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Failure {
    Denied(Denial),
    Input(InputRequired),
    Refused(ErrorObject),
    Text(String),
}

impl ToolError {
    pub(crate) fn denied(denial: Denial) -> Self {
        Self(Failure::Denied(denial))
    }

    /// Why the user did not approve, where that is the failure.
    #[must_use]
    pub fn denial(&self) -> Option<Denial> {
        match self.0 {
            Failure::Denied(denial) => Some(denial),
            _ => None,
        }
    }

    /// What the client is asked, where this is no failure.
    #[must_use]
    pub fn input_required(&self) -> Option<&InputRequired> {
        match &self.0 {
            Failure::Input(input) => Some(input),
            _ => None,
        }
    }

    /// What the model is told.
    #[must_use]
    pub fn message(&self) -> String {
        match &self.0 {
            Failure::Denied(denial) => denial.to_string(),
            Failure::Input(_) => "input is required".to_owned(),
            Failure::Refused(error) => error.to_string(),
            Failure::Text(text) => text.clone(),
        }
    }
}

// It must not be displayable itself: whatever can be displayed becomes one.
impl<E: fmt::Display + 'static> From<E> for ToolError {
    fn from(error: E) -> Self {
        match (&error as &dyn Any).downcast_ref::<ErrorObject>() {
            Some(error) => Self(Failure::Refused(error.clone())),
            None => Self(Failure::Text(error.to_string())),
        }
    }
}

impl From<InputError> for ToolError {
    fn from(error: InputError) -> Self {
        match error {
            InputError::Failed(error) => error.into(),
            InputError::Required(input) => input.into(),
        }
    }
}

impl From<InputRequired> for ToolError {
    fn from(input: InputRequired) -> Self {
        Self(Failure::Input(input))
    }
}
