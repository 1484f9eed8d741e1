//! What was seen of a server, in few words.

use serde_json::Value;
use std::fmt;

/// How much of a text is shown.
const SHOWN: usize = 30;

/// What a server did.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Seen {
    pub(crate) told: String,
    /// How many of many calls were answered with an error.
    pub(crate) errors: usize,
    /// Where it was looked at.
    pub(crate) memory: Option<Memory>,
}

/// The most memory that a process has had, in MiB.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Memory {
    pub(crate) before: u64,
    pub(crate) peak: u64,
}

/// What has become of a server.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum State {
    /// It answers, or ended when it had to.
    Alive,
    /// It ended by itself.
    Ended,
    /// The system ended it.
    Crashes,
    /// It is there, and answers no more.
    Hangs,
    /// It is there although it has nobody to talk to any more.
    Lingers,
}

impl State {
    /// What was seen, and how it ended, where that is worth a word.
    pub(crate) fn after(self, told: &str) -> String {
        let end = match self {
            Self::Alive => return told.to_owned(),
            Self::Ended => "ends",
            Self::Crashes => "crashes",
            Self::Hangs => "answers no more",
            Self::Lingers => "does not end",
        };
        if told.is_empty() { end.to_owned() } else { format!("{told}; {end}") }
    }
}

impl Seen {
    /// What these lines say, and the state.
    pub(crate) fn of(lines: &[String], state: State) -> Self {
        let mut told: Vec<(String, usize)> = Vec::new();
        for words in lines.iter().map(|line| words_of(line)) {
            match told.iter_mut().find(|(other, _)| *other == words) {
                Some((_, times)) => *times += 1,
                None => told.push((words, 1)),
            }
        }
        let told: Vec<String> = told
            .into_iter()
            .map(|(words, times)| match times {
                1 => words,
                _ => format!("{words} ({times} times)"),
            })
            .collect();
        let told = match (told.is_empty(), state) {
            (true, State::Alive) => "nothing".to_owned(),
            _ => told.join(", "),
        };
        Self { told: state.after(&told), errors: 0, memory: None }
    }
}

impl fmt::Display for Seen {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str(&self.told)?;
        if self.errors > 0 {
            write!(formatter, ", {} with an error", self.errors)?;
        }
        match self.memory {
            Some(Memory { before, peak }) => write!(formatter, "; {before} → {peak} MiB"),
            None => Ok(()),
        }
    }
}

/// A line in a few words: a text or an error code, and the id that it is for.
fn words_of(line: &str) -> String {
    let Ok(message) = serde_json::from_str::<Value>(line) else {
        return format!("the line `{}`", shortened(line));
    };
    if let Some(method) = message["method"].as_str() {
        return method.to_owned();
    }
    let id = match message.get("id") {
        Some(id) => format!("for {id}"),
        None => "for no id".to_owned(),
    };
    let result = &message["result"];
    match (message["error"]["code"].as_i64(), result["content"][0]["text"].as_str()) {
        (Some(code), _) => format!("{code} {id}"),
        _ if result["isError"] == true => format!("a failed result {id}"),
        (None, Some(text)) if text.len() > 1 << 20 => format!("{} MiB {id}", text.len() >> 20),
        (None, Some(text)) => format!("\"{}\" {id}", shortened(text)),
        (None, None) => format!("an answer {id}"),
    }
}

/// The beginning of a text, fit to stand in a table.
fn shortened(text: &str) -> String {
    let mut short: String = text.chars().take(SHOWN).map(as_shown).collect();
    if short.len() < text.len() {
        short.push('…');
    }
    short
}

fn as_shown(character: char) -> char {
    if character.is_control() || "|`".contains(character) { ' ' } else { character }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn seen(lines: &[&str], state: State) -> String {
        let lines: Vec<String> = lines.iter().map(|line| (*line).to_owned()).collect();
        Seen::of(&lines, state).to_string()
    }

    #[test]
    fn lines_are_told_in_few_words() {
        let answer =
            r#"{"jsonrpc":"2.0","id":7,"result":{"content":[{"type":"text","text":"hello"}]}}"#;
        let failed = r#"{"jsonrpc":"2.0","id":7,"result":{"content":[],"isError":true}}"#;
        let error = r#"{"jsonrpc":"2.0","id":null,"error":{"code":-32700,"message":""}}"#;
        let unattributed = r#"{"jsonrpc":"2.0","error":{"code":-32600,"message":""}}"#;
        let notification = r#"{"jsonrpc":"2.0","method":"notifications/message"}"#;
        for (line, words) in [
            (answer, "\"hello\" for 7"),
            (failed, "a failed result for 7"),
            (error, "-32700 for null"),
            (unattributed, "-32600 for no id"),
            (notification, "notifications/message"),
            ("a | b", "the line `a   b`"),
        ] {
            assert_eq!(seen(&[line], State::Alive), words);
        }
        assert_eq!(
            seen(&[error, answer, error], State::Alive),
            "-32700 for null (2 times), \"hello\" for 7"
        );
    }

    #[test]
    fn large_texts_are_told_by_their_size() {
        let text = "x".repeat(17 << 20);
        let line = format!(r#"{{"id":7,"result":{{"content":[{{"text":"{text}"}}]}}}}"#);
        assert_eq!(seen(&[&line], State::Alive), "17 MiB for 7");
        assert_eq!(
            seen(&[&"é".repeat(40)], State::Alive),
            format!("the line `{}…`", "é".repeat(30))
        );
    }

    #[test]
    fn the_end_is_told_where_it_is_worth_a_word() {
        assert_eq!(seen(&[], State::Alive), "nothing");
        assert_eq!(seen(&[], State::Crashes), "crashes");
        assert_eq!(seen(&["x"], State::Hangs), "the line `x`; answers no more");
    }

    #[test]
    fn memory_is_told_from_where_to_where() {
        let memory = Some(Memory { before: 5, peak: 71 });
        let seen = Seen { told: "answers all".to_owned(), errors: 0, memory };
        assert_eq!(seen.to_string(), "answers all; 5 → 71 MiB");
    }
}
