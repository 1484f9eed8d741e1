//! The protocol core of mcp-wire. It does no IO, reads no clock, starts no thread and awaits nothing: bytes and time
//! come in as arguments, bytes and events go out. That makes it the part that every transport can share.
//!
//! ```text
//!           Decoder      handle_frame  ┌────────────┐  poll_event
//! bytes ──► frame ───────────────────► │            │ ─────────────► mcp, a filter ──► your handlers
//!           handle_eof, handle_timeout │ Connection │                                       │
//! time ──────────────────────────────► │            │                                       │
//! bytes ◄───────────────────────────── │            │ ◄─────────────────────────────────────┘
//!                output                └────────────┘  respond, request, notify
//! ```
//!
//! | Layer | Knows |
//! |---|---|
//! | [`frame`] | bytes and newlines: cuts a byte stream into lines, within a limit |
//! | [`message`] | one line: a JSON-RPC message, or a [`Fault`](message::Fault) that says why not |
//! | [`rpc`] | a connection: requests both ways, cancellation, deadlines, limits, the end |
//! | [`observe`] | what went over a stream, for whoever wants to look on |
//! | [`shutdown`] | the steps that end a child process |
//! | [`mcp`] | the Model Context Protocol: handshake and revisions, as a filter beside a connection |
//!
//! Each layer knows only those above it in this table. A WebSocket transport uses `rpc` and `mcp` without `frame`; another
//! protocol over JSON lines uses `frame` and `rpc` without `mcp`. The examples `websocket`, `json_rpc` and `blocking` do.
//!
//! Out of scope: sockets, processes, executors (see the driver and the adapters), and the meaning of a payload, which stays
//! the peer's bytes until somebody asks for a type.
//!
//! # A connection by hand
//!
//! ```
//! use bytes::Buf;
//! use mcp_wire_core::{mcp, message::Json, rpc::{Budget, Config, Connection, Event}};
//! use std::time::Instant;
//!
//! let mut config = Config::default();
//! config.dialect = mcp::dialect();
//! let mut connection = Connection::new(config, Budget::default())?;
//! let mut decoder = connection.decoder();
//!
//! // 1. What was read goes in, however it was cut. Where one piece may hold many lines, take the events between them: requests
//! //    that wait to be taken hold their slots, and those behind them may find the server busy.
//! let now = Instant::now();
//! for piece in [&b"{\"jsonrpc\":\"2.0\",\"id\":7,\"meth"[..], b"od\":\"greet\",\"params\":{\"name\":\"Ann\"}}\n"] {
//!     decoder.decode(piece, |frame| connection.handle_frame(now, frame));
//! }
//! // 2. What happened comes out.
//! while let Some(event) = connection.poll_event() {
//!     if let Event::Request(token, request) = event {
//!         assert_eq!(request.method(), "greet");
//!         // 3. A request is answered through its token, once.
//!         _ = connection.respond(token, Ok(Json::new(r#"{"text":"hello Ann"}"#)?));
//!     }
//! }
//! // 4. What is to be written waits in the output.
//! let output = connection.output();
//! assert_eq!(output.chunk(), b"{\"jsonrpc\":\"2.0\",\"id\":7,\"result\":{\"text\":\"hello Ann\"}}\n");
//! output.advance(output.remaining());
//! // 5. Time goes in too: no later than `poll_timeout` says, `handle_timeout` wants to be called.
//! if connection.poll_timeout().is_some_and(|at| at <= now) {
//!     connection.handle_timeout(now);
//! }
//! // 6. At the end of input it closes, once everything is answered and written.
//! decoder.finish(|frame| connection.handle_frame(now, frame));
//! connection.handle_eof(now);
//! assert!(matches!(connection.poll_event(), Some(Event::Closed(_))));
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

pub mod frame;
pub mod mcp;
pub mod message;
pub mod observe;
pub mod rpc;
pub mod shutdown;
mod time;

pub use time::end_of;
