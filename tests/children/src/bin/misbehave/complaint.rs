//! Standard error, which may be closed: `eprintln!` would panic then, and the process do something else than it should.

use std::fmt::Display;
use std::io::{self, Write};

/// Says something on standard error, if anybody listens.
pub(crate) fn complain(text: impl Display) {
    _ = writeln!(io::stderr(), "{text}");
}
