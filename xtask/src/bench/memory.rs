//! What servers keep: of a line without an end, of replies that nobody reads, of a large message, of connections at rest.

use super::Effort;
use super::chart::Color;
use super::figures::measure;
use super::programs::Programs;
use super::report::Report;
use super::table::{Table, mebibytes};
use super::tools::run_load;
use crate::failure::Failure;
use std::process::Command;

/// How much address space a server may have: some would take all there is.
const MOST: &str = "6442450944";

pub(crate) fn run(programs: &Programs, effort: Effort, report: &mut Report) -> Result<(), Failure> {
    endless_line(programs, effort, report);
    unread_replies(programs, effort, report);
    large_message(programs, effort, report);
    connections(programs, effort, report);
    Ok(())
}

fn endless_line(programs: &Programs, effort: Effort, report: &mut Report) {
    let bytes = effort.requests(512 << 20).to_string();
    let title = "512 MiB without a line end (our limit for a line is 16 MiB): MiB of memory";
    let header = ["server", "before", "peak", "after", "the next request"];
    let mut table = Table::new(title, &header);
    for server in &programs.servers {
        let options = ["--bytes", &bytes, "--rlimit-as", MOST];
        let figures = run_load(programs, server, "flood", &options);
        let answered = figures.named("answered") > 0.0;
        let (before, peak) = (figures.named("base_kib"), figures.named("peak_kib"));
        if server.color == Color::Ours {
            report.goals.endless_line(peak - before, answered);
        }
        table.row([
            server.name.to_owned(),
            mebibytes(before),
            mebibytes(peak),
            mebibytes(figures.named("after_kib")),
            if answered { "is answered" } else { "is lost" }.to_owned(),
        ]);
    }
    report.tables.push(table);
}

fn unread_replies(programs: &Programs, effort: Effort, report: &mut Report) {
    let title =
        "100,000 requests of 100 bytes whose replies nobody reads for a while: MiB of memory";
    let header =
        ["server", "before", "peak", "taken meanwhile", "answered in the end", "of these busy"];
    let mut table = Table::new(title, &header);
    let requests = effort.requests(100_000);
    for server in &programs.servers {
        let requests = if server.divisor < 10 { requests } else { requests / 3 };
        let requests = requests.to_string();
        let options =
            ["--tool", server.tool, "--requests", &requests, "--size", "100", "--rlimit-as", MOST];
        let figures = run_load(programs, server, "unread", &options);
        let (before, peak) = (figures.named("base_kib"), figures.named("peak_kib"));
        let whole = |name| format!("{:.0}", figures.named(name)).replace("NaN", "-");
        if server.color == Color::Ours {
            let all = figures.named("replies").to_string() == requests;
            report.goals.unread_replies(peak - before, all);
        }
        table.row([
            server.name.to_owned(),
            mebibytes(before),
            mebibytes(peak),
            whole("accepted"),
            whole("replies"),
            whole("refused"),
        ]);
    }
    report.tables.push(table);
}

fn large_message(programs: &Programs, effort: Effort, report: &mut Report) {
    let bytes = effort.requests(9 << 20).to_string();
    let header = ["server", "before", "peak", "once it is idle"];
    let mut table = Table::new(
        "One echo of 9 MiB (our limit for a reply is 10 MB), then nothing: MiB of memory",
        &header,
    );
    for server in &programs.servers {
        let options = ["--tool", server.tool, "--bytes", &bytes, "--rlimit-as", MOST];
        let figures = run_load(programs, server, "idle", &options);
        let names =
            ["base_kib", "peak_kib", "after_kib"].map(|name| mebibytes(figures.named(name)));
        table.row(std::iter::once(server.name.to_owned()).chain(names));
    }
    report.tables.push(table);
}

fn connections(programs: &Programs, effort: Effort, report: &mut Report) {
    let header = ["server", "KiB for each"];
    let mut table = Table::new("1,000 connections in one process, at rest", &header);
    let mut servers: Vec<(&str, String)> = [
        ("tokio", "connections-tokio"),
        ("smol", "connections-smol"),
        ("async-std", "connections-async-std"),
    ]
    .map(|(name, program)| (name, programs.ours(program)))
    .into();
    servers.extend(programs.peer("rmcp-connections").map(|program| ("rmcp", program)));
    for (name, program) in servers {
        let number = effort.requests(1000).to_string();
        let figures = measure(Command::new(program).arg(number)).unwrap_or_default();
        let each = figures.named("kib_per_connection");
        if !each.is_nan() {
            table.row([name.to_owned(), format!("{each:.1}")]);
        }
    }
    report.tables.push(table);
}
