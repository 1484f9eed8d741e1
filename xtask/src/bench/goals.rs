//! What the project has set itself, and whether it holds.

use super::table::{Table, count, ratio};
use crate::failure::Failure;
use crate::workspace;
use std::collections::{BTreeMap, BTreeSet};

/// Goals, in the order of the page. Each part of the run adds what it has measured.
#[derive(Debug, Default)]
pub(crate) struct Goals {
    rows: Vec<Goal>,
    /// The worst so far of what several servers are measured for.
    worst: BTreeMap<String, f64>,
}

#[derive(Debug, PartialEq)]
struct Goal {
    what: String,
    measured: String,
    goal: String,
    met: bool,
}

impl Goals {
    fn add(
        &mut self,
        what: impl Into<String>,
        measured: String,
        goal: impl Into<String>,
        met: bool,
    ) {
        self.rows.push(Goal { what: what.into(), measured, goal: goal.into(), met });
    }

    fn at_most(&mut self, what: impl Into<String>, measured: f64, most: f64) {
        if !measured.is_nan() {
            let text = |value: f64| if most >= 100.0 { count(value) } else { ratio(value) };
            self.add(what, text(measured), format!("at most {}", text(most)), measured <= most);
        }
    }

    pub(crate) fn read(&mut self, shape: &str, instructions: f64) {
        match shape {
            "small" => self.at_most(
                "instructions to frame, check and classify 130 bytes",
                instructions,
                4e3,
            ),
            "medium" => self.at_most("the same for 3.7 KB", instructions, 4e4),
            "large" => self.at_most("the same for 1 MiB", instructions, 3.5e6),
            _ => {}
        }
    }

    pub(crate) fn encode(&mut self, instructions: f64) {
        self.at_most("instructions to write a reply around 64 bytes", instructions, 450.0);
    }

    pub(crate) fn core_allocations(&mut self, allocations: f64) {
        // A buffer grows now and then.
        self.at_most("allocations of the core for a small message", allocations.round(), 1.0);
    }

    pub(crate) fn cpu(&mut self, size: usize, depth: usize, server: &str, of_limit: f64) {
        let most = match (size, depth, server) {
            (32, 256, "tokio, current") => 1.3,
            (32, 256, "tokio, current, task") => 2.0,
            (32, 256, "tokio, multi, task") => 4.0,
            (32, 1, "tokio, current" | "tokio, multi") => 1.5,
            (32, 1, "smol" | "async-std") => 2.5,
            (1_048_576, 1, "tokio, current" | "tokio, multi" | "smol" | "async-std") => 1.2,
            _ => return,
        };
        let size = if size == 32 { "32 bytes" } else { "1 MiB" };
        let depth =
            if depth == 1 { "one at a time".to_owned() } else { format!("{depth} at once") };
        self.at_most(
            format!("CPU for an echo of {size}, {depth}, of the limit's: {server}"),
            of_limit,
            most,
        );
    }

    /// Of several servers the worst counts.
    fn worst_at_most(&mut self, what: &str, measured: f64, most: f64) {
        if measured.is_nan() {
            return;
        }
        let before = self.worst.entry(what.to_owned()).or_insert(measured);
        *before = before.max(measured);
        let worst = *before;
        self.rows.retain(|goal| goal.what != what);
        self.at_most(what, worst, most);
    }

    pub(crate) fn sockets(&mut self, of_pipes: &[f64]) {
        let worst = of_pipes.iter().copied().fold(0.0, f64::max);
        self.worst_at_most("CPU over socket pairs, of that over pipes: the worst", worst, 1.3);
    }

    pub(crate) fn start(&mut self, server: &str, of_limit: f64, megabytes: f64) {
        self.at_most(format!("start to first answer, of the limit's: {server}"), of_limit, 1.3);
        let what = "an echo server without symbols, in MB: the largest";
        self.worst_at_most(what, megabytes, 1.8);
    }

    pub(crate) fn counted(
        &mut self,
        server: &str,
        instructions: f64,
        allocations: f64,
        calls: [f64; 2],
    ) {
        if server == "tokio, current" {
            self.at_most("instructions of the server for a request, 64 at once", instructions, 9e3);
        }
        if server == "tokio, current, task" {
            self.at_most(
                "allocations for a request with an async handler",
                allocations.round(),
                5.0,
            );
        }
        let most = match server {
            "tokio, current" | "tokio, multi" | "tokio, current, task" | "tokio, multi, task" => {
                4.0
            }
            "smol" | "async-std" => 8.0,
            "smol, task" | "async-std, task" => 12.0,
            _ => return,
        };
        self.at_most(
            format!("system calls for a request, one at a time: {server}"),
            calls[0],
            most,
        );
        self.at_most(format!("system calls for a request, 256 at once: {server}"), calls[1], 0.05);
    }

    pub(crate) fn endless_line(&mut self, kibibytes: f64, answered: bool) {
        let what = "MiB more for 512 MiB without a line end, the next request answered: the worst";
        let measured = if answered { kibibytes / 1024.0 } else { f64::INFINITY };
        self.worst_at_most(what, measured, 20.0);
    }

    pub(crate) fn unread_replies(&mut self, kibibytes: f64, all: bool) {
        let what = "MiB more for 100,000 unread replies, of which none is lost: the worst";
        let measured = if all { kibibytes / 1024.0 } else { f64::INFINITY };
        self.worst_at_most(what, measured, 72.0);
    }

    pub(crate) fn client(&mut self, alone: f64, many: f64) {
        self.at_most("CPU of our client, of rmcp's, one at a time", 1.0 / alone, 0.33);
        self.at_most("CPU of our client, of rmcp's, 256 at once", 1.0 / many, 0.33);
    }

    pub(crate) fn print(&self) {
        println!("\n{}", self.table());
    }

    pub(crate) fn table(&self) -> Table {
        let mut table = Table::new("Goals", &["what", "measured", "goal", "met"]);
        for goal in &self.rows {
            let met = if goal.met { "yes" } else { "no" };
            table.row([
                goal.what.clone(),
                goal.measured.clone(),
                goal.goal.clone(),
                met.to_owned(),
            ]);
        }
        table
    }
}

/// What the adapter for tokio brings along.
pub(crate) fn add_build(goals: &mut Goals) -> Result<(), Failure> {
    let options = ["tree", "-p", "mcp-wire-tokio", "-e", "normal", "--prefix", "none"];
    let tree = workspace::output(workspace::cargo().args(options))?;
    let crates: BTreeSet<&str> =
        tree.lines().filter_map(|line| line.split_whitespace().next()).collect();
    let others = crates.len().saturating_sub(1) as f64;
    goals.at_most("crates in the tree of the adapter for tokio", others, 35.0);
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_goal_is_met_or_not() {
        let mut goals = Goals::default();
        goals.encode(449.0);
        goals.encode(451.0);
        goals.cpu(32, 256, "tokio, current", 1.31);
        goals.cpu(32, 256, "rmcp on pipes, multi", 20.0);
        goals.encode(f64::NAN);
        let met: Vec<bool> = goals.rows.iter().map(|goal| goal.met).collect();
        assert_eq!(met, [true, false, false]);
    }

    #[test]
    fn of_all_servers_the_worst_counts() {
        let mut goals = Goals::default();
        for ratios in [[1.0, 1.1], [1.4, 1.0], [0.9, 0.9]] {
            goals.sockets(&ratios);
        }
        assert_eq!(goals.rows.len(), 1);
        assert_eq!((goals.rows[0].measured.as_str(), goals.rows[0].met), ("1.40", false));
    }
}
