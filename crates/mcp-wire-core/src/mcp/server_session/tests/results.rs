//! The form of outcomes, revision by revision.

use super::*;
use crate::rpc::Event;

const META: &str = r#""_meta":{"io.modelcontextprotocol/protocolVersion":"2026-07-28","io.modelcontextprotocol/clientCapabilities":{"elicitation":{}}}"#;

/// What is written for an outcome of a request of this method, and what is reported.
fn written(
    revision: Option<&str>,
    method: &str,
    outcome: Result<&str, i64>,
) -> (serde_json::Value, Option<&'static str>) {
    let mut harness = match revision {
        Some(revision) => Harness::ready(revision, "{}"),
        None => Harness::new(),
    };
    harness.session = harness
        .session
        .with_cache(CacheHint::new(Duration::from_secs(9), crate::mcp::CacheScope::Public));
    let params = if revision.is_some() { "" } else { META };
    let line = format!(r#"{{"jsonrpc":"2.0","id":1,"method":"{method}","params":{{{params}}}}}"#);
    harness.receive(&line);
    let token = harness.tokens()[0];
    let outcome = outcome
        .map(|result| Json::new(result.to_owned()).unwrap())
        .map_err(|code| ErrorObject::new(code, "no"));
    harness.session.respond(&mut harness.connection, token, outcome).unwrap();
    let mut reported = None;
    while let Some(event) = harness.connection.poll_event() {
        if let Event::Irregular(what) = event {
            reported = Some(what);
        }
    }
    (serde_json::from_str(&harness.written()[0]).unwrap(), reported)
}

const INFO: &str = r#""io.modelcontextprotocol/serverInfo":{"name":"us","version":"1.0"}"#;

/// P2: results say of what type they are and who the server is; lists and reads how long they may be kept. What the handler
/// says itself stays.
#[test]
fn results_are_completed() {
    let kept = r#""ttlMs":9000,"cacheScope":"public""#;
    let cases = [
        ("x/y", "{}", format!(r#"{{"resultType":"complete","_meta":{{{INFO}}}}}"#)),
        ("x/y", r#"{ "a" : 1.0 }"#, format!(r#"{{"resultType":"complete","_meta":{{{INFO}}},"a":1.0}}"#)),
        ("tools/list", r#"{"tools":[]}"#, format!(r#"{{"resultType":"complete",{kept},"_meta":{{{INFO}}},"tools":[]}}"#)),
        ("resources/read", r#"{"contents":[]}"#, format!(r#"{{"resultType":"complete",{kept},"_meta":{{{INFO}}},"contents":[]}}"#)),
        ("tools/call", r#"{"content":[]}"#, format!(r#"{{"resultType":"complete","_meta":{{{INFO}}},"content":[]}}"#)),
        (
            "tools/list",
            r#"{"resultType":"acme","ttlMs":1,"cacheScope":"private","_meta":{"a":1}}"#,
            format!(r#"{{"resultType":"acme","ttlMs":1,"cacheScope":"private","_meta":{{{INFO},"a":1}}}}"#),
        ),
        (
            "x/y",
            r#"{"_meta":{"io.modelcontextprotocol/serverInfo":{"name":"other"}},"b":2}"#,
            r#"{"resultType":"complete","_meta":{"io.modelcontextprotocol/serverInfo":{"name":"other"}},"b":2}"#.to_owned(),
        ),
        ("x/y", r#"{"_meta":{}}"#, format!(r#"{{"resultType":"complete","_meta":{{{INFO}}}}}"#)),
    ];
    for (method, result, expected) in cases {
        let (line, reported) = written(None, method, Ok(result));
        let expected: serde_json::Value = serde_json::from_str(&expected).unwrap();
        assert_eq!(line["result"], expected, "{method} {result}");
        assert_eq!(reported, None);
        // E2: before the modern era they are the handler's bytes.
        let (line, _) = written(Some("2025-11-25"), method, Ok(result));
        assert_eq!(line["result"], serde_json::from_str::<serde_json::Value>(result).unwrap());
    }
    let (line, reported) = written(None, "x/y", Ok("[]"));
    assert_eq!(line["error"]["code"], -32603);
    assert!(reported.is_some());
}

/// L3: a result may ask for input where the method allows it, for what the client can do.
#[test]
fn some_results_ask_for_input() {
    let ask = |method: &str| {
        format!(
            r#"{{"resultType":"input_required","inputRequests":{{"k":{{"method":"{method}"}}}}}}"#
        )
    };
    let elicit = ask("elicitation/create");
    for method in ["tools/call", "prompts/get", "resources/read"] {
        let (line, reported) = written(None, method, Ok(&elicit));
        assert_eq!(line["result"]["resultType"], "input_required", "{method}");
        assert_eq!(line["result"]["ttlMs"], serde_json::Value::Null);
        assert_eq!(reported, None);
    }
    let state = r#"{"resultType":"input_required","requestState":"s"}"#;
    assert_eq!(written(None, "tools/call", Ok(state)).0["result"]["requestState"], "s");

    let (line, reported) = written(None, "tools/call", Ok(&ask("sampling/createMessage")));
    assert_eq!(line["error"]["code"], -32021);
    assert_eq!(line["error"]["data"], serde_json::json!({"requiredCapabilities":{"sampling":{}}}));
    assert_eq!(reported, None);

    let (line, reported) = written(Some("2025-11-25"), "tools/call", Ok(&elicit));
    assert_eq!(line["error"]["code"], -32603);
    assert!(reported.is_some());

    let nothing = r#"{"resultType":"input_required"}"#;
    for (method, result) in
        [("tools/list", &*elicit), ("tools/call", nothing), ("tools/call", &*ask("ping"))]
    {
        let (line, reported) = written(None, method, Ok(result));
        assert_eq!(line["error"]["code"], -32603, "{method} {result}");
        assert!(reported.is_some());
    }
}

/// P5: codes are those of the request's revision.
#[test]
fn codes_follow_the_revision() {
    // The handler's code; then what is written in the modern revision, in 2025-11-25, and before.
    for (code, expected) in [
        (-32002, [-32602, -32002, -32002]),
        (-32042, [-32603, -32042, -32603]),
        (-32050, [-32603, -32050, -32050]),
        (-32000, [-32603, -32000, -32000]),
        (-32099, [-32603, -32099, -32099]),
        (-32100, [-32100, -32100, -32100]),
        (-32021, [-32021, -32021, -32021]),
        (-32601, [-32601, -32601, -32601]),
        (7, [7, 7, 7]),
    ] {
        for (revision, expected) in
            [None, Some("2025-11-25"), Some("2025-06-18")].into_iter().zip(expected)
        {
            let (line, reported) = written(revision, "tools/call", Err(code));
            assert_eq!(line["error"]["code"], expected, "{code} {revision:?}");
            // A changed code is reported, but for the one that was only renamed.
            let renamed = code == -32002;
            assert_eq!(reported.is_some(), code != expected && !renamed, "{code} {revision:?}");
        }
    }
}
