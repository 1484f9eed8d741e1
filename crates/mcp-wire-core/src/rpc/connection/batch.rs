//! Batches: a line that holds an array of messages, which only one revision of MCP has. The replies go out as one array once
//! the last of them is there; cancelled items are left out.

use super::Connection;
use crate::message::{ErrorObject, FaultKind, Json, Message};
use crate::rpc::Output;
use crate::rpc::encode::{self, Addressee};
use crate::rpc::inbound::BatchKey;
use std::collections::HashMap;
use std::ops::Range;

#[derive(Debug, Default)]
pub(super) struct Batches {
    open: HashMap<BatchKey, Batch>,
    next: BatchKey,
    bytes: usize,
    acceptance: Acceptance,
}

#[derive(Debug, Default, Clone, Copy, PartialEq, Eq)]
enum Acceptance {
    Accept,
    #[default]
    Refuse,
}

#[derive(Debug)]
struct Batch {
    /// How many items are still to be answered, and one more while the batch is read.
    missing: usize,
    replies: Vec<Vec<u8>>,
}

impl Batches {
    pub(super) fn accepted(&self) -> bool {
        self.acceptance == Acceptance::Accept
    }

    /// How many bytes of replies wait for the rest of their batch.
    pub(super) fn bytes(&self) -> usize {
        self.bytes
    }

    pub(super) fn clear(&mut self) {
        self.open.clear();
        self.bytes = 0;
    }
}

impl Connection {
    /// Accepts batches from now on.
    pub fn accept_batches(&mut self) {
        self.batches.acceptance = Acceptance::Accept;
    }

    /// Refuses batches from now on, as at first: each is one invalid message.
    pub fn refuse_batches(&mut self) {
        self.batches.acceptance = Acceptance::Refuse;
    }

    /// Takes the messages that lie at `items` of a line.
    pub(super) fn receive_batch(&mut self, line: &[u8], items: Vec<Range<usize>>) {
        let batch = self.batches.next;
        self.batches.next += 1;
        self.batches.open.insert(batch, Batch { missing: 1, replies: Vec::new() });
        for item in items {
            match Message::read(&line[item], &self.rules) {
                Ok(Message::Request(request)) => {
                    self.batch_expects(batch);
                    if self.config.dialect.unbatched.iter().any(|method| method == request.method())
                    {
                        let error = ErrorObject::new(
                            ErrorObject::INVALID_REQUEST,
                            "this method cannot be part of a batch: send it on a line of its own",
                        );
                        self.batch_reply(batch, Addressee::Id(request.id()), Err(error));
                    } else {
                        self.dispatch(Message::Request(request), Some(batch));
                    }
                }
                Ok(message) => self.dispatch(message, None),
                Err(fault) => {
                    self.batch_expects(batch);
                    let kind = match fault.kind() {
                        // An array within a batch is no batch.
                        FaultKind::Batch => FaultKind::NotMessage,
                        kind => kind,
                    };
                    let expected = self.batch_size(batch);
                    self.refuse(fault.with_kind(kind), Some(batch));
                    if self.batch_size(batch) == expected {
                        self.batch_item_left_out(batch);
                    }
                }
            }
        }
        self.batch_item_left_out(batch);
    }

    fn batch_expects(&mut self, key: BatchKey) {
        if let Some(batch) = self.batches.open.get_mut(&key) {
            batch.missing += 1;
        }
    }

    fn batch_size(&self, key: BatchKey) -> usize {
        self.batches.open.get(&key).map_or(0, |batch| batch.replies.len())
    }

    pub(super) fn batch_reply(
        &mut self,
        key: BatchKey,
        addressee: Addressee<'_>,
        outcome: Result<Json, ErrorObject>,
    ) {
        let mut line = encoded(addressee, outcome);
        if line.len() > self.config.max_frame_out {
            let error = ErrorObject::reply_too_large(line.len(), self.config.max_frame_out);
            line = encoded(addressee, Err(error));
        }
        let Some(batch) = self.batches.open.get_mut(&key) else { return };
        self.batches.bytes += line.len();
        batch.replies.push(line);
        self.batch_item_left_out(key);
    }

    /// One item less to wait for.
    pub(super) fn batch_item_left_out(&mut self, key: BatchKey) {
        let Some(batch) = self.batches.open.get_mut(&key) else { return };
        batch.missing -= 1;
        if batch.missing == 0
            && let Some(batch) = self.batches.open.remove(&key)
        {
            self.write_batch(batch);
        }
    }

    fn write_batch(&mut self, batch: Batch) {
        let size: usize = batch.replies.iter().map(Vec::len).sum();
        self.batches.bytes -= size;
        if !self.phase.writes() {
            return;
        }
        // Brackets, and a comma between any two.
        let fits = size + batch.replies.len() < self.config.max_frame_out;
        let (open, between, close): (&[u8], &[u8], &[u8]) =
            if fits { (b"[", b",", b"]\n") } else { (b"", b"\n", b"\n") };
        self.output.append(|out| {
            for (index, reply) in batch.replies.iter().enumerate() {
                out.extend_from_slice(if index == 0 { open } else { between });
                out.extend_from_slice(reply);
            }
            if !batch.replies.is_empty() {
                out.extend_from_slice(close);
            }
        });
    }
}

/// One reply, without LF.
fn encoded(addressee: Addressee<'_>, outcome: Result<Json, ErrorObject>) -> Vec<u8> {
    let mut output = Output::default();
    encode::reply(&mut output, addressee, outcome);
    output.pop_message().unwrap_or_default()
}
