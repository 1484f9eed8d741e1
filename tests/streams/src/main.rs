//! The `everything` server on the runtime that the first argument names; the other arguments are flags of `everything`.
//!
//! `--quiet` installs no subscriber, so that whatever appears on a standard stream comes from somewhere else.

use everything::Options;
use mcp_wire_async_std::AsyncStd;
use mcp_wire_driver::{Closed, Context, Runtime, Server, Tool, ToolError};
use mcp_wire_smol::Smol;
use mcp_wire_tokio::Tokio;
use serde_json::{Value, json};
use std::io;
use std::process::{Command, ExitCode};

fn main() -> ExitCode {
    let mut arguments: Vec<String> = std::env::args().skip(1).collect();
    let quiet = arguments.iter().position(|argument| argument == "--quiet");
    let quiet = quiet.map(|at| arguments.remove(at)).is_some();
    let mut arguments = arguments.into_iter();
    let runtime = arguments.next().unwrap_or_default();
    let options = match Options::from_arguments(arguments) {
        Ok(options) => options,
        Err(message) => return everything::refuse(&message),
    };
    if !quiet {
        tracing_subscriber::fmt()
            .with_max_level(tracing_subscriber::filter::LevelFilter::DEBUG)
            .with_writer(io::stderr)
            // Otherwise it complains of a broken standard error to standard error, and panics.
            .log_internal_errors(false)
            .init();
    }
    everything::exit_code(match runtime.as_str() {
        "async-std" => {
            let server = server(AsyncStd, &options);
            async_std::task::block_on(mcp_wire_async_std::serve_stdio(server))
        }
        "smol" => smol::block_on(mcp_wire_smol::serve_stdio(server(Smol::default(), &options))),
        "tokio" => on_tokio(tokio::runtime::Builder::new_multi_thread(), &options),
        "tokio-current-thread" => on_tokio(tokio::runtime::Builder::new_current_thread(), &options),
        other => return everything::refuse(&format!("there is no runtime {other:?}")),
    })
}

fn on_tokio(mut builder: tokio::runtime::Builder, options: &Options) -> io::Result<Closed> {
    let runtime = builder.enable_all().build()?;
    runtime.block_on(mcp_wire_tokio::serve_stdio(server(Tokio, options)))
}

/// `everything`, and a tool that leaves a child behind, which inherits all that it can.
fn server(runtime: impl Runtime, options: &Options) -> Server {
    let tool = Tool::new(
        "start_child",
        "Starts a process that outlives the call, and gives its id",
        json!({ "type": "object" }),
    );
    everything::server(runtime, options).tool(tool, async |_: Context, _: Value| {
        let child = Command::new("sleep").arg("60").spawn()?;
        Ok::<_, ToolError>(child.id().to_string())
    })
}
