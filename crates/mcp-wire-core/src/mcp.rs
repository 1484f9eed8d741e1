//! The rules of the Model Context Protocol, as a filter beside a [`Connection`](crate::rpc::Connection): each event passes
//! through the session first, and what comes back is the application's.
//!
//! | Era | Revisions | |
//! |---|---|---|
//! | legacy | 2024-11-05, 2025-03-26, 2025-06-18, 2025-11-25 | a handshake opens the connection |
//! | modern | 2026-07-28 | no handshake: each request says by itself what it needs to |
//!
//! ```
//! use mcp_wire_core::{mcp::{self, Implementation, ServerSession}, message::Json, rpc::{Budget, Config, Connection}};
//!
//! let mut config = Config::default();
//! config.dialect = mcp::dialect();
//! let mut connection = Connection::new(config, Budget::default())?;
//! let capabilities = Json::new(r#"{"tools":{}}"#)?;
//! let mut session = ServerSession::new(Implementation::new("greeter", "1.0.0"), capabilities, &mut connection);
//!
//! let line = br#"{"jsonrpc":"2.0","id":1,"method":"ping"}"#;
//! connection.handle_message(std::time::Instant::now(), &line[..]);
//! while let Some(event) = connection.poll_event() {
//!     assert_eq!(session.filter(&mut connection, event), None, "the session answers pings");
//! }
//! assert_eq!(connection.output().pop_message().as_deref(), Some(&br#"{"jsonrpc":"2.0","id":1,"result":{}}"#[..]));
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

mod cache_hint;
mod client_session;
mod implementation;
mod log_level;
mod meta;
mod request_meta;
mod revision;
mod server_session;
mod session;

pub use cache_hint::{CacheHint, CacheScope};
pub use client_session::{ClientDeclaration, ClientSession, HandshakeError, ServerInfo};
pub use implementation::Implementation;
pub use log_level::{LogLevel, UnknownLogLevel};
pub use revision::{Era, Eras, Revision, UnknownRevision};
pub use server_session::{ServerSession, SubscriptionFilter, capability_for};
pub use session::Session;

use crate::message::{IdRules, Json, Notification, Params};
use crate::rpc::{CancelNotification, Dialect, ProgressNotification};

/// Is a capability, such as `sampling`, among those that a peer declares?
#[must_use]
pub fn declares(capabilities: &Json, capability: &str) -> bool {
    server_session::declares(capabilities.as_str(), capability)
}

/// The number of the call that opened the stream which a notification belongs to (revision 2026-07-28).
#[must_use]
pub fn subscription_of(notification: &Notification) -> Option<i64> {
    client_session::subscription_of(notification.params()?)
}

/// MCP as a dialect of JSON-RPC.
#[must_use]
pub fn dialect() -> Dialect {
    Dialect {
        cancel: Some(CancelNotification {
            method: "notifications/cancelled".into(),
            id: "requestId".into(),
            reason: "reason".into(),
        }),
        ids: IdRules::StringOrInteger,
        inline: vec!["initialize".into(), "ping".into(), "server/discover".into()],
        params: Params::Object,
        streams: vec!["subscriptions/listen".into()],
        progress: Some(ProgressNotification {
            method: "notifications/progress".into(),
            token: "progressToken".into(),
        }),
        unbatched: vec!["initialize".into()],
        uncancelled: vec!["initialize".into(), "server/discover".into()],
    }
}
