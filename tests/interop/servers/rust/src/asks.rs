//! Tools that ask the client, and give its answer as JSON: in the modern era they are called again with the answer, in the
//! legacy era they make a request.

use rmcp::RoleServer;
use rmcp::handler::server::tool::InputResponses;
use rmcp::handler::server::wrapper::Parameters;
use rmcp::model::{
    CallToolResponse, CallToolResult, ContentBlock, CreateMessageRequest,
    CreateMessageRequestParams, ElicitRequest, ElicitRequestParams, ElicitationSchema, ErrorData,
    InputRequest, InputRequests, InputRequiredResult, ListRootsRequest, SamplingMessage,
};
use rmcp::service::RequestContext;
use rmcp::{tool, tool_router};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::Peer;
use crate::tools::internal_error;

/// The key that the answer comes back under.
const ANSWER: &str = "answer";

#[derive(Deserialize, JsonSchema)]
struct Elicit {
    question: String,
}

#[derive(Deserialize, JsonSchema)]
struct Sampling {
    prompt: String,
}

#[derive(Deserialize, JsonSchema)]
struct Answer {
    #[expect(dead_code, reason = "only the schema is used")]
    answer: String,
}

#[tool_router(router = asks, vis = "pub(crate)")]
impl Peer {
    #[tool(description = "Asks the user a question, and gives the answer")]
    async fn elicit(
        &self,
        Parameters(elicit): Parameters<Elicit>,
        InputResponses(responses): InputResponses,
        context: RequestContext<RoleServer>,
    ) -> Result<CallToolResponse, ErrorData> {
        let requested_schema = ElicitationSchema::from_type::<Answer>().map_err(internal_error)?;
        let params = ElicitRequestParams::FormElicitationParams {
            meta: None,
            message: elicit.question,
            requested_schema,
        };
        let question = InputRequest::Elicitation(ElicitRequest::new(params));
        ask(question, responses, &context).await
    }

    #[tool(description = "Asks the client's model, and gives the answer")]
    async fn sampling(
        &self,
        Parameters(sampling): Parameters<Sampling>,
        InputResponses(responses): InputResponses,
        context: RequestContext<RoleServer>,
    ) -> Result<CallToolResponse, ErrorData> {
        let messages = vec![SamplingMessage::user_text(sampling.prompt)];
        let params = CreateMessageRequestParams::new(messages, 100);
        let question = InputRequest::CreateMessage(CreateMessageRequest::new(params));
        ask(question, responses, &context).await
    }

    #[tool(description = "Gives the client's roots")]
    async fn list_roots(
        &self,
        InputResponses(responses): InputResponses,
        context: RequestContext<RoleServer>,
    ) -> Result<CallToolResponse, ErrorData> {
        ask(InputRequest::ListRoots(ListRootsRequest::default()), responses, &context).await
    }
}

async fn ask(
    question: InputRequest,
    responses: Option<rmcp::model::InputResponses>,
    context: &RequestContext<RoleServer>,
) -> Result<CallToolResponse, ErrorData> {
    if let Some(answer) = responses.and_then(|mut responses| responses.remove(ANSWER)) {
        return json(&answer);
    }
    if crate::is_modern(context) {
        let questions = InputRequests::from([(ANSWER.to_owned(), question)]);
        return Ok(InputRequiredResult::new(Some(questions), None).into());
    }
    let peer = &context.peer;
    match question {
        InputRequest::CreateMessage(request) => {
            json(&peer.create_message(request.params).await.map_err(internal_error)?)
        }
        InputRequest::Elicitation(request) => {
            json(&peer.create_elicitation(request.params).await.map_err(internal_error)?)
        }
        InputRequest::ListRoots(_) => json(&peer.list_roots().await.map_err(internal_error)?),
        _ => Err(ErrorData::internal_error("there is no such question", None)),
    }
}

fn json(answer: &impl Serialize) -> Result<CallToolResponse, ErrorData> {
    let text = serde_json::to_string(answer).map_err(internal_error)?;
    Ok(CallToolResult::success(vec![ContentBlock::text(text)]).into())
}
