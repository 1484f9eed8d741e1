//! A server written with the macros of `rmcp`, over our transport: the line with `serve` is all that differs.
//!
//! `cargo run --example counter` serves on the standard streams.

use rmcp::model::{Implementation, ServerCapabilities, ServerConfig};
use rmcp::{ServerHandler, ServiceExt, tool, tool_handler, tool_router};
use std::error::Error;
use std::io;
use std::sync::Arc;
use std::sync::atomic::{AtomicI64, Ordering};

#[derive(Debug, Clone, Default)]
struct Counter {
    count: Arc<AtomicI64>,
}

#[tool_router]
impl Counter {
    #[tool(description = "Counts up by one, and tells the count")]
    async fn increment(&self) -> String {
        (self.count.fetch_add(1, Ordering::Relaxed) + 1).to_string()
    }

    #[tool(description = "Tells the count")]
    async fn count(&self) -> String {
        self.count.load(Ordering::Relaxed).to_string()
    }
}

#[tool_handler]
impl ServerHandler for Counter {
    fn get_info(&self) -> ServerConfig {
        let mut config = ServerConfig::new(ServerCapabilities::builder().enable_tools().build());
        config.server_info = Implementation::new("counter", "1.0.0");
        config
    }
}

#[tokio::main]
async fn main() -> Result<(), Box<dyn Error>> {
    tracing_subscriber::fmt().with_writer(io::stderr).log_internal_errors(false).init();
    let service = Counter::default().serve(mcp_wire_rmcp::stdio()?).await?;
    service.waiting().await?;
    Ok(())
}
