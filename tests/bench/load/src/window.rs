//! Many requests under way at once: one thread writes them, another reads the answers.

use crate::failure::{Failure, While};
use crate::lines::Lines;
use crate::session::{Session, next_line};
use crate::work::{Reply, Work};
use std::fs::File;
use std::io::Write;
use std::ops::Range;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Condvar, Mutex, PoisonError};
use std::thread;
use std::time::{Duration, Instant};

/// The most that one write takes.
const WRITE: usize = 64 << 10;

/// Requests under way, and when they were written.
#[derive(Debug)]
struct Window {
    start: Instant,
    first: u64,
    /// For each request when it was written, in nanoseconds after `start`; 0 where it is not under way.
    written: Vec<AtomicU64>,
    /// How many more requests may be written.
    credits: Mutex<usize>,
    more: Condvar,
}

/// Makes the calls of these ids, so many at once. Gives how long each took.
pub(crate) fn call_all(
    session: &mut Session,
    work: &Work,
    ids: Range<u64>,
    depth: usize,
) -> Result<Vec<Duration>, Failure> {
    let window = Window {
        start: Instant::now(),
        first: ids.start,
        written: ids.clone().map(|_| AtomicU64::new(0)).collect(),
        credits: Mutex::new(depth),
        more: Condvar::new(),
    };
    let Session { process, input, output } = session;
    thread::scope(|scope| {
        let writer = scope.spawn(|| window.write_all(input, work, ids.clone()));
        let mut times = Vec::with_capacity(window.written.len());
        while times.len() < window.written.len() {
            if let Err(failure) = window.read(output, work, &mut times) {
                // The writer may wait for credits, or for a server that does not read.
                process.kill();
                window.give(usize::MAX / 2);
                return Err(failure);
            }
        }
        writer.join().unwrap_or_else(|_| Err(Failure::new("the writer panicked")))?;
        Ok(times)
    })
}

impl Window {
    /// Writes all requests, as the credits allow.
    fn write_all(&self, mut input: &File, work: &Work, ids: Range<u64>) -> Result<(), Failure> {
        let mut lines = Vec::new();
        let mut next = ids.start;
        while next < ids.end {
            let end = ids.end.min(next.saturating_add(self.take() as u64));
            while next < end {
                lines.clear();
                let now = self.now();
                while next < end && lines.len() < WRITE {
                    self.written[(next - self.first) as usize].store(now, Ordering::Relaxed);
                    work.write_request(next, &mut lines);
                    next += 1;
                }
                input.write_all(&lines).during("writing")?;
            }
        }
        Ok(())
    }

    /// Reads one answer, and those that came with it.
    fn read(
        &self,
        output: &mut Lines<File>,
        work: &Work,
        times: &mut Vec<Duration>,
    ) -> Result<(), Failure> {
        let before = times.len();
        times.extend(self.settle(work.check(next_line(output)?)?)?);
        while let Some(line) = output.take_line() {
            times.extend(self.settle(work.check(line)?)?);
        }
        self.give(times.len() - before);
        Ok(())
    }

    /// How long an answer took. There is none to what is no answer.
    fn settle(&self, reply: Reply) -> Result<Option<Duration>, Failure> {
        let id = match reply {
            Reply::Answer(id) => id,
            Reply::Refusal(id) => {
                return Err(Failure::new(format!("the server refused request {id}")));
            }
            Reply::Other => return Ok(None),
        };
        let place = id.checked_sub(self.first).and_then(|place| usize::try_from(place).ok());
        let written = place
            .and_then(|place| self.written.get(place))
            .map_or(0, |written| written.swap(0, Ordering::Relaxed));
        match written {
            0 => Err(Failure::new(format!("answer {id} came, which is not under way"))),
            written => Ok(Some(Duration::from_nanos(self.now().saturating_sub(written)))),
        }
    }

    /// Waits for credits, and takes them all.
    fn take(&self) -> usize {
        let credits = self.credits.lock().unwrap_or_else(PoisonError::into_inner);
        let credits = self.more.wait_while(credits, |credits| *credits == 0);
        std::mem::take(&mut *credits.unwrap_or_else(PoisonError::into_inner))
    }

    fn give(&self, credits: usize) {
        if credits > 0 {
            *self.credits.lock().unwrap_or_else(PoisonError::into_inner) += credits;
            self.more.notify_one();
        }
    }

    fn now(&self) -> u64 {
        // Never 0, which has a meaning of its own.
        self.start.elapsed().as_nanos() as u64 + 1
    }
}
