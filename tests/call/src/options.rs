//! The command line.

use crate::request::Request;
use mcp_wire_child::{ServerCommand, Stderr};
use mcp_wire_driver::Host;
use std::process::Command;
use std::time::Duration;

const USAGE: &str = "\
usage: call [OPTION ...] COMMAND [ARGUMENT ...] -- REQUEST

Starts an MCP server, asks it one thing, and prints the answer.

requests:
  tools/list                  its tools
  tools/call NAME [JSON]      calls a tool, with an object of arguments
  resources/list              its resources
  resources/read URI          reads a resource
  prompts/list                its prompts
  prompts/get NAME [JSON]     fills in a prompt
  METHOD [JSON]               anything else, and prints the result as it is

options:
  --json                      print results as they are
  --runtime NAME              tokio (default), smol or async-std
  --timeout SECONDS           how long to wait without a sign of progress (default: 60)
  --verbose                   show what the server writes to standard error, and the log
  --help                      this text

The server may use only HOME, LOGNAME, PATH, SHELL, TERM and USER of the environment; to give it more, put `env NAME=VALUE`
before its command.";

/// What the command line says.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Options {
    /// What to run on.
    pub runtime: Runtime,
    pub(crate) output: Output,
    pub(crate) timeout: Duration,
    verbosity: Verbosity,
    server: Vec<String>,
    pub(crate) request: Request,
}

/// What to run on.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Runtime {
    /// async-std
    AsyncStd,
    /// smol
    Smol,
    /// tokio
    Tokio,
}

/// Whom results are printed for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Output {
    Json,
    People,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Verbosity {
    Quiet,
    Verbose,
}

impl Options {
    /// Reads the command line.
    ///
    /// # Errors
    ///
    /// A message that says what is wrong with it, or how it is used.
    pub fn from_arguments(arguments: impl IntoIterator<Item = String>) -> Result<Self, String> {
        let mut server: Vec<String> = arguments.into_iter().collect();
        // The last one: the server's own command line may hold others.
        let split = server.iter().rposition(|argument| argument == "--");
        let request = split.map(|at| server.split_off(at)).unwrap_or_default();
        let (mut runtime, mut output) = (Runtime::Tokio, Output::People);
        let (mut timeout, mut verbosity) = (Duration::from_secs(60), Verbosity::Quiet);
        while server.first().is_some_and(|argument| argument.starts_with("--")) {
            let option = server.remove(0);
            let mut value = || {
                if server.is_empty() {
                    Err(wrong(&format!("{option} needs a value")))
                } else {
                    Ok(server.remove(0))
                }
            };
            match option.as_str() {
                "--help" => return Err(USAGE.to_owned()),
                "--json" => output = Output::Json,
                "--runtime" => runtime = Runtime::from_name(&value()?)?,
                "--timeout" => timeout = seconds(&value()?)?,
                "--verbose" => verbosity = Verbosity::Verbose,
                _ => return Err(wrong(&format!("there is no option {option}"))),
            }
        }
        if server.is_empty() {
            return Err(wrong("name the server's command"));
        }
        let request = request.get(1..).filter(|request| !request.is_empty());
        let Some(request) = request else {
            return Err(wrong("name a request after the server's command and --"));
        };
        let request = Request::from_arguments(request).map_err(|why| wrong(&why))?;
        Ok(Self { runtime, output, timeout, verbosity, server, request })
    }

    /// What this client is.
    #[must_use]
    pub fn host(&self) -> Host {
        Host::new("call", env!("CARGO_PKG_VERSION"))
            .title("A command-line client")
            .connect_timeout(self.timeout)
    }

    /// The server.
    #[must_use]
    pub fn command(&self) -> ServerCommand {
        let (program, arguments) = self
            .server
            .split_first()
            .map_or(("", &[][..]), |(program, arguments)| (program.as_str(), arguments));
        let mut command = Command::new(program);
        command.args(arguments);
        // What it writes is shown where it fails.
        let stderr = match self.verbosity {
            Verbosity::Quiet => Stderr::Capture,
            Verbosity::Verbose => Stderr::Inherit,
        };
        ServerCommand::new(command).limited_environment().stderr(stderr)
    }

    /// Are all log messages to be shown, and not only warnings?
    #[must_use]
    pub fn is_verbose(&self) -> bool {
        self.verbosity == Verbosity::Verbose
    }
}

impl Runtime {
    fn from_name(name: &str) -> Result<Self, String> {
        match name {
            "async-std" => Ok(Self::AsyncStd),
            "smol" => Ok(Self::Smol),
            "tokio" => Ok(Self::Tokio),
            _ => Err(wrong(&format!("there is no runtime {name}: tokio, smol or async-std"))),
        }
    }
}

fn seconds(text: &str) -> Result<Duration, String> {
    let seconds: Option<f64> = text.parse().ok();
    seconds
        .and_then(|seconds| Duration::try_from_secs_f64(seconds).ok())
        .filter(|timeout| !timeout.is_zero())
        .ok_or_else(|| wrong(&format!("--timeout needs a number of seconds, not {text}")))
}

fn wrong(why: &str) -> String {
    format!("call: {why}\n\n{USAGE}")
}

#[cfg(test)]
mod tests {
    use super::*;

    fn options(line: &str) -> Result<Options, String> {
        Options::from_arguments(line.split_whitespace().map(str::to_owned))
    }

    #[test]
    fn options_command_and_request_are_told_apart() {
        let read = options(
            "--runtime smol --json --timeout 1.5 server --json -- -x -- tools/call echo {}",
        );
        let read = read.unwrap();
        assert_eq!((read.runtime, read.output), (Runtime::Smol, Output::Json));
        assert_eq!(read.timeout, Duration::from_millis(1500));
        assert_eq!(read.server, ["server", "--json", "--", "-x"]);
        assert_eq!(read.request.method(), "tools/call");
    }

    #[test]
    fn a_wrong_command_line_says_how_it_is_used() {
        for (line, why) in [
            ("", "name the server's command"),
            ("server", "name a request"),
            ("server --", "name a request"),
            ("-- tools/list", "name the server's command"),
            ("--fast server -- tools/list", "no option --fast"),
            ("--runtime glommio server -- tools/list", "no runtime glommio"),
            ("--timeout soon server -- tools/list", "not soon"),
            ("server -- tools/call", "name the tool"),
            ("server -- tools/call echo [1]", "an object"),
            ("server -- tools/call echo {} {}", "too much"),
            ("--help", "usage:"),
        ] {
            let message = options(line).unwrap_err();
            assert!(message.contains(why) && message.contains("usage: call"), "{line}: {message}");
        }
    }
}
