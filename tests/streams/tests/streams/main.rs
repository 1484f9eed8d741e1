//! The `everything` server as a real child process, on every runtime and every kind of standard stream. Tests are named after
//! the scenario, the streams where there are several, and the runtime.
#![cfg(target_os = "linux")]
#![allow(clippy::unwrap_used, reason = "a test fails by panicking")]
#![allow(clippy::print_stdout, reason = "how long an end took is worth reading")]

mod backpressure;
mod end;
mod failure;
mod flags;
mod kinds;
mod local;
mod log;
mod privacy;
mod support;
