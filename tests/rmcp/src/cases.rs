//! The inputs, and what a server over our transport does with each.

use crate::Peer;
use crate::peer::told;
use serde_json::{Value, json};
use std::io;

const PING: &[u8] = b"\n{\"jsonrpc\":\"2.0\",\"id\":\"ping\",\"method\":\"ping\"}\n";

/// One input, and what is seen.
#[derive(Debug)]
pub struct Case {
    /// What the client does.
    pub input: &'static str,
    /// What a server over our transport does then.
    pub ours: &'static str,
    run: fn(&mut Peer) -> io::Result<String>,
}

impl Case {
    /// What this server does.
    ///
    /// # Errors
    ///
    /// What the system says.
    pub fn run(&self, peer: &mut Peer) -> io::Result<String> {
        (self.run)(peer)
    }
}

/// All of them.
pub const CASES: [Case; 20] = [
    Case {
        input: "a call of 17 MiB",
        ours: "-32600 for 7",
        run: |peer| answers(peer, call("echo", &json!({ "text": "x".repeat(17 << 20) }))),
    },
    Case {
        input: "a call that is not UTF-8",
        ours: "-32700 for 7",
        run: |peer| {
            let line = call("echo", &json!({ "text": "?" }));
            answers(
                peer,
                line.iter().map(|byte| if *byte == b'?' { 0xFF } else { *byte }).collect(),
            )
        },
    },
    Case {
        input: "half a call, then a newline",
        ours: "-32700 for 7",
        run: |peer| answers(peer, half_a_call(b"\n")),
    },
    Case {
        input: "a call 200 levels deep",
        ours: "-32600 for 7",
        run: |peer| {
            let (open, close) = ("[".repeat(200), "]".repeat(200));
            answers(peer, format!(r#"{{"jsonrpc":"2.0","id":7,"method":"tools/call","params":{{"name":"echo","arguments":{{"text":{open}{close}}}}}}}"#).into_bytes())
        },
    },
    Case {
        input: "a call whose `params` are an array",
        ours: "-32602 for 7",
        run: |peer| {
            answers(peer, br#"{"jsonrpc":"2.0","id":7,"method":"tools/call","params":[]}"#.into())
        },
    },
    Case {
        input: "a call with `\"jsonrpc\":\"1.0\"`",
        ours: "-32600 for 7",
        run: |peer| answers(peer, br#"{"jsonrpc":"1.0","id":7,"method":"tools/list"}"#.into()),
    },
    Case {
        input: "a call with an id of 64 bits",
        ours: "-32600 for 18446744073709551615",
        run: |peer| {
            answers(
                peer,
                br#"{"jsonrpc":"2.0","id":18446744073709551615,"method":"tools/list"}"#.into(),
            )
        },
    },
    Case {
        input: "a second call with the id of a running one",
        ours: "-32600 for 7, \"worked\" for 7",
        run: |peer| {
            let second = call("echo", &json!({ "text": "second" }));
            answers(peer, [call("work", &json!({})), second].join(&b'\n'))
        },
    },
    Case {
        input: "log lines, NULs and HTTP headers between messages",
        ours: "nothing",
        run: |peer| {
            answers(
                peer,
                b"Starting server...\n\0\0\0\nContent-Length: 52\r\n\r\n[1,2]\n\"text\"\n17".into(),
            )
        },
    },
    Case {
        input: "a whole call without a newline, then the end of input",
        ours: "\"last\" for 7",
        run: |peer| {
            peer.write(&call("echo", &json!({ "text": "last" })))?;
            Ok(told(&peer.lines_until_end()))
        },
    },
    Case {
        input: "half a call, then the end of input",
        ours: "-32700 for 7",
        run: |peer| {
            peer.write(&half_a_call(b""))?;
            Ok(told(&peer.lines_until_end()))
        },
    },
    Case {
        input: "the end of input while a call runs for 200 ms",
        ours: "\"worked\" for 7",
        run: |peer| {
            peer.write(&call("work", &json!({})))?;
            peer.write(b"\n")?;
            Ok(told(&peer.lines_until_end()))
        },
    },
    Case {
        input: "the end of input while a call waits for the client's answer",
        ours: "ping for 0, \"not there\" for 7",
        run: |peer| {
            peer.write(&call("ask", &json!({})))?;
            peer.write(b"\n")?;
            let question = peer.line().into_iter();
            Ok(told(&question.chain(peer.lines_until_end()).collect::<Vec<_>>()))
        },
    },
    Case {
        input: "the client closes the server's output, and calls on",
        ours: "ends",
        run: |peer| {
            let mut line = call("echo", &json!({ "text": "unread" }));
            line.push(b'\n');
            peer.write(&line)?;
            peer.close_output();
            peer.write(&line)?;
            peer.ends().map(str::to_owned)
        },
    },
    Case {
        input: "the server stops by itself, its input stays open",
        ours: "ends",
        run: |peer| {
            peer.write(&call("stop", &json!({})))?;
            peer.write(b"\n")?;
            peer.ends().map(str::to_owned)
        },
    },
    Case {
        input: "a tool prints to standard output",
        ours: "\"printed\" for 7",
        run: |peer| {
            peer.write(&call("print", &json!({})))?;
            peer.write(b"\n")?;
            Ok(told(&peer.lines_until_end()))
        },
    },
    Case {
        input: "a tool answers with 11 MB",
        ours: "-32603 for 7",
        run: |peer| {
            peer.write(&call("large", &json!({ "size": 11_000_000 })))?;
            peer.write(b"\n")?;
            Ok(told(&peer.lines_until_end()))
        },
    },
    Case {
        input: "a tool answers with U+2028, where some readers split lines",
        ours: "escaped",
        run: |peer| {
            peer.write(&call("echo", &json!({ "text": "\u{2028}" })))?;
            peer.write(b"\n")?;
            let raw = peer.lines_until_end().iter().any(|line| line.contains('\u{2028}'));
            Ok(if raw { "raw" } else { "escaped" }.into())
        },
    },
    Case {
        input: "5,000 calls that never end",
        ours: "3976 busy, and answers a ping",
        run: |peer| {
            for id in 0..5000 {
                peer.write(&numbered_call(id, "forever", &json!({})))?;
            }
            peer.write(PING)?;
            let busy = std::iter::from_fn(|| peer.line())
                .take_while(|line| !line.contains(r#""id":"ping""#))
                .filter(|line| line.contains("server_busy"))
                .count();
            Ok(format!("{busy} busy, and answers a ping"))
        },
    },
    Case {
        input: "10,000 calls before an answer is read",
        ours: "10000 answers",
        run: |peer| {
            for id in 0..10_000 {
                peer.write(&numbered_call(id, "echo", &json!({ "text": "x".repeat(100) })))?;
            }
            Ok(format!("{} answers", peer.lines_until_end().len()))
        },
    },
];

/// What a line is answered, and whether the session goes on.
fn answers(peer: &mut Peer, line: Vec<u8>) -> io::Result<String> {
    peer.write(&line)?;
    peer.write(PING)?;
    let (pongs, lines): (Vec<String>, Vec<String>) =
        peer.lines_until_end().into_iter().partition(|line| line.contains(r#""id":"ping""#));
    Ok(if pongs.is_empty() { format!("{}, and the end", told(&lines)) } else { told(&lines) })
}

/// A call with the id 7, without a newline.
fn call(tool: &str, arguments: &Value) -> Vec<u8> {
    message(7, tool, arguments).into_bytes()
}

fn numbered_call(id: u64, tool: &str, arguments: &Value) -> Vec<u8> {
    format!("{}\n", message(id, tool, arguments)).into_bytes()
}

fn message(id: u64, tool: &str, arguments: &Value) -> String {
    let params = json!({ "name": tool, "arguments": arguments });
    format!(r#"{{"jsonrpc":"2.0","id":{id},"method":"tools/call","params":{params}}}"#)
}

fn half_a_call(end: &[u8]) -> Vec<u8> {
    [br#"{"jsonrpc":"2.0","id":7,"method":"tools/call","params":{"na"#, end].concat()
}
