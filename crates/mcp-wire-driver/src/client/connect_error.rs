//! Why there is no session.

use super::session_end::ChildEnd;
use crate::server::ServeError;
use mcp_wire_core::mcp::HandshakeError;
use mcp_wire_core::rpc::{CallError, Closed, ConfigError, ProcessExit};
use std::fmt;
use std::io;

/// Why there is no session with a server.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub enum ConnectError {
    /// The host's configuration cannot work.
    Config(ConfigError),
    /// The server did not agree, or not in time.
    Handshake {
        /// What went wrong.
        error: HandshakeError,
        /// What became of its process, where there was one. It has ended.
        child: Option<ChildEnd>,
        /// The first attempt, where there were two: the server did not survive being asked what it speaks.
        earlier: Option<Box<ConnectError>>,
    },
    /// The server in memory cannot be served.
    Serve(ServeError),
    /// The server's program could not be started.
    Spawn(SpawnError),
}

/// Why a program could not be started.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub struct SpawnError {
    /// The program.
    pub program: String,
    /// What kind of error the system gave.
    pub kind: io::ErrorKind,
    /// The system's words.
    pub message: String,
}

impl SpawnError {
    /// The system's answer to the attempt to start `program`.
    #[must_use]
    pub fn new(program: impl Into<String>, error: &io::Error) -> Self {
        Self { program: program.into(), kind: error.kind(), message: error.to_string() }
    }
}

impl fmt::Display for SpawnError {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(formatter, "{:?} cannot be started: {}", self.program, self.message)?;
        formatter.write_str(match self.kind {
            io::ErrorKind::NotFound => {
                "; check its name, that it is installed, that PATH leads to it, and that the working directory exists"
            }
            io::ErrorKind::PermissionDenied => "; check that it may be executed",
            _ => "",
        })
    }
}

impl std::error::Error for SpawnError {}

impl ConnectError {
    fn exit(&self) -> Option<&ProcessExit> {
        match self {
            Self::Handshake { child, .. } => exit_of(child),
            _ => None,
        }
    }

    pub(super) fn is_end_by_probe(&self) -> bool {
        matches!(self, Self::Handshake { error: HandshakeError::EndedByProbe(_), .. })
    }

    /// The same, after another attempt.
    pub(super) fn after(self, first: Self) -> Self {
        match self {
            Self::Handshake { error, child, .. } => {
                Self::Handshake { error, child, earlier: Some(Box::new(first)) }
            }
            other => other,
        }
    }
}

fn exit_of(child: &Option<ChildEnd>) -> Option<&ProcessExit> {
    child.as_ref()?.exit.as_ref()
}

impl fmt::Display for ConnectError {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Config(error) => {
                write!(formatter, "the host's configuration cannot work: {error}")
            }
            Self::Handshake { error, child, earlier } => {
                if let (Some(exit), Some(earlier)) = (exit_of(child), earlier)
                    && earlier.exit() == Some(exit)
                    && tells_exit(error)
                {
                    return write!(
                        formatter,
                        "the server was started twice, and has exited each time with {exit}"
                    );
                }
                if let Some(earlier) = earlier {
                    write!(formatter, "{earlier}; and once more: ")?;
                }
                error.fmt(formatter)?;
                match child {
                    Some(_) if tells_exit(error) => Ok(()),
                    Some(child) => write!(formatter, "; {child}"),
                    None => Ok(()),
                }
            }
            Self::Serve(error) => error.fmt(formatter),
            Self::Spawn(error) => error.fmt(formatter),
        }
    }
}

/// Does the cause tell of the exit already?
fn tells_exit(error: &HandshakeError) -> bool {
    let (HandshakeError::Call(error) | HandshakeError::EndedByProbe(error)) = error else {
        return false;
    };
    matches!(error, CallError::Closed(Closed::Exited(_)))
}

impl std::error::Error for ConnectError {}

impl From<ConfigError> for ConnectError {
    fn from(error: ConfigError) -> Self {
        Self::Config(error)
    }
}

impl From<ServeError> for ConnectError {
    fn from(error: ServeError) -> Self {
        Self::Serve(error)
    }
}

impl From<SpawnError> for ConnectError {
    fn from(error: SpawnError) -> Self {
        Self::Spawn(error)
    }
}
