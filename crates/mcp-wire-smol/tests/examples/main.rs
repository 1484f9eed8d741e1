//! The examples, started as a user would.

#[path = "../../../../tests/built.rs"]
mod built;
mod json_rpc;
#[cfg(unix)]
mod tap;
#[cfg(unix)]
mod unix_socket;

use built::example;
