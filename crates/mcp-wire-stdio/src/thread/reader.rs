//! Reading on a thread.

use std::io;
use std::sync::Arc;
use std::task::{Context, Poll};

use super::{BUFFER, Shared, again, detach};
use crate::Stream;

/// The task's side. The thread starts with the first read, and reads only when asked: whoever else
/// reads a shared terminal finds what was typed for it.
#[derive(Debug)]
pub(crate) struct Reader {
    /// The stream, until the thread has it.
    stream: Option<Arc<Stream>>,
    shared: Arc<Shared<State>>,
}

#[derive(Debug, Default)]
struct State {
    bytes: Vec<u8>,
    /// How many of the bytes were returned already.
    returned: usize,
    wanted: bool,
    end: Option<io::Result<()>>,
    abandoned: bool,
}

impl Reader {
    pub(crate) fn poll_read(
        &mut self,
        context: &mut Context<'_>,
        buffer: &mut [u8],
    ) -> Poll<io::Result<usize>> {
        if buffer.is_empty() {
            return Poll::Ready(Ok(0));
        }
        if let Some(stream) = &self.stream {
            let (stream, shared) = (Arc::clone(stream), Arc::clone(&self.shared));
            detach("mcp-wire-input", move || read_on_demand(stream, &shared))?;
            self.stream = None;
        }
        self.shared.poll(context, |state| state.poll_read(buffer))
    }
}

impl From<Arc<Stream>> for Reader {
    fn from(stream: Arc<Stream>) -> Self {
        Self { stream: Some(stream), shared: Arc::default() }
    }
}

impl Drop for Reader {
    fn drop(&mut self) {
        self.shared.leave(|state| state.abandoned = true);
    }
}

impl State {
    fn poll_read(&mut self, buffer: &mut [u8]) -> Poll<io::Result<usize>> {
        let left = &self.bytes[self.returned..];
        if !left.is_empty() {
            let count = left.len().min(buffer.len());
            buffer[..count].copy_from_slice(&left[..count]);
            self.returned += count;
            return Poll::Ready(Ok(count));
        }
        match &self.end {
            None => {
                self.wanted = true;
                Poll::Pending
            }
            Some(Ok(())) => Poll::Ready(Ok(0)),
            Some(Err(error)) => Poll::Ready(Err(again(error))),
        }
    }
}

/// The thread's side. Only this thread adds bytes, and only when none are left.
fn read_on_demand(stream: Arc<Stream>, shared: &Shared<State>) {
    let mut buffer = vec![0; BUFFER];
    loop {
        let abandoned =
            shared.take(|state| !state.wanted && !state.abandoned, |state| state.abandoned);
        if abandoned {
            return;
        }
        let result = stream.read_blocking(&mut buffer);
        let ended = !matches!(result, Ok(1..));
        shared.tell(|state| {
            state.wanted = false;
            match result {
                Ok(0) => state.end = Some(Ok(())),
                Err(error) => state.end = Some(Err(error)),
                Ok(count) => {
                    state.bytes.clear();
                    state.bytes.extend_from_slice(&buffer[..count]);
                    state.returned = 0;
                }
            }
        });
        if ended {
            return;
        }
    }
}
