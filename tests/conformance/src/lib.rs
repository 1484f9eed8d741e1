//! What every adapter of mcp-wire has to pass: one set of scenarios, run on each runtime.
//!
//! An adapter implements [`Harness`], and runs [`suite!`] with it in a test:
//!
//! ```text
//! mod my_runtime {
//!     conformance::suite!(crate::MyHarness);
//! }
//! ```
//!
//! That makes one test of each function in [`scenarios`]. The peer in them, [`Script`], blocks and knows nothing of the
//! library: it stands on a socket of the standard library and on `serde_json`. [`across()`] lets a client on one runtime talk
//! to a server on another.
//!
//! Nothing here waits for time to pass in the hope that something has happened, and every wait is bounded by
//! [`Harness::PATIENCE`]: an adapter that hangs fails. Unix only, since it takes socket pairs.
#![cfg(unix)]

mod across;
mod corpus;
mod gate;
mod harness;
mod messages;
mod script;
mod stage;
mod suite;

pub mod scenarios;

pub use across::across;
pub use harness::Harness;
pub use script::{Next, Script};
