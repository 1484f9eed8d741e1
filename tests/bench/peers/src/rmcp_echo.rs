//! A server on rmcp, the official Rust SDK.

use rmcp::ServerHandler;
use rmcp::handler::server::router::tool::ToolRouter;
use rmcp::handler::server::wrapper::Parameters;
use rmcp::{tool, tool_handler, tool_router};
use std::sync::Arc;
use std::time::Duration;

#[derive(serde::Deserialize, schemars::JsonSchema)]
struct Echo {
    message: String,
}

#[derive(serde::Deserialize, schemars::JsonSchema)]
struct Slow {
    ms: u64,
}

/// A server with the tool `echo`, and three that are there to be compared: `slow`, `boom` and `stray_print`.
#[derive(Debug, Clone)]
pub struct RmcpEcho {
    /// Made once: without a field for it, the macro makes it anew for each call.
    router: Arc<ToolRouter<Self>>,
}

impl Default for RmcpEcho {
    fn default() -> Self {
        Self { router: Arc::new(Self::tool_router()) }
    }
}

#[tool_handler(router = self.router)]
impl ServerHandler for RmcpEcho {}

#[tool_router]
impl RmcpEcho {
    #[tool(description = "Gives back a message")]
    async fn echo(&self, Parameters(Echo { message }): Parameters<Echo>) -> String {
        message
    }

    #[tool(description = "Takes so many milliseconds")]
    async fn slow(&self, Parameters(Slow { ms }): Parameters<Slow>) -> String {
        tokio::time::sleep(Duration::from_millis(ms)).await;
        format!("1 steps in {ms} ms")
    }

    #[tool(description = "Panics")]
    async fn boom(&self) -> String {
        panic!("boom, as asked")
    }

    #[tool(description = "Prints to standard output")]
    #[allow(clippy::print_stdout, reason = "to see what harm it does")]
    async fn stray_print(&self) -> String {
        println!("a stray line");
        "printed".to_owned()
    }
}
