//! The command line.

use mcp_wire_tokio::{Era, Eras, ServerCommand};
use std::process::Command;

const USAGE: &str = "usage: drive [--runtime tokio|smol|async-std] [--mode legacy|auto|modern] [--era legacy|modern] \
     [--calls NUMBER] [--steps NAME,...] [--ending by-itself|by-signal] -- COMMAND [ARGUMENT ...]";

/// What is driven, and how.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct Options {
    pub(crate) runtime: RuntimeName,
    /// Which eras our client tries.
    pub(crate) eras: Eras,
    /// The era that has to come of it.
    pub(crate) era: Era,
    /// How many calls are made at once.
    pub(crate) calls: usize,
    /// The groups of steps that the server has to take beside those that every server has to.
    pub(crate) groups: Vec<Group>,
    pub(crate) ending: Ending,
    program: String,
    arguments: Vec<String>,
}

/// What our client runs on.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum RuntimeName {
    AsyncStd,
    Smol,
    Tokio,
}

/// Steps that only some servers can take.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Group {
    Asks,
    Changes,
    Completion,
    Echo,
    Faults,
    Files,
    Graph,
    Interview,
    Logging,
    Pages,
    Prompts,
    Resources,
    Slow,
    Starts,
    Subscribe,
}

/// How the server ends once its input has.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Ending {
    ByItself,
    /// It waits to be told.
    BySignal,
}

const RUNTIMES: [(&str, RuntimeName); 3] = [
    ("async-std", RuntimeName::AsyncStd),
    ("smol", RuntimeName::Smol),
    ("tokio", RuntimeName::Tokio),
];

const MODES: [(&str, Eras); 3] =
    [("auto", Eras::Both), ("legacy", Eras::Legacy), ("modern", Eras::Modern)];

const ERAS: [(&str, Era); 2] = [("legacy", Era::Legacy), ("modern", Era::Modern)];

const GROUPS: [(&str, Group); 15] = [
    ("asks", Group::Asks),
    ("changes", Group::Changes),
    ("completion", Group::Completion),
    ("echo", Group::Echo),
    ("faults", Group::Faults),
    ("files", Group::Files),
    ("graph", Group::Graph),
    ("interview", Group::Interview),
    ("logging", Group::Logging),
    ("pages", Group::Pages),
    ("prompts", Group::Prompts),
    ("resources", Group::Resources),
    ("slow", Group::Slow),
    ("starts", Group::Starts),
    ("subscribe", Group::Subscribe),
];

const ENDINGS: [(&str, Ending); 2] =
    [("by-itself", Ending::ByItself), ("by-signal", Ending::BySignal)];

impl Options {
    /// Reads the command line, or says what is wrong with it.
    pub(crate) fn from_arguments(
        arguments: impl IntoIterator<Item = String>,
    ) -> Result<Self, String> {
        let mut options = Self {
            runtime: RuntimeName::Tokio,
            eras: Eras::Both,
            era: Era::Modern,
            calls: 200,
            groups: Vec::new(),
            ending: Ending::ByItself,
            program: String::new(),
            arguments: Vec::new(),
        };
        let mut era = None;
        let mut arguments = arguments.into_iter();
        while let Some(flag) = arguments.next() {
            if flag == "--" {
                break;
            }
            let value = arguments.next().ok_or(format!("{flag} needs a value; {USAGE}"))?;
            match flag.as_str() {
                "--calls" => {
                    let number = value.parse();
                    options.calls = number.map_err(|_| format!("{value} is no number; {USAGE}"))?;
                }
                "--ending" => options.ending = named(&ENDINGS, &value)?,
                "--era" => era = Some(named(&ERAS, &value)?),
                "--mode" => options.eras = named(&MODES, &value)?,
                "--runtime" => options.runtime = named(&RUNTIMES, &value)?,
                "--steps" => {
                    let groups = value.split(',').map(|name| named(&GROUPS, name));
                    options.groups = groups.collect::<Result<_, _>>()?;
                }
                _ => return Err(format!("unknown flag {flag}; {USAGE}")),
            }
        }
        options.era = era.unwrap_or(match options.eras {
            Eras::Legacy => Era::Legacy,
            _ => Era::Modern,
        });
        options.program = arguments.next().ok_or(format!("name the server after --; {USAGE}"))?;
        options.arguments = arguments.collect();
        Ok(options)
    }

    /// The server. It gets the few variables that hosts hand down.
    pub(crate) fn command(&self) -> ServerCommand {
        let mut command = Command::new(&self.program);
        command.args(&self.arguments);
        ServerCommand::new(command).limited_environment()
    }

    pub(crate) fn has(&self, group: Group) -> bool {
        self.groups.contains(&group)
    }
}

fn named<T: Copy>(names: &[(&str, T)], name: &str) -> Result<T, String> {
    match names.iter().find(|(known, _)| *known == name) {
        Some((_, value)) => Ok(*value),
        None => {
            let known: Vec<&str> = names.iter().map(|(known, _)| *known).collect();
            Err(format!("{name:?} is none of {}; {USAGE}", known.join(", ")))
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn options(line: &str) -> Result<Options, String> {
        Options::from_arguments(line.split_whitespace().map(str::to_owned))
    }

    #[test]
    fn a_command_line_is_read() {
        let read = options(
            "--runtime smol --mode auto --era legacy --calls 3 --steps echo,slow --ending by-signal -- npx --no x",
        );
        let expected = Options {
            runtime: RuntimeName::Smol,
            eras: Eras::Both,
            era: Era::Legacy,
            calls: 3,
            groups: vec![Group::Echo, Group::Slow],
            ending: Ending::BySignal,
            program: "npx".to_owned(),
            arguments: vec!["--no".to_owned(), "x".to_owned()],
        };
        assert_eq!(read, Ok(expected));
    }

    #[test]
    fn the_era_follows_from_the_mode() {
        for (mode, era) in [("legacy", Era::Legacy), ("auto", Era::Modern), ("modern", Era::Modern)]
        {
            let read = options(&format!("--mode {mode} -- server"));
            assert_eq!(read.map(|options| options.era), Ok(era), "{mode}");
        }
    }

    #[test]
    fn a_wrong_command_line_says_what_is_right() {
        for wrong in [
            "",
            "--",
            "--what x -- y",
            "--calls",
            "--calls x -- y",
            "--steps nap -- y",
            "--mode both -- y",
            "-- ",
        ] {
            assert!(options(wrong).is_err_and(|message| message.contains(USAGE)), "{wrong}");
        }
    }
}
