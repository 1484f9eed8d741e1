//! The entries of `tests/corpus`, through whole servers and clients.

use crate::corpus::{own_loop, served};
use crate::harness::Harness;
use model::corpus::Entry;

/// The rules that the entries name: all of them, in both roles, in a loop of one's own, which shows every order.
pub fn every_entry_holds_in_a_loop_of_ones_own<H: Harness>() -> Result<(), String> {
    each(|_| true, own_loop::run::<H>)
}

/// The rules that the entries of the server's role name. Handlers run side by side there, so that the order of replies is
/// theirs. Entries on queues need a slot that is free at a certain point, and are left to the other scenario.
pub fn every_entry_holds_for_a_server<H: Harness>() -> Result<(), String> {
    let fits = |entry: &Entry| !entry.is_client() && entry.number("max_queued").is_none();
    each(fits, served::run::<H>)
}

/// Runs all entries that fit, and tells of all that fail.
fn each(
    fits: impl Fn(&Entry) -> bool,
    run: impl Fn(&Entry) -> Result<(), String>,
) -> Result<(), String> {
    let entries: Vec<Entry> = model::corpus::entries().into_iter().filter(fits).collect();
    let failures: Vec<String> = entries
        .iter()
        .filter_map(|entry| run(entry).err().map(|error| format!("{entry}\n{error}")))
        .collect();
    if entries.len() < 50 {
        return Err(format!("the corpus is not there: {} entries", entries.len()));
    }
    if failures.is_empty() { Ok(()) } else { Err(failures.join("\n\n")) }
}
