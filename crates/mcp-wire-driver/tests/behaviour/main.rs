//! The driver, rule by rule, on a runtime that the tests drive by hand.

mod backpressure;
mod calls;
mod cancel_safety;
mod cancellation;
#[cfg(unix)]
mod child_end;
#[cfg(unix)]
mod child_exit;
#[cfg(unix)]
mod child_start;
mod client;
mod client_calls;
mod client_cancel;
mod client_end;
mod client_features;
mod client_host;
mod client_notifications;
mod concurrency;
mod ending;
mod failure;
mod features;
mod listening;
mod logging;
mod many;
mod modern;
mod notifications;
mod observers;
mod own_loop;
mod panics;
mod questions;
mod rounds;
mod support;
mod wakers;
