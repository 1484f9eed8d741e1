//! What a connection's handles and its driver share, under one lock. No user code runs and no waker is called while it is
//! held.

use crate::calls::Calls;
use crate::cancellation::Cancellation;
use crate::input::InputRequired;
use crate::log::Log;
use crate::notifications::Subscribers;
use crate::observer::Windows;
use crate::waiters::Waiters;
use mcp_wire_core::frame::Frame;
use mcp_wire_core::mcp::Session;
use mcp_wire_core::message::{ErrorObject, Fault, Json, Notification, Request};
use mcp_wire_core::observe::Direction;
use mcp_wire_core::rpc::{Call, CallOptions, Closed, Connection, Event, Gone, SendError, Token};
use std::collections::VecDeque;
use std::io::IoSlice;
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::task::Waker;
use std::time::Instant;

#[derive(Debug)]
pub(crate) struct Shared {
    state: Mutex<State>,
    pub(crate) now: fn() -> Instant,
}

#[derive(Debug)]
pub(crate) struct State {
    pub(crate) connection: Connection,
    pub(crate) session: Option<Session>,
    /// Whom to wake when there is something to write or to wait for.
    pub(crate) driver: Option<Waker>,
    /// By the token's slot, so that a request costs no allocation here.
    handlers: Vec<Handler>,
    pub(crate) calls: Calls,
    inbox: VecDeque<Arrival>,
    inbox_bytes: usize,
    /// How many requests in the inbox have to be answered in read order. Those of the session wait for them.
    inline_untaken: usize,
    /// Who waits for the inbox.
    pub(crate) reader: Option<Waker>,
    /// Who waits for room in the output.
    pub(crate) senders: Waiters,
    /// Has somebody found the output full since they were last woken?
    full: bool,
    /// Who waits for the handshake.
    pub(crate) greeting: Waiters,
    /// Who waits for the end.
    pub(crate) closing: Waiters,
    pub(crate) log: Log,
    /// Nobody takes what arrives.
    orphaned: bool,
    pub(crate) windows: Windows,
    pub(crate) subscribers: Subscribers,
}

/// What belongs to a running handler.
#[derive(Debug, Default)]
struct Handler {
    token: Option<Token>,
    waker: Option<Waker>,
    cancellation: Option<Cancellation>,
    /// What it needs to know first, where the client is asked by the answer (since revision 2026-07-28).
    asked: Option<InputRequired>,
}

/// What has arrived for the application.
#[derive(Debug)]
pub(crate) enum Arrival {
    Fault(Fault),
    /// A request that has to be answered in read order.
    Inline(Token, Request),
    Lagged(usize),
    Notification(Notification),
    Request(Token, Request),
}

impl Arrival {
    fn size(&self) -> usize {
        match self {
            Self::Fault(fault) => fault.excerpt().len(),
            Self::Lagged(_) => 0,
            Self::Notification(notification) => notification.size(),
            Self::Inline(_, request) | Self::Request(_, request) => request.size(),
        }
    }
}

impl Shared {
    pub(crate) fn new(
        connection: Connection,
        session: Option<Session>,
        now: fn() -> Instant,
    ) -> Self {
        let state = State {
            connection,
            session,
            driver: None,
            handlers: Vec::new(),
            calls: Calls::default(),
            inbox: VecDeque::new(),
            inbox_bytes: 0,
            inline_untaken: 0,
            reader: None,
            senders: Waiters::default(),
            full: false,
            greeting: Waiters::default(),
            closing: Waiters::default(),
            log: Log::default(),
            orphaned: false,
            windows: Windows::default(),
            subscribers: Subscribers::default(),
        };
        Self { state: Mutex::new(state), now }
    }

