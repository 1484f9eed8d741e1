//! What a stream is, how it is waited for, and which way its bytes go.

/// Which way the bytes of a stream go, seen from this process. There will be no third, so both can be matched alone.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Direction {
    /// The stream is read.
    Input,
    /// The stream is written.
    Output,
}

/// What a descriptor refers to.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Kind {
    /// A regular file.
    File,
    /// The null device: what a closed standard stream of a Rust program becomes.
    Null,
    /// Anything else: another device, a directory.
    Other,
    /// A pipe, with or without a name.
    Pipe,
    /// A socket.
    Socket,
    /// A terminal.
    Terminal,
}

/// How a stream is waited for.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Way {
    /// Plain calls: they wait for a disk at most, never for a peer.
    Direct,
    /// Calls that never block, and a reactor that says when to try again.
    Readiness,
    /// Blocking calls on a thread of their own.
    Thread,
}
