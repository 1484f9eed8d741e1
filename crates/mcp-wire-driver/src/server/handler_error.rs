//! How a handler fails.

use crate::elicitation::Denial;
use crate::input::{InputError, InputRequired};
use mcp_wire_core::message::{ErrorObject, Json};
use std::any::Any;
use std::error::Error;
use std::fmt;

/// A handler's failure. Any error that can be displayed becomes one with `?`, and its text is told: of a tool to the model, as
/// a failed result, of a prompt, a resource or completion to the client, as an "internal error" with that text.
///
/// An [`ErrorObject`] stays the error of the protocol that it is, and an [`InputError`] may be no failure at all: it is also how
/// a handler gives back what it needs to know first.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct HandlerError(pub(super) Failure);

#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Failure {
    Input(InputError),
    Refused(ErrorObject),
    Text(String),
}

impl HandlerError {
    /// Why the user gave no answer to go on with, where that is the failure.
    #[must_use]
    pub fn denial(&self) -> Option<Denial> {
        match self.0 {
            Failure::Input(InputError::Denied(denial)) => Some(denial),
            _ => None,
        }
    }

    /// What the client is asked, where this is no failure.
    #[must_use]
    pub fn input_required(&self) -> Option<&InputRequired> {
        match &self.0 {
            Failure::Input(InputError::Required(input)) => Some(input),
            _ => None,
        }
    }

    /// What is told of it.
    #[must_use]
    pub fn message(&self) -> String {
        match &self.0 {
            Failure::Input(error) => error.to_string(),
            Failure::Refused(error) => error.to_string(),
            Failure::Text(text) => text.clone(),
        }
    }

    /// The outcome of a request: `told` makes one of what is to be told, where this is a failure, and none of the protocol.
    pub(crate) fn into_outcome(
        self,
        told: impl FnOnce(String) -> Result<Json, ErrorObject>,
    ) -> Result<Json, ErrorObject> {
        match self.0 {
            Failure::Input(InputError::Required(input)) => Ok(input.into()),
            Failure::Input(InputError::Undeclared(capability)) => {
                Err(ErrorObject::missing_capability(capability))
            }
            Failure::Refused(error) => Err(error),
            Failure::Input(_) | Failure::Text(_) => told(self.message()),
        }
    }

    /// The outcome where there is nobody but the client to be told.
    pub(crate) fn into_error(self) -> Result<Json, ErrorObject> {
        self.into_outcome(|text| Err(ErrorObject::new(ErrorObject::INTERNAL_ERROR, text)))
    }
}

// It must not be displayable itself: whatever can be displayed becomes one. The alternate form has the causes, where an error
// keeps them to itself otherwise.
impl<E: fmt::Display + 'static> From<E> for HandlerError {
    fn from(error: E) -> Self {
        Self(if let Some(error) = known::<ErrorObject>(&error) {
            Failure::Refused(error)
        } else if let Some(error) = known::<InputError>(&error) {
            Failure::Input(error)
        } else if let Some(denial) = known::<Denial>(&error) {
            Failure::Input(InputError::Denied(denial))
        } else {
            Failure::Text(format!("{error:#}"))
        })
    }
}

/// The error as one of ours, where it is one. A `?` may have boxed it on the way.
fn known<K: Error + Clone + 'static>(error: &dyn Any) -> Option<K> {
    let boxed = || -> Option<&(dyn Error + 'static)> {
        match error.downcast_ref::<Box<dyn Error + Send + Sync>>() {
            Some(boxed) => Some(&**boxed),
            None => error.downcast_ref::<Box<dyn Error>>().map(|boxed| &**boxed),
        }
    };
    error.downcast_ref::<K>().or_else(|| boxed()?.downcast_ref()).cloned()
}

impl From<InputRequired> for HandlerError {
    fn from(input: InputRequired) -> Self {
        Self(Failure::Input(InputError::Required(input)))
    }
}