    /// A panic under the lock cannot happen in user code, and the state is whole after each call.
    pub(crate) fn lock(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Notes whom to wake when there is a command. True where input is wanted.
    pub(crate) fn wait_for_commands(&self, waker: &Waker) -> bool {
        let mut waker = Some(waker.clone());
        let mut state = self.lock();
        std::mem::swap(&mut state.driver, &mut waker);
        state.connection.wants_input()
    }

    /// Runs a command, then wakes the driver, which writes what came of it.
    pub(crate) fn command<T>(&self, command: impl FnOnce(&mut State) -> T) -> T {
        let mut state = self.lock();
        let outcome = command(&mut state);
        let driver = state.driver.take();
        drop(state);
        if let Some(driver) = driver {
            driver.wake();
        }
        outcome
    }
}

impl State {
    /// Takes a line, and sorts what comes of it.
    pub(crate) fn handle_frame(&mut self, now: Instant, frame: Frame<'_>, wake: &mut Vec<Waker>) {
        self.connection.handle_frame(now, frame);
        self.sort_events(wake);
    }

    /// Sorts what the connection has to say. Wakers are collected for the caller, who calls them without the lock.
    pub(crate) fn sort_events(&mut self, wake: &mut Vec<Waker>) {
        let mut abandoned = 0;
        while let Some(event) = self.connection.poll_event() {
            // Inline requests are answered in read order: the session's wait for the application's.
            let waits = match &event {
                Event::Request(_, request) => self.inline_untaken > 0 && self.is_inline(request),
                _ => false,
            };
            let event = if waits { Some(event) } else { self.filter(event) };
            match event {
                Some(Event::Cancelled { token, reason }) => {
                    abandoned += usize::from(self.connection.closing() == Some(&Closed::Eof));
                    self.cancelled(token, reason, wake);
                }
                Some(Event::Closed(cause)) => {
                    self.log.closed(&cause);
                    self.closing.wake_all(wake);
                    self.windows.end(wake);
                    self.subscribers.end(wake);
                    self.greeting.wake_all(wake);
                    self.senders.wake_all(wake);
                    wake.extend(self.reader.take());
                }
                Some(Event::Fault(fault)) => {
                    self.log.fault(&fault);
                    self.arrived(Arrival::Fault(fault));
                }
                Some(Event::Irregular(what)) => self.log.irregular(what),
                Some(event @ (Event::Lagged(count) | Event::Suppressed(count))) => {
                    if matches!(event, Event::Lagged(_)) {
                        self.subscribers.lagged(count, wake);
                    }
                    self.log.dropped(count);
                    self.arrived(Arrival::Lagged(count));
                }
                Some(Event::Notification(notification)) => {
                    self.subscribers.tell(&notification, wake);
                    self.arrived(Arrival::Notification(notification));
                }
                Some(Event::Progress { call, params }) => {
                    self.calls.progressed(call, &params, wake)
                }
                Some(Event::Request(token, request)) if self.is_inline(&request) => {
                    self.arrived(Arrival::Inline(token, request))
                }
                Some(Event::Request(token, request)) => {
                    self.arrived(Arrival::Request(token, request))
                }
                Some(Event::Response { call, outcome }) => self.calls.settle(call, outcome, wake),
                _ => {}
            }
        }
        self.log.abandoned(abandoned);
        if !self.inbox.is_empty() {
            wake.extend(self.reader.take());
        }
        if self
            .session
            .as_ref()
            .and_then(Session::as_client)
            .is_some_and(|it| it.outcome().is_some())
        {
            self.greeting.wake_all(wake);
        }
    }

    fn filter(&mut self, event: Event) -> Option<Event> {
        match &mut self.session {
            Some(session) => session.filter(&mut self.connection, event),
            None => Some(event),
        }
    }

    fn is_inline(&self, request: &Request) -> bool {
        self.connection.config().dialect.is_inline(request.method())
    }

