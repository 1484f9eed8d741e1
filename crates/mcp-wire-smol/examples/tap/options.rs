//! The command line.

use crate::log::Style;
use std::ffi::OsString;

const USAGE: &str = "\
usage: tap [--json] -- COMMAND [ARGUMENT ...]

Starts an MCP server, passes on what it and its client say, and tells of each message on standard error.

  --json   tell of each message by a line of JSON, for programs";

pub(crate) struct Options {
    pub(crate) style: Style,
    pub(crate) program: OsString,
    pub(crate) arguments: Vec<OsString>,
}

impl Options {
    pub(crate) fn from_arguments(
        arguments: impl IntoIterator<Item = OsString>,
    ) -> Result<Self, String> {
        let mut arguments = arguments.into_iter();
        let mut style = Style::People;
        loop {
            match arguments.next() {
                Some(option) if option == "--json" => style = Style::Json,
                Some(option) if option == "--" => break,
                Some(option) if option == "--help" => return Err(USAGE.to_owned()),
                Some(option) => {
                    return Err(wrong(&format!("there is no option {}", option.display())));
                }
                None => return Err(wrong("name the server's command after --")),
            }
        }
        let program =
            arguments.next().ok_or_else(|| wrong("name the server's command after --"))?;
        Ok(Self { style, program, arguments: arguments.collect() })
    }
}

fn wrong(why: &str) -> String {
    format!("tap: {why}\n\n{USAGE}")
}
