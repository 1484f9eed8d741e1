//! Input: a stream, cut into lines.

use mcp_wire_core::frame::{Decoder, Frame};
use std::collections::VecDeque;
use std::fmt;
use std::future::poll_fn;
use std::num::NonZeroUsize;
use std::pin::Pin;
use std::task::ready;
use tokio::io::{AsyncRead, ReadBuf};

/// How much is read at once, in bytes.
const CHUNK: usize = 64 << 10;

pub(crate) struct Lines<R> {
    reader: R,
    decoder: Decoder,
    chunk: Box<[u8]>,
    /// What the last chunk held.
    frames: VecDeque<Frame<'static>>,
    ended: bool,
}

impl<R> Lines<R> {
    pub(crate) fn new(reader: R, max_frame: NonZeroUsize) -> Self {
        Self {
            reader,
            decoder: Decoder::new(max_frame),
            chunk: vec![0; CHUNK].into(),
            frames: VecDeque::new(),
            ended: false,
        }
    }

    /// Changes the limit of a line, before anything is read.
    pub(crate) fn limit(&mut self, max_frame: NonZeroUsize) {
        self.decoder = Decoder::new(max_frame);
    }

    /// The next line of those that were read.
    pub(crate) fn next(&mut self) -> Option<Frame<'static>> {
        self.frames.pop_front()
    }

    /// Is there nothing more to read?
    pub(crate) fn has_ended(&self) -> bool {
        self.ended
    }

    /// Reads no more.
    pub(crate) fn end(&mut self) {
        if !std::mem::replace(&mut self.ended, true) {
            self.decoder.finish(|frame| self.frames.push_back(frame.into_owned()));
        }
    }
}

impl<R: AsyncRead + Unpin> Lines<R> {
    /// Reads once. The end of the stream, and an error too, is the end of the lines.
    ///
    /// Cancel-safe: what is read becomes lines before anybody can drop the future.
    pub(crate) async fn read(&mut self) {
        let Self { reader, decoder, chunk, frames, .. } = self;
        let read = poll_fn(|context| {
            let mut buffer = ReadBuf::new(chunk);
            let result = ready!(Pin::new(&mut *reader).poll_read(context, &mut buffer));
            let count = buffer.filled().len();
            decoder.decode(buffer.filled(), |frame| frames.push_back(frame.into_owned()));
            result.map(|()| count).into()
        });
        match read.await {
            Ok(0) => self.end(),
            Ok(_) => {}
            Err(error) => {
                tracing::warn!(%error, "reading failed: the session ends");
                self.end();
            }
        }
    }
}

impl<R> fmt::Debug for Lines<R> {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter
            .debug_struct("Lines")
            .field("decoder", &self.decoder)
            .field("waiting", &self.frames.len())
            .field("ended", &self.ended)
            .finish_non_exhaustive()
    }
}
