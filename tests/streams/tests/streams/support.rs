//! A client's side of a child process: its ends of the streams, and what `/proc` says.

pub(crate) mod deadline;
pub(crate) mod message;
pub(crate) mod peer;
pub(crate) mod proc;
pub(crate) mod process;
pub(crate) mod scenario;
pub(crate) mod session;
pub(crate) mod streams;

pub(crate) use peer::Peer;
pub(crate) use process::{Process, program};
pub(crate) use scenario::{on_every_runtime, on_every_stream};
pub(crate) use session::Session;
pub(crate) use streams::{Streams, Theirs};
