//! The command line of the demo.

use crate::everything::Runtime;
use crate::failure::Failure;

pub(super) const HELP: &str = "\
Usage: cargo xtask demo [OPTION ...]

Starts the everything server, speaks to it over its standard input and output, and shows what happens.

  --runtime NAME    the server's runtime: tokio (default), smol or async-std";

#[derive(Debug, PartialEq, Eq)]
pub(super) struct Options {
    pub(super) runtime: Runtime,
    pub(super) runtime_name: String,
}

impl Options {
    /// What the arguments ask for: `None` is help.
    pub(super) fn parse(arguments: &[String]) -> Result<Option<Self>, Failure> {
        let mut options = Self { runtime: Runtime::Tokio, runtime_name: "tokio".to_owned() };
        let mut arguments = arguments.iter();
        while let Some(argument) = arguments.next() {
            match argument.as_str() {
                "--help" | "-h" => return Ok(None),
                "--runtime" => {
                    let name = arguments.next();
                    options.runtime = Runtime::parse(name)?;
                    options.runtime_name = name.cloned().unwrap_or_default();
                }
                unknown => return Err(Failure::Usage(format!("no option {unknown:?}\n\n{HELP}"))),
            }
        }
        Ok(Some(options))
    }
}
