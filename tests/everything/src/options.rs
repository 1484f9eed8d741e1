//! The flags of the example programs.

use mcp_wire_driver::{Eras, Server};
use std::time::Duration;

const USAGE: &str = "flags: --max-in-flight N, --max-frame BYTES, --max-outbound BYTES, --eof-grace MS|none, \
     --flush-stall MS, --write-stall MS, --era both|legacy|modern";

/// What the flags say.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Options {
    max_in_flight: Option<usize>,
    max_frame: Option<usize>,
    max_outbound: Option<usize>,
    eof_grace: Option<Option<Duration>>,
    flush_stall: Option<Duration>,
    write_stall: Option<Duration>,
    eras: Eras,
}

impl Options {
    /// Reads flags.
    ///
    /// # Errors
    ///
    /// A message that says what is wrong with them, or how they are used.
    pub fn from_arguments(arguments: impl IntoIterator<Item = String>) -> Result<Self, String> {
        let mut options = Self::default();
        let mut arguments = arguments.into_iter();
        while let Some(flag) = arguments.next() {
            let mut value = || arguments.next().ok_or(format!("{flag} needs a value; {USAGE}"));
            match flag.as_str() {
                "--max-in-flight" => options.max_in_flight = Some(number(&flag, &value()?)?),
                "--max-frame" => options.max_frame = Some(number(&flag, &value()?)?),
                "--max-outbound" => options.max_outbound = Some(number(&flag, &value()?)?),
                "--eof-grace" => {
                    options.eof_grace = Some(match value()?.as_str() {
                        "none" => None,
                        text => Some(milliseconds(&flag, text)?),
                    });
                }
                "--flush-stall" => options.flush_stall = Some(milliseconds(&flag, &value()?)?),
                "--write-stall" => options.write_stall = Some(milliseconds(&flag, &value()?)?),
                "--era" => match value()?.as_str() {
                    "both" => options.eras = Eras::Both,
                    "legacy" => options.eras = Eras::Legacy,
                    "modern" => options.eras = Eras::Modern,
                    era => return Err(format!("there is no era {era}; {USAGE}")),
                },
                _ => return Err(format!("unknown flag {flag}; {USAGE}")),
            }
        }
        Ok(options)
    }

    pub(crate) fn apply(&self, server: Server) -> Server {
        let mut server = server.eras(self.eras);
        if let Some(requests) = self.max_in_flight {
            server = server.max_in_flight(requests);
        }
        server.configure(|config| {
            config.max_frame = self.max_frame.unwrap_or(config.max_frame);
            config.max_outbound = self.max_outbound.unwrap_or(config.max_outbound);
            config.eof_grace = self.eof_grace.unwrap_or(config.eof_grace);
            config.flush_stall = self.flush_stall.unwrap_or(config.flush_stall);
            config.write_stall = self.write_stall.unwrap_or(config.write_stall);
        })
    }
}

fn number(flag: &str, text: &str) -> Result<usize, String> {
    text.parse().map_err(|_| format!("{flag} needs a number, not {text}; {USAGE}"))
}

fn milliseconds(flag: &str, text: &str) -> Result<Duration, String> {
    Ok(Duration::from_millis(number(flag, text)? as u64))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn options(arguments: &[&str]) -> Result<Options, String> {
        Options::from_arguments(arguments.iter().map(ToString::to_string))
    }

    #[test]
    fn flags_are_read() {
        let all = "--max-in-flight 3 --max-frame 9 --max-outbound 8 --eof-grace none \
                   --flush-stall 7 --write-stall 6 --era legacy";
        let all: Vec<&str> = all.split_whitespace().collect();
        let expected = Options {
            max_in_flight: Some(3),
            max_frame: Some(9),
            max_outbound: Some(8),
            eof_grace: Some(None),
            flush_stall: Some(Duration::from_millis(7)),
            write_stall: Some(Duration::from_millis(6)),
            eras: Eras::Legacy,
        };
        assert_eq!(options(&all), Ok(expected));
        let grace = options(&["--eof-grace", "5"]).map(|options| options.eof_grace);
        assert_eq!(grace, Ok(Some(Some(Duration::from_millis(5)))));
    }

    #[test]
    fn bad_flags_say_how_they_are_used() {
        for bad in [&["--what"][..], &["--max-frame"], &["--max-frame", "x"], &["--era", "ice"]] {
            assert!(options(bad).is_err_and(|message| message.contains("--max-in-flight N")));
        }
    }
}
