//! Drives connections of the Model Context Protocol over any pair of byte streams, on any runtime.
//!
//! This crate names no runtime: it stands on [`futures_io`] for bytes and on the [`Runtime`] trait for time and tasks. Use it
//! through an adapter, such as `mcp-wire-tokio`, which re-exports what you need.
//!
//! ```text
//!   Server, or a Client's Host        Client, Peer
//!    handlers, each a task             handles, for anybody
//!         │ Context  ▲                      │
//!         ▼          │ Incoming             ▼
//!   ┌───────────── the state of one connection ─────────────┐
//!   └───────────────────────────▲───────────────────────────┘
//!                               │ Driver: the one future that reads, writes and looks at the clock
//!                    AsyncRead, AsyncWrite, Runtime
//! ```
//!
//! - [`Server`] answers requests with tools, resources, prompts and other methods; [`serve`] runs it on one connection.
//! - [`Client`] talks to a server: over streams, in memory, or as a child process. [`Host`] is what it offers to servers.
//! - [`connect`] gives a connection by hand: a [`Peer`] to talk to, the [`Incoming`] messages, and the [`Driver`] that moves
//!   the bytes.
//!
//! The protocol itself is decided in [`mcp_wire_core`]. Nothing here keeps bytes in a future: every future may be dropped at
//! any await point without losing or cutting a message.
//!
//! Out of scope: where bytes come from, how processes start and are signalled (`mcp-wire-child` does, behind the [`Process`]
//! trait), and which threads run the tasks.
//!
//! # The two sides, on any runtime
//!
//! ```
//! use mcp_wire_driver::{Client, Context, Host, Runtime, Server, Tool};
//! use serde_json::json;
//!
//! #[derive(serde::Deserialize)]
//! struct Greet {
//!     name: String,
//! }
//!
//! async fn greet<Rt: Runtime>(runtime: Rt) -> Result<String, Box<dyn std::error::Error>> {
//!     let schema = json!({ "type": "object", "properties": { "name": { "type": "string" } }, "required": ["name"] });
//!     let server = Server::new("greeter", "1.0.0").tool(
//!         Tool::new("greet", "Greets someone by name", schema),
//!         async |_: Context, greet: Greet| format!("hello {}", greet.name),
//!     );
//!     let client = Client::connect_server(runtime, Host::new("example", "1.0.0"), server).await?;
//!     Ok(client.call_tool("greet", &json!({ "name": "Ann" })).await?.as_text())
//! }
//! ```

mod call;
mod calls;
mod cancellation;
mod client;
mod context;
mod elicitation;
mod incoming;
mod input;
mod items;
mod listed;
mod log;
pub mod memory;
mod notifications;
mod null;
mod observer;
mod peer;
mod progress;
mod pump;
mod runtime;
mod server;
mod state;
mod task;
mod waiters;

pub use client::{Process, Spawned};
pub use exports::*;
pub use pump::{Driver, connect};
pub use runtime::Runtime;
pub use server::{Kind, Serve, serve};

/// What every adapter re-exports, so that a user names one crate.
pub mod exports {
    pub use crate::call::{Call, Canceller};
    pub use crate::cancellation::Cancellation;
    pub use crate::client::{
        ChildEnd, Client, ConnectError, Host, Root, SessionEnd, SpawnError, Subscription,
    };
    pub use crate::context::Context;
    pub use crate::elicitation::{Denial, Elicited};
    pub use crate::incoming::{Inbound, Incoming, Responder};
    pub use crate::input::{InputError, InputRequired};
    pub use crate::listed::{
        NoArguments, Prompt, PromptArgument, Resource, ResourceTemplate, Tool,
    };
    pub use crate::notifications::{Change, Notice, Notifications};
    pub use crate::observer::{Observer, ObserverLimits};
    pub use crate::peer::Peer;
    pub use crate::progress::Progress;
    pub use crate::server::{
        Completion, CompletionOutput, CompletionReference, CompletionRequest, HandlerError, Local,
        Notifier, PromptOutput, PromptResult, RawResult, ResourceContents, ResourceOutput,
        ServeError, Server, Shared, Structured, ToolOutput, ToolResult, with_state,
    };
    pub use crate::task::Answer;
    pub use mcp_wire_core::mcp::{
        CacheScope, Era, Eras, HandshakeError, Implementation, LogLevel, Revision, ServerInfo,
        SubscriptionFilter,
    };
    pub use mcp_wire_core::message::{ErrorObject, Json, NotJson, Notification, Request};
    pub use mcp_wire_core::rpc::{
        Budget, CallError, CallOptions, Closed, Config, ConfigError, OnProgress, ProcessExit,
        SendError,
    };
    pub use mcp_wire_core::shutdown::{Step, Times};
    pub use mcp_wire_core::{frame, mcp, message, observe, rpc, shutdown};
}
