//! What a caller gets of each server that misbehaves, on each runtime, how long the end takes, and how much is left:
//! `cargo build --package children --bins && cargo run --package children --bin table [-- MODE ...]`.

#![allow(
    clippy::print_stdout,
    clippy::print_stderr,
    reason = "a program for people at a terminal: what it prints is its purpose"
)]

mod outcome;
mod session;

use children::{Adapter, AsyncStd, Mode, Smol, TokioCurrentThread, TokioMultiThread, not_built};
use outcome::Outcome;
use session::Session;
use std::env;
use std::process::ExitCode;
use std::thread;

const RUNTIMES: [&str; 4] =
    [AsyncStd::NAME, Smol::NAME, TokioMultiThread::NAME, TokioCurrentThread::NAME];

fn main() -> ExitCode {
    if let Some(missing) = not_built() {
        return complain(&missing);
    }
    let modes: Result<Vec<Mode>, String> = env::args().skip(1).map(|name| name.parse()).collect();
    let modes = match modes {
        Ok(modes) => modes,
        Err(error) => return complain(&error),
    };
    let modes = if modes.is_empty() { Mode::ALL } else { &modes };
    println!("{:<27}{}  left", "", RUNTIMES.map(|name| format!("{name:>22}")).concat());
    let left: usize = modes.iter().map(|mode| print(*mode, &on_all(*mode))).sum();
    if left == 0 { ExitCode::SUCCESS } else { ExitCode::FAILURE }
}

fn complain(message: &str) -> ExitCode {
    eprintln!("{message}");
    ExitCode::from(2)
}

/// At the same time, since most of it is waiting.
fn on_all(mode: Mode) -> Vec<Session> {
    let sessions: [fn(Mode) -> Session; 4] = [
        session::play::<AsyncStd>,
        session::play::<Smol>,
        session::play::<TokioMultiThread>,
        session::play::<TokioCurrentThread>,
    ];
    let running = sessions.map(|play| thread::spawn(move || play(mode)));
    running.into_iter().filter_map(|session| session.join().ok()).collect()
}

/// What the sessions have in common is printed once. Gives how many processes are left.
fn print(mode: Mode, sessions: &[Session]) -> usize {
    let took = |session: &Session| format!("{:>19} ms", session.took.as_millis());
    let times: String = sessions.iter().map(took).collect();
    let left = sessions.iter().map(|session| session.left).sum();
    println!("{:<27}{times}  {left}", mode.name());
    let mut told: Vec<&Outcome> = Vec::new();
    for Session { outcome, .. } in sessions {
        if !told.contains(&outcome) {
            let same = sessions.iter().filter(|session| session.outcome == *outcome);
            let names: Vec<&str> = same.map(|session| session.runtime).collect();
            let who =
                if names.len() == sessions.len() { "all".to_owned() } else { names.join(", ") };
            println!("    {who}: {outcome}");
            told.push(outcome);
        }
    }
    left
}
