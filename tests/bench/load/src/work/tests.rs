use super::*;

fn check(line: &str) -> Result<Reply, Failure> {
    Work::new("echo", 14).check(line.as_bytes())
}

fn reply(id: u64, text: &str) -> String {
    format!(
        r#"{{"jsonrpc":"2.0","id":{id},"result":{{"content":[{{"type":"text","text":"{text}"}}]}}}}"#
    )
}

#[test]
fn a_request_is_a_line_that_carries_its_id() {
    let mut line = Vec::new();
    Work::new("echo_task", 14).write_request(7, &mut line);
    assert_eq!(line.pop(), Some(b'\n'));
    let request: serde_json::Value = serde_json::from_slice(&line).unwrap();
    assert_eq!(request["id"], 7);
    assert_eq!(request["params"]["name"], "echo_task");
    assert_eq!(request["params"]["arguments"]["message"], "0000000007ABCD");
}

#[test]
fn the_right_answer_is_told_from_wrong_ones() {
    assert_eq!(check(&reply(7, "0000000007ABCD")), Ok(Reply::Answer(7)));
    assert_eq!(check(&reply(7, r"0000000007\u0041BCD")), Ok(Reply::Answer(7)));
    for (id, text) in [(8, "0000000007ABCD"), (7, "0000000007ABC"), (7, "0000000007ABCDE"), (7, "")]
    {
        assert!(check(&reply(id, text)).is_err(), "{id} {text}");
    }
    assert!(check(&reply(7, "0000000007ABCD").replace("2.0", "1.0")).is_err());
    assert!(check(&reply(7, "0000000007ABCD").replace("}]}", "}],\"isError\":true}")).is_err());
    assert!(check("{\"jsonrpc\":\"2.0\"}").is_err());
    assert!(check("nonsense").is_err());
}

#[test]
fn refusals_and_other_messages_are_known() {
    let refusal = r#"{"jsonrpc":"2.0","id":7,"error":{"code":-32603,"message":"server busy"}}"#;
    assert_eq!(check(refusal), Ok(Reply::Refusal(7)));
    let complaint = r#"{"jsonrpc":"2.0","id":null,"error":{"code":-32700,"message":"no JSON"}}"#;
    assert_eq!(check(complaint), Ok(Reply::Other));
    let notification = r#"{"jsonrpc":"2.0","method":"notifications/message"}"#;
    assert_eq!(check(notification), Ok(Reply::Other));
}
