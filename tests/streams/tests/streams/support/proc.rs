//! What the kernel says about a process.

use super::deadline::{pause, until};
use std::collections::BTreeMap;
use std::fs;
use std::path::PathBuf;

/// For so many looks in a row, a millisecond apart, a process has to sleep to be idle.
const LOOKS: usize = 20;

/// The names of its threads, sorted.
pub(crate) fn threads(process: u32) -> Vec<String> {
    let mut names: Vec<String> =
        tasks(process).iter().map(|task| read(task.join("comm")).trim().to_owned()).collect();
    names.sort();
    names
}

/// What its descriptors refer to.
pub(crate) fn descriptors(process: u32) -> BTreeMap<i32, String> {
    let entries = fs::read_dir(format!("/proc/{process}/fd")).unwrap();
    let descriptor = |path: PathBuf| {
        let number = path.file_name()?.to_str()?.parse().ok()?;
        Some((number, fs::read_link(path).ok()?.to_string_lossy().into_owned()))
    };
    entries.filter_map(|entry| descriptor(entry.ok()?.path())).collect()
}

/// The most memory that it ever had, in bytes. `None` once it has ended.
pub(crate) fn peak_memory(process: u32) -> Option<usize> {
    let status = fs::read_to_string(format!("/proc/{process}/status")).ok()?;
    let kibibytes = status.lines().find_map(|line| line.strip_prefix("VmHWM:"))?;
    Some(kibibytes.trim().trim_end_matches(" kB").parse::<usize>().ok()? * 1024)
}

/// Waits until it sleeps, and wakes for nothing.
pub(crate) fn until_idle(process: u32) {
    until("the process does not come to rest", || {
        let before = wake_ups(process)?;
        (0..LOOKS)
            .all(|_| {
                pause();
                wake_ups(process).as_ref() == Some(&before)
            })
            .then_some(())
    });
}

/// How often its threads were switched in, by thread. `None` where one of them runs.
fn wake_ups(process: u32) -> Option<Vec<String>> {
    let of = |task: PathBuf| {
        let status = read(task.join("status"));
        let sleeps = status.lines().any(|line| line.starts_with("State:\tS"));
        let switches = status.lines().filter(|line| line.contains("ctxt_switches"));
        sleeps.then(|| switches.collect::<Vec<_>>().join(" "))
    };
    tasks(process).into_iter().map(of).collect()
}

fn tasks(process: u32) -> Vec<PathBuf> {
    let entries = fs::read_dir(format!("/proc/{process}/task"));
    let entries = entries.unwrap_or_else(|error| panic!("the process has ended: {error}"));
    entries.filter_map(|entry| Some(entry.ok()?.path())).collect()
}

/// Nothing where the thread has ended meanwhile.
fn read(path: PathBuf) -> String {
    fs::read_to_string(path).unwrap_or_default()
}
