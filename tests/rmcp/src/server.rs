//! The server: its tools do what makes transports differ.

use rmcp::handler::server::wrapper::Parameters;
use rmcp::model::{Implementation, PingRequest, ServerCapabilities, ServerConfig, ServerRequest};
use rmcp::service::RequestContext;
use rmcp::{RoleServer, ServerHandler, schemars, tool, tool_handler, tool_router};
use std::time::Duration;
use tokio_util::sync::CancellationToken;

/// A server whose tools do what makes transports differ.
#[derive(Debug, Clone)]
pub struct Demonstration {
    /// Ends the service.
    pub stop: CancellationToken,
}

/// What to say.
#[derive(Debug, serde::Deserialize, schemars::JsonSchema)]
pub(crate) struct Text {
    text: String,
}

/// How much to say.
#[derive(Debug, serde::Deserialize, schemars::JsonSchema)]
pub(crate) struct Size {
    size: usize,
}

#[tool_router]
impl Demonstration {
    #[tool(description = "Says what it was told")]
    async fn echo(&self, Parameters(Text { text }): Parameters<Text>) -> String {
        text
    }

    #[tool(description = "Says a lot")]
    async fn large(&self, Parameters(Size { size }): Parameters<Size>) -> String {
        "x".repeat(size)
    }

    #[tool(description = "Prints to standard output, as a library might")]
    #[allow(clippy::print_stdout, reason = "that is what it is for")]
    async fn print(&self) -> String {
        println!("a stray line");
        "printed".into()
    }

    #[tool(description = "Takes a fifth of a second")]
    async fn work(&self) -> String {
        tokio::time::sleep(Duration::from_millis(200)).await;
        "worked".into()
    }

    #[tool(description = "Never ends by itself")]
    async fn forever(&self) -> String {
        std::future::pending().await
    }

    #[tool(description = "Asks the client whether it is there")]
    async fn ask(&self, context: RequestContext<RoleServer>) -> String {
        let ping = ServerRequest::PingRequest(PingRequest::default());
        match context.peer.send_request(ping).await {
            Ok(_) => "there".into(),
            Err(_) => "not there".into(),
        }
    }

    #[tool(description = "Ends the service, while its input stays open")]
    async fn stop(&self) -> String {
        self.stop.cancel();
        "stopping".into()
    }
}

#[tool_handler]
impl ServerHandler for Demonstration {
    fn get_info(&self) -> ServerConfig {
        let mut config = ServerConfig::new(ServerCapabilities::builder().enable_tools().build());
        config.server_info = Implementation::new("demonstration", "1.0.0");
        config
    }
}
