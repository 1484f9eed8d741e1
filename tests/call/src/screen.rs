//! Progress, on standard error: one line that changes on a terminal, a line each elsewhere.

use mcp_wire_driver::Progress as Told;
use std::io::{self, IsTerminal, Write};

#[derive(Debug, Default)]
pub(crate) struct Progress {
    shown: bool,
}

impl Progress {
    pub(crate) fn show(&mut self, told: &Told) {
        let line = text(told);
        let mut stderr = io::stderr();
        if stderr.is_terminal() {
            // Back to the beginning of the line, and clear it.
            _ = write!(stderr, "\r\x1b[2K{line}");
            _ = stderr.flush();
            self.shown = true;
        } else {
            _ = writeln!(stderr, "{line}");
        }
    }

    pub(crate) fn clear(&mut self) {
        if std::mem::take(&mut self.shown) {
            let mut stderr = io::stderr();
            _ = write!(stderr, "\r\x1b[2K");
            _ = stderr.flush();
        }
    }
}

fn text(told: &Told) -> String {
    let count = match told.total {
        Some(total) if total > 0.0 => {
            format!("{:3.0} %", (told.progress / total * 100.0).clamp(0.0, 100.0))
        }
        _ => told.progress.to_string(),
    };
    match &told.message {
        // A terminal would obey it otherwise.
        Some(message) => {
            let printable: String =
                message.chars().map(|c| if c.is_control() { ' ' } else { c }).collect();
            format!("{count}  {printable}")
        }
        None => count,
    }
}
