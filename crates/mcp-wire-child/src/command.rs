//! How a server's process is started and ended.

use crate::environment;
use mcp_wire_driver::shutdown::Times;
use std::process::{Command, Stdio};

/// How a server's process is started and ended. The command comes prepared: its arguments, environment and working directory
/// are the caller's choice. Its standard streams are set here.
#[derive(Debug)]
pub struct ServerCommand {
    pub(crate) command: Command,
    pub(crate) group: Group,
    pub(crate) stderr: Stderr,
    pub(crate) times: Times,
}

/// Where a server's standard error goes.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Stderr {
    /// To this program, which always reads it and keeps the last 64 KiB: they are part of the exit, and of the errors that
    /// tell of it.
    Capture,
    /// Where this program's own goes. The default.
    Inherit,
    /// Nowhere.
    Null,
}

/// Whose process group a child is in.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Group {
    Ours,
    Own,
}

impl ServerCommand {
    /// A server in a process group of its own, whose standard error goes where this program's goes.
    #[must_use]
    pub fn new(command: Command) -> Self {
        Self { command, group: Group::Own, stderr: Stderr::Inherit, times: Times::default() }
    }

    /// Where its standard error goes. Default: where this program's own goes.
    #[must_use]
    pub fn stderr(self, stderr: Stderr) -> Self {
        Self { stderr, ..self }
    }

    /// How long each step of its end may take: see [`Times`] for the defaults.
    #[must_use]
    pub fn times(self, times: Times) -> Self {
        Self { times, ..self }
    }

    /// Leaves it in this program's process group, so that it gets the signals of this program's terminal. Then it alone is
    /// signalled, and what it has started itself may outlive it.
    #[must_use]
    pub fn in_our_group(self) -> Self {
        Self { group: Group::Ours, ..self }
    }

    /// Lets it inherit nothing of the environment but the variables that it takes to run at all
    /// ([`INHERITED_VARIABLES`](crate::INHERITED_VARIABLES)), so that no secret gets to it by accident. What the command
    /// sets itself stays.
    #[must_use]
    pub fn limited_environment(mut self) -> Self {
        environment::limit(&mut self.command);
        self
    }

    /// Sets what is not the caller's to choose.
    pub(crate) fn prepare(&mut self) -> &mut Command {
        self.command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(match self.stderr {
            Stderr::Capture => Stdio::piped(),
            Stderr::Inherit => Stdio::inherit(),
            Stderr::Null => Stdio::null(),
        });
        #[cfg(unix)]
        if self.group == Group::Own {
            std::os::unix::process::CommandExt::process_group(&mut self.command, 0);
        }
        &mut self.command
    }
}

impl From<Command> for ServerCommand {
    fn from(command: Command) -> Self {
        Self::new(command)
    }
}
