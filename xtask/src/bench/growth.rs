//! How cost grows with what is in flight, and with connections.

use super::Effort;
use super::figures::{figure, in_turn, measure};
use super::in_process::Setting;
use super::programs::{Contender, Programs};
use super::report::Report;
use super::table::{Table, count, ratio};
use crate::failure::Failure;
use std::process::Command;

const IN_FLIGHT: &[usize] = &[1, 10, 100, 1_000, 10_000];
const CONNECTIONS: &[usize] = &[1, 10, 100, 1_000];

pub(crate) fn run(programs: &Programs, effort: Effort, report: &mut Report) -> Result<(), Failure> {
    core(programs, effort, report)?;
    server(programs, effort, report);
    connections(programs, effort, report);
    Ok(())
}

/// Requests wait in the core, and the one that waits longest is answered when the next comes.
fn core(programs: &Programs, effort: Effort, report: &mut Report) -> Result<(), Failure> {
    let header = ["in flight", "instructions per message"];
    let mut table = Table::new("Requests in flight in the core, with MCP's session", &header);
    for in_flight in IN_FLIGHT {
        let (program, messages) = (programs.ours("in-process"), effort.requests(20_000));
        let setting = Setting {
            in_flight: *in_flight,
            ..Setting::new(&program, "serve-mcp", "small", messages)
        };
        table.row([count(*in_flight as f64), count(setting.instructions()?)]);
    }
    report.tables.push(table);
    Ok(())
}

/// A server that answers with tasks, on one thread: with so many requests under way.
fn server(programs: &Programs, effort: Effort, report: &mut Report) {
    let Some(server) = programs.server("tokio, current, task") else { return };
    // One connection may hold half of what a server may.
    let command = [&programs.ours("echo-tokio"), "current", "--max-in-flight", "20000"];
    let ours = Contender { command: command.map(str::to_owned).into(), ..server.clone() };
    let limit = &programs.servers[0];
    let header = ["under way", "limit", "tokio, current, task"];
    let title =
        "Requests under way to a server: CPU for each, of the same server's with 100 under way";
    let mut table = Table::new(title, &header);
    let runs: Vec<_> =
        IN_FLIGHT.iter().flat_map(|depth| [(*depth, limit), (*depth, &ours)]).collect();
    let outcomes = in_turn(&runs, effort.rounds, |(depth, server)| {
        let (depth, requests) = (depth.to_string(), effort.requests(60_000).to_string());
        let options = ["--tool", server.tool, "--depth", &depth, "--requests", &requests];
        measure(&mut programs.load("run", &options, &server.command))
    });
    let cpu = |place: usize| figure(&outcomes[place], "cpu_us_per_request");
    for (place, depth) in IN_FLIGHT.iter().enumerate() {
        let of_hundred = |column: usize| ratio(cpu(2 * place + column) / cpu(4 + column));
        table.row([count(*depth as f64), of_hundred(0), of_hundred(1)]);
    }
    report.tables.push(table);
}

/// Each connection is used in turn.
fn connections(programs: &Programs, effort: Effort, report: &mut Report) {
    let header = ["connections", "tokio", "smol", "async-std", "rmcp"];
    let title =
        "Connections of one process: CPU for each echo, of the same program's with one connection";
    let mut table = Table::new(title, &header);
    let mut names: Vec<String> = ["tokio", "smol", "async-std"]
        .map(|runtime| programs.ours(&format!("connections-{runtime}")))
        .into();
    names.extend(programs.peer("rmcp-connections"));
    let runs: Vec<(usize, &String)> = CONNECTIONS
        .iter()
        .flat_map(|number| names.iter().map(move |name| (*number, name)))
        .collect();
    let outcomes = in_turn(&runs, effort.rounds, |(number, program)| {
        measure(Command::new(program).arg(number.to_string()))
    });
    let cpu: Vec<f64> =
        outcomes.iter().map(|outcome| figure(outcome, "cpu_us_per_request")).collect();
    for (row, number) in CONNECTIONS.iter().enumerate() {
        let cells = (0..names.len()).map(|name| ratio(cpu[row * names.len() + name] / cpu[name]));
        table.row(std::iter::once(count(*number as f64)).chain(cells));
    }
    report.tables.push(table);
}
