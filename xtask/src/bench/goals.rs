//! What the project has set itself, and whether it holds.

use super::table::{Table, count, ratio};
use crate::failure::Failure;
use crate::workspace;
use std::collections::BTreeSet;

/// Goals, in the order of the page. Each part of the run adds what it has measured.
#[derive(Debug, Default)]
pub(crate) struct Goals {
    rows: Vec<Goal>,
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
            "medium" => self.at_most("the same for 4 KiB", instructions, 4e4),
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

    pub(crate) fn sockets(&mut self, of_pipes: &[f64]) {
        let worst = of_pipes.iter().copied().fold(0.0, f64::max);
        let what = "CPU over socket pairs, of that over pipes: the worst";
        match self.rows.iter_mut().find(|goal| goal.what == what) {
            Some(goal) if goal.measured.parse().is_ok_and(|before: f64| before >= worst) => {}
            Some(goal) => (goal.measured, goal.met) = (ratio(worst), worst <= 1.3),
            None => self.at_most(what, worst, 1.3),
        }
    }

    pub(crate) fn start(&mut self, of_limit: f64, megabytes: f64) {
        self.at_most("start to first answer, of the limit's", of_limit, 1.3);
        self.at_most("an echo server without symbols, in MB", megabytes, 1.8);
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
        let measured = format!(
            "{:.1}{}",
            kibibytes / 1024.0,
            if answered { "" } else { ", next request lost" }
        );
        let met = answered && kibibytes <= 20.0 * 1024.0;
        self.add(
            "MiB more for 512 MiB without a line end",
            measured,
            "at most 20, and the next request answered",
            met,
        );
    }

    pub(crate) fn unread_replies(&mut self, kibibytes: f64, all: bool) {
        let measured =
            format!("{:.1}{}", kibibytes / 1024.0, if all { "" } else { ", replies lost" });
        let met = all && kibibytes <= 72.0 * 1024.0;
        self.add(
            "MiB more for 100,000 unread replies",
            measured,
            "at most 72 (the limit and 8), none lost",
            met,
        );
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
    goals.at_most(
        "crates in the tree of the adapter for tokio, itself included",
        crates.len() as f64,
        35.0,
    );
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
