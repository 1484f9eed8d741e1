//! What each revision adds to an outcome, and does not let pass.
//!
//! Revision 2026-07-28: basic, "results"; basic/patterns/mrtr; server/utilities/caching; and its error codes.

use super::requests::Known;
use crate::mcp::request_meta::SERVER_INFO;
use crate::mcp::{CacheHint, Era, Revision};
use crate::message::{ErrorObject, Json, Member, members_of};
use serde::Deserialize;
use serde_json::value::RawValue;
use std::collections::BTreeMap;

/// Codes that only the older revisions have.
const RESOURCE_NOT_FOUND: i64 = -32002;
const URL_ELICITATION_REQUIRED: i64 = -32042;

/// A handler's outcome as the request's revision has it; and what is to be reported of it, where the handler did something
/// that the revision does not have.
pub(super) fn conform(
    outcome: Result<Json, ErrorObject>,
    request: &Known,
    cache: CacheHint,
    server_info: &str,
) -> (Result<Json, ErrorObject>, Option<&'static str>) {
    match outcome {
        Ok(result) if request.revision.era() == Era::Modern => {
            complete(&result, request, cache, server_info)
        }
        Ok(result) if request.results.may_ask() && begins_with_question(&result) => {
            let report = "only revision 2026-07-28 has results that ask for input";
            (Err(ErrorObject::internal()), Some(report))
        }
        Ok(result) => (Ok(result), None),
        Err(error) => conform_error(error, request.revision),
    }
}

/// Does a result ask for input, as ours are written? Looking further would cost every result something.
fn begins_with_question(result: &Json) -> bool {
    result.as_str().starts_with(r#"{"resultType":"input_required""#)
}

/// P5: codes follow the request's revision.
fn conform_error(
    error: ErrorObject,
    revision: Revision,
) -> (Result<Json, ErrorObject>, Option<&'static str>) {
    let is_modern = revision.era() == Era::Modern;
    let (code, report) = match error.code {
        RESOURCE_NOT_FOUND if is_modern => (ErrorObject::INVALID_PARAMS, None),
        URL_ELICITATION_REQUIRED if revision != Revision::V2025_11_25 => {
            (ErrorObject::INTERNAL_ERROR, Some("code -32042 exists in revision 2025-11-25 alone"))
        }
        ErrorObject::MISSING_CAPABILITY | ErrorObject::UNSUPPORTED_VERSION => (error.code, None),
        -32099..=-32000 if is_modern => {
            let report = "codes from -32099 to -32000 belong to the specification: use another";
            (ErrorObject::INTERNAL_ERROR, Some(report))
        }
        code => (code, None),
    };
    (Err(ErrorObject { code, ..error }), report)
}

/// P2: a result says of what type it is, and how long it may be kept.
fn complete(
    result: &Json,
    request: &Known,
    cache: CacheHint,
    server_info: &str,
) -> (Result<Json, ErrorObject>, Option<&'static str>) {
    let text = result.as_str();
    let names = ["resultType", "_meta", "ttlMs", "cacheScope"];
    let Some([result_type, meta, ttl, scope]) = members_of(text, names) else {
        return (Err(ErrorObject::internal()), Some("a result has to be an object"));
    };
    let own_type = result_type.as_ref().map(|found| &text[found.range()]);
    let asks = own_type == Some("\"input_required\"");
    if asks && let Err(refusal) = may_ask(text, request) {
        return refusal;
    }
    let mut added = String::from("{");
    if own_type.is_none() {
        added.push_str("\"resultType\":\"complete\",");
    }
    if request.results.may_be_kept() && !asks {
        if ttl.is_none() {
            added.push_str(&format!("\"ttlMs\":{},", cache.milliseconds()));
        }
        if scope.is_none() {
            added.push_str(&format!("\"cacheScope\":\"{}\",", cache.scope.as_str()));
        }
    }
    let body = with_server_info(text, meta, server_info, &mut added);
    (Ok(Json::trusted(added + body.trim_start_matches([' ', '\t', '\r', '\n']))), None)
}

/// Puts who the server is into `_meta`, unless it says so itself. Gives what follows the opening brace.
fn with_server_info(
    text: &str,
    meta: Option<Member>,
    server_info: &str,
    added: &mut String,
) -> String {
    let rest = text[1..].trim_start();
    let empty = rest == "}";
    match meta.map(|meta| meta.range()) {
        None => {
            added.push_str(&format!("\"_meta\":{{\"{SERVER_INFO}\":{server_info}}}"));
            if empty { "}".to_owned() } else { format!(",{rest}") }
        }
        Some(range) => {
            let own = &text[range.clone()];
            let says_so = members_of(own, [SERVER_INFO]).is_none_or(|[found]| found.is_some());
            if says_so {
                return text[1..].to_owned();
            }
            let inside = own[1..].trim_start();
            let comma = if inside == "}" { "" } else { "," };
            format!(
                "{}{{\"{SERVER_INFO}\":{server_info}{comma}{inside}{}",
                &text[1..range.start],
                &text[range.end..]
            )
        }
    }
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct InputRequired<'a> {
    #[serde(borrow)]
    input_requests: Option<BTreeMap<String, InputRequest<'a>>>,
    #[serde(borrow)]
    request_state: Option<&'a RawValue>,
}

#[derive(Deserialize)]
struct InputRequest<'a> {
    #[serde(borrow)]
    method: std::borrow::Cow<'a, str>,
}

/// L3: only some methods may ask, and only for what the client can do.
fn may_ask(
    text: &str,
    request: &Known,
) -> Result<(), (Result<Json, ErrorObject>, Option<&'static str>)> {
    let wrong = |report| Err((Err(ErrorObject::internal()), Some(report)));
    if !request.results.may_ask() {
        return wrong("only tools/call, prompts/get and resources/read may ask for input");
    }
    let Ok(asked) = serde_json::from_str::<InputRequired<'_>>(text) else {
        return wrong("a result of type input_required has inputRequests, requestState, or both");
    };
    let requests = asked.input_requests.unwrap_or_default();
    if requests.is_empty() && asked.request_state.is_none() {
        return wrong("a result of type input_required has inputRequests, requestState, or both");
    }
    let declared = request.meta.as_ref().map_or("{}", |meta| meta.capabilities.as_str());
    for input in requests.values() {
        let Some(needed) = super::capability_for(&input.method) else {
            return wrong(
                "input is asked for with elicitation/create, roots/list or sampling/createMessage",
            );
        };
        if !super::declares(declared, needed) {
            return Err((Err(ErrorObject::missing_capability(needed)), None));
        }
    }
    Ok(())
}