    /// What arrives for an application that has gone is refused, as what waits for it is.
    fn arrived(&mut self, arrival: Arrival) {
        if self.orphaned {
            if let Arrival::Inline(token, _) | Arrival::Request(token, _) = arrival {
                self.release(token);
            }
            return;
        }
        self.inline_untaken += usize::from(matches!(arrival, Arrival::Inline(..)));
        self.inbox_bytes += arrival.size();
        self.inbox.push_back(arrival);
        self.connection.set_backlog(self.inbox.len(), self.inbox_bytes);
    }

    /// What arrived next. A request that was cancelled meanwhile is gone, and its slot may be another one's, which the driver
    /// sees to.
    pub(crate) fn take_arrival(&mut self, wake: &mut Vec<Waker>) -> Option<Arrival> {
        loop {
            let arrival = self.inbox.pop_front()?;
            self.inbox_bytes -= arrival.size();
            self.connection.set_backlog(self.inbox.len(), self.inbox_bytes);
            self.inline_untaken -= usize::from(matches!(arrival, Arrival::Inline(..)));
            match arrival {
                Arrival::Inline(token, _) | Arrival::Request(token, _)
                    if !self.connection.is_live(token) =>
                {
                    self.connection.release(token);
                    wake.extend(self.driver.take());
                }
                // It may be the session's: then it has waited for those before it.
                Arrival::Inline(token, request) => {
                    match self.filter(Event::Request(token, request)) {
                        Some(Event::Request(token, request)) => {
                            return Some(Arrival::Inline(token, request));
                        }
                        _ => wake.extend(self.driver.take()),
                    }
                }
                arrival => return Some(arrival),
            }
        }
    }

    fn cancelled(&mut self, token: Token, reason: Option<String>, wake: &mut Vec<Waker>) {
        let handler = self.handler(token);
        wake.extend(handler.waker.take());
        let cancellation = handler.cancellation.get_or_insert_with(Cancellation::new);
        cancellation.fire(reason, wake);
    }

    /// The entry for a request, fresh where the slot belonged to another one.
    fn handler(&mut self, token: Token) -> &mut Handler {
        if self.handlers.len() <= token.slot() {
            self.handlers.resize_with(token.slot() + 1, Handler::default);
        }
        let handler = &mut self.handlers[token.slot()];
        if handler.token != Some(token) {
            *handler = Handler { token: Some(token), ..Handler::default() };
        }
        handler
    }

    pub(crate) fn cancellation(&mut self, token: Token) -> Cancellation {
        let known = self.handlers.get(token.slot()).is_some_and(|it| it.token == Some(token));
        if !known && !self.connection.is_live(token) {
            // The entry may be that of a later request.
            return Cancellation::over();
        }
        self.handler(token).cancellation.get_or_insert_with(Cancellation::new).clone()
    }

    /// Notes whom to wake when the request is cancelled; the former one comes back, to be dropped without the lock. False
    /// where it is over already.
    pub(crate) fn watch(&mut self, token: Token, waker: &mut Option<Waker>) -> bool {
        if !self.connection.is_live(token) {
            return false;
        }
        std::mem::swap(&mut self.handler(token).waker, waker);
        true
    }

    /// The handler is gone: so is what belongs to it.
    pub(crate) fn forget(&mut self, token: Token) -> impl Sized + use<> {
        match self.handlers.get_mut(token.slot()) {
            Some(handler) if handler.token == Some(token) => std::mem::take(handler),
            _ => Handler::default(),
        }
    }

    /// Notes what a handler needs to know first. Whatever it answers then, the client is asked.
    pub(crate) fn ask(&mut self, token: Token, input: InputRequired) {
        let asked = &mut self.handler(token).asked;
        *asked = Some(asked.take().unwrap_or_default().and(input));
    }

    /// Takes what a handler answers.
    pub(crate) fn answer(
        &mut self,
        token: Token,
        outcome: Result<Json, ErrorObject>,
    ) -> Result<(), Gone> {
        let is_its = |handler: &&mut Handler| handler.token == Some(token);
        let handler = self.handlers.get_mut(token.slot()).filter(is_its);
        match handler.and_then(|handler| handler.asked.take()) {
            Some(asked) => self.respond(token, Ok(asked.into())),
            None => self.respond(token, outcome),
        }
    }

