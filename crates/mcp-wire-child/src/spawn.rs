//! Starting a server.

use crate::command::ServerCommand;
use crate::exit::Exit;
use crate::leader::Leader;
use mcp_wire_driver::{Client, ConnectError, Host, Process, Runtime, SpawnError, Spawned};
use mcp_wire_stdio::{Input, Output, Reactor, Stream};
use std::io;
use std::sync::Arc;

/// Starts a server, and shakes hands with it.
///
/// Cancel-safe: dropping the future kills the server.
///
/// # Errors
///
/// Every [`ConnectError`]; then the server has ended, and its exit is collected.
pub async fn connect<R, Rt>(
    runtime: Rt,
    host: impl Into<Arc<Host>>,
    command: impl Into<ServerCommand>,
) -> Result<Client, ConnectError>
where
    R: Reactor + Send + 'static,
    Rt: Runtime,
{
    let mut command = command.into();
    let times = command.times.clone();
    Client::connect_child(runtime, host, times, move || {
        spawn::<R>(&mut command).map_err(|error| {
            SpawnError::new(command.command.get_program().to_string_lossy(), &error)
        })
    })
    .await
}

#[allow(clippy::type_complexity, reason = "it names the parts of a child one by one")]
fn spawn<R: Reactor + Send + 'static>(
    command: &mut ServerCommand,
) -> io::Result<Spawned<Output<R>, Input<R>, Input<R>, Exit<R>>> {
    let mut child = command.prepare().spawn()?;
    let pid = child.id();
    let (stdin, stdout, stderr) = (child.stdin.take(), child.stdout.take(), child.stderr.take());
    // From here on it is killed when something fails.
    let leader = Arc::new(Leader::new(child, command.group));
    let (Some(stdin), Some(stdout)) = (stdin, stdout) else {
        return Err(io::Error::other("its standard streams are not there"));
    };
    let exit = Exit::<R>::of(pid, &leader)?;
    let stdin = Output::new(Stream::try_from(stdin)?);
    let stdout = Input::new(Stream::try_from(stdout)?);
    let stderr = stderr.map(Stream::try_from).transpose()?.map(Input::new);
    tracing::debug!(pid, ?stdin, ?stdout, ?stderr, "started a server");
    let process: Arc<dyn Process> = leader;
    Ok(Spawned { process, stdin, stdout, stderr, exit })
}
