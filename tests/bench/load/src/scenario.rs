//! What can be played with a server.

mod cold;
mod flood;
mod idle;
mod run;
mod settle;
mod unread;

use crate::failure::Failure;
use crate::options::{Mode, Options};
use serde_json::Value;
use std::time::Duration;

/// Plays what the options name, and gives its figures.
pub(crate) fn play(options: &Options) -> Result<Value, Failure> {
    match options.mode {
        Mode::Run => run::play(options),
        Mode::Cold => cold::play(options),
        Mode::Flood => flood::play(options),
        Mode::Unread => unread::play(options),
        Mode::Idle => idle::play(options),
    }
}

fn microseconds(duration: Duration) -> f64 {
    hundredths(duration.as_secs_f64() * 1e6)
}

/// What comes after the second decimal is noise.
fn hundredths(number: f64) -> f64 {
    (number * 100.0).round() / 100.0
}
