//! `serve mcp-wire`, `serve rmcp` and `serve rmcp-pipes` run the server over one of the transports; `table` shows what all of them do with every input.

#![allow(clippy::print_stdout, reason = "the table is for people at a terminal")]

use compare_rmcp::{CASES, Demonstration, Peer};
use rmcp::ServiceExt;
use std::error::Error;
use std::io;
use tokio_util::sync::CancellationToken;

fn main() -> Result<(), Box<dyn Error>> {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    match arguments.iter().map(String::as_str).collect::<Vec<_>>()[..] {
        ["serve", transport] => serve(transport),
        ["table"] => table(),
        _ => Err("say `table`, or `serve` and `mcp-wire`, `rmcp` or `rmcp-pipes`".into()),
    }
}

#[tokio::main]
async fn serve(transport: &str) -> Result<(), Box<dyn Error>> {
    tracing_subscriber::fmt().with_writer(io::stderr).log_internal_errors(false).init();
    let stop = CancellationToken::new();
    let server = Demonstration { stop: stop.clone() };
    let service = match transport {
        "mcp-wire" => server.serve_with_ct(mcp_wire_rmcp::stdio()?, stop).await?,
        "rmcp" => server.serve_with_ct(rmcp::transport::stdio(), stop).await?,
        "rmcp-pipes" => server.serve_with_ct(rmcp::transport::stdio_pipes(), stop).await?,
        other => return Err(format!("there is no transport {other:?}").into()),
    };
    service.waiting().await?;
    Ok(())
}

fn table() -> Result<(), Box<dyn Error>> {
    let program = std::env::current_exe()?;
    println!(
        "| Input | `rmcp`: `stdio()` | `rmcp`: `stdio_pipes()` | `mcp-wire-rmcp`: `stdio()` |"
    );
    println!("|---|---|---|---|");
    for case in &CASES {
        print!("| {} |", case.input);
        for transport in ["rmcp", "rmcp-pipes", "mcp-wire"] {
            print!(" {} |", case.run(&mut Peer::start(&program, transport)?)?);
        }
        println!();
    }
    Ok(())
}
