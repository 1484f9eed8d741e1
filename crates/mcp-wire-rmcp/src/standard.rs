//! The standard streams, as tokio's streams.

use crate::StreamTransport;
use mcp_wire_stdio::{Input, Output, Tokio};
use std::io::{self, IoSlice};
use std::pin::Pin;
use std::task::{Context, Poll, ready};
use tokio::io::{AsyncRead, AsyncWrite, ReadBuf};

/// Takes over standard input and output, and gives a transport over them.
///
/// From then on the process's own standard output goes to standard error, and its standard input is empty, so that neither a
/// stray `println!` nor a child process can damage the session. Pipes and sockets are read without a thread; a thread that
/// reads something else never keeps the process alive. It has to be called inside a tokio runtime with IO and time enabled.
///
/// # Errors
///
/// [`io::ErrorKind::AlreadyExists`] where the standard streams are taken over already, and what the system says otherwise.
pub fn stdio() -> io::Result<StreamTransport<StandardInput, StandardOutput>> {
    let (input, output) = mcp_wire_stdio::standard_streams()?;
    tracing::debug!(?input, ?output, "took over the standard streams");
    Ok(StreamTransport::new(StandardInput(input), StandardOutput(output)))
}

/// Standard input, once it is taken over.
#[derive(Debug)]
pub struct StandardInput(Input<Tokio>);

/// Standard output, once it is taken over.
#[derive(Debug)]
pub struct StandardOutput(Output<Tokio>);

impl AsyncRead for StandardInput {
    fn poll_read(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
        buffer: &mut ReadBuf<'_>,
    ) -> Poll<io::Result<()>> {
        let unfilled = buffer.initialize_unfilled();
        let count =
            ready!(futures_io::AsyncRead::poll_read(Pin::new(&mut self.0), context, unfilled))?;
        buffer.advance(count);
        Poll::Ready(Ok(()))
    }
}

impl AsyncWrite for StandardOutput {
    fn poll_write(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
        bytes: &[u8],
    ) -> Poll<io::Result<usize>> {
        futures_io::AsyncWrite::poll_write(Pin::new(&mut self.0), context, bytes)
    }

    fn poll_write_vectored(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
        slices: &[IoSlice<'_>],
    ) -> Poll<io::Result<usize>> {
        futures_io::AsyncWrite::poll_write_vectored(Pin::new(&mut self.0), context, slices)
    }

    fn is_write_vectored(&self) -> bool {
        true
    }

    fn poll_flush(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<io::Result<()>> {
        futures_io::AsyncWrite::poll_flush(Pin::new(&mut self.0), context)
    }

    fn poll_shutdown(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<io::Result<()>> {
        futures_io::AsyncWrite::poll_close(Pin::new(&mut self.0), context)
    }
}
