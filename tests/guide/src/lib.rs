//! The documents at the top of the repository and of the adapters, as documentation of this crate: `cargo test --doc -p guide` compiles each of
//! their blocks, and runs those that are not marked `no_run`.

#[cfg(doctest)]
#[doc = include_str!("../../../README.md")]
mod readme {}

// It ends servers with signals of Unix.
#[cfg(all(doctest, unix))]
#[doc = include_str!("../../../docs/guide.md")]
mod guide {}

#[cfg(doctest)]
#[doc = include_str!("../../../crates/mcp-wire-async-std/README.md")]
mod async_std {}

#[cfg(doctest)]
#[doc = include_str!("../../../crates/mcp-wire-smol/README.md")]
mod smol {}

#[cfg(doctest)]
#[doc = include_str!("../../../crates/mcp-wire-tokio/README.md")]
mod tokio {}
