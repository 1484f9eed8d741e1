//! What the protocol core is measured against.
//!
//! [`frame`], [`message`], [`connection`], [`duplex`] and [`session`] each take arbitrary bytes, read them as an input or as a list of
//! operations, and panic where the core does not do what a naive model does. Property tests call them with random bytes, the
//! fuzz targets with bytes that a fuzzer found.
//!
//! [`corpus`] reads the entries of `tests/corpus`.

pub mod corpus;

mod connection;
mod duplex;
mod frame;
mod lines;
mod message;
mod session;
mod source;
mod wire;

pub use connection::{connection, connection_seed};
pub use duplex::duplex;
pub use frame::frame;
pub use message::message;
pub use session::session;
