//! The situations, and what a server of ours does in each of them.

use super::conversation::{Conversation, call};
use super::seen::{Seen, State};
use crate::failure::Failure;
use serde_json::json;
use std::fmt;

/// What `docs/behaviour.md` says of ours.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Ours {
    told: &'static str,
    most_errors: u64,
    /// In MiB, where memory is looked at.
    most_memory: u64,
}

impl Ours {
    const fn says(told: &'static str) -> Self {
        Self { told, most_errors: 0, most_memory: 0 }
    }

    pub(crate) fn allows(&self, seen: &Seen) -> bool {
        self.told == seen.told
            && seen.errors as u64 <= self.most_errors
            && seen.memory.is_none_or(|memory| memory.peak <= self.most_memory)
    }
}

impl fmt::Display for Ours {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str(self.told)?;
        if self.most_errors > 0 {
            write!(formatter, ", {} with an error at most", self.most_errors)?;
        }
        match self.most_memory {
            0 => Ok(()),
            most => write!(formatter, "; {most} MiB at most"),
        }
    }
}

/// A situation, and who says what ours does in it.
#[derive(Debug)]
pub(crate) struct Situation {
    pub(crate) title: &'static str,
    /// The rules of `docs/behaviour.md`.
    pub(crate) rules: &'static str,
    pub(crate) ours: Ours,
    pub(crate) act: fn(Conversation) -> Result<Seen, Failure>,
}

/// How long the call takes that something happens to.
const WORK: u64 = 300;

const TOO_LONG: usize = 17 << 20;
const TOO_DEEP: usize = 100_000;

/// Calls that nobody reads the answers to, which have 128 MiB together.
const UNREAD: u64 = 8_192;
const UNREAD_BYTES: usize = 16 << 10;

/// Calls that come at once.
const BURST: u64 = 2_000;

