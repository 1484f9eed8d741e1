//! Whole sessions: `rmcp` at both ends, our transport between them.

use mcp_wire_rmcp::StreamTransport;
use rmcp::handler::server::wrapper::Parameters;
use rmcp::model::{CallToolRequestParams, PingRequest, ServerRequest};
use rmcp::service::{QuitReason, RequestContext};
use rmcp::{RoleServer, ServerHandler, ServiceExt, schemars, tool, tool_handler, tool_router};
use serde_json::json;
use tokio::io::{duplex, split};

#[derive(Clone)]
struct Greeter;

#[derive(serde::Deserialize, schemars::JsonSchema)]
struct Greet {
    name: String,
}

#[tool_router]
impl Greeter {
    #[tool(description = "Greets someone by name")]
    async fn greet(&self, Parameters(Greet { name }): Parameters<Greet>) -> String {
        format!("hello {name}")
    }

    #[tool(description = "Asks the client whether it is there")]
    async fn ask(&self, context: RequestContext<RoleServer>) -> String {
        let ping = ServerRequest::PingRequest(PingRequest::default());
        format!("{}", context.peer.send_request(ping).await.is_ok())
    }
}

#[tool_handler]
impl ServerHandler for Greeter {}

#[tokio::test]
async fn a_client_and_a_server_talk() {
    let (client, server) = duplex(100);
    let (reader, writer) = split(server);
    let server = tokio::spawn(async move {
        let service = Greeter.serve(StreamTransport::new(reader, writer)).await.unwrap();
        service.waiting().await.unwrap()
    });
    let (reader, writer) = split(client);
    let client = ().serve(StreamTransport::new(reader, writer)).await.unwrap();

    let mut calls = Vec::new();
    for index in 0..100 {
        let peer = client.peer().clone();
        calls.push(tokio::spawn(async move {
            let arguments = json!({ "name": index.to_string() }).as_object().cloned().unwrap();
            let params = CallToolRequestParams::new("greet").with_arguments(arguments);
            let result = peer.call_tool(params).await.unwrap();
            assert!(serde_json::to_string(&result).unwrap().contains(&format!("hello {index}")));
        }));
    }
    for call in calls {
        call.await.unwrap();
    }
    let asked = client.peer().call_tool(CallToolRequestParams::new("ask")).await.unwrap();
    assert!(serde_json::to_string(&asked).unwrap().contains("true"));

    assert!(matches!(client.cancel().await.unwrap(), QuitReason::Cancelled));
    assert!(matches!(server.await.unwrap(), QuitReason::Closed));
}
