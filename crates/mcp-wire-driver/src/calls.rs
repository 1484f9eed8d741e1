//! Our calls that somebody waits for.

use crate::progress::{Progress, Untaken};
use mcp_wire_core::message::Json;
use mcp_wire_core::rpc::{Call, CallError, OnProgress};
use std::collections::HashMap;
use std::task::Waker;

#[derive(Debug, Default)]
pub(crate) struct Calls {
    calls: HashMap<Call, Waiting>,
}

/// A call, and who waits for it.
#[derive(Debug)]
pub(crate) struct Waiting {
    waker: Option<Waker>,
    outcome: Option<Result<Json, CallError>>,
    /// What was told of its progress, where that is wanted.
    progress: Option<Untaken>,
}

/// What has come of a call.
#[derive(Debug)]
pub(crate) enum News {
    /// Nothing: the waker is kept, and the former one comes back to be dropped without the lock.
    None(Option<Waker>),
    Progress(Progress),
    /// Its outcome is there.
    Settled,
    /// Nobody waits for it.
    Unknown,
}

impl Calls {
    pub(crate) fn len(&self) -> usize {
        self.calls.len()
    }

    pub(crate) fn expect(&mut self, call: Call, on_progress: OnProgress) {
        let progress = (on_progress != OnProgress::Ignore).then(Untaken::default);
        self.calls.insert(call, Waiting { waker: None, outcome: None, progress });
    }

    pub(crate) fn settle(
        &mut self,
        call: Call,
        outcome: Result<Json, CallError>,
        wake: &mut Vec<Waker>,
    ) {
        if let Some(waiting) = self.calls.get_mut(&call) {
            waiting.outcome = Some(outcome);
            wake.extend(waiting.waker.take());
        }
    }

    pub(crate) fn progressed(&mut self, call: Call, params: &Json, wake: &mut Vec<Waker>) {
        if let Some(waiting) = self.calls.get_mut(&call)
            && let Some(untaken) = &mut waiting.progress
            && let Ok(progress) = params.parse()
        {
            untaken.push(progress);
            wake.extend(waiting.waker.take());
        }
    }

    /// What has come of a call since it was last asked for.
    pub(crate) fn news(&mut self, call: Call, waker: &Waker) -> News {
        let Some(waiting) = self.calls.get_mut(&call) else { return News::Unknown };
        if let Some(progress) = waiting.progress.as_mut().and_then(Untaken::pop) {
            News::Progress(progress)
        } else if waiting.outcome.is_some() {
            News::Settled
        } else {
            News::None(waiting.waker.replace(waker.clone()))
        }
    }

    /// The outcome of a call, once it is there.
    pub(crate) fn take_outcome(&mut self, call: Call) -> Option<Result<Json, CallError>> {
        self.calls.get(&call)?.outcome.as_ref()?;
        self.calls.remove(&call)?.outcome
    }

    /// Nobody waits for it any more.
    pub(crate) fn forget(&mut self, call: Call) -> Option<Waiting> {
        self.calls.remove(&call)
    }
}
