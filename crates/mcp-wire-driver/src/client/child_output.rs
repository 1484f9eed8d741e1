//! What a child process writes, which ends when the process does, whoever else holds the pipe.

use super::process::Watch;
use crate::Runtime;
use futures_io::AsyncRead;
use pin_project::pin_project;
use std::io;
use std::pin::Pin;
use std::sync::{Arc, Mutex, PoisonError};
use std::task::{Context, Poll};
use std::time::Instant;

/// A child's standard output, which its reader shares with whoever drains it afterwards.
#[derive(Debug)]
pub(super) struct SharedStdout<O>(Arc<Mutex<Pin<Box<O>>>>);

impl<O> Clone for SharedStdout<O> {
    fn clone(&self) -> Self {
        Self(self.0.clone())
    }
}

impl<O: AsyncRead> SharedStdout<O> {
    pub(super) fn new(stdout: O) -> Self {
        Self(Arc::new(Mutex::new(Box::pin(stdout))))
    }
}

impl<O: AsyncRead> AsyncRead for SharedStdout<O> {
    fn poll_read(
        self: Pin<&mut Self>,
        context: &mut Context<'_>,
        buffer: &mut [u8],
    ) -> Poll<io::Result<usize>> {
        let mut stdout = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        stdout.as_mut().poll_read(context, buffer)
    }
}

/// Reads a child's standard output. It fails with [`ProcessExit`](crate::ProcessExit) once the process has exited and its output is read.
#[pin_project]
#[derive(Debug)]
pub(super) struct ChildOutput<O, Rt: Runtime> {
    #[pin]
    stdout: SharedStdout<O>,
    watch: Watch,
    runtime: Rt,
    armed: Option<Instant>,
    #[pin]
    sleep: Option<Rt::Sleep>,
}

impl<O: AsyncRead, Rt: Runtime> ChildOutput<O, Rt> {
    pub(super) fn new(stdout: SharedStdout<O>, watch: Watch, runtime: Rt) -> Self {
        Self { stdout, watch, runtime, armed: None, sleep: None }
    }
}

impl<O: AsyncRead, Rt: Runtime> AsyncRead for ChildOutput<O, Rt> {
    fn poll_read(
        self: Pin<&mut Self>,
        context: &mut Context<'_>,
        buffer: &mut [u8],
    ) -> Poll<io::Result<usize>> {
        let mut this = self.project();
        let now = Rt::now();
        if !this.watch.lock().has_closed_stdout() {
            match this.stdout.as_mut().poll_read(context, buffer) {
                Poll::Ready(Ok(0)) => this.watch.lock().closed_stdout(now),
                Poll::Ready(Ok(count)) => {
                    let mut watched = this.watch.lock();
                    watched.wrote(now);
                    if !watched.is_overdue(now) {
                        return Poll::Ready(Ok(count));
                    }
                }
                Poll::Ready(Err(error)) => return Poll::Ready(Err(error)),
                Poll::Pending => {}
            }
        }
        let Some(until) = this.watch.lock().patience(now) else { return Poll::Pending };
        if until > now {
            if *this.armed != Some(until) {
                *this.armed = Some(until);
                this.sleep.set(Some(this.runtime.sleep_until(until)));
            }
            if let Some(sleep) = this.sleep.as_mut().as_pin_mut()
                && sleep.poll(context).is_pending()
            {
                return Poll::Pending;
            }
        }
        Poll::Ready(match this.watch.lock().collect() {
            Some(exit) => Err(io::Error::other(exit)),
            None => Ok(0),
        })
    }
}
