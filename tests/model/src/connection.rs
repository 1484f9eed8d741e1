//! Arbitrary operations on one connection, in virtual time, against tables of the plainest kind.

mod setup;
mod table;

use crate::lines::{Lines, Sent};
use crate::source::Source;
use crate::wire::Written;
use bytes::Buf;
use mcp_wire_core::frame::Decoder;
use mcp_wire_core::message::{ErrorObject, Json};
use mcp_wire_core::rpc::{
    Budget, CallError, CallOptions, Closed, Config, Connection, Event, OnProgress, Token,
};
use std::io::ErrorKind;
use std::time::{Duration, Instant};
use table::Table;

/// Runs operations and checks after each that the promises hold: at most one reply to a request, none for what nobody asked,
/// exactly one unless it was cancelled or the end came; each call settled once, and cancelled on the wire where it was given
/// up; one close event, the last; nothing left at the end; every wait and every buffer bounded (B1, C1, C2, C4, C6, F12, F14,
/// I4, I5, M3, M5, O1, Q3, Q4, Q6, Q7, X2, X3, X4).
///
/// # Panics
///
/// Where a promise is broken.
pub fn connection(data: &[u8]) {
    let mut source = Source::new(data);
    let (config, budget) = setup::choose(&mut source);
    let mut run = Run::new(config, budget);
    if source.coin() {
        run.connection.accept_batches();
        run.batches = true;
    }
    while !source.is_empty() {
        run.step(&mut source);
        run.check();
    }
    if run.exact {
        run.answer_everything();
        run.table.check_exactly();
    }
    run.finish();
}

/// Operations that read `input` as a client or a server, and take what comes of it: a seed for a fuzzer.
#[must_use]
pub fn connection_seed(input: &[u8], is_client: bool) -> Vec<u8> {
    let mut seed = setup::defaults(is_client);
    // No batches.
    seed.push(0);
    for piece in input.chunks(u16::MAX.into()) {
        let [low, high] = (piece.len() as u16).to_le_bytes();
        seed.extend([RAW, low, high]);
        seed.extend(piece);
        // In one piece; then all events, the output, an answer, and the output once more.
        seed.extend([0, POLL_ALL, WRITE, 4, RESPOND, 0, 0, WRITE, 4]);
    }
    seed
}

/// Operations by their number, where a seed names them.
const RAW: u8 = 8;
const POLL_ALL: u8 = 12;
const RESPOND: u8 = 13;
const WRITE: u8 = 20;

struct Run {
    connection: Connection,
    budget: Budget,
    decoder: Decoder,
    now: Instant,
    lines: Lines,
    written: Written,
    table: Table,
    batches: bool,
    /// Is it known of every request whether it must have a reply?
    exact: bool,
    /// Can nothing be written any more?
    deaf: bool,
}

impl Run {
    fn new(config: Config, budget: Budget) -> Self {
        let now = Instant::now();
        let mut connection =
            Connection::new(config, budget.clone()).expect("the configuration is valid");
        // From here on the connection knows the time.
        connection.handle_timeout(now);
        Self {
            decoder: connection.decoder(),
            connection,
            budget,
            now,
            lines: Lines::default(),
            written: Written::default(),
            table: Table::default(),
            batches: false,
            exact: true,
            deaf: false,
        }
    }

    fn step(&mut self, source: &mut Source<'_>) {
        match source.byte() % 28 {
            0..8 => self.line(source),
            RAW => self.raw(source),
            9..12 => drop(self.poll()),
            POLL_ALL => self.poll_all(),
            RESPOND | 14 => self.respond(source),
            15 => self.release(source),
            16 => self.notify(source),
            17 | 18 => self.call(source),
            19 => self.cancel(source),
            WRITE..23 => {
                let count = source.pick(&[1, 7, 40, 300, 1 << 20]);
                self.write(count);
            }
            23 | 24 => self.pass(source.milliseconds()),
            25 if source.coin() => self.connection.hold_calls(),
            25 => self.connection.release_calls(),
            26 => self.connection.set_backlog(source.below(4), source.below(256)),
            _ => self.end(source),
        }
    }

