//! What every mode has in common: it reads messages, answers them, and ends with its input.

use crate::complaint::complain;
use crate::output::Output;
use crate::{answer, start};
use children::Mode;
use serde_json::Value;
use std::io::{self, BufRead, StdinLock};
use std::thread;

pub(crate) struct Server {
    pub(crate) mode: Mode,
    pub(crate) input: StdinLock<'static>,
    pub(crate) output: Output,
    /// The answer that comes late, where one is due.
    pub(crate) withheld: Option<Value>,
    /// How many calls have come.
    pub(crate) calls: usize,
}

impl Server {
    pub(crate) fn new(mode: Mode, output: Output) -> Self {
        Self { mode, input: io::stdin().lock(), output, withheld: None, calls: 0 }
    }

    /// Serves until the input ends, or longer.
    pub(crate) fn run(mut self) -> io::Result<()> {
        start::before_the_first_message(&mut self)?;
        let mut line = String::new();
        while self.input.read_line(&mut line)? > 0 {
            let message: Value = serde_json::from_str(&line)?;
            line.clear();
            // Notifications need nothing, and it never asks the client for anything.
            if let (Some(method), Some(id)) = (message["method"].as_str(), message.get("id")) {
                answer::request(&mut self, method, id, &message["params"])?;
            }
        }
        if matches!(self.mode, Mode::IgnoresEndOfInput | Mode::IgnoresBoth) {
            complain("ignores the end of its input");
            live_on();
        }
        Ok(())
    }
}

/// Does nothing, until somebody else ends the process.
pub(crate) fn live_on() -> ! {
    loop {
        thread::park();
    }
}
