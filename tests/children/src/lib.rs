//! Servers that misbehave as child processes, and what a client makes of them.
//!
//! - `misbehave` is the server, in as many modes as there are faults ([`Mode`]).
//! - The tests `children` run one set of scenarios on every runtime ([`Adapter`]), and look for what is left ([`Mark`]).
//! - `table` shows what a caller gets of each mode, and how long closing takes.
//! - `cycles` connects, calls and closes a thousand times, and counts what that leaves behind ([`Census`]).

mod adapter;
mod census;
mod mark;
mod mode;
mod program;

pub use adapter::{Adapter, AsyncStd, Smol, TokioCurrentThread, TokioMultiThread};
pub use census::Census;
pub use mark::Mark;
pub use mode::Mode;
pub use program::{not_built, program};
