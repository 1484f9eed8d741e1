//! A line that does not end, and then a good request: what does the server keep, and does it answer?

use super::settle::{resident_at_rest, wait_for_rest};
use crate::failure::Failure;
use crate::lines::Lines;
use crate::options::Options;
use crate::session::Session;
use crate::work::{Reply, Work};
use serde_json::{Value, json};
use std::cell::Cell;
use std::fs::File;
use std::io::{self, Write};
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::thread;

const BYTES: usize = 512 << 20;

/// The id of the good request.
const GOOD: u64 = 2;

pub(super) fn play(options: &Options) -> Result<Value, Failure> {
    let work = Work::new(&options.tool, options.size);
    let mut session = Session::start(options)?;
    session.call(&work, 1)?;
    let usage = session.usage();
    let base = resident_at_rest(usage)?;

    // Looked at all along: afterwards the server may be gone.
    let peak = Cell::new(base);
    let sent = AtomicUsize::new(0);
    let answered = AtomicBool::new(false);
    let Session { process, input, output } = &mut session;
    let after = thread::scope(|scope| {
        let writer = scope.spawn(|| write(input, &work, options.bytes.unwrap_or(BYTES), &sent));
        let reader = scope.spawn(|| read(output, &work, &answered));
        // Nothing is resident of a server that has died of it.
        let after = wait_for_rest(usage, || {
            peak.set(peak.get().max(usage.peak_kib()));
            sent.load(Ordering::Relaxed) as u64
        })
        .and_then(|()| resident_at_rest(usage))
        .unwrap_or(0);
        if !(writer.is_finished() && reader.is_finished()) {
            // One of them waits for a server that neither reads nor answers.
            process.kill();
        }
        after
    });
    Ok(json!({
        "base_kib": base,
        "peak_kib": peak.get(),
        "after_kib": after,
        "answered": answered.into_inner(),
        "sent_mib": sent.into_inner() >> 20,
        "end": session.end()?,
    }))
}

fn write(mut input: &File, work: &Work, bytes: usize, sent: &AtomicUsize) -> io::Result<()> {
    input.write_all(br#"{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":""#)?;
    let chunk = [b'a'; 64 << 10];
    while sent.load(Ordering::Relaxed) < bytes {
        input.write_all(&chunk)?;
        sent.fetch_add(chunk.len(), Ordering::Relaxed);
    }
    let mut end = b"\n".to_vec();
    work.write_request(GOOD, &mut end);
    input.write_all(&end)
}

/// Reads until the good request is answered. What else comes is complaints about the line.
fn read(output: &mut Lines<File>, work: &Work, answered: &AtomicBool) -> io::Result<()> {
    while let Some(line) = output.next_line()? {
        if work.check(line) == Ok(Reply::Answer(GOOD)) {
            answered.store(true, Ordering::Relaxed);
            break;
        }
    }
    Ok(())
}
