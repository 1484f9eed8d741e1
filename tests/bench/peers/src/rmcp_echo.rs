//! A server on rmcp, the official Rust SDK.

use rmcp::ServerHandler;
use rmcp::handler::server::router::tool::ToolRouter;
use rmcp::handler::server::wrapper::Parameters;
use rmcp::{tool, tool_handler, tool_router};
use std::sync::Arc;

#[derive(serde::Deserialize, schemars::JsonSchema)]
struct Echo {
    message: String,
}

/// A server with the tool `echo`.
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
}
