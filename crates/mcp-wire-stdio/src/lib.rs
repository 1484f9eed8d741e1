//! Standard streams done right, without a runtime and without a protocol.
//!
//! A program that speaks a protocol over its standard input and output has three problems that
//! [`std::io::stdin`] does not solve, and that this crate does:
//!
//! - **Who else uses the descriptors.** A stray `println!`, a C library or a child process writes
//!   into the protocol or eats its input. [`take_over`] moves the streams to private descriptors
//!   and puts something harmless in their place; [`share`] leaves them where they are.
//! - **How to wait.** `O_NONBLOCK` belongs to the open file, not to the descriptor: whoever sets it
//!   sets it for the parent, the shell and every sibling. A [`Stream`] never blocks and never
//!   touches a flag of an open file that it was given.
//! - **What the streams are.** A pipe from Python, a socket from Node, a file or a terminal from a
//!   shell. [`Input`] and [`Output`] choose a [`Way`] for each.
//!
//! ```text
//!   before                            after take_over
//!   0 ◄── what the parent writes      0 ◄── nothing (the null device)
//!   1 ──► what the parent reads       1 ──► where standard error goes
//!   2 ──► standard error              2 ──► standard error
//!                                     Input  ◄── what the parent writes, on a descriptor above 2
//!                                     Output ──► what the parent reads, on another one
//! ```
//!
//! | What it is | Way | By what |
//! |---|---|---|
//! | socket | readiness | `recv` and `sendmsg` with `MSG_DONTWAIT` |
//! | pipe, Linux | readiness | `preadv2` and `pwritev2` with `RWF_NOWAIT`, or opened anew as a private open file |
//! | regular file, null device | direct | plain calls, which wait for nobody |
//! | terminal, other device, pipe elsewhere | thread | one thread for each stream, which never keeps the process alive |
//!
//! Readiness comes from the runtime's reactor, which an adapter connects by implementing
//! [`Reactor`] once. Out of scope: framing, protocols, child processes, signals, and logging (ask
//! [`Input::kind`] and [`Input::way`] to log the choice).
//!
//! Broken pipes are errors, never signals, as long as the program ignores `SIGPIPE`. Rust programs
//! do from their start; a library inside a foreign program has to see to it.
//!
//! Elsewhere than on Unix the platform's own handles are used, always by threads, and nothing can be
//! put in their place.
//!
//! # An adapter, whole
//!
//! ```
//! # #[cfg(unix)] mod example {
//! use std::io::{self, ErrorKind, IoSlice};
//! use std::sync::Arc;
//! use std::task::{Context, Poll, ready};
//!
//! use async_io::Async;
//! use mcp_wire_stdio::{Direction, Input, Output, Reactor, Stream};
//!
//! struct Registered(Async<Arc<Stream>>);
//!
//! impl Reactor for Registered {
//!     fn register(stream: Arc<Stream>, _: Direction) -> io::Result<Self> {
//!         Async::new_nonblocking(stream).map(Self)
//!     }
//!
//!     fn poll_read(&self, context: &mut Context<'_>, buffer: &mut [u8]) -> Poll<io::Result<usize>> {
//!         loop {
//!             match self.0.get_ref().try_read(buffer) {
//!                 Err(error) if error.kind() == ErrorKind::WouldBlock => {
//!                     ready!(self.0.poll_readable(context))?
//!                 }
//!                 result => return Poll::Ready(result),
//!             }
//!         }
//!     }
//!
//!     fn poll_write(
//!         &self,
//!         context: &mut Context<'_>,
//!         buffers: &[IoSlice<'_>],
//!     ) -> Poll<io::Result<usize>> {
//!         loop {
//!             match self.0.get_ref().try_write(buffers) {
//!                 Err(error) if error.kind() == ErrorKind::WouldBlock => {
//!                     ready!(self.0.poll_writable(context))?
//!                 }
//!                 result => return Poll::Ready(result),
//!             }
//!         }
//!     }
//! }
//!
//! fn standard_streams() -> io::Result<(Input<Registered>, Output<Registered>)> {
//!     let (input, output) = mcp_wire_stdio::take_over()?;
//!     Ok((Input::new(input), Output::new(output)))
//! }
//! # }
//! ```

#[cfg(all(unix, feature = "async-io"))]
mod async_io;
mod input;
mod kind;
mod output;
#[cfg(any(not(unix), test))]
#[cfg_attr(unix, allow(dead_code, unreachable_pub))]
mod portable;
mod reactor;
mod state;
#[cfg(unix)]
mod stream;
mod take_over;
mod thread;
#[cfg(all(unix, feature = "tokio"))]
mod tokio;

#[cfg(all(unix, feature = "async-io"))]
pub use async_io::AsyncIo;
pub use input::Input;
pub use kind::{Direction, Kind, Way};
pub use output::Output;
#[cfg(not(unix))]
pub use portable::Stream;
#[cfg(all(not(unix), feature = "async-io"))]
pub use reactor::NoReactor as AsyncIo;
#[cfg(all(not(unix), feature = "tokio"))]
pub use reactor::NoReactor as Tokio;
pub use reactor::{NoReactor, Reactor};
#[cfg(unix)]
pub use stream::Stream;
pub use take_over::{share, standard_streams, take_over};
#[cfg(all(unix, feature = "tokio"))]
pub use tokio::Tokio;
