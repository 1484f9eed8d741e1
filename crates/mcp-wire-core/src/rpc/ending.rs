//! How things end, sorted by who is to blame.

use super::ProcessExit;
use crate::message::{ErrorObject, FaultKind, NotJson};
use std::fmt;
use std::io;

/// How a connection ended.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub enum Closed {
    /// The transport was dropped.
    Dropped,
    /// The input ended, and everything that was due is written.
    Eof,
    /// The process at the other end has exited by itself.
    Exited(ProcessExit),
    /// This side closed it.
    Local,
    /// Reading failed.
    ReadFailed(io::ErrorKind),
    /// The server behind the connection is gone.
    ServerDown,
    /// The peer took no output for longer than allowed.
    Stalled,
    /// Writing failed: nobody listens any more.
    WriteFailed(io::ErrorKind),
}

impl Closed {
    /// Is this how a connection ends when all is well: the peer hung up, or this side closed it?
    #[must_use]
    pub fn is_clean(&self) -> bool {
        matches!(self, Self::Eof | Self::Local | Self::ServerDown)
    }
}

impl fmt::Display for Closed {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Dropped => formatter.write_str("the transport was dropped"),
            Self::Eof => formatter.write_str("the peer closed its output"),
            Self::Exited(exit) => write!(formatter, "the process has exited with {exit}"),
            Self::Local => formatter.write_str("closed by this side"),
            Self::ReadFailed(kind) => write!(formatter, "reading failed: {kind}"),
            Self::ServerDown => formatter.write_str("the server is shut down"),
            Self::Stalled => formatter.write_str("the peer stopped reading"),
            Self::WriteFailed(kind) => write!(formatter, "writing failed: {kind}"),
        }
    }
}

impl std::error::Error for Closed {}

/// Why something was not sent: the caller is to blame, or comes too late.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub enum SendError {
    /// The connection has ended, or takes no more requests of ours.
    Closed,
    /// Too much output is unwritten: wait until the peer has read some of it.
    Full,
    /// The peer did not declare the capability that this method needs.
    MissingCapability(&'static str),
    /// What was to be sent cannot be written as JSON.
    NotJson(NotJson),
    /// The revision that is spoken has no such message in this direction.
    NotInRevision(String),
    /// The handshake is not over.
    NotReady,
    /// The request on whose behalf this would be sent is answered or cancelled.
    RequestGone,
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
            Self::Closed => formatter.write_str("the connection is closed"),
            Self::Full => {
                formatter.write_str("too much output is unwritten: wait until the peer reads")
            }
            Self::MissingCapability(name) => {
                write!(formatter, "the peer did not declare the capability {name}")
            }
            Self::NotJson(error) => error.fmt(formatter),
            Self::NotInRevision(method) => write!(
                formatter,
                "the revision that is spoken does not have {method}: elicitation came with 2025-06-18; since 2026-07-28 \
                 servers ask with their results, clients listen for changes in place of subscribing, and each request has \
                 its own log level"
            ),
            Self::NotReady => formatter.write_str("the handshake is not over: wait for it"),
            Self::RequestGone => {
                formatter.write_str("the request is answered or cancelled already")
            }
            Self::TooLarge { size, limit } => write!(
                formatter,
                "the message is {size} bytes long, the limit is {limit}: send less, or raise max_frame_out"
            ),
        }
    }
}

impl std::error::Error for SendError {}

impl From<NotJson> for SendError {
    fn from(error: NotJson) -> Self {
        Self::NotJson(error)
    }
}

/// How a request of ours failed.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub enum CallError {
    /// This side cancelled it, or the request on whose behalf it was made is gone.
    Cancelled,
    /// The peer ended it without an answer, as a server may end a subscription.
    CancelledByPeer,
    /// The connection ended first.
    Closed(Closed),
    /// A handler of ours failed to answer what the peer needed to know first.
    InputFailed(ErrorObject),
    /// The peer answered with something that is no response.
    InvalidResponse(FaultKind),
    /// It was never sent.
    NotSent(SendError),
    /// The peer answered with an error.
    Peer(ErrorObject),
    /// The peer did not answer in time.
    TimedOut,
    /// The peer's result is not what the method promises, or not of the type that was asked for: why.
    UnexpectedResult(String),
}

impl fmt::Display for CallError {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Cancelled => formatter.write_str("cancelled"),
            Self::CancelledByPeer => formatter.write_str("ended by the peer"),
            Self::Closed(cause) => write!(formatter, "no answer: {cause}"),
            Self::InputFailed(error) => {
                write!(formatter, "what the peer needed to know could not be answered: {error}")
            }
            Self::InvalidResponse(kind) => {
                write!(formatter, "the answer is no valid response: {kind}")
            }
            Self::NotSent(error) => write!(formatter, "not sent: {error}"),
            Self::Peer(error) => write!(formatter, "the peer answered: {error}"),
            Self::TimedOut => formatter.write_str("no answer in time"),
            Self::UnexpectedResult(why) => {
                write!(formatter, "the result cannot be read as what was asked for: {why}")
            }
        }
    }
}

impl std::error::Error for CallError {}

impl From<SendError> for CallError {
    fn from(error: SendError) -> Self {
        Self::NotSent(error)
    }
}

impl From<NotJson> for CallError {
    fn from(error: NotJson) -> Self {
        Self::NotSent(error.into())
    }
}
