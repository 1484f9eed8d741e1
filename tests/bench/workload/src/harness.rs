//! Runs one measurement, and says what it cost.

use crate::{Cut, Shape, Stream};
use nix::time::{ClockId, clock_gettime};
use serde_json::json;
use std::process::ExitCode;

/// Something that is measured.
#[derive(Debug, Clone, Copy)]
pub struct Measurement {
    /// What it is called on the command line.
    pub name: &'static str,
    /// Makes everything ready, which does not count. What comes back is run once, and says how many messages it found.
    pub prepare: fn(Setting) -> Box<dyn FnOnce() -> usize>,
}

/// What a measurement works on.
#[derive(Debug)]
pub struct Setting {
    /// What comes first, so that buffers have grown.
    pub warm_up: Stream,
    /// What counts.
    pub stream: Stream,
    /// How many requests are in flight.
    pub in_flight: usize,
}

/// The arguments that every program of measurements takes.
const USAGE: &str = "MEASUREMENT small|medium|large|mixed BYTES|random MESSAGES [IN-FLIGHT]";

/// Runs the measurement that the arguments name, and prints one line of JSON: messages, nanoseconds of CPU time,
/// allocations and allocated bytes. Under callgrind, collect from [`measured`] alone.
#[allow(clippy::print_stdout, clippy::print_stderr, reason = "the output of a program")]
pub fn run(measurements: &[Measurement]) -> ExitCode {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let Some((measurement, setting)) = understand(measurements, &arguments) else {
        let names: Vec<&str> = measurements.iter().map(|it| it.name).collect();
        eprintln!("usage: {USAGE}\nmeasurements: {}", names.join(", "));
        return ExitCode::from(2);
    };
    let messages = setting.stream.messages();
    let mut work = Some((measurement.prepare)(setting));
    let (mut found, mut nanoseconds) = (0, 0);
    let allocated = allocation_counter::measure(|| {
        let before = cpu_time();
        found = work.take().map_or(0, measured);
        nanoseconds = cpu_time() - before;
    });
    println!(
        "{}",
        json!({
            "messages": messages,
            "nanoseconds": nanoseconds,
            "allocations": allocated.count_total,
            "allocated_bytes": allocated.bytes_total,
        })
    );
    if found == messages {
        ExitCode::SUCCESS
    } else {
        eprintln!("{found} messages were found, not {messages}");
        ExitCode::FAILURE
    }
}

/// What counts is what happens in here.
#[inline(never)]
pub fn measured(work: Box<dyn FnOnce() -> usize>) -> usize {
    work()
}

fn understand<'a>(
    measurements: &'a [Measurement],
    arguments: &[String],
) -> Option<(&'a Measurement, Setting)> {
    let (name, shape, cut, messages, in_flight) = match arguments {
        [name, shape, cut, messages] => (name, shape, cut, messages, 1),
        [name, shape, cut, messages, depth] => (name, shape, cut, messages, depth.parse().ok()?),
        _ => return None,
    };
    let measurement = measurements.iter().find(|it| it.name == name)?;
    let (shape, cut, messages) = (Shape::parse(shape)?, Cut::parse(cut)?, messages.parse().ok()?);
    let warm_up = Stream::new(shape, cut, 0, in_flight.max(2) * 2);
    let stream = Stream::new(shape, cut, 1_000_000, messages);
    Some((measurement, Setting { warm_up, stream, in_flight }))
}

/// That of this thread, in nanoseconds.
fn cpu_time() -> i64 {
    clock_gettime(ClockId::CLOCK_THREAD_CPUTIME_ID)
        .map_or(0, |now| now.tv_sec() * 1_000_000_000 + now.tv_nsec())
}
