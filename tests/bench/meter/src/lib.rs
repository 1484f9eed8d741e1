//! What programs that measure themselves share, whichever SDK they stand on: so that a client or a server of ours and its
//! peer are measured by the same code. Linux only, since memory is read from `/proc`.

#![cfg(target_os = "linux")]

mod calls;
mod connections;
mod process;
mod report;

pub use calls::{Calls, Progress};
pub use connections::measure_connections;
pub use report::report;
