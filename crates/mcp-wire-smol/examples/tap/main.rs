//! Looks on at a client and its server: put `tap --` before the server's command, wherever the client has that.
//!
//! `cargo install --path crates/mcp-wire-smol --example tap` installs it. Then, for instance:
//! `tap -- npx -y @modelcontextprotocol/server-everything`
//!
//! It passes on every byte as it comes, in both directions, whether it is a message or not, and tells each message on standard
//! error, which the server shares: its direction, id, method and size, and how long an answer took. It is as transparent as
//! it can be: a side that does not read holds up the other one alone, each end of a stream is passed on, the
//! signals that end a program too, and the exit of the server is its own. A reader of its standard error that is slow or gone
//! costs nothing but what is not told.
//!
//! The server is in a process group of its own, so that it gets each signal once, whether the client signals one process or a
//! group. What cannot be passed on is SIGKILL: then the server sees the end of its input.

mod log;
mod options;
mod signals;
mod wire;

use log::Log;
use mcp_wire_stdio::{AsyncIo, standard_streams};
use options::Options;
use signals::Signals;
use smol::channel::{Receiver, bounded};
use smol::future::or;
use smol::io::{AsyncRead, AsyncReadExt, AsyncWrite, AsyncWriteExt};
use smol::process::{Child, Stdio};
use smol::{LocalExecutor, Timer};
use std::cell::RefCell;
use std::io::{self, Write};
use std::process::{ExitStatus, exit};
use std::time::{Duration, Instant};
use wire::{Side, Wire};

/// How long a server that has exited may go without output: something that it has started may hold on to that for ever.
const PATIENCE: Duration = Duration::from_millis(500);

fn main() {
    let options = match Options::from_arguments(std::env::args_os().skip(1)) {
        Ok(options) => options,
        Err(message) => fail(&message, 2),
    };
    match smol::block_on(run(&options)) {
        Ok(status) => exit(code(status)),
        // As a shell has it.
        Err(error) if error.kind() == io::ErrorKind::NotFound => {
            fail(&format!("tap: {error}"), 127)
        }
        Err(error) => fail(&format!("tap: {error}"), 126),
    }
}

/// Tells of what was in the way. Where nobody listens to standard error, `eprintln!` would panic.
fn fail(message: &str, code: i32) -> ! {
    _ = writeln!(io::stderr(), "{message}");
    exit(code)
}

async fn run(options: &Options) -> io::Result<ExitStatus> {
    // Before there is a server, so that no signal passes it by.
    let mut signals = Signals::new()?;
    let mut server = start(options)?;
    let (Some(stdin), Some(stdout)) = (server.stdin.take(), server.stdout.take()) else {
        return Err(io::Error::other("the server has no standard streams"));
    };
    let (input, output) = standard_streams::<AsyncIo>()?;
    let wire = RefCell::new(Wire::new());
    let log = Log::start(options.style)?;
    let look = |from: Side| {
        let (wire, log) = (&wire, &log);
        move |bytes: &[u8]| {
            wire.borrow_mut().look(from, bytes, Instant::now(), |seen| log.tell(&seen));
        }
    };

    let pid = server.id();
    // Nothing is ever sent: the receiver sees that the sender is gone.
    let (running, exited) = bounded::<()>(1);
    let executor = LocalExecutor::new();
    executor.spawn(copy(input, stdin, None, look(Side::Client))).detach();
    let to_client = executor.spawn(copy(stdout, output, Some(exited), look(Side::Server)));
    let end = async {
        let passing_on = async {
            loop {
                signals::pass_on(pid, signals.next().await);
            }
        };
        let status = or(server.status(), passing_on).await;
        drop(running);
        // A client may take its time to read the rest, until it loses its patience.
        let impatience = async { _ = signals.next().await };
        or(to_client, impatience).await;
        status
    };
    let status = executor.run(end).await;
    drop(executor);
    log.finish();
    status
}

fn start(options: &Options) -> io::Result<Child> {
    let mut command = std::process::Command::new(&options.program);
    command.args(&options.arguments);
    signals::shield(&mut command);
    let mut command = smol::process::Command::from(command);
    command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::inherit());
    command.spawn().map_err(|error| {
        let why = format!("cannot start {}: {error}", options.program.display());
        io::Error::new(error.kind(), why)
    })
}

/// Passes bytes on as they come, up to the end of either stream, and then closes both. Nothing is read before what was read
/// is written: a side that does not read is not read for.
async fn copy(
    mut from: impl AsyncRead + Unpin,
    mut to: impl AsyncWrite + Unpin,
    exited: Option<Receiver<()>>,
    mut look: impl FnMut(&[u8]),
) {
    let mut buffer = vec![0; 64 << 10];
    loop {
        let given_up = async {
            match &exited {
                Some(exited) => _ = exited.recv().await,
                None => std::future::pending().await,
            }
            Timer::after(PATIENCE).await;
            Ok(0)
        };
        // The read is asked first: what is there is never given up.
        match or(from.read(&mut buffer), given_up).await {
            Ok(0) => break,
            Ok(count) => {
                look(&buffer[..count]);
                let written = to.write_all(&buffer[..count]).await;
                if written.is_err() || to.flush().await.is_err() {
                    break;
                }
            }
            Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
            Err(_) => break,
        }
    }
    // The line that lacks its end is told too.
    look(&[]);
    _ = to.close().await;
}

/// The server's exit code; where a signal ended it, what a shell makes of that.
fn code(status: ExitStatus) -> i32 {
    #[cfg(unix)]
    if let Some(signal) = std::os::unix::process::ExitStatusExt::signal(&status) {
        return 128 + signal;
    }
    status.code().unwrap_or(1)
}
