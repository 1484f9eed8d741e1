//! Lines that a peer may send.

use crate::source::Source;

/// A line, and what is known of it beforehand.
#[derive(Debug)]
pub(crate) enum Sent {
    /// A well-formed request with this id, as JSON text.
    Request { id: String, line: String },
    /// A well-formed cancellation of this id.
    Cancellation { id: String, line: String },
    /// Requests, each with an id of its own, and perhaps more, as one array.
    Batch { ids: Vec<String>, line: String },
    /// A well-formed notification or response.
    Unanswered(String),
    /// Anything else. Whatever id it holds no other line holds.
    Bad { id: String, line: Vec<u8> },
}

/// Makes up lines: ids come from a small set, so that they collide.
#[derive(Debug, Default)]
pub(crate) struct Lines {
    /// Counts ids that must not collide.
    fresh: usize,
}

const IDS: &[&str] = &["1", "2", "\"1\"", "0", "\"\"", "-1", "99999999999999999999", "\"\\n\""];

impl Lines {
    /// The next line. `call` is the number of a call that the peer may answer, and `waits` whether that is still open.
    pub(crate) fn next(&mut self, source: &mut Source<'_>, call: i64, waits: bool) -> Sent {
        let id = source.pick(IDS).to_owned();
        match source.below(12) {
            0..3 => {
                let method = source.pick(&["work", "ping", "subscriptions/listen", "wait"]);
                let params = source.pick(&["", r#","params":{}"#, r#","params":null"#]);
                let line = format!(r#"{{"jsonrpc":"2.0","id":{id},"method":"{method}"{params}}}"#);
                Sent::Request { id, line }
            }
            3 | 4 => {
                let line = format!(
                    r#"{{"jsonrpc":"2.0","method":"notifications/cancelled","params":{{"requestId":{id},"reason":"enough"}}}}"#
                );
                Sent::Cancellation { id, line }
            }
            5 => self.batch(source, call),
            // Neither a result nor an error: the answer to a call that waits, else a request without a method.
            6 if waits => Sent::Unanswered(format!(r#"{{"jsonrpc":"2.0","id":{call}}}"#)),
            6..9 => Sent::Unanswered(response(source, call)),
            9 => Sent::Unanswered(format!(
                r#"{{"jsonrpc":"2.0","method":"notifications/progress","params":{{"progressToken":{call},"progress":1}}}}"#
            )),
            10 => {
                Sent::Unanswered(r#"{"jsonrpc":"2.0","method":"note","params":{"a":[1]}}"#.into())
            }
            _ => self.bad(source),
        }
    }

    fn batch(&mut self, source: &mut Source<'_>, call: i64) -> Sent {
        let (mut ids, mut items) = (Vec::new(), Vec::new());
        for _ in 0..=source.below(3) {
            match source.below(4) {
                0 => items.push(response(source, call)),
                1 => items.push(r#"{"jsonrpc":"2.0","method":"note"}"#.into()),
                _ => {
                    let id = self.fresh_id();
                    let method = source.pick(&["work", "ping", "initialize"]);
                    items.push(format!(r#"{{"jsonrpc":"2.0","id":{id},"method":"{method}"}}"#));
                    ids.push(id);
                }
            }
        }
        Sent::Batch { ids, line: format!("[{}]", items.join(",")) }
    }

    fn bad(&mut self, source: &mut Source<'_>) -> Sent {
        let id = self.fresh_id();
        let line = match source.below(8) {
            0 => b"{bad".to_vec(),
            1 => format!(r#"{{"jsonrpc":"2.0","id":{id},"method":"x","params":7}}"#).into_bytes(),
            2 => format!(r#"{{"jsonrpc":"2.0","id":{id},"method":7}}"#).into_bytes(),
            3 => format!(r#"{{"id":{id},"method":"x"}}"#).into_bytes(),
            4 => {
                let long = "b".repeat(300);
                format!(r#"{{"jsonrpc":"2.0","id":{id},"method":"x","params":{{"a":"{long}"}}"#)
                    .into_bytes()
            }
            5 => b"{\"jsonrpc\":\"2.0\",\"method\":\"x\",\"params\":{\"a\":\"\xFF\"}}".to_vec(),
            6 => br#"{"jsonrpc":"2.0","id":null,"error":{"code":1,"message":"m"}}"#.to_vec(),
            _ => b"[]".to_vec(),
        };
        Sent::Bad { id, line }
    }

    fn fresh_id(&mut self) -> String {
        self.fresh += 1;
        format!("\"fresh-{}\"", self.fresh)
    }
}

fn response(source: &mut Source<'_>, call: i64) -> String {
    let outcome = source.pick(&[
        r#","result":{}"#,
        r#","result":null"#,
        r#","error":{"code":-1,"message":"no"}"#,
        r#","error":"no""#,
    ]);
    format!(r#"{{"jsonrpc":"2.0","id":{call}{outcome}}}"#)
}
