//! What a caller gets, in a few words that are the same for each run: without ids and last words.

use mcp_wire_tokio::shutdown::Step;
use mcp_wire_tokio::{CallError, ChildEnd, Closed, ConnectError, HandshakeError, SessionEnd};
use std::fmt;

#[derive(PartialEq, Eq)]
pub(crate) enum Outcome {
    /// Why there is none.
    NoSession(String),
    Session {
        calls: [String; 2],
        end: String,
    },
}

impl fmt::Display for Outcome {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::NoSession(why) => write!(formatter, "no session: {why}"),
            Self::Session { calls: [first, second], end } if first == second => {
                write!(formatter, "both calls: {first}; end: {end}")
            }
            Self::Session { calls: [first, second], end } => {
                write!(formatter, "call: {first}; call: {second}; end: {end}")
            }
        }
    }
}

pub(crate) fn of_connect(error: &ConnectError) -> String {
    match error {
        ConnectError::Handshake {
            error: HandshakeError::Call(CallError::Closed(cause)), ..
        } => of_cause(cause),
        ConnectError::Handshake { error, child: Some(child), .. } => {
            format!("{error}; {}", of_child(child))
        }
        other => other.to_string(),
    }
}

pub(crate) fn of_call(outcome: &Result<usize, CallError>) -> String {
    match outcome {
        Ok(length) => format!("{length} bytes"),
        Err(CallError::Closed(cause)) => of_cause(cause),
        Err(error) => error.to_string(),
    }
}

pub(crate) fn of_end(end: &SessionEnd) -> String {
    match (&end.cause, &end.child) {
        (cause @ Closed::Exited(_), _) | (cause, None) => of_cause(cause),
        (cause, Some(child)) => format!("{cause}; {}", of_child(child)),
    }
}

fn of_cause(cause: &Closed) -> String {
    match cause {
        Closed::Exited(exit) => format!("exited by itself with {}", exit.status),
        other => other.to_string(),
    }
}

fn of_child(child: &ChildEnd) -> String {
    let how = match child.step {
        Step::Flush => "by itself",
        Step::CloseInput => "with its input",
        Step::Terminate => "terminated",
        Step::Kill => "killed",
        _ => "not even killed",
    };
    match &child.exit {
        Some(exit) => format!("ended {how}, {}", exit.status),
        None => format!("ended {how}, exit unseen"),
    }
}
