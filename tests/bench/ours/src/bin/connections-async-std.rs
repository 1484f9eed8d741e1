//! What connections of one server take, on async-std: `connections-async-std NUMBER`.

use std::process::ExitCode;

#[cfg(target_os = "linux")]
fn main() -> ExitCode {
    meter::report(linux::measure())
}

#[cfg(not(target_os = "linux"))]
fn main() -> ExitCode {
    ours::refuse("connections-async-std reads its own clocks, so run it on Linux")
}

#[cfg(target_os = "linux")]
mod linux {
    use async_std::os::unix::net::UnixStream;
    use mcp_wire_async_std::serve;
    use ours::{EchoOptions, echo_server};
    use serde_json::Value;
    use std::error::Error;
    use std::io;
    use std::sync::Arc;

    pub(crate) fn measure() -> Result<Value, Box<dyn Error + Send + Sync>> {
        let server = Arc::new(echo_server(EchoOptions::default()));
        meter::measure_connections(|stream| {
            let server = server.clone();
            async_std::task::spawn(async move {
                stream.set_nonblocking(true)?;
                let stream = UnixStream::from(stream);
                serve(server, stream.clone(), stream).await.map_err(io::Error::other)
            });
        })
    }
}
