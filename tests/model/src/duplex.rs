//! Two connections back to back, over pipes that carry bytes in any pieces and may break at any byte.

use crate::source::Source;
use bytes::Buf;
use mcp_wire_core::frame::Decoder;
use mcp_wire_core::mcp;
use mcp_wire_core::message::{ErrorObject, FaultKind, Json};
use mcp_wire_core::rpc::{
    Budget, Call, CallError, CallOptions, Config, Connection, Event, Role, Token,
};
use std::collections::{BTreeMap, HashMap, VecDeque};
use std::time::{Duration, Instant};

/// Runs a client and a server that ask each other, and checks that each call settles once, with its own answer, whatever
/// happens to the pipes between them (F4, F13, I5, O1, O3, X1, X2).
///
/// # Panics
///
/// Where a call settles twice, never, or with another one's answer.
pub fn duplex(data: &[u8]) {
    let mut source = Source::new(data);
    let mut now = Instant::now();
    let mut sides = [Side::new(Role::Client, &mut source), Side::new(Role::Server, &mut source)];
    while !source.is_empty() {
        let which = source.below(2);
        let (one, other) = pair(&mut sides, which);
        match source.below(16) {
            0..3 => one.call(now, &mut source),
            3..6 => one.carry(other, now, source.pick(&[1, 2, 5, 30, 200, 1 << 20])),
            6..8 => one.poll(now, &mut source),
            8..10 => drop(one.answer(&mut source)),
            10 => one.cancel(&mut source),
            11 => one.connection.release_calls(),
            12 => {
                now += source.milliseconds();
                one.connection.handle_timeout(now);
            }
            13 if source.below(16) == 0 => one.connection.close(),
            14 if source.below(16) == 0 => one.break_output(other, now),
            15 if source.below(16) == 0 => one.connection.shutdown(now, Some(Duration::ZERO)),
            _ => one.poll(now, &mut Source::new(&[])),
        }
    }
    settle(&mut sides, &mut now);
    for side in &sides {
        side.check_end();
    }
}

fn pair(sides: &mut [Side; 2], which: usize) -> (&mut Side, &mut Side) {
    let [client, server] = sides;
    if which == 0 { (client, server) } else { (server, client) }
}

/// The client leaves, and both come to their end.
fn settle(sides: &mut [Side; 2], now: &mut Instant) {
    sides[0].connection.close();
    for _ in 0..1000 {
        for which in 0..2 {
            let (one, other) = pair(sides, which);
            one.poll(*now, &mut Source::new(&[]));
            while one.answer(&mut Source::new(&[])) {}
            one.carry(other, *now, usize::MAX);
            if one.closed == 1 && !one.output_ended {
                one.end_output(other, *now);
            }
        }
        if sides.iter().all(|side| side.closed == 1) {
            return;
        }
        let due = sides.iter().filter_map(|side| side.connection.poll_timeout()).min();
        *now = due.map_or(*now, |due| due.max(*now));
        sides.iter_mut().for_each(|side| side.connection.handle_timeout(*now));
    }
    panic!("the connections do not end");
}

struct Side {
    connection: Connection,
    budget: Budget,
    decoder: Decoder,
    /// What each call is about, and how often it is settled.
    calls: BTreeMap<Call, Settled>,
    /// Requests that wait for their answer.
    held: VecDeque<(Token, Json)>,
    /// Calls made for a request.
    parked: HashMap<Call, (Token, Json)>,
    next: usize,
    closed: usize,
    output_ended: bool,
}

struct Settled {
    text: String,
    times: usize,
}

impl Side {
    fn new(role: Role, source: &mut Source<'_>) -> Self {
        let mut config = Config::default();
        config.dialect = mcp::dialect();
        config.role = role;
        config.max_queued = source.pick(&[0, 3]);
        config.max_outbound = source.pick(&[64 << 20, 300]);
        config.eof_grace = source.pick(&[Some(Duration::from_secs(1)), Some(Duration::ZERO), None]);
        let budget = Budget::with_share(source.pick(&[64, 2]), 64);
        let mut connection =
            Connection::new(config, budget.clone()).expect("the configuration is valid");
        if source.below(4) == 3 {
            connection.hold_calls();
        }
        connection.handle_timeout(Instant::now());
        Self {
            decoder: connection.decoder(),
            connection,
            budget,
            calls: BTreeMap::new(),
            held: VecDeque::new(),
            parked: HashMap::new(),
            next: 0,
            closed: 0,
            output_ended: false,
        }
    }

    fn call(&mut self, now: Instant, source: &mut Source<'_>) {
        let method = source.pick(&["work", "ask", "ping", "unknown"]);
        let mut options = CallOptions::default();
        options.timeout = Some(source.milliseconds());
        self.next += 1;
        let pad = "p".repeat(source.pick(&[0, 1, 50, 40_000]));
        let text = format!("{{\"{method}\":{},\"pad\":\"{pad}\"}}", self.next);
        let params = json(&text);
        if let Ok(call) = self.connection.request(now, method, Some(params), options) {
            let before = self.calls.insert(call, Settled { text, times: 0 });
            assert!(before.is_none(), "I5: the name of a call is used once");
        }
    }

