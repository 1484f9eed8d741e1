//! A host, its servers, and what is left of them.

pub(crate) mod deadline;
pub(crate) mod end;
pub(crate) mod host;
pub(crate) mod scenario;
pub(crate) mod server;

pub(crate) use deadline::{AMPLE, SHORT, until};
pub(crate) use end::{cause_of, code, exit_after, exit_in, is_gone, pid_of, signal};
pub(crate) use host::{connect, echo, host, process_of};
pub(crate) use scenario::on_every_runtime;
pub(crate) use server::{Server, shell};
