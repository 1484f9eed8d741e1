//! What connections of one server take, on rmcp: `rmcp-connections NUMBER`.

use peers::RmcpEcho;
use rmcp::ServiceExt;
use serde_json::Value;
use std::error::Error;
use std::process::ExitCode;
use tokio::runtime::Builder;

fn main() -> ExitCode {
    meter::report(measure())
}

fn measure() -> Result<Value, Box<dyn Error + Send + Sync>> {
    let runtime = Builder::new_multi_thread().worker_threads(1).enable_all().build()?;
    let server = RmcpEcho::default();
    meter::measure_connections(|stream| {
        let server = server.clone();
        runtime.spawn(async move {
            stream.set_nonblocking(true)?;
            let stream = tokio::net::UnixStream::from_std(stream)?;
            let running = server.serve(stream.into_split()).await?;
            running.waiting().await?;
            Ok::<_, Box<dyn Error + Send + Sync>>(())
        });
    })
}
