//! The bare loop: a blocking read of all that is there, an answer to each whole line, and one write for all of them. It
//! promises nothing, and so is the limit of what a library can reach.

mod answer;

use memchr::memchr;
use std::fs::File;
use std::io::{self, Read, Write};

const READ: usize = 64 << 10;

fn main() -> io::Result<()> {
    // The descriptors themselves: what std makes of them has a small buffer of its own.
    let (mut input, mut output) = descriptors()?;
    let mut buffer = vec![0; READ];
    let mut replies = Vec::with_capacity(READ);
    // What is in the buffer of a line whose end is not there yet.
    let mut held = 0;
    loop {
        if held == buffer.len() {
            buffer.resize(buffer.len() * 2, 0);
        }
        let count = input.read(&mut buffer[held..])?;
        if count == 0 {
            return Ok(());
        }
        let end = held + count;
        let (mut start, mut scanned) = (0, held);
        while let Some(distance) = memchr(b'\n', &buffer[scanned..end]) {
            answer::answer(&buffer[start..scanned + distance], &mut replies);
            start = scanned + distance + 1;
            scanned = start;
        }
        if start > 0 {
            buffer.copy_within(start..end, 0);
        }
        held = end - start;
        if !replies.is_empty() {
            output.write_all(&replies)?;
            replies.clear();
        }
    }
}

#[cfg(unix)]
fn descriptors() -> io::Result<(File, File)> {
    use std::os::fd::AsFd;

    let input = io::stdin().as_fd().try_clone_to_owned()?;
    let output = io::stdout().as_fd().try_clone_to_owned()?;
    Ok((input.into(), output.into()))
}

#[cfg(windows)]
fn descriptors() -> io::Result<(File, File)> {
    use std::os::windows::io::AsHandle;

    let input = io::stdin().as_handle().try_clone_to_owned()?;
    let output = io::stdout().as_handle().try_clone_to_owned()?;
    Ok((input.into(), output.into()))
}
