//! What connections of one server take, on tokio: `connections-tokio NUMBER`.

use std::process::ExitCode;

#[cfg(target_os = "linux")]
fn main() -> ExitCode {
    meter::report(linux::measure())
}

#[cfg(not(target_os = "linux"))]
fn main() -> ExitCode {
    ours::refuse("connections-tokio reads its own clocks, so run it on Linux")
}

#[cfg(target_os = "linux")]
mod linux {
    use mcp_wire_tokio::serve;
    use ours::{EchoOptions, echo_server};
    use serde_json::Value;
    use std::error::Error;
    use std::io;
    use std::os::unix::net::UnixStream;
    use std::sync::Arc;
    use tokio::runtime::Builder;

    pub(crate) fn measure() -> Result<Value, Box<dyn Error + Send + Sync>> {
        let runtime = Builder::new_multi_thread().worker_threads(1).enable_all().build()?;
        let server = Arc::new(echo_server(EchoOptions::default()));
        meter::measure_connections(|stream| {
            let server = server.clone();
            runtime.spawn(async move {
                let (reader, writer) = split(stream)?;
                serve(server, reader, writer).await.map_err(io::Error::other)
            });
        })
    }

    fn split(
        stream: UnixStream,
    ) -> io::Result<(tokio::net::unix::OwnedReadHalf, tokio::net::unix::OwnedWriteHalf)> {
        stream.set_nonblocking(true)?;
        Ok(tokio::net::UnixStream::from_std(stream)?.into_split())
    }
}
