//! Our requests to the peer.

use super::{Call, Token};
use std::collections::HashMap;
use std::time::{Duration, Instant};

/// How a request of ours is made.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub struct CallOptions {
    /// How long to wait in all, whatever the progress. Default: 10 min.
    pub ceiling: Duration,
    /// Is the peer asked to tell of its progress, and what does that do to `timeout`? Default: it is not asked.
    pub on_progress: OnProgress,
    /// The peer's request on whose behalf this one is made. It is cancelled together with that, and at the end of input
    /// that one is not waited for.
    pub on_behalf_of: Option<Token>,
    /// How long to wait for the answer, counted from now. Default: 60 s.
    pub timeout: Option<Duration>,
    /// How long the call has waited already before it could be made, for room in the output say: that counts. Default: none.
    pub waited: Duration,
}

impl Default for CallOptions {
    fn default() -> Self {
        Self {
            ceiling: Duration::from_secs(600),
            on_progress: OnProgress::Ignore,
            on_behalf_of: None,
            timeout: Some(Duration::from_secs(60)),
            waited: Duration::ZERO,
        }
    }
}

impl CallOptions {
    /// The same, with another time-out; `None` waits up to the ceiling.
    #[must_use]
    pub fn with_timeout(self, timeout: impl Into<Option<Duration>>) -> Self {
        Self { timeout: timeout.into(), ..self }
    }

    /// The same, with another ceiling.
    #[must_use]
    pub fn with_ceiling(self, ceiling: Duration) -> Self {
        Self { ceiling, ..self }
    }

    /// The same, with progress that is asked for, or not.
    #[must_use]
    pub fn with_progress(self, on_progress: OnProgress) -> Self {
        Self { on_progress, ..self }
    }
}

/// Is the peer asked to tell of its progress, and what does that do to the time-out?
///
/// A session (see [`mcp`](crate::mcp)) asks, with a token in the params. A bare connection sends the params as they are.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum OnProgress {
    /// It is not asked; the clock goes on.
    Ignore,
    /// It is asked; the clock goes on.
    Report,
    /// It is asked; the clock starts again each time, up to the ceiling.
    Restart,
}

#[derive(Debug)]
pub(super) struct Outgoing {
    pub(super) deadline: Instant,
    pub(super) ceiling: Instant,
    pub(super) restart: Option<Duration>,
    pub(super) parent: Option<Token>,
    pub(super) place: Place,
    pub(super) patience: Patience,
    pub(super) cancel: CancelOnWire,
}

/// Where a call's message is.
#[derive(Debug)]
pub(super) enum Place {
    /// Kept back until calls may go out.
    Held(Vec<u8>),
    /// In the output, from this byte on, so many bytes long.
    Output { start: u64, length: usize },
}

impl Place {
    fn held(&self) -> &[u8] {
        match self {
            Self::Held(line) => line,
            Self::Output { .. } => &[],
        }
    }
}

/// For how long a call waits.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Patience {
    /// A stream that was acknowledged has no deadline.
    Endless,
    Limited,
    /// A stream that is not acknowledged yet.
    LimitedAtFirst,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum CancelOnWire {
    Never,
    Notify,
}

#[derive(Debug)]
pub(super) struct Outbound {
    calls: HashMap<i64, Outgoing>,
    next: i64,
    /// The length of all messages that are kept back.
    held_bytes: usize,
}

impl Outbound {
    pub(super) fn new() -> Self {
        Self { calls: HashMap::new(), next: 1, held_bytes: 0 }
    }

    pub(super) fn len(&self) -> usize {
        self.calls.len()
    }

    pub(super) fn next(&self) -> Call {
        Call(self.next)
    }

    pub(super) fn insert(&mut self, call: Outgoing) -> Call {
        let number = self.next;
        self.next += 1;
        self.held_bytes += call.place.held().len();
        self.calls.insert(number, call);
        Call(number)
    }

    pub(super) fn contains(&self, number: i64) -> bool {
        self.calls.contains_key(&number)
    }

    pub(super) fn waits_for_ever(&self, number: i64) -> bool {
        self.calls.get(&number).is_some_and(|call| call.patience == Patience::Endless)
    }

    pub(super) fn deadline(&self, number: i64) -> Option<Instant> {
        self.calls.get(&number).map(|call| call.deadline)
    }

    /// Was there ever a call of this number?
    pub(super) fn was_made(&self, number: i64) -> bool {
        (1..self.next).contains(&number)
    }

    pub(super) fn find_mut(&mut self, number: i64) -> Option<&mut Outgoing> {
        self.calls.get_mut(&number)
    }

    pub(super) fn remove(&mut self, number: i64) -> Option<Outgoing> {
        let call = self.calls.remove(&number)?;
        self.held_bytes -= call.place.held().len();
        if self.calls.is_empty() {
            self.calls.shrink_to(64);
        }
        Some(call)
    }

    /// How many bytes of messages are kept back.
    pub(super) fn held_bytes(&self) -> usize {
        self.held_bytes
    }

    /// Takes the message of a call that was kept back, without its LF, to be put into the output at `start`.
    pub(super) fn release(&mut self, number: i64, start: u64) -> Option<Vec<u8>> {
        let call = self.calls.get_mut(&number)?;
        let Place::Held(line) = &mut call.place else { return None };
        let line = std::mem::take(line);
        self.held_bytes -= line.len();
        call.place = Place::Output { start, length: line.len() + 1 };
        Some(line)
    }

    /// All of them, the oldest first.
    pub(super) fn numbers(&self) -> Vec<i64> {
        let mut numbers: Vec<i64> = self.calls.keys().copied().collect();
        numbers.sort_unstable();
        numbers
    }

    /// Messages were taken out of the output, in order of their places: those behind them begin earlier.
    pub(super) fn shift(&mut self, removed: &[(u64, usize)]) {
        if removed.is_empty() {
            return;
        }
        let together = |sum: &mut u64, (start, length): &(u64, usize)| {
            *sum += *length as u64;
            Some((*start, *sum))
        };
        let removed: Vec<(u64, u64)> = removed.iter().scan(0, together).collect();
        for call in self.calls.values_mut() {
            let Place::Output { start, .. } = &mut call.place else { continue };
            let before = removed.partition_point(|(other, _)| other < start);
            if let Some((_, length)) = before.checked_sub(1).map(|last| removed[last]) {
                *start -= length;
            }
        }
    }
}
