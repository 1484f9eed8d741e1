//! Where cargo has put what it built. A part of those tests that start the examples of their package.

use std::env;
use std::path::PathBuf;

/// The path of an example, which cargo builds beside the tests of its package.
pub(crate) fn example(name: &str) -> PathBuf {
    let test = env::current_exe().expect("a test has a path");
    let file = format!("examples/{name}{}", env::consts::EXE_SUFFIX);
    let path = test.ancestors().nth(2).expect("tests lie in deps").join(file);
    assert!(path.exists(), "run `cargo build --example {name}` first, as `cargo test` does");
    path
}
