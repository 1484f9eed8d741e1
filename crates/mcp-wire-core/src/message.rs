//! One line: a JSON-RPC message, or a fault that says why it is none.
//!
//! A line is read in a single pass that checks its JSON and finds the members of the envelope. Payload is never parsed into
//! a tree: it stays the peer's text, byte for byte, until somebody asks for a type.

mod envelope;
mod error_object;
mod fault;
mod id;
mod json;
mod object;
mod scan;
pub(crate) mod write;

#[cfg(test)]
mod tests;

pub use envelope::{IdRules, Params, Rules};
pub use error_object::ErrorObject;
pub use fault::{Fault, FaultKind};
pub use id::{Id, MAX_ID_BYTES};
pub use json::{Json, NotJson};
pub use object::members;
pub use write::push_string;

pub(crate) use envelope::items;
pub(crate) use object::{Member, member, members_of, merge};

use crate::frame::Frame;
use std::borrow::Cow;
use std::ops::Range;

/// What one line says.
#[derive(Debug, Clone, PartialEq)]
#[non_exhaustive]
pub enum Message {
    /// Wants no answer.
    Notification(Notification),
    /// Wants an answer.
    Request(Request),
    /// Is an answer.
    Response(Response),
}

impl Message {
    /// Reads one message from the bytes of a line, or of any frame that holds exactly one JSON text.
    ///
    /// An owned line is kept without a copy. The work is linear in the line's length, and nesting costs no stack.
    ///
    /// # Errors
    ///
    /// A [`Fault`] when the bytes are not UTF-8, not JSON, nested too deeply, or no JSON-RPC 2.0 message under `rules`. It
    /// carries the id where one could be read.
    pub fn read<'a>(line: impl Into<Cow<'a, [u8]>>, rules: &Rules) -> Result<Self, Box<Fault>> {
        envelope::read(line.into(), rules)
    }

    /// Reads one message from what a [`Decoder`](crate::frame::Decoder) found.
    ///
    /// # Errors
    ///
    /// A [`Fault`] as from [`read`](Self::read); [`FaultKind::Oversize`] for a line past the limit, and
    /// [`FaultKind::Truncated`] for half a line at the end of the stream.
    pub fn read_frame(frame: Frame<'_>, rules: &Rules) -> Result<Self, Box<Fault>> {
        match frame {
            Frame::Line(line) => Self::read(line, rules),
            Frame::Oversize { head } => Err(Box::new(envelope::read_head(&head, rules))),
            Frame::Unterminated(line) => Self::read(line, rules).map_err(|fault| {
                // Half a line is told apart from a bad one.
                Box::new(match fault.kind() {
                    FaultKind::NotJson | FaultKind::NotUtf8 => {
                        fault.with_kind(FaultKind::Truncated)
                    }
                    _ => *fault,
                })
            }),
        }
    }
}

/// A message that wants no answer.
#[derive(Debug, Clone, PartialEq)]
pub struct Notification {
    pub(crate) line: String,
    pub(crate) method: Method,
    pub(crate) params: Option<Range<usize>>,
}

/// Where a method's name lies: nearly always in the line itself.
#[derive(Debug, Clone, PartialEq)]
pub(crate) enum Method {
    InLine(Range<usize>),
    Unescaped(Box<str>),
}

impl Notification {
    /// The method's name, unescaped.
    #[must_use]
    pub fn method(&self) -> &str {
        match &self.method {
            Method::InLine(range) => &self.line[range.clone()],
            Method::Unescaped(name) => name,
        }
    }

    /// The parameters as the peer wrote them; `None` where they are absent or `null`.
    #[must_use]
    pub fn params(&self) -> Option<&str> {
        self.params.clone().map(|range| &self.line[range])
    }

    /// The parameters without a copy, `{}` where they are absent or `null`.
    #[must_use]
    pub fn into_params(self) -> Json {
        match self.params {
            Some(range) => Json::within(self.line, range),
            None => Json::empty_object(),
        }
    }

    /// The length of the whole line, in bytes.
    #[must_use]
    pub fn size(&self) -> usize {
        self.line.len()
    }
}

/// A message that wants an answer.
#[derive(Debug, Clone, PartialEq)]
pub struct Request {
    pub(crate) id: Id,
    pub(crate) body: Notification,
}

impl Request {
    /// A request that did not come over a connection: for questions that come inside of something else, and for tests.
    #[must_use]
    pub fn new(id: Id, method: &str, params: Option<&Json>) -> Self {
        let mut line = String::new();
        let params = params.map(|params| {
            line.push_str(params.as_str());
            0..line.len()
        });
        Self { id, body: Notification { line, method: Method::Unescaped(method.into()), params } }
    }

    /// The id that the peer chose. A request is answered through its token, not through this.
    #[must_use]
    pub fn id(&self) -> &Id {
        &self.id
    }

    /// The method's name, unescaped.
    #[must_use]
    pub fn method(&self) -> &str {
        self.body.method()
    }

    /// The parameters as the peer wrote them; `None` where they are absent or `null`.
    #[must_use]
    pub fn params(&self) -> Option<&str> {
        self.body.params()
    }

    /// The parameters without a copy, `{}` where they are absent or `null`.
    #[must_use]
    pub fn into_params(self) -> Json {
        self.body.into_params()
    }

    /// The length of the whole line, in bytes.
    #[must_use]
    pub fn size(&self) -> usize {
        self.body.size()
    }
}

/// An answer.
#[derive(Debug, Clone, PartialEq)]
pub struct Response {
    pub(crate) id: Id,
    pub(crate) outcome: Result<Json, ErrorObject>,
}

impl Response {
    /// The id of the request that it answers.
    #[must_use]
    pub fn id(&self) -> &Id {
        &self.id
    }

    /// The result or the error.
    ///
    /// # Errors
    ///
    /// The peer's error object, where it sent one.
    pub fn outcome(&self) -> Result<&Json, &ErrorObject> {
        self.outcome.as_ref()
    }

    /// The result or the error, without a copy.
    ///
    /// # Errors
    ///
    /// The peer's error object, where it sent one.
    pub fn into_outcome(self) -> Result<Json, ErrorObject> {
        self.outcome
    }
}
