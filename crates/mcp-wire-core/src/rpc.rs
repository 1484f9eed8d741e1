//! A connection: JSON-RPC both ways over messages, with order, cancellation, deadlines, limits and an end.
//!
//! [`Connection`] takes what was read ([`handle_frame`](Connection::handle_frame) or
//! [`handle_message`](Connection::handle_message)), the time ([`handle_timeout`](Connection::handle_timeout)) and the end of
//! input, and gives [`Event`]s and [`Output`]. It knows no method of any protocol: what differs between protocols over
//! JSON-RPC is data in a [`Dialect`].
//!
//! ```text
//!                    handle_eof            all answered            all written
//!   Open ──────────────────────▶ Draining ─────────────▶ Flushing ────────────▶ Closed
//!    │   shutdown                    │ grace is over         ▲                    ▲
//!    │                               └──── cancel the rest ──┤                    │
//!    ├── close ──────────────────────────────────────────────┘                    │
//!    └── write error, stall, abort ───────────────────────────────────────────────┘
//! ```
//!
//! Pollers are independent: no order of calls is required, and a call too many does nothing.

mod budget;
mod config;
mod connection;
mod deadlines;
mod dialect;
mod encode;
mod ending;
mod event;
mod events;
mod inbound;
mod outbound;
mod output;
mod process_exit;
mod token;

pub use budget::Budget;
pub use config::{Config, ConfigError, IdMatching, Role, Unattributed};
pub use connection::Connection;
pub use dialect::{CancelNotification, Dialect, ProgressNotification};
pub use ending::{CallError, Closed, SendError};
pub use event::Event;
pub use outbound::{CallOptions, OnProgress};
pub use output::{Lent, Output};
pub use process_exit::ProcessExit;
pub use token::{Call, Gone, Token};
