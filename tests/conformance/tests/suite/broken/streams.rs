//! Streams that behave as if a careless driver held them.

use super::Fault;
use smol::io::{AsyncRead, AsyncWrite};
use smol::net::unix::UnixStream;
use std::io;
use std::pin::Pin;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::task::{Context, Poll, Waker, ready};

pub(crate) type Reader = Box<dyn AsyncRead + Send + Unpin>;
pub(crate) type Writer = Box<dyn AsyncWrite + Send + Unpin>;

/// What the two halves know of each other.
#[derive(Debug, Default)]
struct Shared {
    /// What was read of a line that is not whole yet.
    partial: Vec<u8>,
    /// Output is waiting.
    writing: bool,
    /// A request was read, and nothing was written since.
    busy: bool,
    reader: Option<Waker>,
}

/// How the halves differ from good ones.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Kind {
    AnswersAfterCancel,
    GluesLines,
    LosesBytes,
    NeverCloses,
    OneAtATime,
    ReadsOrWrites,
    WritesWithoutLimit,
}

macro_rules! faults {
    ($($(#[$doc:meta])* $name:ident;)*) => {
        $($(#[$doc])*
        #[derive(Debug)]
        pub(crate) enum $name {}

        impl Fault for $name {
            fn halves(stream: UnixStream) -> (Reader, Writer) {
                let shared = Arc::<Mutex<Shared>>::default();
                let half = Half { kind: Kind::$name, stream, shared, buffer: Vec::new(), lines: 0 };
                (Box::new(half.clone()), Box::new(half))
            }
        })*
    };
}

faults! {
    /// Cancellations are not heeded.
    AnswersAfterCancel;
    /// Two tasks write, and do not always end their lines.
    GluesLines;
    /// A future that has read half a line is dropped when there is something to write.
    LosesBytes;
    /// The stream is left open.
    NeverCloses;
    /// A request is answered before the next is read.
    OneAtATime;
    /// As long as output waits nothing is read.
    ReadsOrWrites;
    /// Output is taken, whether or not the peer reads.
    WritesWithoutLimit;
}

#[derive(Debug, Clone)]
struct Half {
    kind: Kind,
    stream: UnixStream,
    shared: Arc<Mutex<Shared>>,
    /// Whole lines for the driver, or output for the stream.
    buffer: Vec<u8>,
    /// How many lines were written.
    lines: usize,
}

impl Half {
    fn shared(&self) -> MutexGuard<'_, Shared> {
        self.shared.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Reads into the partial line, and moves what is whole into the buffer.
    fn poll_lines(&mut self, context: &mut Context<'_>) -> Poll<io::Result<usize>> {
        let mut chunk = [0; 4096];
        let count = ready!(Pin::new(&mut self.stream).poll_read(context, &mut chunk))?;
        let mut partial = std::mem::take(&mut self.shared().partial);
        partial.extend_from_slice(&chunk[..count]);
        let end = match count {
            0 => partial.len(),
            _ => partial.iter().rposition(|byte| *byte == b'\n').map_or(0, |end| end + 1),
        };
        let rest = partial.split_off(end);
        for line in partial.split_inclusive(|byte| *byte == b'\n') {
            let is_cancel = String::from_utf8_lossy(line).contains("notifications/cancelled");
            if self.kind != Kind::AnswersAfterCancel || !is_cancel {
                self.buffer.extend_from_slice(line);
            }
        }
        self.shared().partial = rest;
        Poll::Ready(Ok(count))
    }

    fn poll_drain(&mut self, context: &mut Context<'_>) -> Poll<io::Result<()>> {
        while !self.buffer.is_empty() {
            let count = ready!(Pin::new(&mut self.stream).poll_write(context, &self.buffer))?;
            self.buffer.drain(..count);
        }
        Poll::Ready(Ok(()))
    }
}

impl AsyncRead for Half {
    fn poll_read(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
        buffer: &mut [u8],
    ) -> Poll<io::Result<usize>> {
        let waits = match self.kind {
            Kind::ReadsOrWrites => self.shared().writing,
            Kind::OneAtATime => self.shared().busy,
            _ => false,
        };
        if waits {
            self.shared().reader = Some(context.waker().clone());
            return Poll::Pending;
        }
        let mut ended = false;
        while self.buffer.is_empty() && !ended {
            ended = ready!(self.poll_lines(context))? == 0;
        }
        let mut count = self.buffer.len().min(buffer.len());
        if self.kind == Kind::OneAtATime {
            let line = self.buffer.iter().position(|byte| *byte == b'\n');
            count = line.map_or(count, |end| end + 1).min(buffer.len());
            self.shared().busy = String::from_utf8_lossy(&self.buffer[..count]).contains("\"id\"");
        }
        buffer[..count].copy_from_slice(&self.buffer[..count]);
        self.buffer.drain(..count);
        Poll::Ready(Ok(count))
    }
}

impl AsyncWrite for Half {
    fn poll_write(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
        bytes: &[u8],
    ) -> Poll<io::Result<usize>> {
        match self.kind {
            Kind::WritesWithoutLimit => self.buffer.extend_from_slice(bytes),
            Kind::GluesLines => {
                for byte in bytes {
                    self.lines += usize::from(*byte == b'\n');
                    if *byte != b'\n' || !self.lines.is_multiple_of(7) {
                        self.buffer.push(*byte);
                    }
                }
            }
            _ => {
                let written = Pin::new(&mut self.stream).poll_write(context, bytes);
                let mut shared = self.shared();
                shared.writing = written.is_pending();
                if written.is_ready() {
                    shared.busy = false;
                    if self.kind == Kind::LosesBytes {
                        shared.partial.clear();
                    }
                    if let Some(reader) = shared.reader.take() {
                        reader.wake();
                    }
                }
                return written;
            }
        }
        if let Poll::Ready(Err(error)) = self.poll_drain(context) {
            return Poll::Ready(Err(error));
        }
        Poll::Ready(Ok(bytes.len()))
    }

    fn poll_flush(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<io::Result<()>> {
        self.poll_drain(context)
    }

    fn poll_close(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<io::Result<()>> {
        if self.kind == Kind::NeverCloses {
            std::mem::forget(self.stream.clone());
            return Poll::Ready(Ok(()));
        }
        Pin::new(&mut self.stream).poll_close(context)
    }
}
