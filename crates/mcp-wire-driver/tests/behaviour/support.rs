//! What the tests stand on: a runtime, streams and gates that a test drives by hand.

#[cfg(unix)]
mod child;
mod client;
mod gate;
mod runtime;
mod servers;
mod streams;
mod wire;

#[cfg(unix)]
pub(crate) use child::{Child, Dies};
pub(crate) use client::{ClientWire, agreed, error, seconds};
pub(crate) use gate::{Gate, Guard};
pub(crate) use runtime::{Manual, Task, World};
pub(crate) use servers::{echo_and_wait, tool};
pub(crate) use streams::{Input, Output, Step, Takes};
pub(crate) use wire::{Wire, call, notification, request, response, result_text};
