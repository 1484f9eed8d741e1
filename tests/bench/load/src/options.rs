//! The command line.

use std::time::Duration;

const USAGE: &str = "load run|cold|flood|unread|idle [--tool NAME] [--size BYTES] [--depth N] [--requests N] \
     [--warmup N] [--bytes N] [--stdio pipe|socket] [--pin] [--protocol REVISION] [--rlimit-as BYTES] \
     [--timeout SECONDS] -- COMMAND [ARGUMENT ...]";

/// What is played.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Mode {
    Run,
    Cold,
    Flood,
    Unread,
    Idle,
}

/// What connects us to the server.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Stdio {
    Pipe,
    /// As hosts that run on Node do it.
    Socket,
}

/// What the command line says.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Options {
    pub(crate) mode: Mode,
    pub(crate) tool: String,
    /// The length of the text in each request, in bytes.
    pub(crate) size: usize,
    /// How many requests are under way at once.
    pub(crate) depth: usize,
    pub(crate) requests: usize,
    /// Requests before the measured ones.
    pub(crate) warmup: usize,
    /// The length of the one large message of `flood` and `idle`.
    pub(crate) bytes: Option<usize>,
    pub(crate) stdio: Stdio,
    /// Do this program and the server share one core?
    pub(crate) pinned: bool,
    pub(crate) protocol: String,
    /// What the server may take of address space, in bytes.
    pub(crate) address_space: Option<u64>,
    /// After so long the server is killed.
    pub(crate) timeout: Duration,
    pub(crate) command: Vec<String>,
}

impl Options {
    pub(crate) fn from_arguments(
        arguments: impl IntoIterator<Item = String>,
    ) -> Result<Self, String> {
        let mut arguments = arguments.into_iter();
        let mode = match arguments.next().as_deref() {
            Some("run") => Mode::Run,
            Some("cold") => Mode::Cold,
            Some("flood") => Mode::Flood,
            Some("unread") => Mode::Unread,
            Some("idle") => Mode::Idle,
            _ => return Err(format!("name a mode first: {USAGE}")),
        };
        let mut options = Self::for_mode(mode);
        while let Some(flag) = arguments.next() {
            let mut value = || arguments.next().ok_or(format!("{flag} needs a value: {USAGE}"));
            match flag.as_str() {
                "--tool" => options.tool = value()?,
                "--size" => options.size = number(&flag, &value()?)?,
                "--depth" => options.depth = number(&flag, &value()?)?,
                "--requests" => options.requests = number(&flag, &value()?)?,
                "--warmup" => options.warmup = number(&flag, &value()?)?,
                "--bytes" => options.bytes = Some(number(&flag, &value()?)?),
                "--stdio" => match value()?.as_str() {
                    "pipe" => options.stdio = Stdio::Pipe,
                    "socket" => options.stdio = Stdio::Socket,
                    other => return Err(format!("--stdio is pipe or socket, not {other}")),
                },
                "--pin" => options.pinned = true,
                "--protocol" => options.protocol = value()?,
                "--rlimit-as" => options.address_space = Some(number(&flag, &value()?)? as u64),
                "--timeout" => {
                    options.timeout = Duration::from_secs(number(&flag, &value()?)? as u64);
                }
                "--" => {
                    options.command = arguments.collect();
                    break;
                }
                _ => return Err(format!("unknown flag {flag}: {USAGE}")),
            }
        }
        if options.command.is_empty() {
            return Err(format!("name the server's command after --: {USAGE}"));
        }
        if options.depth == 0 || options.requests == 0 {
            return Err("--depth and --requests have to be at least 1".to_owned());
        }
        Ok(options)
    }

    fn for_mode(mode: Mode) -> Self {
        Self {
            mode,
            tool: "echo".to_owned(),
            size: 32,
            depth: 1,
            requests: 10_000,
            warmup: 200,
            bytes: None,
            stdio: Stdio::Pipe,
            pinned: false,
            protocol: "2025-06-18".to_owned(),
            address_space: None,
            timeout: Duration::from_secs(180),
            command: Vec::new(),
        }
    }
}

fn number(flag: &str, text: &str) -> Result<usize, String> {
    text.parse().map_err(|_| format!("{flag} needs a number, not {text}"))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn options(line: &str) -> Result<Options, String> {
        Options::from_arguments(line.split_whitespace().map(str::to_owned))
    }

    #[test]
    fn what_follows_two_dashes_is_the_servers() {
        let options = options("run --size 5 --pin --stdio socket -- server --size 6").unwrap();
        assert_eq!((options.size, options.pinned, options.stdio), (5, true, Stdio::Socket));
        assert_eq!(options.command, ["server", "--size", "6"]);
    }

    #[test]
    fn what_cannot_be_understood_is_refused() {
        for line in
            ["", "walk -- a", "run", "run --", "run --size x -- a", "run --depth 0 -- a", "run a"]
        {
            assert!(options(line).is_err(), "{line}");
        }
    }
}
