//! A server on tower-mcp: `tower-server`.

use serde::Deserialize;
use tower_mcp::{BoxError, CallToolResult, McpRouter, StdioTransport, ToolBuilder};

#[derive(Debug, Deserialize, schemars::JsonSchema)]
struct Echo {
    message: String,
}

#[tokio::main]
async fn main() -> Result<(), BoxError> {
    let echo = ToolBuilder::new("echo")
        .description("Gives back a message")
        .handler(async |echo: Echo| Ok(CallToolResult::text(echo.message)))
        .build();
    let router = McpRouter::new().server_info("tower-server", "1.0.0").tool(echo);
    StdioTransport::new(router).run().await?;
    Ok(())
}
