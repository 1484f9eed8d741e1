//! The `everything` server on the runtime that the first argument names; the other arguments are flags of `everything`.
//!
//! `--quiet` installs no subscriber, so that whatever appears on a standard stream comes from somewhere else. `--local` serves
//! another one instead, whose handler may not leave its thread.

use everything::Options;
use mcp_wire_async_std::AsyncStd;
use mcp_wire_driver::{
    Closed, Context, HandlerError, Local, NoArguments, Runtime, Server, Tool, with_state,
};
use mcp_wire_smol::Smol;
use mcp_wire_tokio::Tokio;
use serde_json::{Value, json};
use std::cell::Cell;
use std::io;
use std::process::{Command, ExitCode};
use std::rc::Rc;

fn main() -> ExitCode {
    let mut arguments: Vec<String> = std::env::args().skip(1).collect();
    let mut has = |flag: &str| {
        let place = arguments.iter().position(|argument| argument == flag);
        place.map(|place| arguments.remove(place)).is_some()
    };
    let (quiet, local) = (has("--quiet"), has("--local"));
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
    if local {
        return everything::exit_code(serve_local(&runtime));
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

fn serve_local(runtime: &str) -> io::Result<Closed> {
    let counter = counter();
    match runtime {
        "async-std" => async_std::task::block_on(mcp_wire_async_std::serve_stdio_local(counter)),
        "smol" => smol::block_on(mcp_wire_smol::serve_stdio_local(counter)),
        "tokio" => tokio::runtime::Builder::new_multi_thread()
            .enable_all()
            .build()?
            .block_on(mcp_wire_tokio::serve_stdio_local(counter)),
        _ => tokio::runtime::Builder::new_current_thread()
            .enable_all()
            .build()?
            .block_on(mcp_wire_tokio::serve_stdio_local(counter)),
    }
}

/// A tool that counts its calls where no other thread can see it.
fn counter() -> Server<Local> {
    let tool = Tool::new("count", "Counts its calls", json!({ "type": "object" }));
    let count = async |count: Rc<Cell<u32>>, _: Context, _: NoArguments| {
        count.set(count.get() + 1);
        count.get()
    };
    Server::local("counter", "1").tool(tool, with_state(Rc::default(), count))
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
        Ok::<_, HandlerError>(child.id().to_string())
    })
}
