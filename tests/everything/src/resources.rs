//! Two resources and a template.

use mcp_wire_driver::{Context, Resource, ResourceContents, ResourceTemplate, Server};
use serde::Deserialize;

#[derive(Deserialize)]
struct Number {
    number: u64,
}

pub(crate) fn add(server: Server) -> Server {
    server
        .fixed_resource(
            Resource::new("text://greeting", "greeting").mime_type("text/plain"),
            "hello",
        )
        .fixed_resource(
            Resource::new("data://bytes", "bytes").mime_type("application/octet-stream"),
            ResourceContents::blob("AAECAw=="),
        )
        .resource_template(
            ResourceTemplate::new("number://{number}", "number").mime_type("text/plain"),
            async |_: Context, Number { number }| format!("the number {number}"),
        )
}
