//! The transport as `rmcp` uses it, over streams in memory.

#![allow(clippy::unwrap_used, reason = "a test fails by panicking")]

mod limits;
mod reading;
mod sessions;
mod support;
mod writing;
