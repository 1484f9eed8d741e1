//! The member `_meta` of params, which belongs to the protocol and not to the method.

use crate::message::{Json, member, merge};
use crate::rpc::{Call, CallOptions, Connection, OnProgress, SendError};
use std::time::Instant;

const META: &str = "_meta";

/// Sends a request with these members in its `_meta`. Where the options want its progress, the peer is asked for it, under
/// a token of ours.
pub(super) fn request(
    connection: &mut Connection,
    now: Instant,
    method: &str,
    params: Option<Json>,
    members: Vec<(&str, &str)>,
    options: CallOptions,
) -> Result<Call, SendError> {
    let token = match options.on_progress {
        OnProgress::Ignore => None,
        OnProgress::Report | OnProgress::Restart => {
            Some(connection.next_call().number().to_string())
        }
    };
    let mut members = members;
    members.extend(token.as_deref().map(|token| ("progressToken", token)));
    let params = if members.is_empty() { params } else { Some(with_meta(params, &members)) };
    connection.request(now, method, params, options)
}

/// These params with some more members of `_meta`, whose values are JSON. Ours replace those of the same name; everything else
/// stays as it was written. Params that are no object stay as they are: the peer will refuse them.
pub(super) fn with_meta(params: Option<Json>, members: &[(&str, &str)]) -> Json {
    let params = params.unwrap_or_else(Json::empty_object);
    let text = params.as_str();
    if members.is_empty() || !text.starts_with('{') {
        return params;
    }
    let meta = member(text, META).map(|meta| meta.range());
    let own = meta.clone().map_or("", |range| &text[range]);
    let merged = merge(own, members);
    let merged = match meta {
        Some(range) => format!("{}{merged}{}", &text[..range.start], &text[range.end..]),
        None => {
            let rest = text[1..].trim_start();
            let comma = if rest == "}" { "" } else { "," };
            format!("{{\"{META}\":{merged}{comma}{rest}")
        }
    };
    Json::trusted(merged)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn added(params: Option<&'static str>) -> String {
        let params = params.map(|text| Json::new(text).unwrap());
        with_meta(params, &[("progressToken", "7")]).as_str().to_owned()
    }

    /// I5: progress tokens are ours.
    #[test]
    fn what_the_caller_wrote_stays() {
        let cases = [
            (None, r#"{"_meta":{"progressToken":7}}"#),
            (Some("{}"), r#"{"_meta":{"progressToken":7}}"#),
            (Some("{ }"), r#"{"_meta":{"progressToken":7}}"#),
            (Some(r#"{"a" : 1.0}"#), r#"{"_meta":{"progressToken":7},"a" : 1.0}"#),
            (Some(r#"{"_meta":{}}"#), r#"{"_meta":{"progressToken":7}}"#),
            (
                Some(r#"{"a":1, "_meta" : {"x":[1 ,2],"\u0079":0}, "b":2}"#),
                r#"{"a":1, "_meta" : {"progressToken":7,"x":[1 ,2],"\u0079":0}, "b":2}"#,
            ),
            (
                Some(r#"{"_meta":{"progress\u0054oken":"mine","x":1}}"#),
                r#"{"_meta":{"progressToken":7,"x":1}}"#,
            ),
            (Some(r#"{"_meta":null}"#), r#"{"_meta":{"progressToken":7}}"#),
            (Some("[1]"), "[1]"),
        ];
        for (params, expected) in cases {
            assert_eq!(added(params), expected, "{params:?}");
        }
    }
}
