//! What is to be logged once the lock is free: a subscriber is user code, and may use the connection or block.

use mcp_wire_core::message::Fault;
use mcp_wire_core::rpc::Closed;
use tracing::level_filters::LevelFilter;

/// What is to be logged.
#[derive(Debug, Default)]
pub(crate) struct Log {
    records: Vec<Record>,
    faults: usize,
}

#[derive(Debug)]
enum Record {
    Abandoned(usize),
    Closed(Closed),
    Dropped(usize),
    Fault(Fault),
    FirstFault(Fault),
    Irregular(&'static str),
}

impl Log {
    /// The peer hung up on so many requests, which took longer than their grace.
    pub(crate) fn abandoned(&mut self, count: usize) {
        if count > 0 {
            self.add(LevelFilter::WARN, || Record::Abandoned(count));
        }
    }

    pub(crate) fn closed(&mut self, cause: &Closed) {
        self.add(LevelFilter::DEBUG, || Record::Closed(cause.clone()));
    }

    pub(crate) fn dropped(&mut self, count: usize) {
        self.add(LevelFilter::WARN, || Record::Dropped(count));
    }

    /// This side did something that the protocol does not have: a handler's outcome was changed, or a change told to nobody.
    pub(crate) fn irregular(&mut self, what: &'static str) {
        self.add(LevelFilter::WARN, || Record::Irregular(what));
    }

    /// The first fault is worth a look; a stream of them is not.
    pub(crate) fn fault(&mut self, fault: &Fault) {
        self.faults += 1;
        if self.faults == 1 {
            self.add(LevelFilter::WARN, || Record::FirstFault(fault.clone()));
        } else {
            self.add(LevelFilter::DEBUG, || Record::Fault(fault.clone()));
        }
    }

    /// Takes what there is, to be emitted without the lock.
    pub(crate) fn take(&mut self) -> Self {
        Self { records: std::mem::take(&mut self.records), faults: self.faults }
    }

    pub(crate) fn emit(self) {
        for record in self.records {
            match record {
                Record::Abandoned(count) => {
                    tracing::warn!(
                        count,
                        "the peer hung up on requests that took longer than eof_grace: they are cancelled"
                    );
                }
                Record::Closed(cause) => tracing::debug!(%cause, "connection closed"),
                Record::Dropped(count) => tracing::warn!(count, "dropped what came too fast"),
                Record::Fault(fault) => tracing::debug!(%fault, "the peer sent a bad line"),
                Record::Irregular(what) => {
                    tracing::warn!(what, "this side did something that the protocol does not have");
                }
                Record::FirstFault(fault) => {
                    tracing::warn!(%fault, "the peer sent a bad line; further ones are logged at debug level");
                }
            }
        }
    }

    fn add(&mut self, level: LevelFilter, record: impl FnOnce() -> Record) {
        if level <= LevelFilter::current() {
            self.records.push(record());
        }
    }
}
