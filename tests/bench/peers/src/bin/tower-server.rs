//! A server on tower-mcp: `tower-server`.

use serde::Deserialize;
use std::time::Duration;
use tower_mcp::{BoxError, CallToolResult, McpRouter, NoParams, StdioTransport, ToolBuilder};

#[derive(Debug, Deserialize, schemars::JsonSchema)]
struct Echo {
    message: String,
}

#[derive(Debug, Deserialize, schemars::JsonSchema)]
struct Slow {
    ms: u64,
}

#[tokio::main]
async fn main() -> Result<(), BoxError> {
    let echo = ToolBuilder::new("echo")
        .description("Gives back a message")
        .handler(async |echo: Echo| Ok(CallToolResult::text(echo.message)))
        .build();
    let slow = ToolBuilder::new("slow")
        .description("Takes so many milliseconds")
        .handler(async |slow: Slow| {
            tokio::time::sleep(Duration::from_millis(slow.ms)).await;
            Ok(CallToolResult::text(format!("1 steps in {} ms", slow.ms)))
        })
        .build();
    let boom = ToolBuilder::new("boom")
        .description("Panics")
        .handler(async |_: NoParams| panic!("boom, as asked"))
        .build();
    let stray_print = ToolBuilder::new("stray_print")
        .description("Prints to standard output")
        .handler(async |_: NoParams| {
            print_stray_line();
            Ok(CallToolResult::text("printed"))
        })
        .build();
    let router = McpRouter::new().server_info("tower-server", "1.0.0");
    let router = router.tool(echo).tool(slow).tool(boom).tool(stray_print);
    StdioTransport::new(router).run().await?;
    Ok(())
}

#[allow(clippy::print_stdout, reason = "to see what harm it does")]
fn print_stray_line() {
    println!("a stray line");
}
