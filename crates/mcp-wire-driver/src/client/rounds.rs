//! Requests that take several rounds: the server says what it needs to know, the host answers, the request is made again.
//!
//! Revision 2026-07-28, basic/patterns/mrtr.

use super::{Client, unreadable};
use crate::cancellation::Cancellation;
use crate::context::Context;
use crate::progress::Progress;
use crate::server::Reply;
use crate::task::contain;
use futures_util::future::{Either, select};
use futures_util::stream::{FuturesUnordered, StreamExt};
use mcp_wire_core::end_of;
use mcp_wire_core::mcp::Era;
use mcp_wire_core::message::{ErrorObject, Json};
use mcp_wire_core::rpc::{CallError, CallOptions};
use serde::Deserialize;
use std::collections::BTreeMap;
use std::future::poll_fn;
use std::pin::pin;
use std::task::{Poll, Waker};
use std::time::Instant;

/// How many rounds a request may take: a server that asks for more is taken to go round in circles.
const MAX_ROUNDS: usize = 32;

/// How many questions one round may ask.
const MAX_QUESTIONS: usize = 64;

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct Asked {
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
        let time = options.timeout.map_or(options.ceiling, |timeout| timeout.min(options.ceiling));
        let until = end_of(begun, time);
        let mut round = async |params: Json| {
            let mut call = self.request(method, Some(params), left(&options));
            while let Some(progress) = call.progress().await {
                on_progress(progress);
            }
            call.await
        };
        let mut result = round(params.clone()).await?;
        if self.server_info().revision.era() != Era::Modern {
            return Ok(result);
        }
        for _ in 0..MAX_ROUNDS {
            let Some(asked) = asked(&result)? else { return Ok(result) };
            let responses = self.answer_all(&asked.input_requests, until).await?;
            let responses = Json::from_serialize(&responses)?;
            let mut members = Vec::new();
            if !asked.input_requests.is_empty() {
                members.push(("inputResponses", &responses));
            }
            // Byte for byte, escapes included.
            members.extend(asked.request_state.as_ref().map(|state| ("requestState", state)));
            result = round(params.with_members(&members)).await?;
        }
        Err(CallError::UnexpectedResult(format!("{method} asks for input without end")))
    }

    /// The host's answers, all at once. The end of the session ends them, and so does that of the call's time.
    async fn answer_all(
        &self,
        questions: &BTreeMap<String, Question>,
        until: Instant,
    ) -> Result<BTreeMap<String, Json>, CallError> {
        if questions.len() > MAX_QUESTIONS {
            let why = format!("it asks {} questions at once", questions.len());
            return Err(CallError::UnexpectedResult(why));
        }
        // Before any of them is answered: nobody is asked in vain.
        if let Some(other) = questions.values().find(|asked| !self.host.offers(&asked.method)) {
            let why = format!("it asks for {}, which is not offered", other.method);
            return Err(CallError::UnexpectedResult(why));
        }
        let context = Context::of_input(self.peer().clone());
        // What the handlers have started elsewhere learns that nobody waits any more.
        let _cancelled = CancelOnDrop(context.cancellation());
        let mut answers = BTreeMap::new();
        let mut working = FuturesUnordered::new();
        for (key, Question { method, params }) in questions {
            match contain(&context, || self.host.answer(&context, method, params.as_ref())) {
                Some(Reply::Now(outcome)) => {
                    answers.insert(key.clone(), outcome.map_err(CallError::InputFailed)?);
                }
                Some(Reply::Later(work)) => {
                    let context = &context;
                    working.push(async move { (key, contained(context, work).await) });
                }
                None => return Err(CallError::InputFailed(ErrorObject::internal())),
            }
        }
        let over = async {
            let (ended, late) = (self.peer().wait_closed(), self.peer().wait_until(until));
            match select(pin!(ended), pin!(late)).await {
                Either::Left((cause, _)) => CallError::Closed(cause),
                Either::Right(_) => CallError::TimedOut,
            }
        };
        let mut over = pin!(over);
        while !working.is_empty() {
            match select(working.next(), over.as_mut()).await {
                Either::Left((Some((key, outcome)), _)) => {
                    answers.insert(key.clone(), outcome.map_err(CallError::InputFailed)?);
                }
                Either::Left((None, _)) => break,
                Either::Right((error, _)) => return Err(error),
            }
        }
        Ok(answers)
    }
}

struct CancelOnDrop(Cancellation);

impl Drop for CancelOnDrop {
    fn drop(&mut self) {
        let mut wake = Vec::new();
        self.0.fire(None, &mut wake);
        wake.into_iter().for_each(Waker::wake);
    }
}

/// The outcome of some work, also where it panics.
async fn contained<F>(context: &Context, work: F) -> Result<Json, ErrorObject>
where
    F: Future<Output = Result<Json, ErrorObject>>,
{
    let mut work = pin!(work);
    poll_fn(|waker| match contain(context, || work.as_mut().poll(waker)) {
        Some(poll) => poll,
        None => Poll::Ready(Err(ErrorObject::internal())),
    })
    .await
}

/// What the server needs to know, where it asks.
fn asked(result: &Json) -> Result<Option<Asked>, CallError> {
    #[derive(Deserialize)]
    #[serde(rename_all = "camelCase")]
    struct Kind {
        result_type: Option<String>,
    }
    // Most results do not hold the word at all.
    if !result.as_str().contains("input_required") {
        return Ok(None);
    }
    let kind: Kind = result.parse().map_err(unreadable)?;
    if kind.result_type.as_deref() != Some("input_required") {
        return Ok(None);
    }
    let asked: Asked = result.parse().map_err(unreadable)?;
    if asked.input_requests.is_empty() && asked.request_state.is_none() {
        return Err(CallError::UnexpectedResult("it asks for input, and not for which".to_owned()));
    }
    Ok(Some(asked))
}
