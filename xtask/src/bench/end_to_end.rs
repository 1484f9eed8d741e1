//! Servers, with a client at the other end of real pipes.

use super::Effort;
use super::callgrind::{self, allocations_per_request, instructions_per_request};
use super::chart::Color;
use super::figures::{Outcome, figure, in_turn, measure};
use super::programs::{Contender, Programs};
use super::report::Report;
use super::table::{Table, count, mebibytes, ratio};
use super::tools::{drive, stripped_size, system_calls};
use crate::failure::Failure;

/// A load.
struct Load {
    title: &'static str,
    size: usize,
    depth: usize,
    requests: usize,
    options: &'static [&'static str],
}

const LOADS: &[Load] = &[
    Load {
        title: "32 bytes, one at a time, both on one core",
        size: 32,
        depth: 1,
        requests: 20_000,
        options: &["--pin"],
    },
    Load { title: "32 bytes, 16 at once", size: 32, depth: 16, requests: 40_000, options: &[] },
    Load { title: "32 bytes, 256 at once", size: 32, depth: 256, requests: 100_000, options: &[] },
    Load {
        title: "4 KiB, one at a time, both on one core",
        size: 4 << 10,
        depth: 1,
        requests: 10_000,
        options: &["--pin"],
    },
    Load { title: "4 KiB, 16 at once", size: 4 << 10, depth: 16, requests: 20_000, options: &[] },
    Load { title: "4 KiB, 256 at once", size: 4 << 10, depth: 256, requests: 20_000, options: &[] },
    Load { title: "1 MiB, one at a time", size: 1 << 20, depth: 1, requests: 100, options: &[] },
    // 256 of them would be more than the limit on what is in flight, 64 MiB.
    Load { title: "1 MiB, 16 at once", size: 1 << 20, depth: 16, requests: 100, options: &[] },
];

impl Load {
    fn run(
        &self,
        programs: &Programs,
        server: &Contender,
        effort: Effort,
        more: &[&str],
    ) -> Outcome {
        let requests = (effort.requests(self.requests) / server.divisor).max(4);
        let (size, depth) = (self.size.to_string(), self.depth.to_string());
        let (requests, warmup) = (requests.to_string(), (requests / 10).max(2).to_string());
        let mut options = vec!["--tool", server.tool, "--size", &size, "--depth", &depth];
        options.extend(["--requests", &requests, "--warmup", &warmup]);
        options.extend(self.options);
        options.extend(more);
        measure(&mut programs.load("run", &options, &server.command))
    }

    fn is(&self, size: usize, depth: usize) -> bool {
        (self.size, self.depth) == (size, depth)
    }
}

pub(crate) fn run(programs: &Programs, effort: Effort, report: &mut Report) -> Result<(), Failure> {
    for load in LOADS {
        under_load(load, programs, effort, report);
    }
    sockets(programs, effort, report);
    start(programs, effort, report)?;
    counted(programs, effort, report)
}

fn under_load(load: &Load, programs: &Programs, effort: Effort, report: &mut Report) {
    let servers = &programs.servers;
    let outcomes =
        in_turn(servers, effort.rounds, |server| load.run(programs, server, effort, &[]));
    let header = [
        load.title,
        "CPU, of the limit's",
        "requests a second",
        "p50",
        "p99",
        "switches per request",
        "peak MiB",
    ];
    let mut table = Table::new(format!("Echo, {}: ratios to the limit", load.title), &header);
    let limit = outcomes[0].clone().unwrap_or_default();
    for (server, outcome) in servers.iter().zip(&outcomes) {
        let figures = match outcome {
            Ok(figures) => figures,
            Err(why) => {
                table.row([server.name.to_owned(), why.clone()]);
                continue;
            }
        };
        let of_limit = |name| figures.named(name) / limit.named(name);
        let cpu = of_limit("cpu_us_per_request");
        table.row([
            server.name.to_owned(),
            ratio(cpu),
            ratio(of_limit("requests_per_second")),
            ratio(of_limit("p50_us")),
            ratio(of_limit("p99_us")),
            count(figures.named("context_switches_per_request")),
            mebibytes(figures.named("peak_kib")),
        ]);
        if load.is(32, 256) {
            report.chart.add(server.name, cpu, server.color);
        }
        report.goals.cpu(load.size, load.depth, server.name, cpu);
    }
    report.tables.push(table);
}

