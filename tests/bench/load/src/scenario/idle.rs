//! What does a server keep of one large message?

use super::settle::resident_at_rest;
use crate::failure::Failure;
use crate::options::Options;
use crate::session::Session;
use crate::work::Work;
use serde_json::{Value, json};

/// Some servers, ours among them, refuse to write a line of more than 10 MB unless they are told otherwise.
const BYTES: usize = 9 << 20;

pub(super) fn play(options: &Options) -> Result<Value, Failure> {
    let small = Work::new(&options.tool, options.size);
    let large = Work::new(&options.tool, options.bytes.unwrap_or(BYTES));
    let mut session = Session::start(options)?;
    session.call(&small, 1)?;
    let base = resident_at_rest(session.usage())?;
    session.call(&large, 2)?;
    session.call(&small, 3)?;
    let after = resident_at_rest(session.usage())?;
    Ok(json!({
        "base_kib": base,
        "peak_kib": session.usage().peak_kib(),
        "after_kib": after,
        "end": session.end()?,
    }))
}
