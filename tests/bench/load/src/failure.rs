//! Why there are no figures.

use std::fmt;

/// A sentence about what went wrong: the server's fault, or the system's.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct Failure(String);

impl Failure {
    pub(crate) fn new(message: impl Into<String>) -> Self {
        Self(message.into())
    }
}

impl fmt::Display for Failure {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str(&self.0)
    }
}

/// Puts in front of an error what was being done.
pub(crate) trait While<T> {
    fn during(self, what: &str) -> Result<T, Failure>;
}

impl<T, E: fmt::Display> While<T> for Result<T, E> {
    fn during(self, what: &str) -> Result<T, Failure> {
        self.map_err(|error| Failure(format!("{what}: {error}")))
    }
}
