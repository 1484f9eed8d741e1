//! Requests at a depth: how fast, and at what price?

use super::{hundredths, microseconds};
use crate::failure::Failure;
use crate::options::Options;
use crate::session::Session;
use crate::window;
use crate::work::Work;
use serde_json::{Value, json};
use std::ops::Range;
use std::time::{Duration, Instant};

pub(super) fn play(options: &Options) -> Result<Value, Failure> {
    let work = Work::new(&options.tool, options.size);
    let mut session = Session::start(options)?;
    let measured_from = 1 + options.warmup as u64;
    call_all(&mut session, &work, 1..measured_from, options.depth)?;

    let usage = session.usage();
    let (cpu, switches, start) = (usage.cpu()?, usage.context_switches(), Instant::now());
    let ids = measured_from..measured_from + options.requests as u64;
    let mut times = call_all(&mut session, &work, ids, options.depth)?;
    let elapsed = start.elapsed();
    let cpu = usage.cpu()?.saturating_sub(cpu);
    let switches = usage.context_switches().saturating_sub(switches);
    let (peak, threads) = (usage.peak_kib(), usage.threads());

    times.sort_unstable();
    let requests = options.requests as f64;
    Ok(json!({
        "requests": options.requests,
        "requests_per_second": (requests / elapsed.as_secs_f64()).round(),
        "cpu_us_per_request": (cpu.as_secs_f64() * 1e9 / requests).round() / 1e3,
        "p50_us": microseconds(percentile(&times, 50)),
        "p99_us": microseconds(percentile(&times, 99)),
        "context_switches_per_request": hundredths(switches as f64 / requests),
        "peak_kib": peak,
        "threads": threads,
        "end": session.end()?,
    }))
}

/// Makes the calls of these ids. One at a time needs no second thread, whose hand-over would be measured.
fn call_all(
    session: &mut Session,
    work: &Work,
    mut ids: Range<u64>,
    depth: usize,
) -> Result<Vec<Duration>, Failure> {
    match depth {
        1 => ids.try_fold(Vec::new(), |mut times, id| {
            times.push(session.call(work, id)?);
            Ok(times)
        }),
        _ => window::call_all(session, work, ids, depth),
    }
}

fn percentile(sorted: &[Duration], percent: usize) -> Duration {
    let place = sorted.len().saturating_sub(1) * percent / 100;
    sorted.get(place).copied().unwrap_or_default()
}
