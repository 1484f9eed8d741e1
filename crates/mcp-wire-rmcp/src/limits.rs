//! Every limit of a transport, with its unit and default.

use mcp_wire_core::rpc::{Config, ConfigError};
use std::num::NonZeroUsize;
use std::time::Duration;

/// How much a peer may cost. The defaults are those of mcp-wire's own servers.
///
/// ```
/// let mut limits = mcp_wire_rmcp::Limits::default();
/// limits.max_frame = 1 << 20;
/// ```
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub struct Limits {
    /// How long the last flush may go without progress. Default: 500 ms.
    pub flush_stall: Duration,
    /// The longest line that is read, in bytes. Default: 16 MiB.
    pub max_frame: usize,
    /// The longest line that is written, in bytes; at least 4096. Default: 10,000,000, since the official TypeScript client
    /// closes the connection above 10 MiB.
    pub max_frame_out: usize,
    /// How many requests of the peer may be unanswered before new ones are answered "busy". Default: 1024.
    pub max_in_flight: usize,
    /// How many bytes of unanswered requests there may be before new ones are answered "busy". A request is always taken when
    /// there is no other. Default: 64 MiB.
    pub max_in_flight_bytes: usize,
    /// How many bytes of output may be unwritten before new requests are answered "busy", for one MiB more, and then reading
    /// stops. Default: 64 MiB.
    pub max_outbound: usize,
    /// How long output may go without progress at `max_outbound` before the session ends. Default: 60 s.
    pub write_stall: Duration,
}

impl Default for Limits {
    fn default() -> Self {
        let config = Config::default();
        Self {
            flush_stall: config.flush_stall,
            max_frame: config.max_frame,
            max_frame_out: config.max_frame_out,
            max_in_flight: 1024,
            max_in_flight_bytes: config.max_in_flight_bytes,
            max_outbound: config.max_outbound,
            write_stall: config.write_stall,
        }
    }
}

impl Limits {
    /// The limit of a line that is read, once the others are found to work as well.
    pub(crate) fn check(&self) -> Result<NonZeroUsize, ConfigError> {
        if self.max_in_flight == 0 {
            return Err(ConfigError::Zero("max_in_flight"));
        }
        if self.max_outbound == 0 {
            return Err(ConfigError::Zero("max_outbound"));
        }
        if self.max_frame_out < Config::MIN_FRAME_OUT {
            return Err(ConfigError::FrameOutTooSmall(self.max_frame_out));
        }
        NonZeroUsize::new(self.max_frame).ok_or(ConfigError::Zero("max_frame"))
    }
}
