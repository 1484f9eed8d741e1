//! What goes over the wire: messages, told apart from what is none, and answers, matched with what they answer.

use mcp_wire_smol::frame::{Decoder, Frame};
use mcp_wire_smol::mcp;
use mcp_wire_smol::message::{FaultKind, Id, IdRules, Message, Params, Rules};
use serde_json::Value;
use std::collections::HashMap;
use std::time::{Duration, Instant};

/// How many requests are remembered until they are answered. The answers to others are told without method and time.
const MOST_AWAITED: usize = 10_000;

/// How many characters of a name or a text are told.
const MOST_CHARACTERS: usize = 100;

/// Who has sent something.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub(crate) enum Side {
    Client,
    Server,
}

impl Side {
    fn other(self) -> Self {
        match self {
            Self::Client => Self::Server,
            Self::Server => Self::Client,
        }
    }
}

/// Something that a side has sent.
pub(crate) struct Seen {
    /// How long after the start.
    pub(crate) at: Duration,
    pub(crate) from: Side,
    /// The length of its line in bytes, without the line's end; of an endless line what was kept of it.
    pub(crate) size: usize,
    pub(crate) id: Option<Id>,
    /// For an answer, that of the request.
    pub(crate) method: Option<String>,
    pub(crate) what: What,
}

pub(crate) enum What {
    Answer {
        latency: Option<Duration>,
        /// Its code and message.
        error: Option<(i64, String)>,
    },
    Batch,
    /// Why it is no message, and how it begins.
    Fault(FaultKind, String),
    Notification,
    Request,
}

/// A request that is not answered yet.
struct Awaited {
    method: String,
    since: Instant,
}

pub(crate) struct Wire {
    start: Instant,
    client: Decoder,
    server: Decoder,
    rest: Rest,
}

/// All but the decoders.
struct Rest {
    rules: Rules,
    /// By who has asked.
    awaited: HashMap<(Side, Id), Awaited>,
}

impl Wire {
    pub(crate) fn new() -> Self {
        // Whatever JSON-RPC allows is a message: this judges nobody.
        let mut rules = Rules::default();
        rules.ids = IdRules::StringIntegerOrNull;
        rules.params = Params::ObjectOrArray;
        let rest = Rest { rules, awaited: HashMap::new() };
        Self { start: Instant::now(), client: Decoder::default(), server: Decoder::default(), rest }
    }

    /// Takes what a side has sent, nothing at its end.
    pub(crate) fn look(
        &mut self,
        from: Side,
        bytes: &[u8],
        now: Instant,
        mut tell: impl FnMut(Seen),
    ) {
        let at = now.saturating_duration_since(self.start);
        let Self { client, server, rest, .. } = self;
        let decoder = match from {
            Side::Client => client,
            Side::Server => server,
        };
        let on_frame = |frame: Frame<'_>| {
            if let Some((size, id, method, what)) = rest.read(from, frame, now) {
                tell(Seen { at, from, size, id, method, what });
            }
        };
        match bytes {
            [] => decoder.finish(on_frame),
            bytes => decoder.decode(bytes, on_frame),
        }
    }
}

impl Rest {
    fn read(
        &mut self,
        from: Side,
        frame: Frame<'_>,
        now: Instant,
    ) -> Option<(usize, Option<Id>, Option<String>, What)> {
        let line = match frame {
            Frame::Line(line) | Frame::Unterminated(line) => line,
            Frame::Oversize { head } => {
                let excerpt = head[..head.len().min(80)].escape_ascii().to_string();
                return Some((head.len(), None, None, What::Fault(FaultKind::Oversize, excerpt)));
            }
            _ => return None,
        };
        let size = line.len();
        Some(match Message::read(line, &self.rules) {
            Ok(Message::Request(request)) => {
                let (id, method) = (request.id().clone(), beginning(request.method()).to_owned());
                if self.awaited.len() < MOST_AWAITED {
                    let awaited = Awaited { method: method.clone(), since: now };
                    self.awaited.insert((from, id.clone()), awaited);
                }
                (size, Some(id), Some(method), What::Request)
            }
            Ok(Message::Notification(notification)) => {
                let id = cancelled(notification.method(), notification.params());
                let method = beginning(notification.method()).to_owned();
                if let Some(id) = &id {
                    self.awaited.remove(&(from, id.clone()));
                }
                (size, id, Some(method), What::Notification)
            }
            Ok(Message::Response(response)) => {
                let id = response.id().clone();
                let awaited = self.awaited.remove(&(from.other(), id.clone()));
                let latency = awaited.as_ref().map(|it| now.saturating_duration_since(it.since));
                let error = response.into_outcome().err();
                let error = error.map(|error| (error.code, error.message.into_owned()));
                let method = awaited.map(|awaited| awaited.method);
                (size, Some(id), method, What::Answer { latency, error })
            }
            Ok(_) => return None,
            Err(fault) if fault.kind() == FaultKind::Batch => (size, None, None, What::Batch),
            Err(fault) => {
                let what = What::Fault(fault.kind(), fault.excerpt().to_owned());
                (size, fault.id().cloned(), None, what)
            }
        })
    }
}

/// Which request a notification cancels.
fn cancelled(method: &str, params: Option<&str>) -> Option<Id> {
    let cancel = mcp::dialect().cancel.filter(|cancel| cancel.method == method)?;
    let params: Value = serde_json::from_str(params?).ok()?;
    match &params[cancel.id.as_ref()] {
        Value::String(text) => Some(Id::text(text)),
        number => number.as_i64().map(Id::number),
    }
}

/// As much of a text as is told.
pub(crate) fn beginning(text: &str) -> &str {
    text.char_indices().nth(MOST_CHARACTERS).map_or(text, |(end, _)| &text[..end])
}