pub(crate) const SITUATIONS: &[Situation] = &[
    Situation {
        title: "a call that is not UTF-8",
        rules: "M2",
        ours: Ours::says("-32700 for 7"),
        act: |mut conversation| {
            let line = echo(7, "?") + "\n";
            let byte = |byte| if byte == b'?' { 0xFF } else { byte };
            conversation.write(line.bytes().map(byte).collect::<Vec<u8>>());
            conversation.outcome()
        },
    },
    Situation {
        title: "a log line between messages",
        rules: "M3",
        ours: Ours::says("nothing"),
        act: |conversation| between(conversation, b"Starting server...\n"),
    },
    Situation {
        title: "a line of NUL bytes between messages",
        rules: "M3",
        ours: Ours::says("nothing"),
        act: |conversation| between(conversation, b"\0\0\0\0\n"),
    },
    Situation {
        title: "half a call, then a newline",
        rules: "M2",
        ours: Ours::says("-32700 for 7"),
        act: |mut conversation| {
            conversation.write(half_a_call());
            conversation.write("\n");
            conversation.outcome()
        },
    },
    Situation {
        title: "a call of 17 MiB",
        rules: "F7, M2",
        ours: Ours::says("-32600 for 7"),
        act: |mut conversation| {
            conversation.write(echo(7, &"x".repeat(TOO_LONG)) + "\n");
            conversation.outcome()
        },
    },
    Situation {
        title: "17 MiB that are no message, in one line",
        rules: "F7, M3",
        ours: Ours::says("nothing"),
        act: |mut conversation| {
            conversation.write("x".repeat(TOO_LONG) + "\n");
            conversation.outcome()
        },
    },
    Situation {
        title: "a call 100,000 levels deep",
        rules: "E3, M2",
        ours: Ours::says("-32600 for 7"),
        act: |mut conversation| {
            let (open, close) = ("[".repeat(TOO_DEEP), "]".repeat(TOO_DEEP));
            let deep = format!("{open}{close}");
            conversation.write(echo(7, "deep").replace("\"deep\"", &deep) + "\n");
            conversation.outcome()
        },
    },
    Situation {
        title: "a call with the id 9007199254740993",
        rules: "I1",
        ours: Ours::says("\"hello\" for 9007199254740993"),
        act: |mut conversation| {
            conversation.write(echo(9_007_199_254_740_993, "hello") + "\n");
            conversation.outcome()
        },
    },
    Situation {
        title: "a second call with the id of one that runs",
        rules: "I4",
        ours: Ours::says("-32600 for 7, \"1 steps in 300 ms\" for 7"),
        act: |conversation| {
            while_working(conversation, |conversation| conversation.write(echo(7, "second") + "\n"))
        },
    },
    Situation {
        title: "a running call is cancelled",
        rules: "C1",
        ours: Ours::says("nothing"),
        act: |conversation| {
            while_working(conversation, |conversation| {
                let params = json!({ "requestId": 7, "reason": "not needed any more" });
                let method = "notifications/cancelled";
                let line = json!({ "jsonrpc": "2.0", "method": method, "params": params });
                conversation.write(format!("{line}\n"));
            })
        },
    },
    Situation {
        title: "a tool panics, or throws",
        rules: "Q6",
        ours: Ours::says("-32603 for 7"),
        act: |mut conversation| {
            conversation.call(7, "boom", &json!({}));
            conversation.outcome()
        },
    },
    Situation {
        title: "a tool prints to standard output",
        rules: "S1",
        ours: Ours::says("\"printed\" for 7"),
        act: |mut conversation| {
            conversation.call(7, "stray_print", &json!({}));
            conversation.outcome()
        },
    },
    Situation {
        title: "the end of input while a call runs for 300 ms",
        rules: "X1",
        ours: Ours::says("\"1 steps in 300 ms\" for 7"),
        act: |mut conversation| {
            conversation.call(7, "slow", &json!({ "ms": WORK, "steps": 1 }));
            match conversation.pongs() {
                State::Alive => conversation.outcome_at_end(),
                _ => conversation.outcome(),
            }
        },
    },
    Situation {
        title: "100 calls, and at once the end of input",
        rules: "X1",
        ours: Ours::says("answers all"),
        act: |conversation| conversation.tally_at_end(100, |id| echo(id, "hello") + "\n"),
    },
    Situation {
        title: "2,000 calls at once, which take 100 ms each",
        rules: "Q3, Q4",
        // Past its share of the slots a connection is told that the server is busy.
        ours: Ours { told: "answers all", most_errors: BURST - 512, most_memory: 0 },
        act: |conversation| {
            conversation
                .tally(BURST, |id| call(id, "slow", &json!({ "ms": 100, "steps": 1 })) + "\n")
        },
    },
    Situation {
        title: "a whole call without a newline, then the end of input",
        rules: "F9",
        ours: Ours::says("\"last\" for 7"),
        act: |mut conversation| {
            conversation.write(echo(7, "last"));
            conversation.outcome_at_end()
        },
    },
    Situation {
        title: "half a call, then the end of input",
        rules: "F9, M2",
        ours: Ours::says("-32700 for 7"),
        act: |mut conversation| {
            conversation.write(half_a_call());
            conversation.outcome_at_end()
        },
    },
    Situation {
        title: "8,192 calls of 16 KiB, before an answer is read",
        rules: "B1",
        ours: Ours { told: "reads on, answers all", most_errors: UNREAD, most_memory: 128 },
        act: |conversation| {
            let message = "x".repeat(UNREAD_BYTES);
            conversation.tally_unread(UNREAD, |id| echo(id, &message) + "\n")
        },
    },
    Situation {
        title: "the client closes the server's output, and calls on",
        rules: "X2",
        ours: Ours::says("ends"),
        act: |conversation| conversation.outcome_unheard(&(echo(7, "unheard") + "\n")),
    },
];

fn between(mut conversation: Conversation, bytes: &[u8]) -> Result<Seen, Failure> {
    conversation.write(bytes);
    conversation.outcome()
}

/// Does something while the call 7 runs, and waits until a call that began later, and takes longer, is answered.
fn while_working(
    mut conversation: Conversation,
    act: impl FnOnce(&mut Conversation),
) -> Result<Seen, Failure> {
    conversation.call(7, "slow", &json!({ "ms": WORK, "steps": 1 }));
    if conversation.pongs() == State::Alive {
        act(&mut conversation);
    }
    conversation.outcome()
}

fn echo(id: u64, message: &str) -> String {
    call(id, "echo", &json!({ "message": message }))
}

fn half_a_call() -> &'static str {
    r#"{"jsonrpc":"2.0","id":7,"method":"tools/call","params":{"na"#
}

#[cfg(test)]
mod tests {
    use super::super::seen::Memory;
    use super::*;

    #[test]
    fn ours_is_judged_by_its_words_and_its_memory() {
        let ours = Ours { told: "answers all", most_errors: 1, most_memory: 100 };
        let seen = |told: &str, peak| Seen {
            told: told.to_owned(),
            errors: 1,
            memory: Some(Memory { before: 5, peak }),
        };
        assert!(ours.allows(&seen("answers all", 100)));
        assert!(!ours.allows(&seen("answers all", 101)));
        assert!(!ours.allows(&Seen { errors: 2, ..seen("answers all", 100) }));
        assert!(!ours.allows(&seen("answers all; ends", 50)));
        assert!(Ours::says("nothing").allows(&Seen::of(&[], State::Alive)));
    }
}
