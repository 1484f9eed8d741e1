//! What a client says of itself, and how it opens a session.

use crate::mcp::request_meta::{CLIENT_CAPABILITIES, CLIENT_INFO, PROTOCOL_VERSION};
use crate::mcp::{Eras, Implementation, Revision};
use crate::message::Json;
use std::time::Duration;

/// What a client says of itself, and how it opens a session.
#[derive(Debug, Clone)]
#[non_exhaustive]
pub struct ClientDeclaration {
    /// Who it is.
    pub implementation: Implementation,
    /// What it can do, an object.
    pub capabilities: Json,
    /// What it tries. Default: it finds out what the server speaks.
    pub eras: Eras,
    /// The revision that it asks for where a handshake opens the session. Any other one that the server answers with is
    /// fine. Default: the latest.
    pub revision: Revision,
    /// How long opening may take in all. Default: 60 s.
    pub timeout: Duration,
    /// How much of that the server may take to say what it speaks, before it is taken to be an older one. Default: 10 s.
    pub probe_timeout: Duration,
    /// Who it is, as JSON.
    client_info: String,
}

impl ClientDeclaration {
    /// A client that finds out what its server speaks.
    #[must_use]
    pub fn new(implementation: Implementation, capabilities: Json) -> Self {
        let client_info =
            serde_json::to_string(&implementation).unwrap_or_else(|_| "{}".to_owned());
        Self {
            implementation,
            capabilities,
            eras: Eras::Both,
            revision: Revision::LATEST_LEGACY,
            timeout: Duration::from_secs(60),
            probe_timeout: Duration::from_secs(10),
            client_info,
        }
    }

    /// What each request says of itself where there is no handshake.
    pub(super) fn meta(&self, revision: Revision) -> [(&'static str, &str); 3] {
        let version = match revision {
            Revision::V2026_07_28 => "\"2026-07-28\"",
            // No other revision does that.
            _ => "null",
        };
        [
            (PROTOCOL_VERSION, version),
            (CLIENT_CAPABILITIES, self.capabilities.as_str()),
            (CLIENT_INFO, &self.client_info),
        ]
    }
}
