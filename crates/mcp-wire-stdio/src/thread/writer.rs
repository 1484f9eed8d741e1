//! Writing on a thread.

use std::io::{self, IoSlice};
use std::sync::Arc;
use std::task::{Context, Poll};

use super::{BUFFER, Shared, again, detach};
use crate::Stream;

/// The task's side. The thread starts with the first write.
#[derive(Debug)]
pub(crate) struct Writer {
    /// The stream, until the thread has it.
    stream: Option<Arc<Stream>>,
    shared: Arc<Shared<State>>,
}

#[derive(Debug, Default)]
struct State {
    /// Bytes that the thread has not taken yet, up to `BUFFER`.
    queue: Vec<u8>,
    /// Whether the thread has bytes in its hands.
    writing: bool,
    /// No more bytes will come.
    closed: bool,
    /// The thread has let go of the descriptor.
    finished: bool,
    failure: Option<io::Error>,
}

impl Writer {
    pub(crate) fn poll_write(
        &mut self,
        context: &mut Context<'_>,
        buffers: &[IoSlice<'_>],
    ) -> Poll<io::Result<usize>> {
        if let Some(stream) = &self.stream {
            let (stream, shared) = (Arc::clone(stream), Arc::clone(&self.shared));
            detach("mcp-wire-output", move || write_until_closed(stream, &shared))?;
            self.stream = None;
        }
        self.shared.poll(context, |state| state.poll_write(buffers))
    }

    pub(crate) fn poll_flush(&mut self, context: &mut Context<'_>) -> Poll<io::Result<()>> {
        self.shared.poll(context, |state| match &state.failure {
            Some(error) => Poll::Ready(Err(again(error))),
            None if state.writing || !state.queue.is_empty() => Poll::Pending,
            None => Poll::Ready(Ok(())),
        })
    }

    /// Ready once the descriptor is closed.
    pub(crate) fn poll_close(&mut self, context: &mut Context<'_>) -> Poll<io::Result<()>> {
        if self.stream.take().is_some() {
            return Poll::Ready(Ok(()));
        }
        self.shared.poll(context, |state| {
            state.closed = true;
            match &state.failure {
                Some(error) => Poll::Ready(Err(again(error))),
                None if state.finished => Poll::Ready(Ok(())),
                None => Poll::Pending,
            }
        })
    }
}

impl From<Arc<Stream>> for Writer {
    fn from(stream: Arc<Stream>) -> Self {
        Self { stream: Some(stream), shared: Arc::default() }
    }
}

impl Drop for Writer {
    fn drop(&mut self) {
        self.shared.leave(|state| state.closed = true);
    }
}

impl State {
    fn poll_write(&mut self, buffers: &[IoSlice<'_>]) -> Poll<io::Result<usize>> {
        if let Some(error) = &self.failure {
            return Poll::Ready(Err(again(error)));
        }
        let before = self.queue.len();
        for buffer in buffers {
            let room = BUFFER - self.queue.len();
            self.queue.extend_from_slice(&buffer[..buffer.len().min(room)]);
        }
        match self.queue.len() - before {
            0 if buffers.iter().any(|buffer| !buffer.is_empty()) => Poll::Pending,
            count => Poll::Ready(Ok(count)),
        }
    }
}

/// The thread's side: writes all that comes, until no more comes or an error.
fn write_until_closed(stream: Arc<Stream>, shared: &Shared<State>) {
    let result = write_all_that_comes(&stream, shared);
    drop(stream);
    shared.tell(|state| {
        state.finished = true;
        state.queue = Vec::new();
        state.failure = result.err();
    });
}

fn write_all_that_comes(stream: &Stream, shared: &Shared<State>) -> io::Result<()> {
    let mut bytes = Vec::new();
    loop {
        shared.take(
            |state| state.queue.is_empty() && !state.closed,
            |state| {
                std::mem::swap(&mut state.queue, &mut bytes);
                state.writing = !bytes.is_empty();
            },
        );
        if bytes.is_empty() {
            return Ok(());
        }
        // There is room in the queue again.
        shared.tell(|_| ());
        let mut left = &bytes[..];
        while !left.is_empty() {
            match stream.write_blocking(left)? {
                0 => return Err(io::ErrorKind::WriteZero.into()),
                count => left = &left[count..],
            }
        }
        bytes.clear();
        shared.tell(|state| state.writing = false);
    }
}
