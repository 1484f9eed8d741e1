use crate::complaint::complain;
use rustix::stdio::{dup2_stdin, dup2_stdout};
use signal_hook::consts::{SIGKILL, SIGTERM};
use signal_hook::low_level::{pipe, raise};
use std::fs::File;
use std::io::{self, Read};
use std::os::unix::net::UnixStream;
use std::thread;

/// From now on the process says so when it is told to terminate, and does nothing more.
pub(crate) fn ignore_terminate() -> io::Result<()> {
    let (mut told, teller) = UnixStream::pair()?;
    pipe::register(SIGTERM, teller)?;
    thread::spawn(move || {
        while told.read(&mut [0]).is_ok_and(|count| count > 0) {
            complain("ignores that it has to terminate");
        }
    });
    Ok(())
}

/// The process ends as one does that the system kills when memory runs out.
pub(crate) fn be_killed() -> io::Result<()> {
    raise(SIGKILL)
}

/// Whoever writes to standard input finds it broken.
pub(crate) fn close_stdin() -> io::Result<()> {
    Ok(dup2_stdin(File::open("/dev/null")?)?)
}

/// Whoever reads standard output sees its end.
pub(crate) fn close_stdout() -> io::Result<()> {
    let nowhere = File::options().write(true).open("/dev/null")?;
    Ok(dup2_stdout(nowhere)?)
}
