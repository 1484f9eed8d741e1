//! Clients, with the limit as their server.

use super::Effort;
use super::figures::{Outcome, figure, in_turn, measure};
use super::programs::Programs;
use super::report::Report;
use super::table::{Table, ratio};
use crate::failure::Failure;
use std::process::Command;

pub(crate) fn run(programs: &Programs, effort: Effort, report: &mut Report) -> Result<(), Failure> {
    let mut clients = vec![("mcp-wire on tokio", programs.ours("call-tokio"))];
    clients.extend(programs.peer("rmcp-client").map(|program| ("rmcp", program)));
    let header = ["client", "one at a time, on one core", "16 at once", "256 at once"];
    let mut table = Table::new("Clients calling the limit: CPU of the client, of ours", &header);
    let mut ratios: Vec<Vec<f64>> = vec![Vec::new(); clients.len()];
    for depth in [1, 16, 256] {
        let outcomes = in_turn(&clients, effort.rounds, |(_, program)| {
            call(program, depth, effort, &programs.ours("limit"))
        });
        let cpu = |outcome| figure(outcome, "cpu_us_per_request");
        for (ratios, outcome) in ratios.iter_mut().zip(&outcomes) {
            ratios.push(cpu(outcome) / cpu(&outcomes[0]));
        }
    }
    for ((name, _), ratios) in clients.iter().zip(ratios) {
        if *name == "rmcp" {
            report.goals.client(ratios[0], ratios[2]);
        }
        table.row(std::iter::once((*name).to_owned()).chain(ratios.into_iter().map(ratio)));
    }
    report.tables.push(table);
    Ok(())
}

fn call(program: &str, depth: usize, effort: Effort, server: &str) -> Outcome {
    let requests = effort.requests(if depth == 1 { 10_000 } else { 40_000 });
    // Both processes on one core, as for servers.
    let mut command = if depth == 1 { Command::new("taskset") } else { Command::new(program) };
    if depth == 1 {
        command.args(["-c", "0", program]);
    }
    command.args(["--depth", &depth.to_string(), "--requests", &requests.to_string()]);
    measure(command.args(["--", server]))
}