/// Node hosts give their servers sockets.
fn sockets(programs: &Programs, effort: Effort, report: &mut Report) {
    let servers: Vec<Contender> =
        programs.servers.iter().filter(|server| server.divisor <= 10).cloned().collect();
    let header = ["server", "one at a time", "256 at once"];
    let mut table =
        Table::new("Socket pairs instead of pipes: CPU, of the same server's on pipes", &header);
    let mut ratios: Vec<Vec<f64>> = vec![Vec::new(); servers.len()];
    for load in LOADS.iter().filter(|load| load.is(32, 1) || load.is(32, 256)) {
        let both: Vec<(Contender, &[&str])> = servers
            .iter()
            .flat_map(|server| {
                [(server.clone(), &[][..]), (server.clone(), &["--stdio", "socket"][..])]
            })
            .collect();
        let outcomes = in_turn(&both, effort.rounds, |(server, more)| {
            load.run(programs, server, effort, more)
        });
        for (place, pair) in outcomes.chunks(2).enumerate() {
            let cpu = |outcome| figure(outcome, "cpu_us_per_request");
            ratios[place].push(cpu(&pair[1]) / cpu(&pair[0]));
        }
    }
    for (server, ratios) in servers.iter().zip(ratios) {
        if server.color == Color::Ours {
            report.goals.sockets(&ratios);
        }
        table.row(std::iter::once(server.name.to_owned()).chain(ratios.into_iter().map(ratio)));
    }
    report.tables.push(table);
}

/// From the start to the first answer, and how large the program is.
fn start(programs: &Programs, effort: Effort, report: &mut Report) -> Result<(), Failure> {
    let mut servers: Vec<Contender> = vec![programs.servers[0].clone()];
    for (name, program) in
        [("tokio", "echo-tokio"), ("smol", "echo-smol"), ("async-std", "echo-async-std")]
    {
        let command = vec![programs.ours(program)];
        if std::path::Path::new(&command[0]).exists() {
            servers.push(Contender { name, command, tool: "echo", color: Color::Ours, divisor: 1 });
        }
    }
    servers.extend(programs.servers.iter().filter(|server| server.color == Color::Peer).cloned());
    let rounds = effort.rounds * 5;
    let outcomes = in_turn(&servers, rounds, |server| {
        measure(&mut programs.load("cold", &["--pin"], &server.command))
    });
    let header = ["server", "to the first answer", "CPU", "peak MiB", "stripped MB"];
    let mut table = Table::new(
        "Starting, with an echo server that is as small as it comes: ratios to the limit",
        &header,
    );
    let limit = outcomes[0].clone().unwrap_or_default();
    for (server, outcome) in servers.iter().zip(&outcomes) {
        let figures = outcome.clone().unwrap_or_default();
        let size = match server.command.as_slice() {
            // An interpreter is not the program.
            [program, ..] if server.divisor < 20 => stripped_size(program)? / 1e6,
            _ => f64::NAN,
        };
        let of_limit = |name| figures.named(name) / limit.named(name);
        let first = of_limit("first_answer_us");
        if server.color == Color::Ours {
            report.goals.start(server.name, first, size);
        }
        table.row([
            server.name.to_owned(),
            ratio(first),
            ratio(of_limit("cpu_us")),
            mebibytes(figures.named("peak_kib")),
            ratio(size),
        ]);
    }
    report.tables.push(table);
    Ok(())
}

/// What does not depend on how busy the machine is.
fn counted(programs: &Programs, effort: Effort, report: &mut Report) -> Result<(), Failure> {
    let header =
        ["server", "instructions", "allocations", "system calls, one at a time", "256 at once"];
    let mut table = Table::new("Counted: for each echo of 32 bytes, the whole server", &header);
    let load = programs.ours("load");
    for server in programs.servers.iter().filter(|server| server.divisor <= 10) {
        let (instructions, allocations) = if callgrind::is_installed() && server.divisor < 10 {
            (
                instructions_per_request(&server.command, drive(&load, server.tool))?,
                allocations_per_request(&server.command, drive(&load, server.tool))?,
            )
        } else {
            (f64::NAN, f64::NAN)
        };
        let calls = if effort == Effort::SMOKE {
            [f64::NAN, f64::NAN]
        } else {
            [system_calls(programs, server, 1)?, system_calls(programs, server, 256)?]
        };
        report.goals.counted(server.name, instructions, allocations, calls);
        table.row([
            server.name.to_owned(),
            count(instructions),
            count(allocations),
            count(calls[0]),
            count(calls[1]),
        ]);
    }
    report.tables.push(table);
    Ok(())
}
