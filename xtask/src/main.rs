//! The project's tasks: `cargo xtask` lists them.

#![allow(
    clippy::print_stdout,
    clippy::print_stderr,
    reason = "a program for people at a terminal: what it prints is its purpose"
)]

mod api;
mod bench;
mod child;
mod compare;
mod conformance;
mod demo;
mod everything;
mod failure;
mod fuzz;
mod install;
mod interop;
mod package;
mod test;
mod tidy;
mod workspace;

use std::env;
use std::process::ExitCode;

use failure::Failure;

struct Task {
    name: &'static str,
    summary: &'static str,
    run: fn(&[String]) -> Result<(), Failure>,
}

const TASKS: &[Task] = &[
    Task {
        name: "api",
        summary: "compare the public API with its record in docs/api, or record it",
        run: api::run,
    },
    Task {
        name: "bench",
        summary: "measure our code beside a bare loop and other SDKs, or check counts of instructions",
        run: bench::run,
    },
    Task {
        name: "compare",
        summary: "do odd things to our servers and to those of other SDKs, and write down what they do",
        run: compare::run,
    },
    Task {
        name: "conformance",
        summary: "run the official conformance suites against a server and a client of ours",
        run: conformance::run,
    },
    Task {
        name: "demo",
        summary: "start a server, talk to it over its real streams, and show what happens",
        run: demo::run,
    },
    Task { name: "fuzz", summary: "look for faults in the core with a fuzzer", run: fuzz::run },
    Task {
        name: "interop",
        summary: "drive our server with official clients, and official servers with our client",
        run: interop::run,
    },
    Task {
        name: "package",
        summary: "pack the published crates, and build each from its archive",
        run: package::run,
    },
    Task { name: "test", summary: "run every test that needs nothing but Rust", run: test::run },
    Task { name: "tidy", summary: "check what no compiler checks", run: tidy::run },
];

fn main() -> ExitCode {
    match run() {
        Ok(()) => ExitCode::SUCCESS,
        Err(failure) => failure.report(),
    }
}

fn run() -> Result<(), Failure> {
    let arguments: Vec<String> = env::args_os()
        .skip(1)
        .map(|argument| {
            argument.into_string().map_err(|argument| {
                Failure::Usage(format!("use arguments in UTF-8, unlike {argument:?}"))
            })
        })
        .collect::<Result<_, _>>()?;

    let Some((name, rest)) = arguments.split_first() else {
        list();
        return Ok(());
    };
    match TASKS.iter().find(|task| task.name == name) {
        Some(task) => (task.run)(rest),
        None => {
            Err(Failure::Usage(format!("no task is called {name:?}: `cargo xtask` lists them")))
        }
    }
}

fn list() {
    println!("Usage: cargo xtask TASK [ARGUMENT ...]\n");
    for task in TASKS {
        println!("  {:<11} {}", task.name, task.summary);
    }
}
