//! There are no such signals here, and the standard library cannot close a descriptor of its own.

use std::io;

pub(crate) fn ignore_terminate() -> io::Result<()> {
    Err(io::ErrorKind::Unsupported.into())
}

pub(crate) fn be_killed() -> io::Result<()> {
    std::process::abort()
}

pub(crate) fn close_stdin() -> io::Result<()> {
    Err(io::ErrorKind::Unsupported.into())
}

pub(crate) fn close_stdout() -> io::Result<()> {
    Err(io::ErrorKind::Unsupported.into())
}