    /// What ends a connection, seldom enough that most runs get somewhere.
    fn end(&mut self, source: &mut Source<'_>) {
        let way = source.below(48);
        self.exact &= way >= 6;
        match way {
            0 => {
                let (connection, now) = (&mut self.connection, self.now);
                self.decoder.finish(|frame| connection.handle_frame(now, frame));
                self.connection.handle_eof(self.now);
            }
            1 => self.connection.handle_read_error(self.now, ErrorKind::ConnectionReset),
            2 => {
                self.connection.handle_write_error(self.now, ErrorKind::BrokenPipe);
                self.deaf = true;
            }
            3 => self.connection.close(),
            4 => {
                let grace = source.coin().then(|| source.milliseconds());
                self.connection.shutdown(self.now, grace);
            }
            5 => {
                self.connection.abort(Closed::Dropped);
                self.deaf = true;
            }
            _ => {}
        }
    }

    fn line(&mut self, source: &mut Source<'_>) {
        let call = self.table.some_call(source.below(4));
        // Some calls may be over already, and the event not taken.
        let is_known = self.connection.calls() == self.table.open_calls();
        let waits = is_known && self.table.waits_for(call);
        let sent = self.lines.next(source, call, waits);
        if !self.connection.wants_input() {
            return;
        }
        let before = self.connection.in_flight();
        match sent {
            Sent::Request { id, line } => {
                self.table.asked(&id);
                self.take(line.as_bytes());
            }
            Sent::Cancellation { id, line } => {
                self.take(line.as_bytes());
                match before - self.connection.in_flight() {
                    0 => {}
                    1 => self.table.cancelled(&id),
                    _ => panic!("C1: a cancellation ends one request at most"),
                }
            }
            Sent::Batch { ids, line } => {
                if self.batches && line.len() <= self.connection.config().max_frame {
                    ids.iter().for_each(|id| self.table.asked(id));
                } else {
                    ids.iter().for_each(|id| self.table.may_be_answered(id));
                }
                self.take(line.as_bytes());
            }
            Sent::Unanswered(line) => self.take(line.as_bytes()),
            Sent::Bad { id, line } => {
                self.table.may_be_answered(&id);
                self.take(&line);
            }
        }
    }

    fn take(&mut self, line: &[u8]) {
        self.connection.handle_message(self.now, line);
    }

    /// Bytes of which nothing is known.
    fn raw(&mut self, source: &mut Source<'_>) {
        let bytes = source.stretch();
        self.exact = false;
        self.table.forget_ids();
        let (connection, now) = (&mut self.connection, self.now);
        let step = bytes.len() / (1 + source.below(4)) + 1;
        for chunk in bytes.chunks(step) {
            self.decoder.decode(chunk, |frame| {
                if connection.wants_input() {
                    connection.handle_frame(now, frame);
                }
            });
        }
    }

    fn poll(&mut self) -> Option<()> {
        let event = self.connection.poll_event()?;
        assert!(!self.table.is_closed(), "X4: nothing comes after the close event: {event:?}");
        match event {
            Event::Request(token, request) => {
                assert!(self.connection.is_live(token), "a request that is over is not given out");
                self.table.requested(token);
                if request.method() == "ping" {
                    _ = self.connection.respond(token, Ok(Json::empty_object()));
                }
            }
            Event::Cancelled { token, .. } => {
                assert!(!self.connection.is_live(token), "C1: what is cancelled is over");
                self.table.stopped(token);
            }
            Event::Response { call, outcome } => {
                self.table.settled(call);
                if let Err(CallError::Cancelled | CallError::TimedOut) = outcome {
                    self.table.gave_up(call);
                }
            }
            Event::Late(call) => self.table.late(call),
            Event::Progress { call, .. } => self.table.progressed(call),
            Event::Closed(_) => self.table.closed(),
            Event::Draining => self.table.draining(),
            Event::Fault(_) | Event::Lagged(_) | Event::Notification(_) | Event::Suppressed(_) => {}
            other => unreachable!("a kind of event that the model does not know: {other:?}"),
        }
        Some(())
    }

