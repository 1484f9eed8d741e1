//! The fixture does what it says, seen over plain pipes: without the library, so that nobody has to trust one to test the
//! other.
#![cfg(unix)]
#![allow(clippy::unwrap_used, reason = "a test fails by panicking")]

mod answers;
mod arguments;
mod endings;
mod output;
mod process;
