//! Real child processes that misbehave, on every runtime: what a host gets of each, and that nothing is left of any. Tests
//! are named after the scenario and the runtime.
//!
//! No step of a shutdown that is to succeed can run out of time here, and none that is to fail is given much.
#![cfg(target_os = "linux")]
#![allow(clippy::unwrap_used, reason = "a test fails by panicking")]

mod answers;
mod close;
mod connect;
mod cycles;
mod drop;
mod end;
mod grandchildren;
mod setting;
mod streams;
mod support;
