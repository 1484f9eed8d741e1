//! Rule by rule: what the peer sends goes in, and each expectation names every event and every line since the last one.

mod admission;
mod backpressure;
mod batches;
mod budget;
mod calls;
mod cancellation;
mod classification;
mod deadlines;
mod dialect;
mod end;
mod failure;
mod interleavings;
mod limits;
mod malformed;
mod shutdown;
mod untaken;
mod withdrawal;

use super::*;
use crate::message::{ErrorObject, Json};
use crate::rpc::{
    Call, CallError, CallOptions, Event, Gone, IdMatching, OnProgress, Role, SendError,
    Unattributed,
};
use bytes::Buf;
use serde_json::Value;
use std::collections::HashMap;
use std::time::Duration;

const SECOND: Duration = Duration::from_secs(1);

/// A connection, its peer's end of the stream, and a clock that moves only when it is told to.
struct Harness {
    connection: Connection,
    decoder: Decoder,
    now: Instant,
    /// The latest request of each id, and back.
    tokens: HashMap<String, Token>,
    ids: HashMap<Token, String>,
}

impl Harness {
    /// A server that speaks MCP.
    fn new() -> Self {
        Self::with(|_| {})
    }

    fn with(configure: impl FnOnce(&mut Config)) -> Self {
        Self::sharing(&Budget::default(), configure)
    }

    fn client() -> Self {
        Self::with(|config| config.role = Role::Client)
    }

    #[allow(clippy::disallowed_methods, reason = "a test may begin at any time")]
    fn sharing(budget: &Budget, configure: impl FnOnce(&mut Config)) -> Self {
        let mut config = Config { dialect: crate::mcp::dialect(), ..Config::default() };
        configure(&mut config);
        let connection = Connection::new(config, budget.clone()).unwrap();
        Self {
            decoder: connection.decoder(),
            connection,
            now: Instant::now(),
            tokens: HashMap::new(),
            ids: HashMap::new(),
        }
    }

    /// The peer sends lines, in one chunk.
    fn receive(&mut self, lines: impl AsRef<[u8]>) {
        self.receive_unterminated([lines.as_ref(), b"\n"].concat());
    }

    fn receive_unterminated(&mut self, bytes: impl AsRef<[u8]>) {
        let (connection, now) = (&mut self.connection, self.now);
        self.decoder.decode(bytes.as_ref(), |frame| connection.handle_frame(now, frame));
    }

    fn eof(&mut self) {
        let (connection, now) = (&mut self.connection, self.now);
        self.decoder.finish(|frame| connection.handle_frame(now, frame));
        self.connection.handle_eof(now);
    }

    /// Time goes by, and the connection is woken whenever it asked for it.
    #[track_caller]
    fn pass(&mut self, time: Duration) {
        let end = self.now + time;
        let mut at_once = 0;
        while let Some(next) = self.connection.poll_timeout().filter(|next| *next <= end) {
            at_once = if next <= self.now { at_once + 1 } else { 0 };
            assert!(at_once < 3, "it would spin");
            self.now = self.now.max(next);
            self.connection.handle_timeout(self.now);
        }
        self.now = end;
    }

    fn token(&self, id: &str) -> Token {
        self.tokens[id]
    }

    /// The handler of the request with this id answers.
    fn answer(&mut self, id: &str, result: &str) -> Result<(), Gone> {
        self.connection.respond(self.token(id), Ok(Json::new(result.to_owned()).unwrap()))
    }

    /// The handler of the request with this id is gone.
    fn release(&mut self, id: &str) {
        self.connection.release(self.token(id));
    }

    fn call(&mut self, method: &str) -> Call {
        self.call_with(method, CallOptions::default())
    }

    /// A call on behalf of the request with this id.
    fn call_for(&mut self, id: &str, method: &str) -> Call {
        let on_behalf_of = Some(self.token(id));
        self.call_with(method, CallOptions { on_behalf_of, ..CallOptions::default() })
    }

    fn call_with(&mut self, method: &str, options: CallOptions) -> Call {
        self.connection.request(self.now, method, None, options).unwrap()
    }

    fn unwritten(&mut self) -> usize {
        self.connection.output().remaining()
    }

    /// The peer reads so many bytes.
    fn write(&mut self, count: usize) -> String {
        let bytes = self.connection.output().copy_to_bytes(count);
        String::from_utf8(bytes.to_vec()).unwrap()
    }

    /// The peer reads all that is there.
    fn written(&mut self) -> String {
        let count = self.unwritten();
        self.write(count)
    }

