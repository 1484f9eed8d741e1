//! What a server says of itself, or why it does not.

use crate::mcp::{Implementation, Revision};
use crate::message::{Json, member};
use crate::rpc::CallError;
use std::fmt;

/// What a server says of itself.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub struct ServerInfo {
    /// The revision that is spoken.
    pub revision: Revision,
    /// What it can do, as it wrote it.
    pub capabilities: Json,
    /// Who it is, where it says so in the proper form.
    pub implementation: Option<Implementation>,
    /// How to use it, for the model.
    pub instructions: Option<String>,
}

impl ServerInfo {
    /// Did it declare a capability, such as `tools`?
    #[must_use]
    pub fn has(&self, capability: &str) -> bool {
        member(self.capabilities.as_str(), capability).is_some()
    }
}

/// Why there is no session.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub enum HandshakeError {
    /// The server did not answer `initialize`, or answered it with an error.
    Call(CallError),
    /// The connection ended while the server was asked what it speaks, as older servers do that know only `initialize`.
    EndedByProbe(CallError),
    /// The server answered with something else than it should.
    InvalidResult(String),
    /// The server does not speak the modern era, and this client nothing else: why it is taken to be so.
    NotModern(CallError),
    /// The server speaks only revisions that this client does not.
    UnknownRevision(String),
}

impl fmt::Display for HandshakeError {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Call(error) => write!(formatter, "initialize failed: {error}"),
            Self::EndedByProbe(error) => {
                write!(formatter, "the server did not survive being asked what it speaks: {error}")
            }
            Self::InvalidResult(why) => {
                write!(formatter, "what the server says of itself cannot be read: {why}")
            }
            Self::NotModern(error) => write!(
                formatter,
                "the server does not speak revision {}, and no other is allowed here: {error}",
                Revision::LATEST_MODERN
            ),
            Self::UnknownRevision(revision) => {
                write!(
                    formatter,
                    "the server speaks revision {revision:?}, which is not supported here"
                )
            }
        }
    }
}

impl std::error::Error for HandshakeError {}
