//! A server of ours, as a server over HTTP.

use std::fs::File;
use std::io::{self, BufRead, BufReader};
use std::net::TcpListener;
use std::process::{Child, Command, Stdio};
use std::thread;

use super::outcome::Outcome;
use super::tools::{Tools, shell_line};
use crate::failure::Failure;
use crate::workspace;

/// A server of ours, as a server over HTTP. It ends with this value.
pub(crate) struct Bridge {
    process: Child,
    pub(crate) url: String,
}

impl Bridge {
    /// Starts the server that a run is about.
    pub(crate) fn start(outcome: &Outcome, tools: &Tools) -> Result<Self, Failure> {
        let server = tools.recorded(tools.fixture("serve"), &outcome.results)?;
        let log = File::create(outcome.results.join("bridge.log"))?;
        if outcome.run.is_modern() {
            let mut bridge = tools.script("bridge.mjs")?;
            bridge.args(server);
            Self::spawn(bridge, log, |line| line.starts_with("http:").then(|| line.to_owned()))
        } else {
            let port = free_port()?;
            let mut bridge = tools.script("node_modules/supergateway/dist/index.js")?;
            bridge.args(["--stdio", &shell_line(&server), "--port", &port.to_string()]);
            bridge.args(["--outputTransport", "streamableHttp", "--stateful"]);
            let url = format!("http://127.0.0.1:{port}/mcp");
            Self::spawn(bridge, log, |line| line.contains("Listening on").then(|| url.clone()))
        }
    }

    /// Starts a bridge, and waits for the line that says that it is ready, and where.
    fn spawn(
        mut bridge: Command,
        mut log: File,
        url: impl Fn(&str) -> Option<String>,
    ) -> Result<Self, Failure> {
        bridge.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(log.try_clone()?);
        let mut process =
            bridge.spawn().map_err(|error| workspace::not_started(&bridge, &error))?;
        let mut output = BufReader::new(process.stdout.take().ok_or_else(ended)?);
        let url = loop {
            let mut line = String::new();
            if output.read_line(&mut line)? == 0 {
                process.wait()?;
                return Err(ended());
            }
            if let Some(url) = url(line.trim()) {
                break url;
            }
        };
        // Nobody may wait for room in the pipe.
        thread::spawn(move || io::copy(&mut output, &mut log));
        Ok(Self { process, url })
    }
}

impl Drop for Bridge {
    fn drop(&mut self) {
        // Both bridges end with their input; what goes wrong at the end is not worth a failure.
        drop(self.process.stdin.take());
        _ = self.process.wait();
    }
}

fn free_port() -> Result<u16, Failure> {
    Ok(TcpListener::bind("127.0.0.1:0")?.local_addr()?.port())
}

fn ended() -> Failure {
    Failure::Task("the bridge to the server ended before it was ready".to_owned())
}
