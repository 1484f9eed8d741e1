//! What the peer did wrong, and how much could be read of it.

use super::{ErrorObject, Id};
use std::fmt;

/// How much of a faulty line an excerpt shows, in bytes before escaping.
const EXCERPT: usize = 80;

/// A line that is no message: the peer is to blame, and the connection goes on.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Fault {
    kind: FaultKind,
    size: usize,
    excerpt: Box<str>,
    id: Option<Id>,
    seen: Seen,
}

/// Which members of an envelope were read before the fault.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub(crate) struct Seen {
    /// An `id` member, legal or not.
    pub(crate) id: bool,
    /// A `jsonrpc` member that says `"2.0"`.
    pub(crate) jsonrpc: bool,
    pub(crate) method: bool,
    /// A `result` or an `error`.
    pub(crate) outcome: bool,
    /// The line is one whole JSON object.
    pub(crate) object: bool,
}

/// What is wrong with a line.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum FaultKind {
    /// A request whose `id` is neither a string nor an integer, or is longer than [`MAX_ID_BYTES`](super::MAX_ID_BYTES).
    BadId,
    /// A request or notification whose `params` are of a kind that the protocol does not have.
    BadParams,
    /// A JSON array where no batch is allowed, or an empty one.
    Batch,
    /// A `Content-Length` header: the peer frames its messages as language servers do, not one a line.
    ContentLength,
    /// An error response without an id: the peer could not read something of ours.
    ErrorWithoutId,
    /// A request in a protocol in which this side answers none.
    ForbiddenRequest,
    /// The line is not JSON.
    NotJson,
    /// The line is JSON, but no JSON-RPC 2.0 message.
    NotMessage,
    /// The line is not UTF-8.
    NotUtf8,
    /// The line is longer than the limit.
    Oversize,
    /// The line is nested deeper than the limit.
    TooDeep,
    /// The input ended in the middle of the line.
    Truncated,
    /// A response to a request that was never made.
    UnknownResponse,
}

impl Fault {
    pub(crate) fn new(kind: FaultKind, line: &[u8], id: Option<Id>, seen: Seen) -> Self {
        let shown = &line[..line.len().min(EXCERPT)];
        let excerpt = String::from_utf8_lossy(shown).escape_debug().to_string().into();
        Self { kind, size: line.len(), excerpt, id, seen }
    }

    /// What is wrong.
    #[must_use]
    pub fn kind(&self) -> FaultKind {
        self.kind
    }

    /// The line's length in bytes; of an oversize line what was kept of it.
    #[must_use]
    pub fn size(&self) -> usize {
        self.size
    }

    /// The line's beginning, at most 80 bytes of it, escaped so that it is safe to log.
    #[must_use]
    pub fn excerpt(&self) -> &str {
        &self.excerpt
    }

    /// The id, where exactly one complete and legal one could be read.
    #[must_use]
    pub fn id(&self) -> Option<&Id> {
        self.id.as_ref()
    }

    /// The id to answer with, where the line was meant as a request and waits for an answer for certain.
    ///
    /// It has one complete and legal id, and a method, or is a whole object that is no answer itself. Whether the id is in
    /// flight already, so that the answer would be taken for another one, only its receiver knows.
    #[must_use]
    pub fn request_id(&self) -> Option<&Id> {
        let Seen { method, outcome, object, .. } = self.seen;
        self.id.as_ref().filter(|_| !outcome && (method || object))
    }

    /// The id of the request that the line was meant to answer, where a request with this id is open: it will get no other.
    #[must_use]
    pub fn response_id(&self) -> Option<&Id> {
        self.id.as_ref().filter(|_| self.seen.jsonrpc && !self.seen.method)
    }

    pub(crate) fn seen(&self) -> Seen {
        self.seen
    }

    pub(crate) fn with_kind(self, kind: FaultKind) -> Self {
        Self { kind, ..self }
    }

    /// What the line's sender is answered, where it is answered: see [`request_id`](Self::request_id).
    #[must_use]
    pub fn answer(&self) -> ErrorObject {
        match self.kind {
            FaultKind::NotJson
            | FaultKind::NotUtf8
            | FaultKind::ContentLength
            | FaultKind::Truncated => {
                ErrorObject::new(ErrorObject::PARSE_ERROR, self.kind.reason())
            }
            FaultKind::BadParams => {
                ErrorObject::new(ErrorObject::INVALID_PARAMS, self.kind.reason())
            }
            _ => ErrorObject::new(ErrorObject::INVALID_REQUEST, self.kind.reason()),
        }
    }
}

impl FaultKind {
    fn reason(self) -> &'static str {
        match self {
            Self::BadId => "the id is neither a string nor an integer of at most 1024 bytes",
            Self::BadParams => "params must be an object",
            Self::Batch => "batches are not supported here: send each message on a line of its own",
            Self::ContentLength => {
                "a Content-Length header: messages are framed by newlines here, one JSON object a line"
            }
            Self::ErrorWithoutId => "an error response without an id",
            Self::ForbiddenRequest => "a request, where this side answers none",
            Self::NotJson => "the line is not JSON",
            Self::NotMessage => "the line is not a JSON-RPC 2.0 message",
            Self::NotUtf8 => "the line is not UTF-8",
            Self::Oversize => "the line is longer than the limit",
            Self::TooDeep => "the line is nested deeper than the limit",
            Self::Truncated => "the input ended in the middle of a line",
            Self::UnknownResponse => "a response to a request that was never made",
        }
    }
}

impl fmt::Display for FaultKind {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str(self.reason())
    }
}

impl fmt::Display for Fault {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(formatter, "{} ({} bytes: {})", self.kind, self.size, self.excerpt)
    }
}

impl std::error::Error for Fault {}
