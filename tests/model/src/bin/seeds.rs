//! Writes the entries of `tests/corpus` as seeds for the fuzz targets, below the directory that is given.

use model::corpus;
use std::path::{Path, PathBuf};
use std::{env, fs, io};

fn main() -> io::Result<()> {
    let usage = "usage: seeds DIRECTORY";
    let directory: PathBuf = env::args_os().nth(1).ok_or(io::Error::other(usage))?.into();
    for (index, entry) in corpus::entries().iter().enumerate() {
        let name = format!("{}-{index}", entry.topic);
        let input = entry.input(0);
        write(&directory, "frame", &name, &[&[39, 3], &input[..]].concat())?;
        for (number, line) in input.split(|byte| *byte == b'\n').enumerate() {
            write(&directory, "message", &format!("{name}-{number}"), line)?;
        }
        write(&directory, "connection", &name, &model::connection_seed(&input, entry.is_client()))?;
    }
    Ok(())
}

/// Large inputs teach a fuzzer nothing, and slow it down.
fn write(directory: &Path, target: &str, name: &str, bytes: &[u8]) -> io::Result<()> {
    const LARGEST: usize = 8 << 10;
    let directory = directory.join(target);
    fs::create_dir_all(&directory)?;
    if bytes.is_empty() || bytes.len() > LARGEST {
        return Ok(());
    }
    fs::write(directory.join(name), bytes)
}