    fn poll_all(&mut self) {
        while self.poll().is_some() {}
    }

    fn respond(&mut self, source: &mut Source<'_>) {
        let outcome = match source.below(6) {
            0 | 1 => Ok(Json::empty_object()),
            2 => Ok(json("{\n\"a\": \"\u{2028}\u{85}\"\r}")),
            3 => Ok(json(format!("\"{}\"", "r".repeat(5_000)))),
            4 => Ok(json(format!("\"{}\"", "r".repeat(40_000)))),
            _ => Err(ErrorObject::method_not_found()),
        };
        if let Some(token) = self.table.some_request(source.byte()) {
            let was_live = self.connection.is_live(token);
            let responded = self.connection.respond(token, outcome);
            assert_eq!(responded.is_ok(), was_live, "Q7: an answer counts once");
        }
    }

    fn release(&mut self, source: &mut Source<'_>) {
        if let Some(token) = self.table.some_request(source.byte()) {
            self.connection.release(token);
            assert!(!self.connection.is_live(token), "Q6: a handler that is gone has answered");
        }
    }

    fn notify(&mut self, source: &mut Source<'_>) {
        let params = source.coin().then(|| json(r#"{"n":1}"#));
        let parent = self.some_parent(source);
        _ = match parent {
            Some(token) => self.connection.notify_for(token, "note", params),
            None => self.connection.notify("note", params),
        };
    }

    fn some_parent(&mut self, source: &mut Source<'_>) -> Option<Token> {
        source.coin().then(|| self.table.some_request(source.byte())).flatten()
    }

    fn call(&mut self, source: &mut Source<'_>) {
        let mut options = CallOptions::default();
        options.on_behalf_of = self.some_parent(source);
        options.timeout = source.coin().then(|| source.milliseconds());
        options.ceiling = source.pick(&[Duration::MAX, Duration::from_millis(700)]);
        if source.coin() {
            options.on_progress = OnProgress::Restart;
        }
        let method = source.pick(&["work", "initialize", "ping"]);
        let params = source.coin().then(|| json(format!("\"{}\"", "p".repeat(source.below(256)))));
        let parent_is_live =
            options.on_behalf_of.is_none_or(|token| self.connection.is_live(token));
        if let Ok(call) = self.connection.request(self.now, method, params, options) {
            assert!(parent_is_live, "C2: nothing is asked for a request that is over");
            self.table.called(call, method);
        }
    }

    fn cancel(&mut self, source: &mut Source<'_>) {
        if let Some(call) = self.table.some_made_call(source.byte()) {
            let before = self.connection.calls();
            if self.connection.cancel(call, None).is_ok() {
                assert_eq!(self.connection.calls(), before - 1);
                self.table.settled(call);
                self.table.gave_up(call);
            }
        }
    }

    fn write(&mut self, count: usize) {
        let output = self.connection.output();
        let mut left = count;
        while left > 0 && output.has_remaining() {
            let chunk = output.chunk();
            let taken = chunk.len().min(left);
            assert!(taken > 0, "where something remains there is a chunk");
            self.written.push(&chunk[..taken]);
            output.advance(taken);
            left -= taken;
        }
        let config = self.connection.config();
        for message in self.written.messages(config.max_frame_out) {
            self.table.wrote(&message, config);
        }
    }

    fn pass(&mut self, time: Duration) {
        self.now += time;
        self.connection.handle_timeout(self.now);
        for _ in 0..3 {
            match self.connection.poll_timeout() {
                Some(at) if at <= self.now => self.connection.handle_timeout(self.now),
                _ => return,
            }
        }
        panic!("a time-out that is due stays due: the driver would spin");
    }

    /// What holds at any time.
    fn check(&mut self) {
        // A peer that reads nothing for long ends the connection, too.
        self.exact &= self.connection.closed().is_none();
        let connection = &mut self.connection;
        let config = connection.config();
        let (max_queued, max_calls) = (config.max_queued, self.table.calls_made());
        // Requests count twice, as long as their events wait.
        let events = config.max_event_bytes + config.max_in_flight_bytes + 2 * config.max_frame;
        let max_streams = config.max_streams;
        let replies = self.budget.slots() + max_queued + max_streams + 1;
        let output = config.max_outbound + config.outbound_reserve;
        let reply = config.max_frame_out.min(41_000);
        let bound = 2 * events + output + replies * reply + 400 * max_calls;
        assert_eq!(self.budget.taken(), connection.slots_held(), "Q3: slots are counted twice");
        assert!(connection.slots_held() <= self.budget.share(), "Q3: more than its share");
        assert!(connection.queued() <= max_queued, "Q4: more than may be queued");
        assert!(connection.streams() <= max_streams, "Q3: more streams than may be open");
        assert!(connection.calls() <= max_calls, "calls that nobody made");
        let buffered = connection.buffered();
        assert!(!self.exact || buffered <= bound, "B1: {buffered} of {bound} bytes are buffered");
        if self.deaf {
            assert_eq!(connection.output().remaining(), 0, "X2: nothing is written any more");
        }
    }

    /// Plays a good application and a good peer, until nothing is in flight.
    fn answer_everything(&mut self) {
        for _ in 0..1000 {
            self.poll_all();
            self.write(usize::MAX);
            for token in self.table.requests() {
                _ = self.connection.respond(token, Ok(Json::empty_object()));
                self.connection.release(token);
            }
            if self.connection.in_flight() == 0 && self.connection.events() == 0 {
                self.write(usize::MAX);
                return;
            }
        }
        panic!("requests stay in flight although each is answered");
    }

    /// Whatever happened, the connection comes to its end, and nothing is left.
    fn finish(mut self) {
        self.connection.handle_eof(self.now);
        for _ in 0..1000 {
            self.poll_all();
            if self.table.is_closed() {
                return self.check_end();
            }
            match self.connection.poll_timeout() {
                Some(at) => {
                    self.now = self.now.max(at);
                    self.connection.handle_timeout(self.now);
                }
                None => self.answer_everything(),
            }
            self.check();
        }
        panic!("the connection does not end");
    }

    fn check_end(mut self) {
        let connection = &mut self.connection;
        assert!(connection.closed().is_some());
        assert_eq!(connection.in_flight(), 0, "X4: requests are in flight after the end");
        assert_eq!(connection.queued(), 0, "X4: requests wait after the end");
        assert_eq!(connection.calls(), 0, "O1: calls wait after the end");
        assert_eq!(connection.output().remaining(), 0, "X4: output waits after the end");
        assert_eq!(connection.poll_timeout(), None, "X4: a time-out waits after the end");
        assert!(!connection.wants_input(), "X4: input is read after the end");
        self.table.check_end();
        for token in self.table.requests() {
            connection.release(token);
        }
        assert_eq!(connection.slots_held(), 0, "X3: slots are held after the end");
        assert_eq!(self.budget.taken(), 0, "X3: slots of the budget are taken after the end");
        assert_eq!(connection.buffered(), 0, "F8: bytes are kept after the end");
        connection.close();
        connection.handle_eof(self.now);
        connection.handle_timeout(self.now);
        assert_eq!(connection.poll_event(), None, "X4: nothing comes after the close event");
    }
}

fn json(text: impl Into<String>) -> Json {
    Json::new(text.into()).expect("the model writes JSON")
}
