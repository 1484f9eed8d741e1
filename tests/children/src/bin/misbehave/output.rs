//! Standard output, and how it is written to.

use crate::platform;
use serde_json::Value;
use std::io::{self, Write};

pub(crate) struct Output {
    /// How many bytes are written at once.
    at_once: usize,
    /// How many bytes are left until the process is killed. `None` where it is not.
    left: Option<usize>,
}

impl Output {
    pub(crate) fn plain() -> Self {
        Self { at_once: usize::MAX, left: None }
    }

    pub(crate) fn in_single_bytes() -> Self {
        Self { at_once: 1, left: None }
    }

    /// After so many bytes the process is killed.
    pub(crate) fn that_ends_after(bytes: usize) -> Self {
        Self { at_once: usize::MAX, left: Some(bytes) }
    }

    pub(crate) fn send(&mut self, message: &Value) -> io::Result<()> {
        self.line(&message.to_string())
    }

    pub(crate) fn line(&mut self, text: &str) -> io::Result<()> {
        let line = format!("{text}\n");
        let mut stdout = io::stdout().lock();
        for bytes in line.as_bytes().chunks(self.at_once) {
            let left = self.left.unwrap_or(usize::MAX).min(bytes.len());
            stdout.write_all(&bytes[..left])?;
            stdout.flush()?;
            self.left = self.left.map(|total| total - left);
            if self.left == Some(0) {
                platform::be_killed()?;
            }
        }
        Ok(())
    }
}
