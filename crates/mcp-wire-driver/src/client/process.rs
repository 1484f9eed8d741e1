//! A child process, as the runtime-neutral part sees it.

use super::tail::Tail;
use futures_io::AsyncRead;
use mcp_wire_core::rpc::ProcessExit;
use std::fmt;
use std::future::poll_fn;
use std::pin::Pin;
use std::process::ExitStatus;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::task::{Poll, ready};
use std::time::{Duration, Instant};

/// After the exit, what is left in the pipes is read until there was nothing for so long.
const QUIET: Duration = Duration::from_millis(100);

/// But at most for so long. So long, too, the exit of a process is waited for that has closed its output.
const LIMIT: Duration = Duration::from_secs(1);

/// How much is read at once of what nobody parses, in bytes.
const PIECE: usize = 16 << 10;

/// What a child process and its group can be made to do. None of these wait, and no signal is sent once the exit is
/// collected.
pub trait Process: fmt::Debug + Send + Sync + 'static {
    /// Asks the process and its group to terminate, where the platform knows how to ask. Elsewhere kills them.
    fn terminate(&self);

    /// Kills the process and its group.
    fn kill(&self);

    /// Collects the exit status of a process that has exited, and kills what is left of its group. `None` where it runs
    /// still; the same again once it is collected.
    fn collect(&self) -> Option<ExitStatus>;
}

/// A child process that was started, and this side of its pipes.
#[derive(Debug)]
pub struct Spawned<I, O, E, X> {
    /// The process itself. Dropping it has to kill the process.
    pub process: Arc<dyn Process>,
    /// What the child reads. Closing or dropping it ends the child's input.
    pub stdin: I,
    /// What the child writes.
    pub stdout: O,
    /// What the child complains, where that is captured.
    pub stderr: Option<E>,
    /// Is ready once the process has exited. It must not be collected by that.
    pub exit: X,
}

/// What is known of a child process.
#[derive(Debug)]
pub(super) struct Watched {
    process: Arc<dyn Process>,
    exited: Option<Instant>,
    /// When there was output or complaint the last time.
    last_sign: Option<Instant>,
    stdout_ended: Option<Instant>,
    stderr_ended: bool,
    tail: Tail,
}

/// That, as its reader and its watchers share it. No user code runs under the lock.
#[derive(Debug, Clone)]
pub(super) struct Watch(Arc<Mutex<Watched>>);

impl Watch {
    pub(super) fn new(process: Arc<dyn Process>, captures_stderr: bool) -> Self {
        Self(Arc::new(Mutex::new(Watched {
            process,
            exited: None,
            last_sign: None,
            stdout_ended: None,
            stderr_ended: !captures_stderr,
            tail: Tail::default(),
        })))
    }

    pub(super) fn lock(&self) -> MutexGuard<'_, Watched> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Notes the exit when it comes.
    pub(super) async fn see_exit(self, exit: impl Future<Output = ()>, now: fn() -> Instant) {
        exit.await;
        self.lock().exited = Some(now());
    }

    /// Reads what the child still writes, and throws it away.
    pub(super) async fn discard_stdout(self, stdout: impl AsyncRead, now: fn() -> Instant) {
        read_to_end(stdout, |_| self.lock().wrote(now())).await;
        self.lock().closed_stdout(now());
    }

    /// Reads what the child complains into the tail, until it ends.
    pub(super) async fn drain_stderr(self, stderr: impl AsyncRead, now: fn() -> Instant) {
        read_to_end(stderr, |piece| {
            let mut watched = self.lock();
            watched.tail.push(piece);
            watched.wrote(now());
        })
        .await;
        self.lock().stderr_ended = true;
    }
}

impl Watched {
    pub(super) fn has_exited(&self) -> bool {
        self.exited.is_some()
    }

    /// There was output, or a complaint.
    pub(super) fn wrote(&mut self, now: Instant) {
        self.last_sign = Some(now);
    }

    /// There will be no more output.
    pub(super) fn closed_stdout(&mut self, now: Instant) {
        self.stdout_ended.get_or_insert(now);
    }

    pub(super) fn has_closed_stdout(&self) -> bool {
        self.stdout_ended.is_some()
    }

    /// When to stop waiting for more of the child, if ever, as things are now.
    pub(super) fn patience(&self, now: Instant) -> Option<Instant> {
        match (self.exited, self.stdout_ended) {
            (Some(_), Some(_)) if self.stderr_ended => Some(now),
            (Some(exited), _) => {
                let quiet = self.last_sign.map_or(exited, |last| last.max(exited)) + QUIET;
                Some(quiet.min(exited + LIMIT))
            }
            (None, Some(ended)) => Some(ended + LIMIT),
            (None, None) => None,
        }
    }

    /// Is it high time, whatever the child still writes?
    pub(super) fn is_overdue(&self, now: Instant) -> bool {
        self.exited.is_some_and(|exited| exited + LIMIT <= now)
    }

    /// The exit, where the process has exited. What is left of its group is killed.
    pub(super) fn collect(&self) -> Option<ProcessExit> {
        let status = self.process.collect()?;
        Some(ProcessExit::new(status, self.tail.text()))
    }
}

/// Reads to the end, or to an error, and shows each piece.
async fn read_to_end(reader: impl AsyncRead, mut show: impl FnMut(&[u8])) {
    /// After so many pieces another task gets its turn.
    const PIECES: usize = 16;
    let mut reader = std::pin::pin!(reader);
    let mut buffer = vec![0; PIECE];
    poll_fn(|context| {
        for _ in 0..PIECES {
            match ready!(Pin::as_mut(&mut reader).poll_read(context, &mut buffer)) {
                Ok(0) => return Poll::Ready(()),
                Ok(count) => show(&buffer[..count]),
                Err(error) if crate::pump::is_transient(&error) => {}
                Err(_) => return Poll::Ready(()),
            }
        }
        context.waker().wake_by_ref();
        Poll::Pending
    })
    .await;
}
