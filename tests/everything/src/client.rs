//! Tools that ask the client.

use crate::json;
use crate::tools::object;
use mcp_wire_driver::{Context, HandlerError, InputError, Json, NoArguments, Server, Tool};
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
            async |context: Context, _: NoArguments| Ok::<_, HandlerError>(roots(&context).await?),
        )
        .tool(
            Tool::new(
                "interview",
                "Asks one thing after another, and gives all answers",
                object(value!({})),
            ),
            async |context: Context, _: NoArguments| interview(&context).await,
        )
}

async fn elicit(context: Context, elicit: Elicit) -> Result<String, HandlerError> {
    Ok(text(&ask_user(&context, &elicit.question).await?))
}

async fn sampling(context: Context, sampling: Sampling) -> Result<String, HandlerError> {
    Ok(text(&ask_model(&context, &sampling.prompt).await?))
}

/// Since revision 2026-07-28 the client keeps the earlier answers.
async fn interview(context: &Context) -> Result<String, HandlerError> {
    let user = ask_user(context, &default_question()).await?;
    let model = ask_model(context, &default_question()).await?;
    let roots = roots(context).await?;
    Ok(format!("{}\n{}\n{roots}", text(&user), text(&model)))
}

async fn ask_user(context: &Context, question: &str) -> Result<Json, InputError> {
    let schema = object(value!({ "answer": { "type": "string" } }));
    context.elicit(json(value!({ "message": question, "requestedSchema": schema }))).await
}

async fn ask_model(context: &Context, prompt: &str) -> Result<Json, InputError> {
    let content = value!({ "type": "text", "text": prompt });
    let messages = value!([{ "role": "user", "content": content }]);
    context.sample(json(value!({ "messages": messages, "maxTokens": 100 }))).await
}

async fn roots(context: &Context) -> Result<String, InputError> {
    Ok(value!({ "roots": context.list_roots().await? }).to_string())
}

fn text(answer: &Json) -> String {
    answer.as_str().to_owned()
}
