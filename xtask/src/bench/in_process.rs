//! The core without any IO, beside other ways to read lines of JSON.

use super::Effort;
use super::callgrind::{self, instructions_in};
use super::figures::{Outcome, figure, in_turn, measure};
use super::programs::Programs;
use super::report::Report;
use super::table::{Table, count, ratio};
use crate::failure::Failure;
use std::process::Command;

/// What the measuring programs count in.
const MEASURED: &str = "*measured*";

/// Only here: writing a reply, without the account that is kept of requests.
const ENCODE: &str = "*rpc::encode::reply*";

/// The shapes of messages, with the number that is measured with.
const SHAPES: &[(&str, usize)] = &[("small", 2000), ("medium", 300), ("large", 6), ("mixed", 1000)];

const CUTS: &[&str] = &["1", "8192", "65536", "random"];

/// A measurement: what it is called in tables, which program has it, and under what name.
struct Reader {
    title: &'static str,
    program: String,
    name: &'static str,
}

impl Reader {
    fn on<'a>(&'a self, shape: &'a str, messages: usize) -> Setting<'a> {
        Setting::new(&self.program, self.name, shape, messages)
    }
}

/// A run of one.
pub(crate) struct Setting<'a> {
    pub(crate) program: &'a str,
    pub(crate) measurement: &'a str,
    pub(crate) shape: &'a str,
    pub(crate) cut: &'a str,
    pub(crate) messages: usize,
    pub(crate) in_flight: usize,
}

impl<'a> Setting<'a> {
    /// In pieces of 64 KiB, each request answered before the next.
    pub(crate) fn new(
        program: &'a str,
        measurement: &'a str,
        shape: &'a str,
        messages: usize,
    ) -> Self {
        Self { program, measurement, shape, cut: "65536", messages, in_flight: 1 }
    }

    fn command(&self) -> Vec<String> {
        let (messages, in_flight) = (self.messages.to_string(), self.in_flight.to_string());
        [self.program, self.measurement, self.shape, self.cut, &messages, &in_flight]
            .map(str::to_owned)
            .into()
    }

    /// Instructions for each message.
    pub(crate) fn instructions(&self) -> Result<f64, Failure> {
        Ok(instructions_in(MEASURED, &self.command())? / self.messages as f64)
    }

    /// Instructions to write a reply.
    pub(crate) fn encoding(&self) -> Result<f64, Failure> {
        Ok(instructions_in(ENCODE, &self.command())? / self.messages as f64)
    }

    fn figures(&self) -> Outcome {
        let command = self.command();
        measure(Command::new(&command[0]).args(&command[1..]))
    }
}

pub(crate) fn run(programs: &Programs, effort: Effort, report: &mut Report) -> Result<(), Failure> {
    callgrind::require()?;
    let readers = readers(programs);
    read_lines(&readers, effort, report)?;
    cut_lines(&programs.ours("in-process"), effort, report)?;
    connection(&programs.ours("in-process"), effort, report)
}

fn readers(programs: &Programs) -> Vec<Reader> {
    let ours = programs.ours("in-process");
    let mut readers = vec![
        Reader { title: "a search for line ends", program: ours.clone(), name: "newlines" },
        Reader { title: "mcp-wire: framed, checked, classified", program: ours, name: "read" },
    ];
    if let Some(program) = programs.peer("in-process-peers") {
        let peer = |title, name| Reader { title, program: program.clone(), name };
        readers.extend([
            peer("serde_json into a borrowed envelope", "borrowed"),
            peer("serde_json into a Value", "value"),
            peer("line codec and serde_json into a Value", "codec"),
            peer("rmcp's codec", "rmcp"),
        ]);
    }
    readers
}

/// Each reader on each shape, in pieces of 64 KiB.
fn read_lines(readers: &[Reader], effort: Effort, report: &mut Report) -> Result<(), Failure> {
    for (shape, messages) in SHAPES {
        let messages = effort.requests(*messages).max(2);
        let title = format!("Reading lines: {}", about(shape));
        let header =
            ["reader", "instructions per message", "of ours", "time, of ours", "allocations"];
        let mut table = Table::new(title, &header);
        let figures =
            in_turn(readers, effort.rounds, |reader| reader.on(shape, messages).figures());
        let counts: Vec<f64> = readers
            .iter()
            .map(|reader| reader.on(shape, messages).instructions())
            .collect::<Result<_, _>>()?;
        let time = |outcome| figure(outcome, "nanoseconds");
        let (ours, our_time) = (counts[1], time(&figures[1]));
        for ((reader, counted), outcome) in readers.iter().zip(&counts).zip(&figures) {
            let allocations = figure(outcome, "allocations");
            table.row([
                reader.title.to_owned(),
                count(*counted),
                ratio(counted / ours),
                ratio(time(outcome) / our_time),
                count(allocations / messages as f64),
            ]);
        }
        report.tables.push(table);
        report.goals.read(shape, ours);
    }
    Ok(())
}

/// Ours in pieces of any size.
fn cut_lines(program: &str, effort: Effort, report: &mut Report) -> Result<(), Failure> {
    let header = ["pieces", "small", "medium", "large"];
    let mut table = Table::new("Reading lines in pieces, instructions per message", &header);
    for cut in CUTS {
        let mut cells = vec![match *cut {
            "random" => "of up to 16 KiB".to_owned(),
            bytes => format!("of {bytes} bytes"),
        }];
        for (shape, messages) in &SHAPES[..3] {
            // Byte by byte a large message takes a minute under valgrind.
            let messages = if *cut == "1" { messages / 3 } else { *messages };
            let messages = effort.requests(messages).max(1);
            let setting = Setting { cut, ..Setting::new(program, "read", shape, messages) };
            cells.push(count(setting.instructions()?));
        }
        table.row(cells);
    }
    report.tables.push(table);
    Ok(())
}

/// The whole connection, with and without a session of MCP.
fn connection(program: &str, effort: Effort, report: &mut Report) -> Result<(), Failure> {
    let header = ["message", "plain JSON-RPC", "with MCP's session", "allocations"];
    let mut table =
        Table::new("A whole connection, request and answer: instructions per message", &header);
    for (shape, messages) in SHAPES {
        let messages = effort.requests(*messages).max(2);
        let setting = |measurement| Setting::new(program, measurement, shape, messages);
        let figures = setting("serve-mcp").figures().map_err(Failure::Task)?;
        let allocations = figures.named("allocations") / messages as f64;
        table.row([
            about(shape).to_owned(),
            count(setting("serve").instructions()?),
            count(setting("serve-mcp").instructions()?),
            count(allocations),
        ]);
        if *shape == "small" {
            report.goals.core_allocations(allocations);
            report.goals.encode(setting("answer").encoding()?);
        }
    }
    report.tables.push(table);
    Ok(())
}

fn about(shape: &str) -> &'static str {
    match shape {
        "small" => "a tools/call of 130 bytes",
        "medium" => "a tools/call of 3.7 KB",
        "large" => "1 MiB of base64",
        _ => "a mix of these",
    }
}
