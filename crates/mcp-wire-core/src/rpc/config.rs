//! Every limit and choice of a connection, with its unit and default.

use super::Dialect;
use crate::frame::DEFAULT_MAX_FRAME;
use crate::message::{ErrorObject, Rules};
use std::fmt;
use std::io;
use std::time::Duration;

/// How a connection behaves. It is checked when a connection is made of it.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub struct Config {
    /// The code of the error that answers a request when there is no room for it. Default: `-32603`.
    pub busy_code: i64,
    /// How long a request of the peer may run. Default: `None`, for ever.
    pub callback_timeout: Option<Duration>,
    /// The protocol. Default: plain JSON-RPC.
    pub dialect: Dialect,
    /// How long requests in flight go on after the end of input, in the server role. `ZERO` cancels them at once, `None`
    /// waits for all. Default: 1 s.
    pub eof_grace: Option<Duration>,
    /// How long the final flush may go without progress. Default: 500 ms.
    pub flush_stall: Duration,
    /// How a response finds its request. Default: by type and value.
    pub id_matching: IdMatching,
    /// How many messages a batch may hold; a longer one is one invalid message. Default: 1024.
    pub max_batch: usize,
    /// How many levels a message may nest. Default: 512.
    pub max_depth: usize,
    /// How many bytes of untaken events are kept. Default: 16 MiB.
    pub max_event_bytes: usize,
    /// How many untaken events are kept. Default: 4096.
    pub max_events: usize,
    /// How many untaken faults are kept one by one. Default: 64.
    pub max_faults: usize,
    /// The longest line that is read, in bytes. Default: 16 MiB.
    pub max_frame: usize,
    /// The longest line that is written, in bytes; at least 4096. Default: 10,000,000, since the official TypeScript client
    /// closes the connection above 10 MiB.
    pub max_frame_out: usize,
    /// How many bytes of requests one connection has in flight. A request is always admitted when none runs. Default: 64 MiB.
    pub max_in_flight_bytes: usize,
    /// How many bytes of unwritten output there may be before new requests are answered "busy". Default: 64 MiB.
    pub max_outbound: usize,
    /// How many requests may wait for a slot of their connection. Default: 0.
    pub max_queued: usize,
    /// How many requests of the dialect's stream methods may be open; past it they are answered "busy". Default: 64.
    pub max_streams: usize,
    /// How many bytes of output beyond `max_outbound` answers to unadmitted requests may take, before reading stops.
    /// Default: 1 MiB.
    pub outbound_reserve: usize,
    /// Which side this is. Default: the server.
    pub role: Role,
    /// What is written for a bad line whose sender cannot be told by an id. Default: nothing.
    pub unattributed: Unattributed,
    /// How long output may go without progress at `max_outbound` before the connection ends. Default: 60 s.
    pub write_stall: Duration,
}

impl Default for Config {
    fn default() -> Self {
        Self {
            busy_code: ErrorObject::INTERNAL_ERROR,
            callback_timeout: None,
            dialect: Dialect::default(),
            eof_grace: Some(Duration::from_secs(1)),
            flush_stall: Duration::from_millis(500),
            id_matching: IdMatching::Exact,
            max_batch: 1024,
            max_depth: Rules::default().max_depth,
            max_event_bytes: 16 << 20,
            max_events: 4096,
            max_faults: 64,
            max_frame: DEFAULT_MAX_FRAME.get(),
            max_frame_out: 10_000_000,
            max_in_flight_bytes: 64 << 20,
            max_outbound: 64 << 20,
            max_queued: 0,
            max_streams: 64,
            outbound_reserve: 1 << 20,
            role: Role::Server,
            unattributed: Unattributed::Silent,
            write_stall: Duration::from_secs(60),
        }
    }
}

impl Config {
    /// The smallest `max_frame_out`: an error reply has to fit, also with the longest id, each byte of it escaped.
    pub const MIN_FRAME_OUT: usize = 4096;

    pub(super) fn check(&self) -> Result<(), ConfigError> {
        let positive = [
            ("max_batch", self.max_batch),
            ("max_depth", self.max_depth),
            ("max_event_bytes", self.max_event_bytes),
            ("max_events", self.max_events),
            ("max_frame", self.max_frame),
            ("max_outbound", self.max_outbound),
        ];
        if let Some((name, _)) = positive.into_iter().find(|(_, value)| *value == 0) {
            return Err(ConfigError::Zero(name));
        }
        if self.max_frame_out < Self::MIN_FRAME_OUT {
            return Err(ConfigError::FrameOutTooSmall(self.max_frame_out));
        }
        // JSON-RPC 2.0 reserves -32768..=-32000; within it only "internal error" and the server errors may say "busy".
        match self.busy_code {
            ErrorObject::INTERNAL_ERROR | -32099..=-32000 => Ok(()),
            -32768..=-32000 => Err(ConfigError::ReservedCode(self.busy_code)),
            _ => Ok(()),
        }
    }

    pub(super) fn rules(&self) -> Rules {
        Rules { ids: self.dialect.ids, max_depth: self.max_depth, params: self.dialect.params }
    }
}

/// Which side of the protocol this is. Both send and receive requests; they differ in how they take bad lines and the end.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Role {
    /// Bad lines are never answered; at the end of input every call fails at once.
    Client,
    /// The sender of a bad line is answered where it can be told; at the end of input what is in flight goes on for a while.
    Server,
}

/// What is written for a bad line whose id could not be read. Official clients disagree on the two shapes, and some close
/// the connection on one of them.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Unattributed {
    /// An error with `"id":null`, as JSON-RPC 2.0 asks.
    NullId,
    /// An error without id, as the schemas of MCP 2025-11-25 and later have it.
    OmitId,
    /// Nothing.
    Silent,
}

/// How a response finds the request that it answers.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum IdMatching {
    /// By type and value.
    Exact,
    /// Also by the digits in a string, where nothing else matches: for peers that turn `1` into `"1"`.
    Lenient,
}

/// A configuration that cannot work: the caller is to blame.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub enum ConfigError {
    /// `max_frame_out` leaves no room for an error reply.
    FrameOutTooSmall(usize),
    /// `busy_code` has another meaning in JSON-RPC.
    ReservedCode(i64),
    /// This limit is zero.
    Zero(&'static str),
}

impl fmt::Display for ConfigError {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::FrameOutTooSmall(bytes) => write!(
                formatter,
                "max_frame_out is {bytes} bytes: set it to at least {}, so that an error reply fits",
                Config::MIN_FRAME_OUT
            ),
            Self::ReservedCode(code) => write!(
                formatter,
                "busy_code {code} is reserved by JSON-RPC: use -32603, or a code outside -32768..=-32100"
            ),
            Self::Zero(name) => write!(formatter, "{name} is zero: set it to at least 1"),
        }
    }
}

impl std::error::Error for ConfigError {}

/// [`io::ErrorKind::InvalidInput`], for functions that fail for reasons of the system as well.
impl From<ConfigError> for io::Error {
    fn from(error: ConfigError) -> Self {
        Self::new(io::ErrorKind::InvalidInput, error)
    }
}
