//! Where a message begins and ends.

use crate::harness::Harness;
use crate::messages::{ensure_same, request};
use crate::stage::{echo_server, serve_ready, with_hold};
use mcp_wire_driver::{Closed, Context, Json};
use serde_json::{Value, json};

/// F1: what other protocols take for the end of a line is content. F12: it is escaped on the way out.
pub fn only_a_line_feed_ends_a_message<H: Harness>() -> Result<(), String> {
    let (mut script, _running) = serve_ready::<H>(echo_server::<H>())?;
    script.line("{\"jsonrpc\":\"2.0\",\r\"id\":1,\"method\":\"echo\",\"params\":{\"a\":\"\u{2028}\u{2029}\u{85}\"}}")?;
    script.expect(r#"{"jsonrpc":"2.0","id":1,"result":{"a":"\u2028\u2029\u0085"}}"#)
}

/// F2: a carriage return before the line feed is white space, and blank lines are nothing.
pub fn carriage_returns_and_blank_lines_are_skipped<H: Harness>() -> Result<(), String> {
    let (mut script, _running) = serve_ready::<H>(echo_server::<H>())?;
    script.send("\n\r\n  \t\r\n{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"echo\"}\r\n\n")?;
    script.expect(r#"{"jsonrpc":"2.0","id":1,"result":{}}"#)?;
    script.expect_silence()
}

/// F3, F4: a byte order mark is skipped, also where it arrives in pieces.
pub fn a_byte_order_mark_is_skipped<H: Harness>() -> Result<(), String> {
    let (mut script, _running) = serve_ready::<H>(echo_server::<H>())?;
    for piece in
        [&b"\xEF"[..], b"\xBB", b"\xBF{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"echo\"}\n"]
    {
        script.send(piece)?;
    }
    script.expect(r#"{"jsonrpc":"2.0","id":1,"result":{}}"#)
}

/// F4: chunk borders carry no meaning. S4: not on any stream of the runtime.
pub fn a_message_may_arrive_byte_by_byte<H: Harness>() -> Result<(), String> {
    let (mut script, _running) = serve_ready::<H>(echo_server::<H>())?;
    let line = format!("{}\n", request(1, "echo", json!({ "a": "\u{e4}\u{20ac}\u{1f378}" })));
    for byte in line.bytes() {
        script.send([byte])?;
    }
    script.expect("{\"jsonrpc\":\"2.0\",\"id\":1,\"result\":{\"a\":\"\u{e4}\u{20ac}\u{1f378}\"}}")
}

/// F4, F13: half a message is kept while replies go out.
pub fn a_message_may_arrive_in_pieces_while_replies_go_out<H: Harness>() -> Result<(), String> {
    let (server, holding) = with_hold::<H>(echo_server::<H>());
    let (mut script, _running) = serve_ready::<H>(server)?;
    for number in 0..20 {
        script.message(&request(number, "hold", json!({ "n": number })))?;
        holding.began()?;
        let line = request(format!("pieces-{number}"), "echo", json!({})).to_string();
        let (first, second) = line.split_at(line.len() / 2);
        // The end of the one line and half of the next go out together: the server sees both, or has to wait.
        script.send(format!("{}\n{first}", request("before", "ping", json!({}))))?;
        script.expect(r#"{"jsonrpc":"2.0","id":"before","result":{}}"#)?;
        holding.release(number);
        script.expect_where("the held reply", |message| message["id"] == number)?;
        script.send(format!("{second}\n"))?;
        script.expect(&format!(r#"{{"jsonrpc":"2.0","id":"pieces-{number}","result":{{}}}}"#))?;
    }
    Ok(())
}

/// F5: whole messages around a bad line are handled, in order, without further input.
pub fn messages_around_a_bad_line_are_handled<H: Harness>() -> Result<(), String> {
    let (mut script, _running) = serve_ready::<H>(echo_server::<H>())?;
    let ping = |id: u64| request(id, "ping", json!({}));
    script.send(format!("{}\n{{bad\nnot json\n{}\n{}\n", ping(1), ping(2), ping(3)))?;
    for id in 1..=3 {
        script.expect(&format!(r#"{{"jsonrpc":"2.0","id":{id},"result":{{}}}}"#))?;
    }
    script.expect_silence()
}

/// F9: a last line without its end is a message. X1: it is answered before the connection closes.
pub fn an_unterminated_last_line_is_a_message<H: Harness>() -> Result<(), String> {
    let (mut script, running) = serve_ready::<H>(echo_server::<H>())?;
    script.send(request(1, "echo", json!({})).to_string())?;
    script.hang_up()?;
    script.expect(r#"{"jsonrpc":"2.0","id":1,"result":{}}"#)?;
    script.expect_end()?;
    running.expect(Closed::Eof)
}

/// F12, B4: a large reply arrives whole, however few bytes are read at a time.
pub fn a_large_reply_is_read_in_small_pieces<H: Harness>() -> Result<(), String> {
    let server = echo_server::<H>().method("large", async |_: Context, _: Value| {
        Ok(Json::from_serialize(&"x".repeat(1 << 20)).unwrap_or_else(|_| Json::null()))
    });
    let (mut script, _running) = serve_ready::<H>(server)?;
    script.read_slowly(777);
    script.message(&request(1, "large", json!({})))?;
    script.message(&request(2, "ping", json!({})))?;
    let mut lengths = [script.read()?.len(), script.read()?.len()];
    lengths.sort_unstable();
    let around = r#"{"jsonrpc":"2.0","id":1,"result":""}"#.len();
    ensure_same("the lengths of the lines", lengths, [around, (1 << 20) + around])
}

/// F6, F8: a large message is taken, and comes back byte for byte.
pub fn a_large_message_comes_back<H: Harness>() -> Result<(), String> {
    let (mut script, _running) = serve_ready::<H>(echo_server::<H>())?;
    for id in 1..=3 {
        let text = "\u{e4}b".repeat((1 << 20) / 3 + id);
        script.line(format!(
            r#"{{"jsonrpc":"2.0","id":{id},"method":"echo","params":{{"a":"{text}"}}}}"#
        ))?;
        script.expect(&format!(r#"{{"jsonrpc":"2.0","id":{id},"result":{{"a":"{text}"}}}}"#))?;
    }
    Ok(())
}

/// F11: headers of another framing are bad lines, and the message behind them is read.
pub fn headers_of_another_framing_harm_nothing<H: Harness>() -> Result<(), String> {
    let (mut script, _running) = serve_ready::<H>(echo_server::<H>())?;
    let message = request(1, "echo", json!({})).to_string();
    script.send(format!("Content-Length: {}\r\n\r\n{message}\n", message.len()))?;
    script.expect(r#"{"jsonrpc":"2.0","id":1,"result":{}}"#)?;
    script.expect_silence()
}
