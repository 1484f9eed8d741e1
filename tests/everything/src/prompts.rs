//! A prompt.

use mcp_wire_driver::{Context, Prompt, PromptArgument, Server};
use serde::Deserialize;

pub(crate) const GREET: &str = "greet";

#[derive(Deserialize)]
struct Greet {
    language: String,
}

pub(crate) fn add(server: Server) -> Server {
    server.prompt(
        Prompt::new(GREET)
            .description("Asks for a greeting")
            .argument(PromptArgument::required("language").description("In which language")),
        async |_: Context, Greet { language }| format!("Please greet me in {language}."),
    )
}
