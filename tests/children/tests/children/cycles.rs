//! Nothing piles up.

use crate::support::on_every_runtime;
use children::Adapter;
use std::process::Command;

on_every_runtime!(sessions_leave_nothing_behind);

/// K2, K3: no descriptor, thread or zombie is left of sessions that have ended, in whichever way. In a program of its own,
/// where nobody else opens and starts things.
fn sessions_leave_nothing_behind<A: Adapter>() {
    let output = Command::new(env!("CARGO_BIN_EXE_cycles")).args([A::NAME, "10"]).output().unwrap();
    let (said, complained) =
        (String::from_utf8_lossy(&output.stdout), String::from_utf8_lossy(&output.stderr));
    assert!(output.status.success(), "{said}{complained}");
}
