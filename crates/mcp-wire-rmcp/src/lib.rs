//! The stdio transport of mcp-wire for [`rmcp`], the official Rust SDK of the Model Context Protocol.
//!
//! A server that is written with `rmcp` changes one line: [`stdio`] stands where `rmcp::transport::stdio()` stood. It
//! goes with `rmcp` 3, from 3.11 on.
//!
//! ```no_run
//! use rmcp::{ServerHandler, ServiceExt, tool, tool_handler, tool_router};
//!
//! #[derive(Clone)]
//! struct Greeter;
//!
//! #[tool_router]
//! impl Greeter {
//!     #[tool(description = "Greets whoever asks")]
//!     async fn greet(&self) -> String {
//!         "hello".into()
//!     }
//! }
//!
//! #[tool_handler]
//! impl ServerHandler for Greeter {}
//!
//! #[tokio::main]
//! async fn main() -> Result<(), Box<dyn std::error::Error>> {
//!     let service = Greeter.serve(mcp_wire_rmcp::stdio()?).await?;
//!     service.waiting().await?;
//!     Ok(())
//! }
//! ```
//!
//! What it gets for it:
//!
//! - **A bad line costs a line.** It is reported through `tracing`, its sender is answered where it can be told, and the
//!   session goes on. The last line needs no newline.
//! - **A stray `println!` does no harm**, and neither does a child process: the standard streams are taken over.
//! - **The process can end** while its input stays open, and does when nobody reads its output any more.
//! - **Every buffer has a limit**: lines in and out, unanswered requests, unread output. See [`Limits`].
//! - **Messages are written together**, whole and in order, whatever is dropped.
//!
//! [`StreamTransport`] does the same over any pair of tokio streams, for servers and clients. A client of a child process:
//!
//! ```no_run
//! use mcp_wire_rmcp::StreamTransport;
//! use rmcp::ServiceExt;
//! use std::process::Stdio;
//! use tokio::process::Command;
//!
//! # async fn connect() -> Result<(), Box<dyn std::error::Error>> {
//! let mut child = Command::new("greeter").stdin(Stdio::piped()).stdout(Stdio::piped()).spawn()?;
//! let (Some(stdout), Some(stdin)) = (child.stdout.take(), child.stdin.take()) else {
//!     return Err("its streams are not there".into());
//! };
//! let client = ().serve(StreamTransport::new(stdout, stdin)).await?;
//! println!("{:?}", client.peer().list_all_tools().await?);
//! client.cancel().await?;
//! child.wait().await?;
//! # Ok(())
//! # }
//! ```
//!
//! Out of scope: what a message means, which is `rmcp`'s business, and so is what happens to requests that are in flight when
//! the session ends: it waits for up to 5 s, and cancels them then. A handler that panics leaves its request unanswered, which
//! counts towards [`Limits::max_in_flight`] until its sender cancels it. How a child process is ended is
//! the application's business.

mod judgement;
mod ledger;
mod limits;
mod lines;
mod outbound;
mod send_error;
mod standard;
mod transport;

pub use limits::Limits;
pub use mcp_wire_core::message::NotJson;
pub use mcp_wire_core::rpc::{Closed, ConfigError};
pub use send_error::SendError;
pub use standard::{StandardInput, StandardOutput, stdio};
pub use transport::StreamTransport;
