//! What the tests stand on: a runtime, streams and gates that a test drives by hand.

#[cfg(unix)]
pub(crate) mod child;
mod client;
mod gate;
pub(crate) mod pair;
mod runtime;
mod servers;
mod streams;
mod wire;

pub(crate) use client::{
    ClientWire, agreed, call_options, cancelled, error, follow, host, milliseconds, narrow,
    progress, ready, seconds, start,
};
pub(crate) use gate::{Gate, Guard};
pub(crate) use runtime::{Manual, Task, World, block_on};
pub(crate) use servers::{echo_and_wait, tells_of_changes, tool};
pub(crate) use streams::{Input, Output, Step, Takes};
pub(crate) use wire::{Wire, call, notification, request, response, result_text};
