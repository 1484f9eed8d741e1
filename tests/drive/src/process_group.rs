//! The process group of a server, as the system shows it in `/proc`, where there is one.

use std::fs;
use std::process::{self, Command, Stdio};

/// A process group that a child of this process leads.
#[derive(Debug, Clone, Copy)]
pub(crate) struct ProcessGroup(u32);

/// A process that runs.
struct Process {
    id: u32,
    parent: u32,
    group: u32,
}

impl ProcessGroup {
    /// That of our only child; `None` where the system does not show it.
    pub(crate) fn of_our_child() -> Option<Self> {
        our_groups().next()
    }

    /// The processes in it that still run.
    pub(crate) fn left(self) -> Vec<u32> {
        processes().filter(|it| it.group == self.0).map(|it| it.id).collect()
    }
}

/// Kills what our children started, as far as it is in groups that they lead.
pub(crate) fn kill_all() {
    let groups: Vec<ProcessGroup> = our_groups().collect();
    let left = groups.into_iter().flat_map(ProcessGroup::left).map(|id| id.to_string());
    // Without `/proc`, or without `kill`, nothing can be done.
    _ = Command::new("kill").arg("-KILL").args(left).stderr(Stdio::null()).status();
}

fn our_groups() -> impl Iterator<Item = ProcessGroup> {
    processes()
        .filter(|it| it.parent == process::id() && it.id == it.group)
        .map(|it| ProcessGroup(it.group))
}

fn processes() -> impl Iterator<Item = Process> {
    fs::read_dir("/proc").into_iter().flatten().flatten().filter_map(|entry| {
        let id = entry.file_name().to_str()?.parse().ok()?;
        let stat = fs::read_to_string(entry.path().join("stat")).ok()?;
        // The second field is a name in parentheses, which may hold anything.
        let (_, rest) = stat.rsplit_once(") ")?;
        let mut fields = rest.split(' ');
        // What is dead but not collected by its parent does not run.
        let state = fields.next()?;
        let runs = !matches!(state, "Z" | "X");
        let parent = fields.next()?.parse().ok()?;
        let group = fields.next()?.parse().ok()?;
        runs.then_some(Process { id, parent, group })
    })
}