    /// Answers a request, in the form of its revision.
    pub(crate) fn respond(
        &mut self,
        token: Token,
        outcome: Result<Json, ErrorObject>,
    ) -> Result<(), Gone> {
        match &mut self.session {
            Some(session) => session.respond(&mut self.connection, token, outcome),
            None => self.connection.respond(token, outcome),
        }
    }

    /// The handler is gone without an answer.
    pub(crate) fn release(&mut self, token: Token) {
        if self.connection.is_live(token) {
            _ = self.respond(token, Err(ErrorObject::internal()));
        } else {
            self.connection.release(token);
        }
    }

    /// Sends a request, and keeps its outcome for whoever made it.
    pub(crate) fn request(
        &mut self,
        now: Instant,
        method: &str,
        params: Option<Json>,
        options: CallOptions,
    ) -> Result<Call, SendError> {
        let on_progress = options.on_progress;
        let connection = &mut self.connection;
        let call = match &mut self.session {
            Some(session) => session.request(connection, now, method, params, options),
            None => connection.request(now, method, params, options),
        }?;
        self.calls.expect(call, on_progress);
        Ok(call)
    }

    /// Nobody waits for this call any more. Who did is to be dropped without the lock.
    pub(crate) fn abandon_call(&mut self, call: Call) -> impl Sized + use<> {
        let abandoned = self.calls.forget(call);
        if abandoned.is_some() {
            _ = self.connection.cancel(call, None);
        }
        abandoned
    }

    pub(crate) fn notify(&mut self, method: &str, params: Option<Json>) -> Result<(), SendError> {
        match &mut self.session {
            Some(session) => session.notify(&mut self.connection, method, params),
            None => self.connection.notify(method, params),
        }
    }

    /// Notes who waits for room in the output, at most until then.
    pub(crate) fn wait_for_room(
        &mut self,
        place: &mut Option<u64>,
        until: Option<Instant>,
        waker: &Waker,
    ) -> Option<Waker> {
        self.full |= !self.connection.has_room();
        self.senders.wait(place, until, waker)
    }

    /// Nobody takes what arrives any more.
    pub(crate) fn orphan(&mut self, wake: &mut Vec<Waker>) {
        self.orphaned = true;
        while let Some(arrival) = self.take_arrival(wake) {
            self.arrived(arrival);
        }
        wake.extend(self.driver.take());
    }

    /// Some output is written: there may be room again.
    pub(crate) fn wrote(&mut self, wake: &mut Vec<Waker>) {
        if !self.connection.has_room() {
            return;
        }
        self.full = false;
        if let Some(session) = &mut self.session {
            session.send_changes(&mut self.connection);
        }
        self.senders.wake_all(wake);
    }

    /// There may be room without a write: a call that is withdrawn leaves some.
    pub(crate) fn look_for_room(&mut self, wake: &mut Vec<Waker>) {
        if self.full {
            self.wrote(wake);
        } else if let Some(session) = &mut self.session {
            session.send_changes(&mut self.connection);
        }
    }

    /// Shows what was written to whoever looks on: the first `count` bytes of `slices`.
    pub(crate) fn sent(&mut self, slices: &[IoSlice<'_>], count: usize, wake: &mut Vec<Waker>) {
        let mut left = count;
        for slice in slices {
            let written = &slice[..slice.len().min(left)];
            left -= written.len();
            self.windows.record(Direction::Sent, written, wake);
        }
    }

    /// When the driver has to look at the clock again.
    pub(crate) fn timeout(&self) -> Option<Instant> {
        let senders = self.senders.earliest();
        [self.connection.poll_timeout(), senders].into_iter().flatten().min()
    }

    pub(crate) fn closed(&self) -> Option<&Closed> {
        self.connection.closed()
    }
}
