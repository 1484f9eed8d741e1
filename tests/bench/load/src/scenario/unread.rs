//! Requests whose replies nobody reads: does the server stop reading, or does it keep what it cannot write? Then all are
//! read.

use super::settle::{resident_at_rest, wait_for_rest};
use crate::failure::{Failure, While};
use crate::lines::Lines;
use crate::options::Options;
use crate::session::{Session, next_line};
use crate::work::{Reply, Work};
use serde_json::{Value, json};
use std::fs::File;
use std::io::Write;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::thread;

pub(super) fn play(options: &Options) -> Result<Value, Failure> {
    let work = Work::new(&options.tool, options.size);
    let mut session = Session::start(options)?;
    session.call(&work, 0)?;
    let usage = session.usage();
    let base = resident_at_rest(usage)?;

    let written = AtomicUsize::new(0);
    let Session { process, input, output } = &mut session;
    let (accepted, refused) = thread::scope(|scope| {
        let writer = scope.spawn(|| write(input, &work, options.requests, &written));
        let outcome = wait_for_rest(usage, || written.load(Ordering::Relaxed) as u64)
            .map(|()| written.load(Ordering::Relaxed))
            .and_then(|accepted| Ok((accepted, read(output, &work, options.requests)?)));
        if outcome.is_err() {
            // The writer may wait for a server that does not read.
            process.kill();
        }
        let written = writer.join().unwrap_or_else(|_| Err(Failure::new("the writer panicked")));
        outcome.and_then(|figures| written.map(|()| figures))
    })?;
    Ok(json!({
        "accepted": accepted,
        "base_kib": base,
        "peak_kib": usage.peak_kib(),
        "replies": options.requests,
        "refused": refused,
        "end": session.end()?,
    }))
}

fn write(
    mut input: &File,
    work: &Work,
    requests: usize,
    written: &AtomicUsize,
) -> Result<(), Failure> {
    let mut line = Vec::new();
    for id in 1..=requests {
        line.clear();
        work.write_request(id as u64, &mut line);
        input.write_all(&line).during("writing")?;
        written.store(id, Ordering::Relaxed);
    }
    Ok(())
}

/// Reads one reply to each request, and says how many were refusals.
fn read(output: &mut Lines<File>, work: &Work, requests: usize) -> Result<usize, Failure> {
    let mut seen = vec![false; requests + 1];
    let (mut replies, mut refused) = (0, 0);
    while replies < requests {
        let id = match work.check(next_line(output)?)? {
            Reply::Answer(id) => id,
            Reply::Refusal(id) => {
                refused += 1;
                id
            }
            Reply::Other => continue,
        };
        match seen.get_mut(id as usize) {
            Some(seen) if !*seen => *seen = true,
            _ => return Err(Failure::new(format!("reply {id} came twice, or unasked"))),
        }
        replies += 1;
    }
    Ok(refused)
}
