//! Seeing that a process has exited, without collecting its exit.

use crate::leader::Leader;
use futures_io::AsyncRead;
use mcp_wire_stdio::{Input, Reactor};
use std::future::Future;
use std::pin::Pin;
use std::sync::{Arc, Mutex, PoisonError};
use std::task::{Context, Poll, Waker};
use std::thread;

/// Is ready once a process has exited.
#[derive(Debug)]
pub(crate) enum Exit<R> {
    /// Its `pidfd` reads as the end of input then.
    Descriptor(Input<R>),
    /// A thread waits for it.
    Thread(Arc<Flag>),
}

/// Whether the thread has seen the exit, and whom to wake.
#[derive(Debug, Default)]
pub(crate) struct Flag(Mutex<Seen>);

#[derive(Debug, Default)]
struct Seen {
    exited: bool,
    waker: Option<Waker>,
}

impl<R: Reactor> Exit<R> {
    pub(crate) fn of(pid: u32, leader: &Arc<Leader>) -> std::io::Result<Self> {
        #[cfg(target_os = "linux")]
        if let Some(descriptor) = pidfd(pid) {
            return Ok(Self::Descriptor(Input::new(mcp_wire_stdio::Stream::event(descriptor))));
        }
        let flag = Arc::new(Flag::default());
        let wait = platform::wait(pid, leader);
        let told = flag.clone();
        let work = move || {
            wait();
            told.exited();
        };
        thread::Builder::new().name("mcp-wire-exit".to_owned()).spawn(work)?;
        Ok(Self::Thread(flag))
    }
}

impl<R: Reactor> Future for Exit<R> {
    type Output = ();

    fn poll(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<()> {
        match &mut *self {
            Self::Descriptor(input) => Pin::new(input).poll_read(context, &mut [0]).map(drop),
            Self::Thread(flag) => flag.poll(context),
        }
    }
}

impl Flag {
    fn poll(&self, context: &Context<'_>) -> Poll<()> {
        let mut waker = Some(context.waker().clone());
        let mut seen = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        if seen.exited {
            return Poll::Ready(());
        }
        // The former one is dropped after the lock.
        std::mem::swap(&mut seen.waker, &mut waker);
        drop(seen);
        Poll::Pending
    }

    fn exited(&self) {
        let mut seen = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        seen.exited = true;
        let waker = seen.waker.take();
        drop(seen);
        if let Some(waker) = waker {
            waker.wake();
        }
    }
}

/// `None` on kernels before 5.3, and where a sandbox forbids it.
#[cfg(target_os = "linux")]
fn pidfd(pid: u32) -> Option<std::os::fd::OwnedFd> {
    use rustix::process::{Pid, PidfdFlags, pidfd_open};
    pidfd_open(Pid::from_raw(i32::try_from(pid).ok()?)?, PidfdFlags::empty()).ok()
}

#[cfg(unix)]
mod platform {
    use super::{Arc, Leader};
    use rustix::process::{Pid, WaitId, WaitIdOptions, waitid};

    /// Waits for the exit, and leaves it to be collected.
    pub(super) fn wait(pid: u32, _: &Arc<Leader>) -> impl FnOnce() + Send + 'static {
        let pid = i32::try_from(pid).ok().and_then(Pid::from_raw);
        move || {
            let options = WaitIdOptions::EXITED | WaitIdOptions::NOWAIT;
            if let Some(pid) = pid {
                // An error means that there is nobody to wait for.
                _ = rustix::io::retry_on_intr(|| waitid(WaitId::Pid(pid), options));
            }
        }
    }
}

#[cfg(not(unix))]
mod platform {
    use super::{Arc, Leader, thread};
    use mcp_wire_driver::Process;
    use std::time::Duration;

    /// How often to look.
    const PERIOD: Duration = Duration::from_millis(20);

    /// Looks for the exit time and again, as long as anybody wants to know.
    pub(super) fn wait(_: u32, leader: &Arc<Leader>) -> impl FnOnce() + Send + 'static {
        let leader = Arc::downgrade(leader);
        move || {
            while leader.upgrade().is_some_and(|leader| leader.collect().is_none()) {
                thread::sleep(PERIOD);
            }
        }
    }
}

#[cfg(all(test, unix))]
mod tests {
    use super::*;
    use crate::command::Group;
    use mcp_wire_driver::Process;
    use mcp_wire_stdio::NoReactor;
    use std::process::{Command, Stdio};
    use std::task::Wake;

    struct Unpark(thread::Thread);

    impl Wake for Unpark {
        fn wake(self: Arc<Self>) {
            self.0.unpark();
        }
    }

    fn block_on(future: impl Future<Output = ()>) {
        let waker = Arc::new(Unpark(thread::current())).into();
        let mut context = Context::from_waker(&waker);
        let mut future = std::pin::pin!(future);
        while future.as_mut().poll(&mut context).is_pending() {
            thread::park();
        }
    }

    /// K4: both ways see the exit, and leave it to be collected.
    #[test]
    fn the_exit_is_seen_and_still_there() {
        let child = || {
            let mut command = Command::new("sh");
            command.args(["-c", "read line; exit 3"]).stdin(Stdio::piped());
            let mut child = command.spawn().unwrap();
            let input = child.stdin.take();
            let pid = child.id();
            (Arc::new(Leader::new(child, Group::Ours)), pid, input)
        };
        let (leader, pid, input) = child();
        let exit = Exit::<NoReactor>::of(pid, &leader).unwrap();
        assert_eq!(leader.collect(), None);
        drop(input);
        block_on(exit);
        assert_eq!(leader.collect().and_then(|status| status.code()), Some(3));

        let (leader, pid, input) = child();
        let flag = Arc::new(Flag::default());
        let (wait, told) = (platform::wait(pid, &leader), flag.clone());
        let waiting = thread::spawn(move || {
            wait();
            told.exited();
        });
        drop(input);
        block_on(Exit::<NoReactor>::Thread(flag));
        assert_eq!(leader.collect().and_then(|status| status.code()), Some(3));
        assert_eq!(leader.collect().and_then(|status| status.code()), Some(3));
        waiting.join().unwrap();
    }
}
