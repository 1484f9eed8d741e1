//! Two reactors and none, so that each scenario runs by readiness, twice, and by threads.
#![allow(dead_code, reason = "each test file uses a part")]

use std::future::poll_fn;
use std::io::{self, ErrorKind, IoSlice};
use std::os::fd::{AsFd, OwnedFd};
use std::pin::Pin;
use std::sync::Arc;
use std::task::{Context, Poll, ready};

use async_io::Async;
use futures_io::{AsyncRead, AsyncWrite};
use mcp_wire_stdio::{Direction, Input, NoReactor, Output, Reactor, Stream};
use rustix::fs::{OFlags, fcntl_getfl, fcntl_setfl};
use tokio::io::Interest;
use tokio::io::unix::AsyncFd;

/// A reactor and what runs it.
pub(crate) trait Runtime {
    type Reactor: Reactor;

    fn run<T>(work: impl Future<Output = T>) -> T;

    fn input(stream: Stream) -> Input<Self::Reactor> {
        Input::new(stream)
    }

    fn output(stream: Stream) -> Output<Self::Reactor> {
        Output::new(stream)
    }
}

pub(crate) struct Tokio;

impl Runtime for Tokio {
    type Reactor = TokioReactor;

    fn run<T>(work: impl Future<Output = T>) -> T {
        tokio::runtime::Builder::new_current_thread().enable_io().build().unwrap().block_on(work)
    }
}

pub(crate) struct AsyncIo;

impl Runtime for AsyncIo {
    type Reactor = AsyncIoReactor;

    fn run<T>(work: impl Future<Output = T>) -> T {
        async_io::block_on(work)
    }
}

pub(crate) struct Threads;

impl Runtime for Threads {
    type Reactor = NoReactor;

    fn run<T>(work: impl Future<Output = T>) -> T {
        async_io::block_on(work)
    }
}

