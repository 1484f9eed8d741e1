//! What happened on a connection.

use super::{Call, CallError, Closed, Token};
use crate::message::{Fault, Json, Notification, Request};

/// What happened on a connection, in the order of arrival.
#[derive(Debug, Clone, PartialEq)]
#[non_exhaustive]
pub enum Event {
    /// A request that was taken is over, unanswered: its handler is to stop, and nothing more is written for it. The slot
    /// stays taken until [`release`](super::Connection::release) says that the handler is gone.
    Cancelled {
        /// The request.
        token: Token,
        /// What the peer gave as its reason.
        reason: Option<String>,
    },
    /// The connection has ended. Exactly one, and the last.
    Closed(Closed),
    /// No new requests are admitted any more, and those that stay open are to be answered now. At most one.
    Draining,
    /// The peer sent something that is no message.
    Fault(Fault),
    /// So many notifications and faults were dropped, since nobody took the events.
    Lagged(usize),
    /// This side did something that the protocol does not have, and it was put right: what.
    Irregular(&'static str),
    /// A response to a call that is over: it timed out or was cancelled.
    Late(Call),
    /// The peer notifies.
    Notification(Notification),
    /// The peer tells of the progress of a call.
    Progress {
        /// The call.
        call: Call,
        /// The notification's params.
        params: Json,
    },
    /// The peer asks: answer through the token.
    Request(Token, Request),
    /// A call is over.
    Response {
        /// The call.
        call: Call,
        /// The result, or how it failed.
        outcome: Result<Json, CallError>,
    },
    /// So many faults came behind those that were not taken yet, and were dropped.
    Suppressed(usize),
}

impl Event {
    /// What it counts towards the limit on untaken events, in bytes.
    pub(super) fn size(&self) -> usize {
        match self {
            Self::Fault(fault) => fault.excerpt().len(),
            Self::Notification(notification) => notification.size(),
            Self::Progress { params, .. } => params.as_str().len(),
            Self::Request(_, request) => request.size(),
            Self::Response { outcome: Ok(result), .. } => result.as_str().len(),
            _ => 0,
        }
    }
}
