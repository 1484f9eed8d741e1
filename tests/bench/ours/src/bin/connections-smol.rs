//! What connections of one server take, on smol: `connections-smol NUMBER`.

use std::process::ExitCode;

#[cfg(target_os = "linux")]
fn main() -> ExitCode {
    meter::report(linux::measure())
}

#[cfg(not(target_os = "linux"))]
fn main() -> ExitCode {
    ours::refuse("connections-smol reads its own clocks, so run it on Linux")
}

#[cfg(target_os = "linux")]
mod linux {
    use mcp_wire_smol::serve;
    use ours::{EchoOptions, echo_server};
    use serde_json::Value;
    use smol::net::unix::UnixStream;
    use std::error::Error;
    use std::io;
    use std::sync::Arc;

    pub(crate) fn measure() -> Result<Value, Box<dyn Error + Send + Sync>> {
        let server = Arc::new(echo_server(EchoOptions::default()));
        meter::measure_connections(|stream| {
            let server = server.clone();
            let serving = async move {
                let stream = UnixStream::from(smol::Async::new(stream)?);
                serve(server, stream.clone(), stream).await.map_err(io::Error::other)
            };
            smol::spawn(serving).detach();
        })
    }
}
