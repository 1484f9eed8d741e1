//! A server and its client, with the handshake behind them.

use super::message::{initialize, initialized};
use super::{Peer, Process, Streams, Theirs, program};

pub(crate) struct Session {
    pub(crate) peer: Peer,
    pub(crate) process: Process,
}

impl Session {
    pub(crate) fn begin(runtime: &str, streams: Streams, flags: &[&str]) -> Self {
        let (peer, theirs) = streams.open();
        Self::begin_on(peer, theirs, runtime, flags)
    }

    pub(crate) fn begin_on(peer: Peer, theirs: Theirs, runtime: &str, flags: &[&str]) -> Self {
        let mut command = program(runtime, flags);
        command.stdin(theirs.input).stdout(theirs.output);
        let mut session = Self { peer, process: Process::spawn(command) };
        session.shake_hands();
        session
    }

    pub(crate) fn shake_hands(&mut self) {
        self.peer.send(&initialize("hello"));
        assert_eq!(self.peer.receive()["id"], "hello");
        self.peer.send(&initialized());
    }

    /// Ends the input, and waits until the server has ended well and silently.
    #[track_caller]
    pub(crate) fn end(mut self) -> Process {
        self.peer.hang_up();
        self.process.wait_for_success();
        assert_eq!(self.peer.rest(), [""; 0]);
        self.process
    }
}
