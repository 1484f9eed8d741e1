//! A server on rmcp: `rmcp-server [stdio|pipes] [multi|current]`. `stdio` is what its documentation begins with, `pipes`
//! what it recommends on Linux.

use peers::RmcpEcho;
use rmcp::ServiceExt;
use rmcp::transport::{stdio, stdio_pipes};
use std::error::Error;
use tokio::runtime::Builder;

fn main() -> Result<(), Box<dyn Error>> {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let arguments: Vec<&str> = arguments.iter().map(String::as_str).collect();
    let (streams, threads) = match arguments[..] {
        [] => ("stdio", "multi"),
        [streams @ ("stdio" | "pipes")] => (streams, "multi"),
        [streams @ ("stdio" | "pipes"), threads @ ("multi" | "current")] => (streams, threads),
        _ => return Err("use rmcp-server [stdio|pipes] [multi|current]".into()),
    };
    let mut builder = match threads {
        "current" => Builder::new_current_thread(),
        _ => Builder::new_multi_thread(),
    };
    builder.enable_all().build()?.block_on(async {
        match streams {
            "pipes" => RmcpEcho::default().serve(stdio_pipes()).await?.waiting().await?,
            _ => RmcpEcho::default().serve(stdio()).await?.waiting().await?,
        };
        Ok(())
    })
}
