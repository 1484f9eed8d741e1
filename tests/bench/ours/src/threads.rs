//! Tokio with one thread, or with many.

use std::future::Future;
use std::io;
use tokio::runtime::Builder;

/// What runs a tokio server.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Threads {
    /// The thread of `main` alone.
    Current,
    /// One thread for each core.
    Multi,
}

impl Threads {
    /// Takes `current` or `multi` off the front of the arguments. Where there is neither, it is `multi`, as `#[tokio::main]`
    /// has it.
    #[must_use]
    pub fn take_from(arguments: &mut Vec<String>) -> Self {
        let threads = match arguments.first().map(String::as_str) {
            Some("current") => Self::Current,
            Some("multi") => Self::Multi,
            _ => return Self::Multi,
        };
        arguments.remove(0);
        threads
    }

    /// Runs a future to its end.
    ///
    /// # Errors
    ///
    /// Those of the future, and what the system says where there can be no runtime.
    pub fn block_on<T>(self, future: impl Future<Output = io::Result<T>>) -> io::Result<T> {
        let mut builder = match self {
            Self::Current => Builder::new_current_thread(),
            Self::Multi => Builder::new_multi_thread(),
        };
        builder.enable_all().build()?.block_on(future)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_a_word_for_threads_is_taken() {
        for (line, threads, left) in [
            ("current --max-in-flight 3", Threads::Current, 2),
            ("multi", Threads::Multi, 0),
            ("--max-in-flight 3", Threads::Multi, 2),
        ] {
            let mut arguments = line.split_whitespace().map(str::to_owned).collect();
            assert_eq!(Threads::take_from(&mut arguments), threads, "{line}");
            assert_eq!(arguments.len(), left, "{line}");
        }
    }
}
