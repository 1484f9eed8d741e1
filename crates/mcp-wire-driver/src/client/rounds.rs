//! Requests that take several rounds: the server says what it needs to know, the host answers, the request is made again.
//!
//! Revision 2026-07-28, basic/patterns/mrtr.

use super::Client;
use crate::context::Context;
use crate::progress::Progress;
use crate::server::Reply;
use crate::task::contain;
use futures_util::stream::{FuturesUnordered, StreamExt};
use mcp_wire_core::mcp::with_members;
use mcp_wire_core::message::{ErrorObject, Json};
use mcp_wire_core::rpc::{CallError, CallOptions};
use serde::Deserialize;
use std::collections::BTreeMap;
use std::future::poll_fn;
use std::task::Poll;

/// How many rounds a request may take: a server that asks for more is taken to go round in circles.
const MAX_ROUNDS: usize = 32;

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct Asked {
    result_type: Option<String>,
    #[serde(default)]
    input_requests: BTreeMap<String, Question>,
    request_state: Option<Json>,
}

#[derive(Deserialize)]
struct Question {
    method: String,
    params: Option<Json>,
}

impl Client {
    /// Makes a request, in as many rounds as it takes. Their time counts together, that of the answers included.
    pub(super) async fn converse(
        &self,
        method: &str,
        params: Json,
        options: CallOptions,
        mut on_progress: impl FnMut(Progress),
    ) -> Result<Json, CallError> {
        let now = self.peer().clock();
        let begun = now();
        let left = |options: &CallOptions| {
            let spent = now().saturating_duration_since(begun);
            let timeout = options.timeout.map(|timeout| timeout.saturating_sub(spent));
            options
                .clone()
                .with_timeout(timeout)
                .with_ceiling(options.ceiling.saturating_sub(spent))
        };
        let mut round = async |params: Json| {
            let mut call = self.request(method, Some(params), left(&options));
            while let Some(progress) = call.progress().await {
                on_progress(progress);
            }
            call.await
        };
        let mut result = round(params.clone()).await?;
        for _ in 0..MAX_ROUNDS {
            let Some(asked) = asked(&result) else { return Ok(result) };
            let responses = self.answer_all(&asked.input_requests).await?;
            let responses = Json::from_serialize(&responses)?;
            let mut members = Vec::new();
            if !asked.input_requests.is_empty() {
                members.push(("inputResponses", responses.as_str()));
            }
            // Byte for byte, escapes included.
            members
                .extend(asked.request_state.as_ref().map(|state| ("requestState", state.as_str())));
            result = round(with_members(&params, &members)).await?;
        }
        Err(CallError::UnexpectedResult(format!("{method} asks for input without end")))
    }

    /// The host's answers, all at once.
    async fn answer_all(
        &self,
        questions: &BTreeMap<String, Question>,
    ) -> Result<BTreeMap<String, Json>, CallError> {
        let mut answers = BTreeMap::new();
        let mut working = FuturesUnordered::new();
        for (key, Question { method, params }) in questions {
            let context = Context::of_input(self.peer().clone());
            match contain(&context, || self.host.answer(&context, method, params.as_ref())) {
                Some(Reply::Now(outcome)) => {
                    answers.insert(key.clone(), outcome.map_err(CallError::InputFailed)?);
                }
                Some(Reply::Later(work)) => {
                    working.push(async move { (key, contained(&context, work).await) });
                }
                None => return Err(CallError::InputFailed(ErrorObject::internal())),
            }
        }
        while let Some((key, outcome)) = working.next().await {
            answers.insert(key.clone(), outcome.map_err(CallError::InputFailed)?);
        }
        Ok(answers)
    }
}

/// The outcome of some work, also where it panics.
async fn contained<F>(context: &Context, work: F) -> Result<Json, ErrorObject>
where
    F: Future<Output = Result<Json, ErrorObject>>,
{
    let mut work = std::pin::pin!(work);
    poll_fn(|waker| match contain(context, || work.as_mut().poll(waker)) {
        Some(poll) => poll,
        None => Poll::Ready(Err(ErrorObject::internal())),
    })
    .await
}

fn asked(result: &Json) -> Option<Asked> {
    // Most results are read once, for a member that they begin with or do not have.
    if !result.as_str().contains("input_required") {
        return None;
    }
    let asked: Asked = result.parse().ok()?;
    (asked.result_type.as_deref() == Some("input_required")).then_some(asked)
}
