//! A server with a bit of everything: what the tests, the demo and the official clients talk to. Its body is the same on
//! every runtime; each adapter's example `everything` is the few lines that start it.

mod changes;
mod client;
mod completion;
mod options;
mod prompts;
mod resources;
mod tools;

pub use options::Options;

use mcp_wire_driver::{Closed, Json, Runtime, Server};
use std::io::{self, Write};
use std::process::ExitCode;

/// The server. What takes time takes it from `runtime`.
pub fn server<Rt: Runtime>(runtime: Rt, options: &Options) -> Server {
    let server = Server::new("everything", env!("CARGO_PKG_VERSION"))
        .title("Everything")
        .instructions("A server for tests: every tool does what its name says.")
        .capability("logging", Json::empty_object())
        .list_changed()
        .subscriptions();
    let server = tools::add(server, runtime);
    let server = changes::add(server);
    let server = client::add(server);
    let server = resources::add(server);
    let server = prompts::add(server);
    options.apply(completion::add(server))
}

/// The exit code of a server that was served to its end: a client that hangs up is the normal one.
pub fn exit_code(served: io::Result<Closed>) -> ExitCode {
    match served {
        Ok(cause) if cause.is_clean() => ExitCode::SUCCESS,
        Ok(cause) => complain(&cause.to_string(), 1),
        Err(error) => complain(&error.to_string(), 1),
    }
}

/// The exit code for arguments that cannot be understood.
pub fn refuse(message: &str) -> ExitCode {
    complain(message, 2)
}

fn complain(message: &str, code: u8) -> ExitCode {
    // Where nobody listens to standard error, `eprintln!` would panic.
    _ = writeln!(io::stderr(), "everything: {message}");
    ExitCode::from(code)
}

/// A literal that is known to be JSON.
fn json(value: serde_json::Value) -> Json {
    Json::from_serialize(&value).unwrap_or_else(|_| Json::null())
}
