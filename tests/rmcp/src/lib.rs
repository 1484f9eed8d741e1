//! What transports do with the same inputs: a server written with `rmcp`, over the transport of `rmcp` and over ours.

mod cases;
mod peer;
mod server;

pub use cases::{CASES, Case};
pub use peer::Peer;
pub use server::Demonstration;