    /// All events since the last time, in short.
    fn happened(&mut self) -> Vec<String> {
        let mut happened = Vec::new();
        while let Some(event) = self.connection.poll_event() {
            if let Event::Request(token, request) = &event {
                self.tokens.insert(request.id().to_string(), *token);
                self.ids.insert(*token, request.id().to_string());
            }
            happened.push(self.in_short(event));
        }
        happened
    }

    fn in_short(&self, event: Event) -> String {
        match event {
            Event::Cancelled { token, reason } => {
                let reason = reason.map_or(String::new(), |reason| format!(": {reason}"));
                format!("cancelled {}{reason}", self.ids[&token])
            }
            Event::Closed(cause) => format!("closed {cause:?}"),
            Event::Draining => "draining".to_owned(),
            Event::Fault(fault) => format!("fault {:?}", fault.kind()),
            Event::Irregular(what) => format!("irregular {what}"),
            Event::Lagged(count) => format!("lagged {count}"),
            Event::Late(call) => format!("late {}", call.number()),
            Event::Notification(notification) => format!("notification {}", notification.method()),
            Event::Progress { call, .. } => format!("progress {}", call.number()),
            Event::Request(_, request) => format!("request {} {}", request.id(), request.method()),
            Event::Response { call, outcome } => {
                let outcome = match outcome {
                    Ok(result) => result.to_string(),
                    Err(CallError::Peer(error)) => format!("error {}", error.code),
                    Err(error) => format!("{error:?}"),
                };
                format!("response {} {outcome}", call.number())
            }
            Event::Suppressed(count) => format!("suppressed {count}"),
        }
    }

    /// Just this has happened since the last time; what is written stays unread.
    #[track_caller]
    fn expect_events(&mut self, expected: &[&str]) {
        assert_eq!(self.happened(), expected);
    }

    /// Just this has happened since the last time, and then just these lines (`> ...`) were written.
    #[track_caller]
    fn expect(&mut self, expected: &[&str]) {
        let mut seen = self.happened();
        let written = self.written();
        assert!(written.is_empty() || written.ends_with('\n'), "lines are whole: {written}");
        for line in written.split_terminator('\n') {
            let line: Value = serde_json::from_str(line).unwrap();
            seen.push(format!("> {}", line_in_short(&line)));
        }
        // What had to be written first.
        seen.extend(self.happened());
        assert_eq!(seen, expected);
    }

    /// The connection is closed, once, and keeps nothing.
    #[track_caller]
    fn expect_nothing_kept(&mut self) {
        let connection = &mut self.connection;
        assert!(connection.closed().is_some() && connection.poll_event().is_none());
        assert_eq!((connection.in_flight(), connection.queued(), connection.calls()), (0, 0, 0));
        assert_eq!((connection.slots_held(), connection.buffered()), (0, 0));
        assert_eq!((connection.poll_timeout(), connection.wants_input()), (None, false));
    }
}

fn line_in_short(line: &Value) -> String {
    if let Some(items) = line.as_array() {
        let items: Vec<String> = items.iter().map(line_in_short).collect();
        return format!("[{}]", items.join(", "));
    }
    assert_eq!(line["jsonrpc"], "2.0");
    let id = line.get("id").map_or(String::new(), |id| format!(" {id}"));
    if let Some(method) = line["method"].as_str() {
        let params = line.get("params").map_or(String::new(), |params| format!(" {params}"));
        let kind = if id.is_empty() { "notify" } else { "call" };
        format!("{kind}{id} {method}{params}")
    } else if let Some(error) = line.get("error") {
        let why = error["data"]["error"].as_str().map_or(String::new(), |why| format!(" {why}"));
        format!("error{id} {}{why}", error["code"])
    } else {
        format!("result{id} {}", line["result"])
    }
}

/// `id` is JSON text.
fn request(id: &str, method: &str) -> String {
    format!(r#"{{"jsonrpc":"2.0","id":{id},"method":"{method}"}}"#)
}

fn notification(method: &str) -> String {
    format!(r#"{{"jsonrpc":"2.0","method":"{method}"}}"#)
}

fn response(id: &str, result: &str) -> String {
    format!(r#"{{"jsonrpc":"2.0","id":{id},"result":{result}}}"#)
}

fn cancel(id: &str) -> String {
    format!(
        r#"{{"jsonrpc":"2.0","method":"notifications/cancelled","params":{{"requestId":{id}}}}}"#
    )
}

fn progress(token: &str) -> String {
    format!(
        r#"{{"jsonrpc":"2.0","method":"notifications/progress","params":{{"progressToken":{token},"progress":1}}}}"#
    )
}

fn lines<const N: usize>(lines: [String; N]) -> String {
    lines.join("\n")
}
