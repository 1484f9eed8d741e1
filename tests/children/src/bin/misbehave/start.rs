//! What goes wrong before the first message is read.

use crate::complaint::complain;
use crate::server::Server;
use crate::{grandchild, platform};
use children::Mode;
use std::io;
use std::process;

/// The last ones look like answers, to whoever looks at the id alone.
const BANNER: [&str; 7] = [
    "Starting the server, version 1.2.3 ...",
    "",
    "\u{1b}[32mlistening\u{1b}[0m on stdio",
    "[1, 2, 3]",
    "null",
    r#"{"level":"info","msg":"ready"}"#,
    r#"{"level":"info","id":1}"#,
];

/// How much junk is written at once, in bytes: as much as a pipe takes.
const FLOOD: usize = 64 << 10;

pub(crate) fn before_the_first_message(server: &mut Server) -> io::Result<()> {
    match server.mode {
        Mode::IgnoresTerminate | Mode::IgnoresBoth => platform::ignore_terminate(),
        Mode::ExitsAtOnce => {
            complain("the database cannot be opened");
            process::exit(3);
        }
        Mode::FloodsJunk => {
            let block = "junk\n".repeat(FLOOD / 5);
            loop {
                server.output.line(&block)?;
            }
        }
        Mode::LeavesGrandchild => grandchild::start(),
        Mode::PrintsBanner => BANNER.iter().try_for_each(|line| server.output.line(line)),
        _ => Ok(()),
    }
}
