//! `cargo xtask package`: the published crates as archives, each of which builds by itself.

use std::fs;

use crate::failure::Failure;
use crate::workspace;

const LICENSES: [&str; 2] = ["LICENSE-MIT", "LICENSE-APACHE"];

/// Packs the crates, builds each from its archive, and checks that the licences are in it. Arguments are cargo's.
pub(crate) fn run(arguments: &[String]) -> Result<(), Failure> {
    let names = workspace::published()?;
    let mut cargo = workspace::cargo();
    cargo.arg("package").args(arguments);
    for name in &names {
        cargo.args(["--package", name]);
    }
    workspace::foreground(&mut cargo)?;

    let unpacked = workspace::target_directory()?.join("package");
    for name in &names {
        let package = unpacked.join(format!("{name}-{}", workspace::VERSION));
        for license in LICENSES {
            let original = fs::read(workspace::root().join(license))?;
            if !fs::read(package.join(license)).is_ok_and(|packed| packed == original) {
                return Err(Failure::Task(format!(
                    "the package of {name} lacks {license}: link it into the crate's directory"
                )));
            }
        }
    }
    Ok(())
}
