//! Telling of what was seen, without holding anything up.

use crate::wire::{Seen, Side, What, beginning};
use mcp_wire_smol::Json;
use serde::Serialize;
use std::io::{self, Write};
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::mpsc::{Receiver, SyncSender, sync_channel};
use std::thread;
use std::time::Duration;

/// How many lines wait for a slow reader. What comes then is counted, and not told.
const MOST_WAITING: usize = 4096;

/// How long the last lines are waited for at the end.
const PATIENCE: Duration = Duration::from_secs(1);

/// How long to wait for room where standard error does not wait by itself.
const PAUSE: Duration = Duration::from_millis(10);

/// Whom it is told.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Style {
    Json,
    People,
}

/// Lines on their way to standard error, which a thread writes: the reader of that may be slow.
pub(crate) struct Log {
    style: Style,
    lines: SyncSender<String>,
    /// How many could not be told since the last one that was.
    untold: Arc<AtomicUsize>,
    /// Ends with the thread.
    written: Receiver<()>,
}

impl Log {
    pub(crate) fn start(style: Style) -> io::Result<Self> {
        let (lines, waiting) = sync_channel::<String>(MOST_WAITING);
        let (done, written) = sync_channel::<()>(0);
        let untold = Arc::new(AtomicUsize::new(0));
        let left = untold.clone();
        thread::Builder::new().name("log".to_owned()).spawn(move || {
            let _done = done;
            for line in waiting {
                write(&line)?;
            }
            gap(style, left.load(Ordering::Relaxed)).map_or(Ok(()), |line| write(&line))
        })?;
        Ok(Self { style, lines, untold, written })
    }

    /// Tells of it, or counts it where there is no room.
    pub(crate) fn tell(&self, seen: &Seen) {
        let line = match self.style {
            Style::Json => for_programs(seen),
            Style::People => for_people(seen),
        };
        let untold = self.untold.load(Ordering::Relaxed);
        // First what is missing before it.
        let gap = gap(self.style, untold).map_or(Ok(()), |line| self.lines.try_send(line));
        let (told, untold) = match gap {
            Ok(()) => (self.lines.try_send(line), 0),
            Err(full) => (Err(full), untold),
        };
        let untold = if told.is_ok() { 0 } else { untold + 1 };
        self.untold.store(untold, Ordering::Relaxed);
    }

    /// Waits until all is told, but not for ever.
    pub(crate) fn finish(self) {
        drop(self.lines);
        _ = self.written.recv_timeout(PATIENCE);
    }
}

/// So many are missing here, if any.
fn gap(style: Style, untold: usize) -> Option<String> {
    (untold > 0).then(|| match style {
        Style::Json => format!("{{\"kind\":\"untold\",\"count\":{untold}}}\n"),
        Style::People => format!("tap       {untold} more: standard error is read too slowly\n"),
    })
}

/// In one piece where it can be, so that nothing of the server's own gets in between.
fn write(line: &str) -> io::Result<()> {
    let mut line = line.as_bytes();
    while !line.is_empty() {
        match io::stderr().write(line) {
            Ok(0) => return Err(io::ErrorKind::WriteZero.into()),
            Ok(count) => line = &line[count..],
            Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
            // Some servers make what they share with us non-blocking.
            Err(error) if error.kind() == io::ErrorKind::WouldBlock => thread::sleep(PAUSE),
            Err(error) => return Err(error),
        }
    }
    Ok(())
}

fn for_people(seen: &Seen) -> String {
    let arrow = match seen.from {
        Side::Client => "→",
        Side::Server => "←",
    };
    let id = seen.id.as_ref().map(|id| printable(&id.to_string())).unwrap_or_default();
    let method = seen.method.as_deref().map(printable).unwrap_or_default();
    let more = match &seen.what {
        What::Answer { latency, error } => {
            let latency = latency.map(|it| format!("  {:.1} ms", milliseconds(it)));
            let error =
                error.as_ref().map(|(code, text)| format!("  error {code}: {}", printable(text)));
            latency.unwrap_or_default() + &error.unwrap_or_default()
        }
        What::Fault(kind, excerpt) => format!("  {kind}: {}", printable(excerpt)),
        What::Batch | What::Notification | What::Request => String::new(),
    };
    let (at, kind, size) = (seen.at.as_secs_f64(), kind(&seen.what), seen.size);
    format!("tap {at:9.3} {arrow} {kind:<12} {id:<4} {method:<26} {size:>7} B{more}\n")
}

#[derive(Serialize)]
struct Line<'a> {
    at_ms: f64,
    from: &'static str,
    kind: &'static str,
    #[serde(skip_serializing_if = "Option::is_none")]
    id: Option<Json>,
    #[serde(skip_serializing_if = "Option::is_none")]
    method: Option<&'a str>,
    bytes: usize,
    #[serde(skip_serializing_if = "Option::is_none")]
    latency_ms: Option<f64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    error: Option<Error<'a>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    fault: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    excerpt: Option<&'a str>,
}

#[derive(Serialize)]
struct Error<'a> {
    code: i64,
    message: &'a str,
}

fn for_programs(seen: &Seen) -> String {
    let mut line = Line {
        at_ms: milliseconds(seen.at),
        from: match seen.from {
            Side::Client => "client",
            Side::Server => "server",
        },
        kind: kind(&seen.what),
        // An id is text that stays as it is.
        id: seen.id.as_ref().and_then(|id| Json::new(id.to_string()).ok()),
        method: seen.method.as_deref(),
        bytes: seen.size,
        latency_ms: None,
        error: None,
        fault: None,
        excerpt: None,
    };
    match &seen.what {
        What::Answer { latency, error } => {
            line.latency_ms = latency.map(milliseconds);
            line.error =
                error.as_ref().map(|(code, text)| Error { code: *code, message: beginning(text) });
        }
        What::Fault(kind, excerpt) => {
            (line.fault, line.excerpt) = (Some(kind.to_string()), Some(excerpt.as_str()));
        }
        What::Batch | What::Notification | What::Request => {}
    }
    serde_json::to_string(&line).unwrap_or_default() + "\n"
}

fn kind(what: &What) -> &'static str {
    match what {
        What::Answer { .. } => "answer",
        What::Batch => "batch",
        What::Fault(..) => "no message",
        What::Notification => "notification",
        What::Request => "request",
    }
}

/// In whole microseconds, which is as exact as it is.
fn milliseconds(duration: Duration) -> f64 {
    duration.as_micros() as f64 / 1000.0
}

/// Its beginning, without characters that a terminal would obey.
fn printable(text: &str) -> String {
    beginning(text).chars().map(|it| if it.is_control() { ' ' } else { it }).collect()
}
