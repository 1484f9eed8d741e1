//! The server's process: its start, its limits, its end.

use crate::failure::{Failure, While};
use crate::options::{Options, Stdio as Streams};
use crate::usage::Usage;
use nix::sched::{CpuSet, sched_getaffinity, sched_setaffinity};
use nix::sys::resource::{Resource, getrlimit, setrlimit};
use nix::unistd::Pid;
use std::fs::File;
use std::io;
use std::os::fd::OwnedFd;
use std::os::unix::net::UnixStream;
use std::os::unix::process::ExitStatusExt;
use std::process::{Child, Command, Stdio};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::thread;
use std::time::{Duration, Instant};

/// How long a server may take to end once its input has ended.
const GRACE: Duration = Duration::from_secs(4);

/// A server that runs. It is killed when this is dropped, and when its time is over.
#[derive(Debug)]
pub(crate) struct Process {
    child: Arc<Mutex<Child>>,
    pid: u32,
    pub(crate) started: Instant,
}

impl Process {
    /// Starts the server. Gives its input and its output, too.
    pub(crate) fn start(options: &Options) -> Result<(Self, File, File), Failure> {
        if options.pinned {
            stay_on_one_core()?;
        }
        let (its_input, input) = stream(options.stdio).during("making the server's input")?;
        let (output, its_output) = stream(options.stdio).during("making the server's output")?;
        let mut command = Command::new(&options.command[0]);
        command.args(&options.command[1..]);
        command.stdin(its_input).stdout(its_output).stderr(Stdio::null());
        let started = Instant::now();
        let child = with_address_space(options.address_space, || command.spawn())?
            .during("starting the server")?;
        let process = Self { pid: child.id(), child: Arc::new(Mutex::new(child)), started };
        process.kill_after(options.timeout);
        Ok((process, File::from(input), File::from(output)))
    }

    pub(crate) fn usage(&self) -> Usage {
        Usage::of(self.pid)
    }

    /// Unblocks whoever waits for the server.
    pub(crate) fn kill(&self) {
        // One that has ended already needs no killing.
        _ = lock(&self.child).kill();
    }

    /// Waits for the end, and says how it came. The input has to be closed before.
    pub(crate) fn end(&self) -> Result<String, Failure> {
        let deadline = Instant::now() + GRACE;
        while Instant::now() < deadline {
            if let Some(status) = lock(&self.child).try_wait().during("waiting for the server")? {
                return Ok(match (status.code(), status.signal()) {
                    (Some(code), _) => format!("exit {code}"),
                    (None, Some(signal)) => format!("signal {signal}"),
                    (None, None) => status.to_string(),
                });
            }
            thread::sleep(Duration::from_millis(1));
        }
        self.kill();
        Ok(format!("killed, {} s after the end of its input", GRACE.as_secs()))
    }

    fn kill_after(&self, timeout: Duration) {
        let child = Arc::clone(&self.child);
        thread::spawn(move || {
            thread::sleep(timeout);
            _ = lock(&child).kill();
        });
    }
}

impl Drop for Process {
    fn drop(&mut self) {
        self.kill();
        _ = lock(&self.child).wait();
    }
}

fn lock(child: &Mutex<Child>) -> MutexGuard<'_, Child> {
    child.lock().unwrap_or_else(PoisonError::into_inner)
}

/// What can be read at one end, and written at the other.
fn stream(kind: Streams) -> io::Result<(OwnedFd, OwnedFd)> {
    match kind {
        Streams::Pipe => io::pipe().map(|(reader, writer)| (reader.into(), writer.into())),
        Streams::Socket => {
            UnixStream::pair().map(|(reader, writer)| (reader.into(), writer.into()))
        }
    }
}

/// Confines this thread to the first core that it may use. Whatever it starts is confined with it.
fn stay_on_one_core() -> Result<(), Failure> {
    let this = Pid::from_raw(0);
    let allowed = sched_getaffinity(this).during("asking for the cores")?;
    let first = (0..CpuSet::count()).find(|core| allowed.is_set(*core).unwrap_or(false));
    let mut one = CpuSet::new();
    one.set(first.unwrap_or(0)).during("choosing a core")?;
    sched_setaffinity(this, &one).during("staying on one core")
}

/// Runs something with a limit on address space that what it starts inherits.
fn with_address_space<T>(limit: Option<u64>, run: impl FnOnce() -> T) -> Result<T, Failure> {
    let Some(limit) = limit else { return Ok(run()) };
    let (soft, hard) = getrlimit(Resource::RLIMIT_AS).during("asking for the limits")?;
    setrlimit(Resource::RLIMIT_AS, limit.min(hard), hard).during("limiting the server")?;
    let result = run();
    setrlimit(Resource::RLIMIT_AS, soft, hard).during("lifting the limit")?;
    Ok(result)
}
