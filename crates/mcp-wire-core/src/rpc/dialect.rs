//! What differs between protocols over JSON-RPC, as data.

use crate::message::{IdRules, Params};
use std::borrow::Cow;

/// A protocol over JSON-RPC. The default is plain JSON-RPC 2.0, without batches; [`mcp::dialect`](crate::mcp::dialect) is MCP.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub struct Dialect {
    /// The notification that cancels a request. Default: none.
    pub cancel: Option<CancelNotification>,
    /// Which ids a request may have. Default: strings, integers and `null`.
    pub ids: IdRules,
    /// Methods whose requests need no slot: they are admitted at the limit too, and cannot be cancelled. They are meant to
    /// be answered at once. Default: none.
    pub inline: Vec<Cow<'static, str>>,
    /// Which params there are. Default: objects and arrays.
    pub params: Params,
    /// The notification that tells of a request's progress. Default: none.
    pub progress: Option<ProgressNotification>,
    /// Methods whose requests stay open for as long as the peer likes: they need no slot and have a limit of their own
    /// ([`max_streams`](super::Config::max_streams)), and can be cancelled. Default: none.
    pub streams: Vec<Cow<'static, str>>,
    /// Methods of ours that are never cancelled on the wire. Default: none.
    pub uncancelled: Vec<Cow<'static, str>>,
    /// Methods that a batch may not hold. Default: none.
    pub unbatched: Vec<Cow<'static, str>>,
}

impl Default for Dialect {
    fn default() -> Self {
        Self {
            cancel: None,
            ids: IdRules::StringIntegerOrNull,
            inline: Vec::new(),
            params: Params::ObjectOrArray,
            progress: None,
            streams: Vec::new(),
            uncancelled: Vec::new(),
            unbatched: Vec::new(),
        }
    }
}

impl Dialect {
    /// Need requests of this method no slot?
    #[must_use]
    pub fn is_inline(&self, method: &str) -> bool {
        self.inline.iter().any(|inline| inline == method)
    }

    /// Do requests of this method stay open?
    pub(super) fn is_stream(&self, method: &str) -> bool {
        self.streams.iter().any(|stream| stream == method)
    }
}

/// A notification that cancels a request, such as `notifications/cancelled` with `requestId` and `reason`.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct CancelNotification {
    /// The method.
    pub method: Cow<'static, str>,
    /// The member of its params that holds the request's id.
    pub id: Cow<'static, str>,
    /// The member of its params that may hold a reason.
    pub reason: Cow<'static, str>,
}

/// A notification that tells of a request's progress, such as `notifications/progress` with `progressToken`.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ProgressNotification {
    /// The method.
    pub method: Cow<'static, str>,
    /// The member of its params that holds the token: for our requests [`Call::number`](super::Call::number).
    pub token: Cow<'static, str>,
}
