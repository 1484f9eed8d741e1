//! MCP servers as child processes: what starts one, and what ends it without a trace.
//!
//! An adapter gives its runtime and its reactor to [`connect`]; its users name the adapter, which re-exports the rest.
//!
//! ```text
//!                          ┌── its process group ───────────────────┐
//!   Client ─── stdin ────► │ the command ──► what it starts itself  │
//!          ◄── stdout ──── │                                        │
//!          ◄── stderr ──── └────────────────────────────────────────┘
//!
//!   close: write what is left, close stdin ─ 2 s ─► terminate ─ 2 s ─► kill ─► collect the exit
//! ```
//!
//! - [`ServerCommand`] is a [`std::process::Command`] and the choices that go with it: where its standard error goes, which
//!   group it is in, how long each step of its end may take.
//! - The child leads a process group of its own, and the group is signalled, so that wrappers such as `npx`, `uvx` and
//!   `sh -c` leave no orphans (Unix; elsewhere the child alone is killed).
//! - Its exit is seen without a signal handler: by a `pidfd` in the reactor on Linux, by a thread elsewhere. It is collected
//!   only when its group is dealt with, so that no signal ever hits a stranger that got the same number.
//! - Dropping the client kills the group at once, without a runtime.
//!
//! Out of scope: when to close, which the driver decides, and what the streams carry.
//!
//! ```no_run
//! use mcp_wire_child::{ServerCommand, Stderr};
//! use std::process::Command;
//!
//! let mut command = Command::new("npx");
//! command.args(["-y", "@modelcontextprotocol/server-everything"]);
//! let command = ServerCommand::new(command).stderr(Stderr::Capture).limited_environment();
//! # _ = command;
//! ```

mod command;
mod environment;
mod exit;
mod leader;
mod spawn;

pub use command::{ServerCommand, Stderr};
pub use environment::INHERITED_VARIABLES;
pub use spawn::connect;
