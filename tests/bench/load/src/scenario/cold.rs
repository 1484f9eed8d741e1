//! How soon does a server answer that has just been started?

use super::microseconds;
use crate::failure::Failure;
use crate::options::Options;
use crate::session::Session;
use crate::work::Work;
use serde_json::{Value, json};

pub(super) fn play(options: &Options) -> Result<Value, Failure> {
    let mut session = Session::start(options)?;
    let start = session.process.started.elapsed();
    session.call(&Work::new(&options.tool, options.size), 1)?;
    let first_answer = session.process.started.elapsed();
    let usage = session.usage();
    let (cpu, peak, threads) = (usage.cpu()?, usage.peak_kib(), usage.threads());
    Ok(json!({
        "start_us": microseconds(start),
        "first_answer_us": microseconds(first_answer),
        "cpu_us": microseconds(cpu),
        "peak_kib": peak,
        "threads": threads,
        "end": session.end()?,
    }))
}
