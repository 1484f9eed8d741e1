//! The Model Context Protocol over stdio, and over any other pair of byte streams, on tokio.
//!
//! ```text
//!   Client, Host                                             Server, Tool, Context
//!        │                                                             │
//! connect_command ──────── the pipes of a child process ────────── serve_stdio
//! connect_streams ──────── any pair of tokio streams ───────────── serve, serve_local
//! connect_server ───────── memory: both in one program ─────────────── ┘
//! ```
//!
//! [`serve_stdio`] is what the `main` of most servers ends with. [`serve`] does the same over any tokio streams: sockets,
//! duplex pipes, an in-memory pair. [`connect_command`] starts a server as a child process and is its
//! client; [`connect_streams`] and [`connect_server`] do the same over streams and in memory. [`connect`] and
//! [`connect_stdio`] give a connection by hand.
//!
//! In scope is what ties the protocol to tokio: its streams, its clock and its tasks. The rest is re-exported, so that a user
//! names one crate. Out of scope: HTTP, signals, and the end of the process: [`serve_stdio`] returns when the client hangs
//! up, and the process can then exit, even where its standard input stays open.
//!
//! # A server
//!
//! ```no_run
//! use mcp_wire_tokio::{Context, Server, Tool, serve_stdio};
//! use serde_json::json;
//!
//! #[derive(serde::Deserialize)]
//! struct Greet {
//!     name: String,
//! }
//!
//! fn greeter() -> Server {
//!     let schema = json!({ "type": "object", "properties": { "name": { "type": "string" } }, "required": ["name"] });
//!     Server::new("greeter", "1.0.0").tool(
//!         Tool::new("greet", "Greets someone by name", schema),
//!         async |_: Context, greet: Greet| format!("hello {}", greet.name),
//!     )
//! }
//!
//! #[tokio::main]
//! async fn main() -> std::io::Result<()> {
//!     serve_stdio(greeter()).await?;
//!     Ok(())
//! }
//! ```
//!
//! Handlers run as tasks of the runtime. One that computes for long, or blocks, belongs into
//! [`tokio::task::spawn_blocking`].
//!
//! # A client
//!
//! ```no_run
//! use mcp_wire_tokio::{Host, connect_command};
//! use serde_json::json;
//! use std::process::Command;
//!
//! #[tokio::main]
//! async fn main() -> Result<(), Box<dyn std::error::Error>> {
//!     let client = connect_command(Host::new("example", "1.0.0"), Command::new("greeter")).await?;
//!     let greeting = client.call_tool("greet", &json!({ "name": "Ann" })).await?;
//!     assert_eq!(greeting.as_text(), "hello Ann");
//!     client.close().await;
//!     Ok(())
//! }
//! ```
//!
//! # A test
//!
//! ```
//! # use mcp_wire_tokio::{Context, Server, Tool};
//! use mcp_wire_tokio::{Host, connect_server};
//! use serde_json::json;
//! #
//! # #[derive(serde::Deserialize)]
//! # struct Greet {
//! #     name: String,
//! # }
//! #
//! # fn greeter() -> Server {
//! #     Server::new("greeter", "1.0.0").tool(
//! #         Tool::new("greet", "Greets someone by name", json!({ "type": "object" })),
//! #         async |_: Context, greet: Greet| format!("hello {}", greet.name),
//! #     )
//! # }
//!
//! // #[tokio::test]
//! async fn greets_by_name() -> Result<(), Box<dyn std::error::Error>> {
//!     let client = connect_server(Host::new("test", "1.0.0"), greeter()).await?;
//!     let greeting = client.call_tool("greet", &json!({ "name": "Ann" })).await?;
//!     assert_eq!(greeting.as_text(), "hello Ann");
//!     Ok(())
//! }
//! #
//! # #[tokio::main(flavor = "current_thread")]
//! # async fn main() -> Result<(), Box<dyn std::error::Error>> {
//! #     greets_by_name().await
//! # }
//! ```
//!
//! # Logs
//!
//! They go through `tracing`. Send them to standard error, and tell the subscriber not to complain where that is closed, since
//! it does so with a panic: `tracing_subscriber::fmt().with_writer(std::io::stderr).log_internal_errors(false).init()`.
//!
//! # Features
//!
//! `schemars`: schemas of tools, derived from the types of their arguments and results. It is off by default.

mod client;
mod connect;
mod runtime;
mod serve;
mod streams;

pub use client::{connect_command, connect_server, connect_streams};
pub use connect::{Driver, connect, connect_stdio};
pub use mcp_wire_child::{INHERITED_VARIABLES, ServerCommand, Stderr};
#[doc(inline)]
pub use mcp_wire_driver::exports::*;
pub use runtime::Tokio;
pub use serve::{serve, serve_local, serve_stdio, serve_stdio_local};
