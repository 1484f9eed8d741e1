//! Entries in a loop of one's own: one task answers each message before it takes the next, so that every order is certain. A
//! request that is cancelled is let go at once, which gives its slot back: no answer to it is tried later.

use super::answers::{answered, long, member};
use super::{budget, cause_name, configure, kind_name, open, play, visible_events};
use crate::gate::{Signal, signals};
use crate::harness::Harness;
use crate::messages::ensure_same;
use crate::stage::{Side, by_hand, pair};
use mcp_wire_driver::message::{Notification, Request};
use mcp_wire_driver::{
    Call, CallError, CallOptions, Cancellation, Config, ErrorObject, Inbound, Incoming, Json, Peer,
    Responder,
};
use model::corpus::{Entry, matches};
use std::future::{Future, poll_fn};
use std::pin::Pin;
use std::task::{Context, Poll};

/// Sent behind each line: once the application sees it, it has answered all before it.
const BARRIER: &str = r#"{"jsonrpc":"2.0","method":"barrier"}"#;

pub(crate) fn run<H: Harness>(entry: &Entry) -> Result<(), String> {
    let (mut script, stream) = pair::<H>()?;
    let change = |config: &mut Config| {
        configure(entry, config);
        config.dialect.inline.push("finish".into());
    };
    let side = match entry.is_client() {
        true => Side::client(change)?,
        false => Side::server(change, budget(entry))?,
    };
    let (barrier, barriers) = signals(H::PATIENCE);
    let calls = entry.number("calls").unwrap_or_default();
    let running = by_hand::<H, _>(stream, side, move |peer, incoming| {
        Application::new(peer, calls, barrier).run(incoming)
    });
    open(entry, &mut script)?;
    script.line(BARRIER)?;
    let before = barriers.next("the handshake")?;
    let written = play(entry, &mut script, |script| {
        // An answer may let a queued request run, and its answer another one.
        for _ in 0..=entry.number("max_queued").unwrap_or_default() {
            script.line(BARRIER)?;
            barriers.next("the handling of a line")?;
        }
        Ok(())
    })?;
    if !entry.ends() {
        script.hang_up()?;
    }
    let mut events = running.outcome()?.split_off(before);
    if !entry.ends() {
        // That end is no part of the entry.
        events.pop();
    }
    ensure_same("the events", events, visible_events(entry))?;
    let expected = entry.output(0);
    let same = expected.len() == written.len()
        && expected.iter().zip(&written).all(|(expected, line)| matches(expected, line));
    if same { Ok(()) } else { Err(format!("written: {written:#?}\nexpected: {expected:#?}")) }
}

struct Application {
    peer: Peer,
    barrier: Signal<usize>,
    events: Vec<String>,
    /// How many calls were made. Their numbers are counted from 1.
    made: usize,
    calls: Vec<(usize, Call)>,
    /// Requests `ask`: the number of the call that they wait for, and what answers them.
    asking: Vec<(usize, Call, Option<Responder>)>,
    held: Vec<Held>,
}

struct Held {
    id: String,
    params: Json,
    responder: Responder,
    cancellation: Cancellation,
}

impl Application {
    fn new(peer: Peer, calls: usize, barrier: Signal<usize>) -> Self {
        let mut application = Self {
            peer,
            barrier,
            events: Vec::new(),
            made: 0,
            calls: Vec::new(),
            asking: Vec::new(),
            held: Vec::new(),
        };
        for number in 1..=calls {
            let call = application.peer.request("work", None, CallOptions::default());
            application.calls.push((number, call));
            application.made = number;
        }
        application
    }

    /// Runs to the end of the connection, and gives what it has seen.
    async fn run(mut self, mut incoming: Incoming) -> Vec<String> {
        poll_fn(|context| {
            loop {
                self.poll_waiting(context);
                match std::pin::pin!(incoming.next()).poll(context) {
                    Poll::Pending => return Poll::Pending,
                    Poll::Ready(Some(inbound)) => {
                        // What came before it has settled by now.
                        self.poll_waiting(context);
                        self.arrived(inbound);
                    }
                    Poll::Ready(None) => {
                        self.poll_waiting(context);
                        return Poll::Ready(());
                    }
                }
            }
        })
        .await;
        if let Some(cause) = self.peer.closed() {
            self.events.push(format!("closed {}", cause_name(&cause)));
        }
        self.events
    }

    fn poll_waiting(&mut self, context: &mut Context<'_>) {
        let events = &mut self.events;
        self.held.retain_mut(|held| {
            let cancelled = Pin::new(&mut held.cancellation).poll(context).is_ready();
            if cancelled {
                let reason = held.cancellation.reason().map(|reason| format!(" {reason}"));
                events.push(format!("cancelled {}{}", held.id, reason.unwrap_or_default()));
            }
            !cancelled
        });
        self.calls.retain_mut(|(number, call)| match Pin::new(call).poll(context) {
            Poll::Pending => true,
            Poll::Ready(outcome) => {
                events.push(answered(*number, &outcome));
                false
            }
        });
        self.asking.retain_mut(|(number, call, responder)| {
            let Poll::Ready(outcome) = Pin::new(call).poll(context) else { return true };
            events.push(answered(*number, &outcome));
            let responder = responder.take();
            if let Some(responder) = responder {
                match outcome {
                    Ok(result) => _ = responder.respond(Ok(result)),
                    Err(CallError::Peer(error)) => _ = responder.respond(Err(error)),
                    Err(_) => drop(responder),
                }
            }
            false
        });
    }

    fn arrived(&mut self, inbound: Inbound) {
        match inbound {
            Inbound::Fault(fault) => self.events.push(format!("fault {}", kind_name(fault.kind()))),
            Inbound::Notification(notification) => self.notified(notification),
            Inbound::Request(request, responder) => self.requested(request, responder),
            other => self.events.push(format!("unexpected {other:?}")),
        }
    }

    fn notified(&mut self, notification: Notification) {
        let method = notification.method().to_owned();
        match method.as_str() {
            "barrier" => self.barrier.send(self.events.len()),
            "forget" => {
                let number = member(&notification.into_params(), "call").as_u64();
                self.calls.retain(|(other, _)| Some(*other as u64) != number);
            }
            _ => {
                let params = notification.params().map(|params| format!(" {params}"));
                self.events.push(format!("notification {method}{}", params.unwrap_or_default()));
            }
        }
    }

    fn requested(&mut self, request: Request, responder: Responder) {
        let (id, method) = (request.id().to_string(), request.method().to_owned());
        let params = request.into_params();
        let outcome = match method.as_str() {
            "echo" => Ok(params),
            "fail" => Err(ErrorObject::new(-32000, "failed").with_data(params)),
            "drop" => return drop(responder),
            "long" => long(&params),
            "hold" => {
                self.events.push(format!("held {id}"));
                let cancellation = responder.context().cancellation();
                return self.held.push(Held { id, params, responder, cancellation });
            }
            "finish" => {
                let id = member(&params, "id").to_string();
                for held in self.held.extract_if(.., |held| held.id == id) {
                    _ = held.responder.respond(Ok(held.params));
                }
                Ok(Json::empty_object())
            }
            "ask" => {
                self.made += 1;
                let call =
                    responder.context().request("question", Some(params), CallOptions::default());
                return self.asking.push((self.made, call, Some(responder)));
            }
            _ => Err(ErrorObject::method_not_found()),
        };
        _ = responder.respond(outcome);
    }
}