    fn cancel(&mut self, source: &mut Source<'_>) {
        let back = source.below(4);
        let Some(call) = self.calls.keys().rev().nth(back).copied() else { return };
        if self.connection.cancel(call, None).is_ok() {
            self.settled(call);
            // No answer will come, so the request that waits for it is given up.
            if let Some((token, _)) = self.parked.remove(&call) {
                self.connection.release(token);
            }
        }
    }

    fn settled(&mut self, call: Call) -> String {
        let Some(settled) = self.calls.get_mut(&call) else {
            panic!("an answer to a call that nobody made: {call:?}");
        };
        settled.times += 1;
        assert_eq!(settled.times, 1, "O1: {call:?} settles more than once");
        settled.text.clone()
    }

    /// Answers the oldest request that waits. False where there is none.
    fn answer(&mut self, source: &mut Source<'_>) -> bool {
        let Some((token, params)) = self.held.pop_front() else { return false };
        if source.below(4) == 3 {
            self.connection.release(token);
        } else {
            _ = self.connection.respond(token, Ok(params));
        }
        true
    }

    fn poll(&mut self, now: Instant, source: &mut Source<'_>) {
        while let Some(event) = self.connection.poll_event() {
            assert_eq!(self.closed, 0, "X4: nothing comes after the close event: {event:?}");
            match event {
                Event::Request(token, request) => {
                    let method = request.method().to_owned();
                    let params = request.into_params();
                    match method.as_str() {
                        "ping" => _ = self.connection.respond(token, Ok(params)),
                        "work" => self.held.push_back((token, params)),
                        "ask" => self.ask(now, token, params),
                        _ => {
                            let error = ErrorObject::method_not_found();
                            _ = self.connection.respond(token, Err(error));
                        }
                    }
                }
                Event::Cancelled { token, .. } => {
                    self.held.retain(|(other, _)| *other != token);
                    self.connection.release(token);
                }
                Event::Response { call, outcome } => self.answered(call, outcome),
                Event::Closed(_) => self.closed += 1,
                Event::Fault(fault) => assert_eq!(
                    fault.kind(),
                    FaultKind::Truncated,
                    "nothing bad arrives but what a broken pipe leaves of a message"
                ),
                _ => {}
            }
            if source.coin() {
                return;
            }
        }
    }

    /// Asks the other side before the request is answered.
    fn ask(&mut self, now: Instant, token: Token, params: Json) {
        let mut options = CallOptions::default();
        options.on_behalf_of = Some(token);
        let text = params.as_str().to_owned();
        match self.connection.request(now, "ping", Some(params.clone()), options) {
            Ok(call) => {
                self.calls.insert(call, Settled { text, times: 0 });
                self.parked.insert(call, (token, params));
            }
            Err(_) => self.connection.release(token),
        }
    }

    fn answered(&mut self, call: Call, outcome: Result<Json, CallError>) {
        let text = self.settled(call);
        match &outcome {
            Ok(result) => assert_eq!(result.as_str(), text, "the answer of another call"),
            Err(CallError::InvalidResponse(kind)) => assert_eq!(*kind, FaultKind::Truncated),
            Err(_) => {}
        }
        if let Some((token, params)) = self.parked.remove(&call) {
            let outcome = outcome.map(|_| params).map_err(|_| ErrorObject::internal());
            _ = self.connection.respond(token, outcome);
        }
    }

    /// Carries at most so many bytes to the other side.
    fn carry(&mut self, other: &mut Self, now: Instant, count: usize) {
        if self.output_ended {
            return;
        }
        let mut left = count;
        while left > 0 && self.connection.output().has_remaining() && other.connection.wants_input()
        {
            let output = self.connection.output();
            let taken = output.chunk().len().min(left);
            let (decoder, connection) = (&mut other.decoder, &mut other.connection);
            decoder.decode(&output.chunk()[..taken], |frame| connection.handle_frame(now, frame));
            output.advance(taken);
            left -= taken;
        }
    }

    /// Nothing more comes from this side.
    fn end_output(&mut self, other: &mut Self, now: Instant) {
        self.output_ended = true;
        let (decoder, connection) = (&mut other.decoder, &mut other.connection);
        decoder.finish(|frame| connection.handle_frame(now, frame));
        connection.handle_eof(now);
    }

    /// The pipe breaks, perhaps in the middle of a message: one side sees the end, the other one cannot write.
    fn break_output(&mut self, other: &mut Self, now: Instant) {
        if !self.output_ended {
            self.end_output(other, now);
            self.connection.handle_write_error(now, std::io::ErrorKind::BrokenPipe);
        }
    }

    fn check_end(&self) {
        for (call, settled) in &self.calls {
            assert_eq!(settled.times, 1, "O1: {call:?} settles once");
        }
        assert_eq!(self.connection.in_flight(), 0, "X4: requests are in flight after the end");
        assert_eq!(self.connection.calls(), 0, "O1: calls wait after the end");
        assert_eq!(self.connection.slots_held(), 0, "X3: slots are held after the end");
        assert_eq!(self.budget.taken(), 0, "X3: slots of the budget are taken after the end");
        assert_eq!(self.connection.buffered(), 0, "F8: bytes are kept after the end");
    }
}

fn json(text: &str) -> Json {
    Json::new(text.to_owned()).expect("the model writes JSON")
}
