//! How many of many calls are answered.

use serde_json::Value;
use std::collections::BTreeSet;
use std::fmt;

/// Calls with the ids from 0 on, and those of them that are answered.
#[derive(Debug)]
pub(crate) struct Tally {
    calls: u64,
    answered: BTreeSet<u64>,
    errors: usize,
}

impl Tally {
    pub(crate) fn of(calls: u64) -> Self {
        Self { calls, answered: BTreeSet::new(), errors: 0 }
    }

    pub(crate) fn count(&mut self, line: &str) {
        let Ok(message) = serde_json::from_str::<Value>(line) else { return };
        let id = message["id"].as_u64().filter(|id| *id < self.calls);
        if id.is_some_and(|id| self.answered.insert(id)) {
            let failed = message.get("error").is_some() || message["result"]["isError"] == true;
            self.errors += usize::from(failed);
        }
    }

    /// How many of them with an error.
    pub(crate) fn errors(&self) -> usize {
        self.errors
    }

    pub(crate) fn is_complete(&self) -> bool {
        self.answered.len() as u64 == self.calls
    }
}

impl fmt::Display for Tally {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.answered.len() {
            _ if self.is_complete() => formatter.write_str("answers all"),
            answered => write!(formatter, "answers {answered} of {}", self.calls),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_call_counts_once() {
        let mut tally = Tally::of(2);
        for line in [
            r#"{"id":0,"result":{}}"#,
            r#"{"id":0,"error":{}}"#,
            r#"{"id":2,"result":{}}"#,
            r#"{"id":"1","result":{}}"#,
            "a stray line",
        ] {
            tally.count(line);
        }
        assert_eq!((tally.to_string(), tally.is_complete()), ("answers 1 of 2".to_owned(), false));
        tally.count(r#"{"id":1,"error":{}}"#);
        assert_eq!((tally.to_string(), tally.errors()), ("answers all".to_owned(), 1));
        assert!(tally.is_complete());
    }
}
