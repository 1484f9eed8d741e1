//! What has to be true of requests and calls, kept in tables of the plainest kind.

use mcp_wire_core::rpc::{Call, Config, Role, Token, Unattributed};
use serde_json::Value;
use std::collections::{BTreeMap, HashSet};

#[derive(Debug, Default)]
pub(super) struct Table {
    /// By id: well-formed requests that were read.
    asked: BTreeMap<String, usize>,
    /// By id: those that were cancelled before their answer.
    cancelled: BTreeMap<String, usize>,
    /// Ids of bad lines, which may be answered once.
    bad: HashSet<String>,
    /// By id: replies that were written.
    replies: BTreeMap<String, usize>,
    /// May anything have been asked?
    ids_unknown: bool,
    requests: Vec<Token>,
    stopped: HashSet<Token>,
    calls: Vec<Call>,
    settled: HashSet<Call>,
    /// Numbers of calls that this side gave up.
    given_up: HashSet<i64>,
    /// Numbers of calls that the peer is never told about again.
    uncancellable: HashSet<i64>,
    /// Numbers of calls, as the peer read them.
    calls_written: HashSet<i64>,
    cancellations_written: HashSet<i64>,
    draining: bool,
    closed: bool,
}

impl Table {
    pub(super) fn asked(&mut self, id: &str) {
        *self.asked.entry(key(id)).or_default() += 1;
    }

    pub(super) fn cancelled(&mut self, id: &str) {
        *self.cancelled.entry(key(id)).or_default() += 1;
    }

    pub(super) fn may_be_answered(&mut self, id: &str) {
        self.bad.insert(key(id));
    }

    pub(super) fn forget_ids(&mut self) {
        self.ids_unknown = true;
    }

    pub(super) fn requested(&mut self, token: Token) {
        assert!(!self.requests.contains(&token), "a token names one request only");
        self.requests.push(token);
    }

    pub(super) fn stopped(&mut self, token: Token) {
        assert!(self.requests.contains(&token), "C1: nobody is told of a request he never saw");
        assert!(self.stopped.insert(token), "C1: a request is cancelled once");
    }

    pub(super) fn requests(&self) -> Vec<Token> {
        self.requests.clone()
    }

    /// One of the latest requests: any other is long over.
    pub(super) fn some_request(&self, choice: u8) -> Option<Token> {
        self.requests
            .iter()
            .rev()
            .nth(usize::from(choice) % self.requests.len().clamp(1, 8))
            .copied()
    }

    pub(super) fn called(&mut self, call: Call, method: &str) {
        let next = self.calls.len() as i64 + 1;
        assert_eq!(call.number(), next, "I5: calls are counted from 1");
        self.calls.push(call);
        if method == "initialize" {
            self.uncancellable.insert(next);
        }
    }

    pub(super) fn calls_made(&self) -> usize {
        self.calls.len()
    }

    pub(super) fn open_calls(&self) -> usize {
        self.calls.len() - self.settled.len()
    }

    pub(super) fn settled(&mut self, call: Call) {
        assert!(self.calls.contains(&call), "an answer to a call that nobody made");
        assert!(self.settled.insert(call), "O1: a call settles once");
    }

    /// This side wants no answer any more.
    pub(super) fn gave_up(&mut self, call: Call) {
        self.given_up.insert(call.number());
    }

    pub(super) fn late(&self, call: Call) {
        assert!(self.calls.contains(&call), "M5: late for a call that nobody made");
    }

    pub(super) fn progressed(&self, call: Call) {
        assert!(self.calls.contains(&call), "progress of a call that nobody made");
    }

    /// The number of one of the latest calls, or of one that is not made yet.
    pub(super) fn some_call(&self, back: usize) -> i64 {
        self.calls.len() as i64 + 1 - back as i64
    }

    pub(super) fn waits_for(&self, number: i64) -> bool {
        self.calls.iter().any(|call| call.number() == number && !self.settled.contains(call))
    }

    pub(super) fn some_made_call(&self, choice: u8) -> Option<Call> {
        self.calls.iter().rev().nth(usize::from(choice) % self.calls.len().clamp(1, 8)).copied()
    }

    pub(super) fn draining(&mut self) {
        assert!(!self.draining, "X1: streams are ended once");
        self.draining = true;
    }

    pub(super) fn closed(&mut self) {
        self.closed = true;
    }

    pub(super) fn is_closed(&self) -> bool {
        self.closed
    }

    /// Takes a message that the peer has read.
    pub(super) fn wrote(&mut self, message: &Value, config: &Config) {
        match (message.get("method"), message.get("id")) {
            (Some(_), Some(id)) => {
                let number = id.as_i64().expect("I5: our ids are integers");
                assert!(self.calls_written.insert(number), "I5: an id is used once");
            }
            (Some(method), None) => {
                if method == "notifications/cancelled" {
                    let number = message["params"]["requestId"].as_i64().unwrap_or_default();
                    assert!(self.calls_written.contains(&number), "C6: the peer never read of it");
                    assert!(self.cancellations_written.insert(number), "C6: cancelled once");
                }
            }
            (None, id) => self.replied(id, config),
        }
    }

    fn replied(&mut self, id: Option<&Value>, config: &Config) {
        match (id, config.unattributed) {
            (Some(Value::Null), Unattributed::NullId) | (None, Unattributed::OmitId) => return,
            (Some(Value::Null) | None, _) => panic!("M3: a reply to nobody"),
            _ => {}
        }
        if self.ids_unknown {
            return;
        }
        let id = id.map(Value::to_string).unwrap_or_default();
        let count = self.replies.entry(id.clone()).or_default();
        *count += 1;
        let bad = usize::from(config.role == Role::Server && self.bad.contains(&id));
        let most = self.asked.get(&id).copied().unwrap_or_default() + bad;
        assert!(*count <= most, "Q7: {count} replies to {id}, asked for {most} times");
    }

    /// Everything is answered and written.
    pub(super) fn check_exactly(&self) {
        let given_up = self.given_up.difference(&self.uncancellable).copied();
        let read = given_up.filter(|number| self.calls_written.contains(number));
        assert_eq!(
            read.collect::<HashSet<_>>(),
            self.cancellations_written,
            "C6: who gives up a call says so"
        );
        for (id, asked) in &self.asked {
            let cancelled = self.cancelled.get(id).copied().unwrap_or_default();
            let replies = self.replies.get(id).copied().unwrap_or_default();
            assert_eq!(
                replies + cancelled,
                *asked,
                "Q7: replies to {id}, asked {asked} times, cancelled {cancelled} times"
            );
        }
    }

    pub(super) fn check_end(&self) {
        for call in &self.calls {
            assert!(self.settled.contains(call), "O1: the call {} never settled", call.number());
        }
    }
}

/// An id as `serde_json` writes it, so that all of its forms compare.
fn key(id: &str) -> String {
    serde_json::from_str::<Value>(id).expect("an id is JSON").to_string()
}
