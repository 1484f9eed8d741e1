//! How the process at the other end ended.

use std::fmt::{self, Write};
use std::process::ExitStatus;
use std::sync::Arc;

/// How much of its last words a message shows, in bytes.
const SHOWN: usize = 512;

/// How the process at the other end ended, and its last words.
///
/// A reader that ends with an [`io::Error`](std::io::Error) which holds this one tells the driver that the process behind it
/// has exited: that is then the cause of the end.
#[derive(Clone, PartialEq, Eq)]
#[non_exhaustive]
pub struct ProcessExit {
    /// Its exit status.
    pub status: ExitStatus,
    /// The end of what it wrote to standard error, where that was captured; else empty.
    pub stderr: Arc<str>,
}

impl ProcessExit {
    /// A process that ended with `status`, and wrote `stderr` last.
    #[must_use]
    pub fn new(status: ExitStatus, stderr: impl Into<Arc<str>>) -> Self {
        Self { status, stderr: stderr.into() }
    }

    /// The last lines of what it wrote to standard error, short enough for a message.
    #[must_use]
    pub fn last_words(&self) -> &str {
        let stderr = self.stderr.trim_end();
        let mut start = stderr.len().saturating_sub(SHOWN);
        while !stderr.is_char_boundary(start) {
            start += 1;
        }
        let shown = &stderr[start..];
        // Half a line says less than none, as long as there are others.
        match shown.split_once('\n') {
            Some((_, whole_lines)) if start > 0 => whole_lines,
            _ => shown,
        }
    }
}

impl fmt::Debug for ProcessExit {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter
            .debug_struct("ProcessExit")
            .field("status", &self.status)
            .field("last_words", &self.last_words())
            .finish()
    }
}

impl fmt::Display for ProcessExit {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(formatter, "{}", self.status)?;
        match self.last_words() {
            // Who ends well has nothing to explain.
            _ if self.status.success() => Ok(()),
            "" => Ok(()),
            words => {
                formatter.write_str(", and its last words were: ")?;
                words.chars().try_for_each(|c| write_visibly(formatter, c))
            }
        }
    }
}

/// A terminal that shows the message must not be steered by it.
fn write_visibly(formatter: &mut fmt::Formatter<'_>, c: char) -> fmt::Result {
    match c {
        '\n' | '\t' => formatter.write_char(c),
        c if c.is_control() => write!(formatter, "{}", c.escape_default()),
        c => formatter.write_char(c),
    }
}

impl std::error::Error for ProcessExit {}

#[cfg(all(test, unix))]
mod tests {
    use super::*;
    use std::os::unix::process::ExitStatusExt;

    /// K2: the message shows the end of the tail, in whole lines where there are any.
    #[test]
    fn the_last_words_are_short_and_whole() {
        let exit = |stderr: &str| ProcessExit::new(ExitStatus::from_raw(3 << 8), stderr);
        assert_eq!(exit("").to_string(), "exit status: 3");
        assert_eq!(
            exit("no key\n\n").to_string(),
            "exit status: 3, and its last words were: no key"
        );
        assert_eq!(
            exit("\u{1b}[31mred\r").to_string(),
            "exit status: 3, and its last words were: \\u{1b}[31mred"
        );
        let long = format!("{}\nlast line\n", "é".repeat(300));
        assert_eq!(exit(&long).last_words(), "last line");
        let one_line = "é".repeat(300);
        assert_eq!(exit(&one_line).last_words(), "é".repeat(256));
    }
}
