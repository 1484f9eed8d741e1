//! What is done with a line: it reaches `rmcp`, or its sender is told why not.

use crate::Limits;
use crate::ledger::Ledger;
use mcp_wire_core::frame::Frame;
use mcp_wire_core::mcp;
use mcp_wire_core::message::{ErrorObject, Fault, Id, Message, Request, Rules};
use mcp_wire_core::rpc::Dialect;
use rmcp::model::{CancelledNotification, ErrorCode, ErrorData, JsonRpcMessage, RequestId};
use rmcp::service::{RxJsonRpcMessage, ServiceRole};

/// How deep `rmcp` can read: `serde_json` stops at 128 levels, and the message is one of them.
const MAX_DEPTH: usize = 127;

#[derive(Debug)]
pub(crate) enum Verdict<Role: ServiceRole> {
    /// `rmcp` gets it.
    Deliver(RxJsonRpcMessage<Role>),
    /// The request with this id is answered with an error.
    Refuse(Id, ErrorObject),
    /// It has no consequence.
    Ignore,
}

#[derive(Debug)]
pub(crate) struct Judge {
    dialect: Dialect,
    rules: Rules,
}

impl Judge {
    pub(crate) fn new() -> Self {
        let dialect = mcp::dialect();
        let mut rules = Rules::default();
        (rules.ids, rules.params, rules.max_depth) = (dialect.ids, dialect.params, MAX_DEPTH);
        Self { dialect, rules }
    }

    /// Judges a line, and enters what follows from it into the ledger.
    pub(crate) fn judge<Role: ServiceRole>(
        &self,
        frame: Frame<'static>,
        limits: &Limits,
        is_backed_up: bool,
        ledger: &mut Ledger,
    ) -> Verdict<Role> {
        match Message::read_frame(frame.clone(), &self.rules) {
            Ok(Message::Request(request)) => {
                let is_inline = self.dialect.is_inline(request.method());
                let size = request.size();
                let has_room = is_inline
                    || !is_backed_up
                        && ledger.has_room(size, limits.max_in_flight, limits.max_in_flight_bytes);
                judge_request(&request, frame.bytes(), has_room, ledger)
            }
            Ok(Message::Notification(_)) => judge_notification(frame.bytes(), ledger),
            Ok(Message::Response(response)) => judge_response(response.id(), frame.bytes(), ledger),
            Ok(_) => Verdict::Ignore,
            Err(fault) => judge_fault(&fault, ledger),
        }
    }
}

fn judge_request<Role: ServiceRole>(
    request: &Request,
    line: &[u8],
    has_room: bool,
    ledger: &mut Ledger,
) -> Verdict<Role> {
    let refuse = |error| Verdict::Refuse(request.id().clone(), error);
    let Some(id) = request_id(request.id()) else {
        return refuse(ErrorObject::new(
            ErrorObject::INVALID_REQUEST,
            "the id is an integer of more than 64 bits: use a smaller one, or a string",
        ));
    };
    if ledger.is_in_flight(&id) {
        return refuse(ErrorObject::id_in_flight());
    }
    if !has_room {
        return refuse(ErrorObject::server_busy(request.method()));
    }
    match serde_json::from_slice(line) {
        Ok(message) => {
            ledger.admit(id, request.size());
            Verdict::Deliver(message)
        }
        Err(error) => refuse(ErrorObject::invalid_params(error)),
    }
}

fn judge_notification<Role: ServiceRole>(line: &[u8], ledger: &mut Ledger) -> Verdict<Role> {
    let message: Result<RxJsonRpcMessage<Role>, _> = serde_json::from_slice(line);
    let mut message = match message {
        Ok(JsonRpcMessage::Notification(message)) => message,
        Ok(_) => return Verdict::Ignore,
        Err(error) => {
            tracing::debug!(%error, "ignored a notification that does not fit its method");
            return Verdict::Ignore;
        }
    };
    let cancelled;
    (message.notification, cancelled) = cancelled_by(message.notification);
    if let Some(id) = cancelled {
        ledger.release(&id);
    }
    Verdict::Deliver(JsonRpcMessage::Notification(message))
}

fn judge_response<Role: ServiceRole>(id: &Id, line: &[u8], ledger: &mut Ledger) -> Verdict<Role> {
    let Some(id) = request_id(id) else { return Verdict::Ignore };
    let is_awaited = ledger.settle(&id);
    match serde_json::from_slice(line) {
        Ok(message) => Verdict::Deliver(message),
        Err(error) if is_awaited => unanswered(id, &error),
        Err(_) => Verdict::Ignore,
    }
}

/// Whoever waits for an answer to the line, or through it for one, is told where that can be known.
fn judge_fault<Role: ServiceRole>(fault: &Fault, ledger: &mut Ledger) -> Verdict<Role> {
    tracing::warn!(%fault, "a line that is no message");
    if let Some(id) = fault.response_id().and_then(request_id)
        && ledger.settle(&id)
    {
        return unanswered(id, &fault.kind());
    }
    match fault.request_id() {
        // A server's stray output may look like anything, so a client does not answer it.
        Some(id) if !Role::IS_CLIENT => match request_id(id) {
            // The answer would be taken for that of the request in flight.
            Some(taken) if ledger.is_in_flight(&taken) => Verdict::Ignore,
            _ => Verdict::Refuse(id.clone(), fault.answer()),
        },
        _ => Verdict::Ignore,
    }
}

/// What a question of ours is settled with, when no answer to it will come.
pub(crate) fn unanswered<Role: ServiceRole>(
    id: RequestId,
    why: &dyn std::fmt::Display,
) -> Verdict<Role> {
    let error =
        ErrorData::new(ErrorCode::INTERNAL_ERROR, format!("there is no answer: {why}"), None);
    Verdict::Deliver(JsonRpcMessage::error(error, Some(id)))
}

/// The notification, and which request it cancels, if any: only by becoming a cancellation does it show whether it is one.
pub(crate) fn cancelled_by<N>(notification: N) -> (N, Option<RequestId>)
where
    N: TryInto<CancelledNotification, Error = N> + From<CancelledNotification>,
{
    match notification.try_into() {
        Ok(cancelled) => {
            let id = cancelled.params.request_id.clone();
            (cancelled.into(), id)
        }
        Err(other) => (other, None),
    }
}

/// The id as `rmcp` has it: `None` where it has no such one.
fn request_id(id: &Id) -> Option<RequestId> {
    match id.as_str() {
        Some(text) => Some(RequestId::String(text.into())),
        None => id.as_i64().map(RequestId::Number),
    }
}

/// The id as it is written.
pub(crate) fn wire_id(id: &RequestId) -> Id {
    match id {
        RequestId::Number(number) => Id::number(*number),
        RequestId::String(text) => Id::text(text),
    }
}
