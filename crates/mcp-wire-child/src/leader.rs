//! The process that was started, and the group that it leads.

use crate::command::Group;
use mcp_wire_driver::Process;
use std::process::{Child, ExitStatus};
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::thread;

/// The process that was started, and the group that it leads. As long as its exit is not collected, its number is taken: no
/// signal can hit a stranger.
#[derive(Debug)]
pub(crate) struct Leader {
    group: Group,
    state: Mutex<State>,
}

#[derive(Debug)]
struct State {
    child: Child,
    exit: Exit,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Exit {
    Collected(ExitStatus),
    /// Somebody else has collected it, or this program has asked the system not to keep exits.
    Lost,
    Open,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Signal {
    Kill,
    Terminate,
}

impl Leader {
    pub(crate) fn new(child: Child, group: Group) -> Self {
        Self { group, state: Mutex::new(State { child, exit: Exit::Open }) }
    }

    fn signal(&self, signal: Signal) {
        let mut state = self.lock();
        if state.exit == Exit::Open {
            platform::signal(&mut state.child, self.group, signal);
        }
    }

    fn lock(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Process for Leader {
    fn terminate(&self) {
        self.signal(Signal::Terminate);
    }

    fn kill(&self) {
        self.signal(Signal::Kill);
    }

    fn collect(&self) -> Option<ExitStatus> {
        let mut state = self.lock();
        if state.exit == Exit::Open {
            match platform::has_exited(&mut state.child) {
                Ok(false) => return None,
                Ok(true) => {
                    platform::signal(&mut state.child, self.group, Signal::Kill);
                    state.exit = match state.child.try_wait() {
                        Ok(Some(status)) => Exit::Collected(status),
                        Ok(None) => return None,
                        Err(_) => Exit::Lost,
                    };
                }
                Err(_) => state.exit = Exit::Lost,
            }
        }
        match state.exit {
            Exit::Collected(status) => Some(status),
            Exit::Lost | Exit::Open => None,
        }
    }
}

/// Where nobody has seen the exit, the group is killed, and a thread collects the exit, which has nothing to wait for.
impl Drop for Leader {
    fn drop(&mut self) {
        self.kill();
        if self.collect().is_some() || self.lock().exit == Exit::Lost {
            return;
        }
        let state = self.state.get_mut().unwrap_or_else(PoisonError::into_inner);
        // The process is at its end: nothing but its number is needed to wait for it.
        let waiter = platform::waiter(&mut state.child);
        let started = thread::Builder::new().name("mcp-wire-reaper".to_owned()).spawn(waiter);
        if let Err(error) = started {
            tracing::warn!(%error, "no thread to collect a server's exit: it stays as a zombie");
        }
    }
}

#[cfg(unix)]
mod platform {
    use super::{Group, Signal};
    use rustix::process::{
        Pid, WaitId, WaitIdOptions, WaitOptions, getpgid, kill_process, kill_process_group, waitid,
        waitpid,
    };
    use std::io;
    use std::process::Child;

    /// Failure means that nobody is there to be signalled, or that it has made itself another user's.
    pub(super) fn signal(child: &mut Child, group: Group, signal: Signal) {
        let Some(pid) = pid(child) else { return };
        let signal = match signal {
            Signal::Kill => rustix::process::Signal::KILL,
            Signal::Terminate => rustix::process::Signal::TERM,
        };
        if group == Group::Own {
            _ = kill_process_group(pid, signal);
        }
        // It may have left its group. No signal reaches it twice: some take a second one for impatience.
        if group == Group::Ours || getpgid(Some(pid)) != Ok(pid) {
            _ = kill_process(pid, signal);
        }
    }

    /// Has it exited? Its exit stays to be collected.
    pub(super) fn has_exited(child: &mut Child) -> io::Result<bool> {
        let Some(pid) = pid(child) else { return Ok(true) };
        let options = WaitIdOptions::EXITED | WaitIdOptions::NOHANG | WaitIdOptions::NOWAIT;
        Ok(waitid(WaitId::Pid(pid), options)?.is_some())
    }

    /// Waits for its exit and collects it.
    pub(super) fn waiter(child: &mut Child) -> impl FnOnce() + Send + 'static {
        let pid = pid(child);
        move || {
            if let Some(pid) = pid {
                _ = rustix::io::retry_on_intr(|| waitpid(Some(pid), WaitOptions::empty()));
            }
        }
    }

    fn pid(child: &Child) -> Option<Pid> {
        Pid::from_raw(i32::try_from(child.id()).ok()?)
    }
}

#[cfg(not(unix))]
mod platform {
    use super::{Group, Signal};
    use std::io;
    use std::process::Child;

    /// There is no gentle way that all programs know.
    pub(super) fn signal(child: &mut Child, _: Group, _: Signal) {
        _ = child.kill();
    }

    pub(super) fn has_exited(child: &mut Child) -> io::Result<bool> {
        Ok(child.try_wait()?.is_some())
    }

    /// Nothing is left behind where a process has no parent that has to collect it.
    pub(super) fn waiter(_: &mut Child) -> impl FnOnce() + Send + 'static {
        || {}
    }
}
