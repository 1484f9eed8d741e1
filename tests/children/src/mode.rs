//! All ways to misbehave.

use std::str::FromStr;

/// One table: what a mode is here, what it is called on the command line, and what it does.
macro_rules! modes {
    ($($mode:ident, $name:literal, $description:literal;)+) => {
        /// How a server misbehaves.
        #[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
        pub enum Mode {
            $(#[doc = $description] $mode,)+
        }

        impl Mode {
            /// Each of them.
            pub const ALL: &[Self] = &[$(Self::$mode),+];

            /// What it is called on the command line.
            #[must_use]
            pub fn name(self) -> &'static str {
                match self {
                    $(Self::$mode => $name,)+
                }
            }

            /// What the server does, in one line.
            #[must_use]
            pub fn description(self) -> &'static str {
                match self {
                    $(Self::$mode => $description,)+
                }
            }
        }
    };
}

modes! {
    Well, "well", "does nothing wrong";

    IgnoresEndOfInput, "ignores-end-of-input", "lives on after the end of its input";
    IgnoresTerminate, "ignores-terminate", "does not end when told to terminate, only with its input";
    IgnoresBoth, "ignores-both", "ends neither with its input nor when told to terminate";

    ExitsAtOnce, "exits-at-once", "says why, and exits with code 3 before it reads anything";
    DiesAfterBytes, "dies-after-bytes", "is killed once it has written as many bytes as the second argument says";
    DiesMidCall, "dies-mid-call", "exits with code 3 instead of answering a call";
    LeavesGrandchild, "leaves-grandchild", "exits after its first call, and leaves a process that holds all its streams";
    ClosesStdout, "closes-stdout", "closes its output instead of answering a call, and lives on";

    FloodsStderr, "floods-stderr", "writes 4 MiB to its standard error before each answer";
    FloodsJunk, "floods-junk", "writes lines that are no JSON, without end, and never reads";
    PrintsBanner, "prints-banner", "writes a banner and log lines, some of which look like answers, before it answers";
    OneByteAtATime, "one-byte-at-a-time", "writes each byte on its own";

    NeverReads, "never-reads", "reads nothing more after the handshake";
    NeverAnswers, "never-answers", "reads everything and writes nothing";
    ReadsSlowly, "reads-slowly", "reads no more than 1 KiB in 20 ms after the handshake, and answers nothing more";
    ClosesStdin, "closes-stdin", "closes its input before it answers its first call, and lives on";

    WrongId, "wrong-id", "answers each call with an id that nobody has used";
    AnswersTwice, "answers-twice", "answers each call twice";
    AnswersLate, "answers-late", "answers its first call after its second, also when it is cancelled";
    ResultAndError, "result-and-error", "answers each call with a result and an error at once";
    NoJsonrpc, "no-jsonrpc", "leaves the protocol's version out of its answers to calls";

    DiesOfTheProbe, "dies-of-the-probe", "exits with code 3 when it is asked anything before the handshake";
    SpeaksUnknownRevision, "speaks-unknown-revision", "agrees only to a revision that does not exist";
    Refuses, "refuses", "answers the handshake with an error";
}

impl FromStr for Mode {
    type Err = String;

    fn from_str(name: &str) -> Result<Self, String> {
        let mode = Self::ALL.iter().find(|mode| mode.name() == name);
        mode.copied().ok_or_else(|| format!("there is no mode {name:?}: --list names them"))
    }
}
