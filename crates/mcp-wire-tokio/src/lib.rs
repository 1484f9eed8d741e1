//! The Model Context Protocol over stdio, and over any other pair of byte streams, on tokio.
//!
//! [`serve_stdio`] is what the `main` of most servers ends with. [`serve`] does the same over any tokio streams: sockets,
//! duplex pipes, an in-memory pair. [`connect_command`] starts a server as a child process and is its
//! client; [`connect_streams`] and [`connect_server`] do the same over streams and in memory. [`connect`] gives a
//! connection by hand.
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
//! #[tokio::main]
//! async fn main() -> std::io::Result<()> {
//!     let schema = json!({ "type": "object", "properties": { "name": { "type": "string" } }, "required": ["name"] });
//!     let server = Server::new("greeter", "1.0.0").tool(
//!         Tool::new("greet", "Greets someone by name", schema),
//!         async |_context: Context, greet: Greet| format!("hello {}", greet.name),
//!     );
//!     serve_stdio(server).await?;
//!     Ok(())
//! }
//! ```
//!
//! Handlers run as tasks of the runtime. One that computes for long, or blocks, belongs into
//! [`tokio::task::spawn_blocking`].
//!
//! A client:
//!
//! ```no_run
//! use mcp_wire_tokio::{Host, connect_command};
//! use serde_json::json;
//! use std::process::Command;
//!
//! fn main() -> Result<(), Box<dyn std::error::Error>> {
//!     tokio::runtime::Runtime::new()?.block_on(async {
//!         let client = connect_command(Host::new("example", "1.0.0"), Command::new("greeter")).await?;
//!         let greeting = client.call_tool("greet", &json!({ "name": "Ann" })).await?;
//!         assert_eq!(greeting.as_text(), "hello Ann");
//!         client.close().await;
//!         Ok(())
//!     })
//! }
//! ```
//!
//! Logs go through `tracing`. Send them to standard error, and tell the subscriber not to complain where that is closed, since
//! it does so with a panic: `tracing_subscriber::fmt().with_writer(std::io::stderr).log_internal_errors(false).init()`.
//!
//! Everything else that is needed is re-exported from `mcp-wire-driver`, so that a user names one crate. Out of scope: the
//! end of the process, and signals: [`serve_stdio`] returns when the client hangs up, and the process can then exit, even
//! where its standard input stays open.

mod client;
mod connect;
mod runtime;
mod serve;
mod streams;

pub use client::{connect_command, connect_server, connect_streams};
pub use connect::{Driver, connect};
pub use mcp_wire_child::{INHERITED_VARIABLES, ServerCommand, Stderr};
#[doc(inline)]
pub use mcp_wire_driver::exports::*;
pub use runtime::Tokio;
pub use serve::{serve, serve_local, serve_stdio};
