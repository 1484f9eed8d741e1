//! What is done to signals and descriptors.

#[cfg(not(unix))]
mod elsewhere;
#[cfg(unix)]
mod unix;

#[cfg(not(unix))]
pub(crate) use elsewhere::{be_killed, close_stdin, close_stdout, ignore_terminate};
#[cfg(unix)]
pub(crate) use unix::{be_killed, close_stdin, close_stdout, ignore_terminate};
