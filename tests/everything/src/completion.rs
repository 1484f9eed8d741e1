//! Completion of the prompt's argument.

use crate::prompts;
use mcp_wire_driver::{Completion, CompletionReference, CompletionRequest, Context, Server};

const LANGUAGES: [&str; 5] = ["English", "Esperanto", "French", "German", "Greek"];

pub(crate) fn add(server: Server) -> Server {
    server.completion(async |_: Context, request: CompletionRequest| suggest(&request))
}

fn suggest(request: &CompletionRequest) -> Completion {
    let of_greet = matches!(
        &request.reference,
        CompletionReference::Prompt { name } if name == prompts::GREET
    );
    let known = of_greet && request.argument == "language";
    let begun = request.value.to_lowercase();
    let fits = |language: &&str| known && language.to_lowercase().starts_with(&begun);
    Completion::new(LANGUAGES.into_iter().filter(fits))
}
