//! Entries through `serve`. Handlers run side by side, so that replies come in any order; they are awaited line by line, so
//! that each line finds the slots as the entry wants them.

use super::answers::{answered, long, member};
use super::{budget, cause_name, configure, open, play, visible_events};
use crate::gate::{Gate, Signal, Signals, signals};
use crate::harness::Harness;
use crate::messages::{ensure, ensure_same};
use crate::stage::serve;
use mcp_wire_driver::{
    CallError, CallOptions, Cancellation, Context, ErrorObject, Json, Peer, Server,
};
use model::corpus::{Entry, matches};
use serde_json::Value;
use std::collections::VecDeque;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::thread;
use std::time::Instant;

pub(crate) fn run<H: Harness>(entry: &Entry) -> Result<(), String> {
    let (signal, signals) = signals(H::PATIENCE);
    let application = Application::new(entry, signal);
    let (mut script, running) = serve::<H>(application.server(entry))?;
    open(entry, &mut script)?;
    let mut seen = Seen { signals, events: Vec::new() };
    let written = play(entry, &mut script, |script| {
        script.line(r#"{"jsonrpc":"2.0","method":"barrier"}"#)?;
        let peer = seen.until_barrier()?;
        settled::<H>(|| {
            let waiting = application.waiting.load(Ordering::SeqCst);
            peer.in_flight() == waiting + peer.subscriptions()
        })
    })?;
    if !entry.ends() {
        script.hang_up()?;
    }
    let cause = running.outcome()?;
    let mut expected = expected_events(entry);
    let ends = expected.iter().position(|event| event.starts_with("closed "));
    let end = ends.map(|position| expected.remove(position));
    ensure(end.is_none_or(|end| end == format!("closed {}", cause_name(&cause))), || {
        format!("it ended with {cause}")
    })?;
    let mut events = seen.all(expected.len())?;
    let in_order = |events: &[String]| -> Vec<String> {
        events.iter().filter(|event| is_ordered(event)).cloned().collect()
    };
    ensure_same("the events in order", in_order(&events), in_order(&expected))?;
    events.sort();
    expected.sort();
    ensure_same("the events", events, expected)?;
    compare(entry.output(0), written)
}

/// What handlers see: faults are told to the log alone, and absent params are an empty object.
fn expected_events(entry: &Entry) -> Vec<String> {
    let mut events = visible_events(entry);
    events.retain(|event| !event.starts_with("fault "));
    for event in &mut events {
        if event.strip_prefix("notification ").is_some_and(|rest| !rest.contains(' ')) {
            event.push_str(" {}");
        }
    }
    events
}

/// Those that happen on the connection's task, in read order. The others happen in handlers.
fn is_ordered(event: &str) -> bool {
    event.starts_with("notification ") || event.starts_with("held ")
}

/// Waits until it holds. A handler's end has no signal of its own, so this looks again and again.
fn settled<H: Harness>(holds: impl Fn() -> bool) -> Result<(), String> {
    let until = Instant::now() + H::PATIENCE;
    while !holds() {
        ensure(Instant::now() < until, || "handlers do not end".into())?;
        thread::yield_now();
    }
    Ok(())
}

/// In any order; the items of an array too.
fn compare(expected: Vec<String>, mut written: Vec<String>) -> Result<(), String> {
    for line in expected {
        let found = written.iter().position(|other| same(&line, other));
        let found = found.ok_or_else(|| format!("missing: {line}\namong {written:#?}"))?;
        written.swap_remove(found);
    }
    ensure(written.is_empty(), || format!("unexpected: {written:#?}"))
}

fn same(expected: &str, line: &str) -> bool {
    let items = |line: &str| {
        let items: Vec<Value> = serde_json::from_str(line).ok()?;
        Some(items.iter().map(Value::to_string).collect::<Vec<String>>())
    };
    match (items(expected), items(line)) {
        (Some(expected), Some(items)) => {
            expected.len() == items.len()
                && expected.iter().all(|one| items.iter().any(|other| matches(one, other)))
        }
        _ => matches(expected, line),
    }
}

#[derive(Debug)]
enum Sign {
    Barrier(Peer),
    Event(String),
}

#[derive(Debug)]
struct Seen {
    signals: Signals<Sign>,
    events: Vec<String>,
}

impl Seen {
    fn until_barrier(&mut self) -> Result<Peer, String> {
        loop {
            match self.signals.next("the handling of a line")? {
                Sign::Barrier(peer) => return Ok(peer),
                Sign::Event(event) => self.events.push(event),
            }
        }
    }

    /// All there will be. The connection has ended, and with it every handler, which may take a moment to be dropped.
    fn all(mut self, expected: usize) -> Result<Vec<String>, String> {
        while self.events.len() < expected {
            match self.signals.next("an event").map_err(|error| format!("{error}: {self:?}"))? {
                Sign::Barrier(_) => {}
                Sign::Event(event) => self.events.push(event),
            }
        }
        self.events.extend(self.signals.so_far().into_iter().filter_map(|sign| match sign {
            Sign::Barrier(_) => None,
            Sign::Event(event) => Some(event),
        }));
        Ok(self.events)
    }
}

/// The corpus's application, as handlers of a server.
#[derive(Debug, Clone)]
struct Application {
    signal: Signal<Sign>,
    /// Handlers are not told the id of their request: these are the ones that will be held, in order.
    ids: Arc<Mutex<VecDeque<String>>>,
    held: Arc<Mutex<Vec<(String, Gate)>>>,
    /// How many handlers wait for something that the peer has to do.
    waiting: Arc<AtomicUsize>,
    /// How many questions were asked.
    asked: Arc<AtomicUsize>,
}

impl Application {
    fn new(entry: &Entry, signal: Signal<Sign>) -> Self {
        let events = entry.events(0);
        let ids = events.iter().filter_map(|event| event.strip_prefix("held "));
        Self {
            signal,
            ids: Arc::new(Mutex::new(ids.map(str::to_owned).collect())),
            held: Arc::default(),
            waiting: Arc::default(),
            asked: Arc::default(),
        }
    }

    fn ids(&self) -> MutexGuard<'_, VecDeque<String>> {
        self.ids.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn held(&self) -> MutexGuard<'_, Vec<(String, Gate)>> {
        self.held.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn server(&self, entry: &Entry) -> Server {
        let (hold, finish, ask) = (self.clone(), self.clone(), self.clone());
        let barrier = self.signal.clone();
        let mut server = Server::new("corpus", "1.0.0")
            .configure(|config| configure(entry, config))
            .budget(budget(entry))
            .method("echo", async |_: Context, params: Json| Ok(params))
            .method("fail", async |_: Context, params: Json| {
                Err::<Json, _>(ErrorObject::new(-32000, "failed").with_data(params))
            })
            .method("drop", async |_: Context, _: Json| -> Result<Json, _> {
                // A handler cannot lose its responder but by a panic, which is nobody's news here.
                std::panic::resume_unwind(Box::new("the corpus wants no answer"))
            })
            .method("long", async |_: Context, params: Json| long(&params))
            .method("hold", move |context: Context, params: Json| hold.hold(&context, params))
            .inline("finish", move |_: &Context, params: Json| {
                finish.finish(&member(&params, "id").to_string());
                Ok(Json::empty_object())
            })
            .method("ask", move |context: Context, params: Json| ask.ask(&context, params))
            .notification("barrier", move |peer: &Peer, _: Value| {
                barrier.send(Sign::Barrier(peer.clone()));
            });
        // A server sees the notifications that it knows.
        for event in expected_events(entry) {
            let Some(method) = event.strip_prefix("notification ") else { continue };
            let method = method.split(' ').next().unwrap_or_default().to_owned();
            let (signal, name) = (self.signal.clone(), method.clone());
            server = server.notification(method, move |_: &Peer, params: Json| {
                signal.send(Sign::Event(format!("notification {name} {}", params.as_str())));
            });
        }
        server
    }

    fn hold(
        &self,
        context: &Context,
        params: Json,
    ) -> impl Future<Output = Result<Json, ErrorObject>> + Send + use<> {
        let id = self.ids().pop_front().unwrap_or_else(|| "one too many".into());
        self.signal.send(Sign::Event(format!("held {id}")));
        let gate = Gate::default();
        self.held().push((id.clone(), gate.clone()));
        self.waiting.fetch_add(1, Ordering::SeqCst);
        let cancellation = context.cancellation();
        let held = Held { application: self.clone(), id, cancellation };
        async move {
            let _held = held;
            gate.await;
            Ok(params)
        }
    }

    fn finish(&self, id: &str) {
        for (_, gate) in self.held().extract_if(.., |(other, _)| other == id) {
            self.waiting.fetch_sub(1, Ordering::SeqCst);
            gate.open();
        }
    }

    fn ask(
        &self,
        context: &Context,
        params: Json,
    ) -> impl Future<Output = Result<Json, ErrorObject>> + Send + use<> {
        let number = self.asked.fetch_add(1, Ordering::SeqCst) + 1;
        self.waiting.fetch_add(1, Ordering::SeqCst);
        let call = context.request("question", Some(params), CallOptions::default());
        let mut asking = Asking { application: self.clone(), number, outcome: None };
        async move {
            let outcome = call.await;
            asking.is_over(&outcome);
            outcome.map_err(|error| match error {
                CallError::Peer(error) => error,
                _ => ErrorObject::internal(),
            })
        }
    }
}

/// A request that is held, and perhaps cancelled.
#[derive(Debug)]
struct Held {
    application: Application,
    id: String,
    cancellation: Cancellation,
}

impl Drop for Held {
    fn drop(&mut self) {
        // Where it is finished it does not wait any more. Ids in flight are unique.
        if self.cancellation.is_cancelled() {
            let reason = self.cancellation.reason().map(|reason| format!(" {reason}"));
            let event = format!("cancelled {}{}", self.id, reason.unwrap_or_default());
            self.application.signal.send(Sign::Event(event));
            self.application.finish(&self.id);
        }
    }
}

/// A request that waits for the answer to a question, or is cancelled meanwhile.
#[derive(Debug)]
struct Asking {
    application: Application,
    number: usize,
    outcome: Option<Result<Json, CallError>>,
}

impl Asking {
    fn is_over(&mut self, outcome: &Result<Json, CallError>) {
        self.outcome = Some(outcome.clone());
    }
}

impl Drop for Asking {
    fn drop(&mut self) {
        let outcome = self.outcome.take().unwrap_or(Err(CallError::Cancelled));
        self.application.signal.send(Sign::Event(answered(self.number, &outcome)));
        self.application.waiting.fetch_sub(1, Ordering::SeqCst);
    }
}
