//! `cargo xtask api`: the public API of each published crate, as a text that is reviewed like code.

mod listing;
mod record;
mod version;

use std::path::PathBuf;

use crate::failure::Failure;
use crate::workspace;
use record::Record;

const USAGE: &str = "usage: cargo xtask api [--record [--unpublished]]";

/// Compares what the crates offer with the texts in `docs/api`, or, with `--record`, writes these. Where that would break
/// a promise, it takes `--unpublished` as well: a version that nobody has promises nothing.
pub(crate) fn run(arguments: &[String]) -> Result<(), Failure> {
    let arguments: Vec<&str> = arguments.iter().map(String::as_str).collect();
    let treat = match *arguments {
        [] => compare,
        ["--record"] => record_what_keeps,
        ["--record", "--unpublished"] => record_all,
        _ => return Err(Failure::Usage(USAGE.to_owned())),
    };
    let names = workspace::published()?;
    let descriptions = describe(&names)?;
    let mut records = Vec::new();
    for name in &names {
        let description = descriptions.join(name.replace('-', "_")).with_extension("json");
        records.push(Record::open(name, &listing::listing(name, &description)?));
    }
    treat(&records)
}

fn compare(records: &[Record]) -> Result<(), Failure> {
    let mut changed = Vec::new();
    for record in records {
        let difference = record.difference();
        if !difference.is_empty() {
            println!("{}", difference.join("\n"));
            changed.push(record.name());
        }
    }
    if changed.is_empty() {
        return Ok(());
    }
    Err(Failure::Task(format!(
        "the version or the public API of {} is not what docs/api says: `cargo xtask api --record` writes it anew",
        changed.join(", ")
    )))
}

/// Records all crates, or none where one has lost what its version promises.
fn record_what_keeps(records: &[Record]) -> Result<(), Failure> {
    let breaches: String = records.iter().filter_map(Record::breach).collect();
    if breaches.is_empty() {
        return record_all(records);
    }
    Err(Failure::Task(format!(
        "nothing is recorded, since lines went from\n{breaches}That breaks programs written for this version. Tell it in \
         the changelog, and raise `version` in Cargo.toml so that cargo keeps it from them (0.1.x to 0.2.0, 1.x to 2.0.0), or, \
         while this version is not published, run `cargo xtask api --record --unpublished`"
    )))
}

fn record_all(records: &[Record]) -> Result<(), Failure> {
    records.iter().try_for_each(Record::write)
}

/// Lets rustdoc describe the crates as data, which the stable one can but does not offer, and says where the descriptions are.
fn describe(names: &[String]) -> Result<PathBuf, Failure> {
    // A directory of its own, since the variable has some build scripts run again.
    let target = workspace::target_directory()?.join("api");
    let mut cargo = workspace::cargo();
    cargo.env("RUSTC_BOOTSTRAP", "1");
    cargo.env("RUSTDOCFLAGS", "-Z unstable-options --output-format json");
    cargo.args(["doc", "--quiet", "--no-deps", "--lib", "--all-features", "--target-dir"]);
    cargo.arg(&target);
    for name in names {
        cargo.args(["--package", name]);
    }
    workspace::foreground(&mut cargo)?;
    Ok(target.join("doc"))
}
