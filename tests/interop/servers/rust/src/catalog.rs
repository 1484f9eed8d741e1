//! Resources, listed in pages, and a prompt whose argument can be completed.

use rmcp::handler::server::wrapper::Parameters;
use rmcp::model::{
    CompleteRequestParams, CompleteResult, CompletionInfo, ErrorData, ListResourcesResult,
    PromptMessage, ReadResourceResponse, ReadResourceResult, Resource, ResourceContents, Role,
};
use rmcp::{prompt, prompt_router};
use schemars::JsonSchema;
use serde::Deserialize;

use crate::Peer;
use crate::tools::internal_error;

const COUNT: usize = 5;
const PAGE: usize = 2;
const SCHEME: &str = "note://";
const LANGUAGES: [&str; 5] = ["English", "Esperanto", "French", "German", "Greek"];

#[derive(Deserialize, JsonSchema)]
struct Greet {
    language: String,
}

#[prompt_router(vis = "pub(crate)")]
impl Peer {
    #[prompt(description = "Asks for a greeting")]
    async fn greet(&self, Parameters(greet): Parameters<Greet>) -> Vec<PromptMessage> {
        vec![PromptMessage::new_text(Role::User, format!("Please greet me in {}.", greet.language))]
    }
}

/// One page, which begins with the number that the cursor stands for.
pub(crate) fn page(cursor: Option<String>) -> Result<ListResourcesResult, ErrorData> {
    let first = cursor.map_or(Ok(1), |cursor| cursor.parse::<usize>());
    let first = first.map_err(|_| ErrorData::invalid_params("there is no such page", None))?;
    let next = first + PAGE;
    let resources = (first..next.min(COUNT + 1))
        .map(|number| Resource::new(format!("{SCHEME}{number}"), format!("note {number}")))
        .collect();
    let mut page = ListResourcesResult::with_all_items(resources);
    page.next_cursor = (next <= COUNT).then(|| next.to_string());
    Ok(page)
}

pub(crate) fn read(uri: &str) -> Result<ReadResourceResponse, ErrorData> {
    match uri.strip_prefix(SCHEME).map(str::parse::<usize>) {
        Some(Ok(number @ 1..=COUNT)) => {
            let contents = ResourceContents::text(format!("this is note {number}"), uri);
            Ok(ReadResourceResult::new(vec![contents]).into())
        }
        _ => Err(ErrorData::resource_not_found(format!("there is no resource {uri}"), None)),
    }
}

pub(crate) fn complete(request: &CompleteRequestParams) -> Result<CompleteResult, ErrorData> {
    let known = request.r#ref.as_prompt_name() == Some("greet");
    let begun = request.argument.value.to_lowercase();
    let fits = |language: &&str| known && language.to_lowercase().starts_with(&begun);
    let values = LANGUAGES.into_iter().filter(fits).map(str::to_owned).collect();
    Ok(CompleteResult::new(CompletionInfo::with_all_values(values).map_err(internal_error)?))
}
