//! `cargo xtask test`: every test that needs nothing but Rust.

use crate::failure::Failure;
use crate::workspace;

/// Runs the unit, integration and documentation tests of all packages. Arguments are cargo's.
pub(crate) fn run(arguments: &[String]) -> Result<(), Failure> {
    workspace::foreground(workspace::cargo().args(["test", "--workspace"]).args(arguments))
}
