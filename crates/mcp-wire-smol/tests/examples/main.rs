//! The examples, started as a user would.

mod json_rpc;
#[cfg(unix)]
mod tap;
#[cfg(unix)]
mod unix_socket;

use std::path::PathBuf;

/// Cargo builds examples beside the tests of their package.
fn example(name: &str) -> PathBuf {
    let test = std::env::current_exe().expect("a test has a path");
    let file = format!("examples/{name}{}", std::env::consts::EXE_SUFFIX);
    let path = test.ancestors().nth(2).expect("tests lie in deps").join(file);
    assert!(path.exists(), "run `cargo build --example {name}` first, as `cargo test` does");
    path
}
