//! A whole connection: what comes in is framed, judged and admitted, and answered once as many requests are in flight as are
//! asked for; the output is taken after each piece of input.

use bytes::Buf;
use mcp_wire_core::frame::Decoder;
use mcp_wire_core::mcp::{self, Implementation, ServerSession, Session};
use mcp_wire_core::message::Json;
use mcp_wire_core::rpc::{Budget, Config, Connection, Event, Token};
use std::collections::VecDeque;
use std::time::Instant;
use workload::{Measurement, Setting, Stream};

/// A connection of plain JSON-RPC.
pub(crate) const SERVE: Measurement = Measurement {
    name: "serve",
    prepare: |setting| {
        let mut endpoint = Endpoint::new(&setting, None);
        endpoint.serve(&setting.warm_up);
        Box::new(move || endpoint.serve(&setting.stream))
    },
};

/// The same with a session of MCP.
pub(crate) const SERVE_MCP: Measurement = Measurement {
    name: "serve-mcp",
    prepare: |setting| {
        let mut endpoint = Endpoint::new(&setting, Some("{\"tools\":{}}"));
        endpoint.shake_hands();
        endpoint.serve(&setting.warm_up);
        Box::new(move || endpoint.serve(&setting.stream))
    },
};

/// Answering alone: everything is admitted before.
pub(crate) const ANSWER: Measurement = Measurement {
    name: "answer",
    prepare: |setting| {
        let Setting { warm_up, stream, .. } = setting;
        let in_flight = stream.messages();
        let setting = Setting { warm_up, stream, in_flight };
        let mut endpoint = Endpoint::new(&setting, None);
        endpoint.serve(&setting.warm_up);
        endpoint.take(&setting.warm_up);
        endpoint.answer_all();
        endpoint.take(&setting.stream);
        Box::new(move || endpoint.answer_all())
    },
};

struct Endpoint {
    connection: Connection,
    session: Option<Session>,
    decoder: Decoder,
    waiting: VecDeque<(Token, Json)>,
    in_flight: usize,
    /// What every request is answered with: 64 bytes.
    result: Json,
    now: Instant,
}

const RESULT: &str = r#"{"content":[{"type":"text","text":"sixty-four bytes, in all."}]}"#;

impl Endpoint {
    fn new(setting: &Setting, capabilities: Option<&'static str>) -> Self {
        let mut config = Config::default();
        config.dialect = mcp::dialect();
        config.max_in_flight_bytes = usize::MAX;
        let budget = Budget::with_share(setting.in_flight + 1, setting.in_flight + 1);
        let mut connection = Connection::new(config, budget).expect("the configuration is ours");
        let session = capabilities.map(|capabilities| {
            let capabilities = Json::new(capabilities).expect("a literal");
            let implementation = Implementation::new("bench", "1");
            ServerSession::new(implementation, capabilities, &mut connection).into()
        });
        Self {
            decoder: connection.decoder(),
            connection,
            session,
            waiting: VecDeque::new(),
            in_flight: setting.in_flight,
            result: Json::new(RESULT).expect("a literal"),
            now: Instant::now(),
        }
    }

    fn shake_hands(&mut self) {
        let hello = br#"{"jsonrpc":"2.0","id":"hello","method":"initialize","params":{"protocolVersion":"2025-11-25","capabilities":{},"clientInfo":{"name":"bench","version":"1"}}}"#;
        for line in [&hello[..], br#"{"jsonrpc":"2.0","method":"notifications/initialized"}"#] {
            self.connection.handle_message(self.now, line);
            while let Some(event) = self.connection.poll_event() {
                _ = self.filter(event);
            }
        }
        self.take_output();
    }

    /// Takes a stream and answers, down to so many requests in flight. Gives the number of messages.
    fn serve(&mut self, stream: &Stream) -> usize {
        let mut messages = 0;
        for piece in stream.pieces() {
            messages += self.take_piece(piece, self.in_flight - 1);
            self.take_output();
        }
        messages
    }

    /// Takes a stream, and answers nothing.
    fn take(&mut self, stream: &Stream) {
        for piece in stream.pieces() {
            self.take_piece(piece, usize::MAX);
        }
    }

    fn take_piece(&mut self, piece: &[u8], most_waiting: usize) -> usize {
        let mut messages = 0;
        let (mut decoder, now) = (std::mem::take(&mut self.decoder), self.now);
        decoder.decode(piece, |frame| {
            self.connection.handle_frame(now, frame);
            while let Some(event) = self.connection.poll_event() {
                match self.filter(event) {
                    Some(Event::Request(token, request)) => {
                        messages += 1;
                        self.waiting.push_back((token, request.into_params()));
                    }
                    Some(Event::Notification(_)) => messages += 1,
                    _ => {}
                }
            }
            while self.waiting.len() > most_waiting {
                self.answer_one();
            }
        });
        self.decoder = decoder;
        messages
    }

    fn answer_all(&mut self) -> usize {
        let answers = self.waiting.len();
        while !self.waiting.is_empty() {
            self.answer_one();
        }
        self.take_output();
        answers
    }

    /// Answers the request that waits longest.
    fn answer_one(&mut self) {
        let Some((token, params)) = self.waiting.pop_front() else { return };
        drop(params);
        let outcome = Ok(self.result.clone());
        _ = match &mut self.session {
            Some(session) => session.respond(&mut self.connection, token, outcome),
            None => self.connection.respond(token, outcome),
        };
    }

    fn filter(&mut self, event: Event) -> Option<Event> {
        match &mut self.session {
            Some(session) => session.filter(&mut self.connection, event),
            None => Some(event),
        }
    }

    fn take_output(&mut self) {
        let output = self.connection.output();
        output.advance(output.remaining());
    }
}
