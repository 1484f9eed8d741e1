//! Why something was not sent.

use mcp_wire_core::message::NotJson;
use mcp_wire_core::rpc::Closed;
use std::fmt;

/// Why a message was not sent: the caller is to blame, or the session is over.
///
/// `rmcp` passes it on inside `ServiceError::TransportSend`, from where it can be downcast.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub enum SendError {
    /// The session has ended, and how.
    Closed(Closed),
    /// The message cannot be written as JSON.
    NotJson(NotJson),
    /// The message is longer than `max_frame_out`.
    TooLarge {
        /// Its size in bytes.
        size: usize,
        /// The limit in bytes.
        limit: usize,
    },
}

impl fmt::Display for SendError {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Closed(cause) => write!(formatter, "the session is over: {cause}"),
            Self::NotJson(error) => error.fmt(formatter),
            Self::TooLarge { size, limit } => write!(
                formatter,
                "the message is {size} bytes long, the limit is {limit}: send less, or raise max_frame_out"
            ),
        }
    }
}

impl std::error::Error for SendError {}

impl From<Closed> for SendError {
    fn from(cause: Closed) -> Self {
        Self::Closed(cause)
    }
}