/// Runs each scenario on every runtime.
#[macro_export]
macro_rules! on_every_runtime {
    ($($scenario:ident),+ $(,)?) => {
        mod tokio_reactor { $(#[test] fn $scenario() { super::$scenario::<super::support::Tokio>() })+ }
        mod async_io_reactor { $(#[test] fn $scenario() { super::$scenario::<super::support::AsyncIo>() })+ }
        mod threads { $(#[test] fn $scenario() { super::$scenario::<super::support::Threads>() })+ }
    };
}

pub(crate) struct TokioReactor(AsyncFd<Arc<Stream>>);

impl Reactor for TokioReactor {
    #[allow(deprecated, reason = "the successor is unsafe; a stream owns its descriptor for good")]
    fn register(stream: Arc<Stream>, direction: Direction) -> io::Result<Self> {
        let interest = match direction {
            Direction::Input => Interest::READABLE,
            Direction::Output => Interest::WRITABLE,
        };
        AsyncFd::with_interest(stream, interest).map(Self)
    }

    fn poll_read(&self, cx: &mut Context<'_>, buffer: &mut [u8]) -> Poll<io::Result<usize>> {
        loop {
            let mut guard = ready!(self.0.poll_read_ready(cx))?;
            if let Ok(result) = guard.try_io(|stream| stream.get_ref().try_read(buffer)) {
                if let Ok(count) = result
                    && self.0.get_ref().is_drained_by(count, buffer.len())
                {
                    guard.clear_ready();
                }
                return Poll::Ready(result);
            }
        }
    }

    fn poll_write(&self, cx: &mut Context<'_>, buffers: &[IoSlice<'_>]) -> Poll<io::Result<usize>> {
        loop {
            let mut guard = ready!(self.0.poll_write_ready(cx))?;
            if let Ok(result) = guard.try_io(|stream| stream.get_ref().try_write(buffers)) {
                return Poll::Ready(result);
            }
        }
    }
}

pub(crate) struct AsyncIoReactor(Async<Arc<Stream>>);

impl Reactor for AsyncIoReactor {
    fn register(stream: Arc<Stream>, _: Direction) -> io::Result<Self> {
        Async::new_nonblocking(stream).map(Self)
    }

    fn poll_read(&self, cx: &mut Context<'_>, buffer: &mut [u8]) -> Poll<io::Result<usize>> {
        loop {
            match self.0.get_ref().try_read(buffer) {
                Err(error) if error.kind() == ErrorKind::WouldBlock => {
                    ready!(self.0.poll_readable(cx))?
                }
                result => return Poll::Ready(result),
            }
        }
    }

    fn poll_write(&self, cx: &mut Context<'_>, buffers: &[IoSlice<'_>]) -> Poll<io::Result<usize>> {
        loop {
            match self.0.get_ref().try_write(buffers) {
                Err(error) if error.kind() == ErrorKind::WouldBlock => {
                    ready!(self.0.poll_writable(cx))?
                }
                result => return Poll::Ready(result),
            }
        }
    }
}

pub(crate) fn input<R: Runtime>(descriptor: impl Into<OwnedFd>) -> Input<R::Reactor> {
    Input::new(Stream::new(descriptor.into()).unwrap())
}

pub(crate) fn output<R: Runtime>(descriptor: impl Into<OwnedFd>) -> Output<R::Reactor> {
    Output::new(Stream::new(descriptor.into()).unwrap())
}

pub(crate) async fn read(input: &mut (impl AsyncRead + Unpin), room: usize) -> io::Result<Vec<u8>> {
    let mut buffer = vec![0; room];
    let count = poll_fn(|cx| Pin::new(&mut *input).poll_read(cx, &mut buffer)).await?;
    buffer.truncate(count);
    Ok(buffer)
}

pub(crate) async fn read_to_end(input: &mut (impl AsyncRead + Unpin)) -> io::Result<Vec<u8>> {
    let mut all = Vec::new();
    loop {
        match read(input, 1000).await? {
            bytes if bytes.is_empty() => return Ok(all),
            bytes => all.extend(bytes),
        }
    }
}

/// Asks once, as a future does that is dropped afterwards, and expects that nothing is there.
pub(crate) async fn nothing_to_read(input: &mut (impl AsyncRead + Unpin)) {
    let answer =
        poll_fn(|cx| Poll::Ready(Pin::new(&mut *input).poll_read(cx, &mut [0; 100]))).await;
    assert!(answer.is_pending(), "{answer:?}");
}

pub(crate) async fn write(
    output: &mut (impl AsyncWrite + Unpin),
    bytes: &[u8],
) -> io::Result<usize> {
    poll_fn(|cx| Pin::new(&mut *output).poll_write(cx, bytes)).await
}

pub(crate) async fn write_all(
    output: &mut (impl AsyncWrite + Unpin),
    bytes: &[u8],
) -> io::Result<()> {
    let mut left = bytes;
    while !left.is_empty() {
        let count = write(output, left).await?;
        assert_ne!(count, 0);
        left = &left[count..];
    }
    flush(output).await
}

/// Writes until there is no room, and returns what was taken.
pub(crate) async fn fill(output: &mut (impl AsyncWrite + Unpin)) -> Vec<u8> {
    let mut taken = Vec::new();
    loop {
        let bytes = pattern(taken.len(), 10_000);
        match poll_fn(|cx| Poll::Ready(Pin::new(&mut *output).poll_write(cx, &bytes))).await {
            Poll::Ready(count) => taken.extend(&bytes[..count.unwrap()]),
            Poll::Pending => return taken,
        }
    }
}

pub(crate) async fn flush(output: &mut (impl AsyncWrite + Unpin)) -> io::Result<()> {
    poll_fn(|cx| Pin::new(&mut *output).poll_flush(cx)).await
}

pub(crate) async fn close(output: &mut (impl AsyncWrite + Unpin)) -> io::Result<()> {
    poll_fn(|cx| Pin::new(&mut *output).poll_close(cx)).await
}

/// Bytes that show when some are lost or swapped.
pub(crate) fn pattern(from: usize, count: usize) -> Vec<u8> {
    (from..from + count).map(|at| (at % 251) as u8).collect()
}

pub(crate) fn flags(descriptor: impl AsFd) -> OFlags {
    fcntl_getfl(descriptor).unwrap()
}

/// What another program does that shares the open file.
pub(crate) fn make_nonblocking(descriptor: impl AsFd) {
    let flags = flags(&descriptor);
    fcntl_setfl(descriptor, flags | OFlags::NONBLOCK).unwrap();
}
