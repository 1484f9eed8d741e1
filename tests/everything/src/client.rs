//! Tools that ask the client.

use crate::json;
use crate::tools::object;
use mcp_wire_driver::{Context, Json, NoArguments, Server, Tool, ToolError};
use serde::Deserialize;
use serde_json::json as value;

#[derive(Deserialize)]
struct Elicit {
    #[serde(default = "default_question")]
    question: String,
}

#[derive(Deserialize)]
struct Sampling {
    #[serde(default = "default_question")]
    prompt: String,
}

fn default_question() -> String {
    "How are you?".to_owned()
}

pub(crate) fn add(server: Server) -> Server {
    server
        .tool(
            Tool::new(
                "elicit",
                "Asks the user a question, and gives the answer",
                object(value!({ "question": { "type": "string" } })),
            ),
            elicit,
        )
        .tool(
            Tool::new(
                "sampling",
                "Asks the client's model, and gives the answer",
                object(value!({ "prompt": { "type": "string" } })),
            ),
            sampling,
        )
        .tool(
            Tool::new("list_roots", "Gives the client's roots", object(value!({}))),
            async |context: Context, _: NoArguments| {
                Ok::<_, ToolError>(text(&context.list_roots().await?))
            },
        )
}

async fn elicit(context: Context, elicit: Elicit) -> Result<String, ToolError> {
    let schema = object(value!({ "answer": { "type": "string" } }));
    let question = json(value!({ "message": elicit.question, "requestedSchema": schema }));
    Ok(text(&context.elicit(question).await?))
}

async fn sampling(context: Context, sampling: Sampling) -> Result<String, ToolError> {
    let content = value!({ "type": "text", "text": sampling.prompt });
    let messages = value!([{ "role": "user", "content": content }]);
    let answer = context.sample(json(value!({ "messages": messages, "maxTokens": 100 }))).await?;
    Ok(text(&answer))
}

fn text(answer: &Json) -> String {
    answer.as_str().to_owned()
}
