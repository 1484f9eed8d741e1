//! A process that outlives the one that started it.

use crate::complaint::complain;
use std::io;
use std::process::Command;

/// Starts it. It has all three standard streams, and does nothing with them.
pub(crate) fn start() -> io::Result<()> {
    let grandchild = Command::new("sleep").arg("60").spawn()?;
    complain(format_args!("grandchild {}", grandchild.id()));
    Ok(())
}
