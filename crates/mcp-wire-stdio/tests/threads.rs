//! Promises that only the way by threads has to make.
#![cfg(unix)]
#![allow(clippy::unwrap_used, reason = "a test fails by panicking")]

use std::fs::File;
use std::io::{self, Read, Write};

mod support;
use support::{Runtime, *};

/// S3: nothing is read before it is asked for, so that another reader finds it.
#[test]
fn nothing_is_read_unasked() {
    Threads::run(async {
        let (reader, mut writer) = io::pipe().unwrap();
        let mut other_reader = reader.try_clone().unwrap();
        let mut input = input::<Threads>(reader);
        writer.write_all(b"for the other").unwrap();
        let mut buffer = [0; 100];
        assert_eq!(other_reader.read(&mut buffer).unwrap(), 13);

        writer.write_all(b"one").unwrap();
        assert_eq!(read(&mut input, 100).await.unwrap(), b"one");
        writer.write_all(b"two").unwrap();
        assert_eq!(other_reader.read(&mut buffer).unwrap(), 3);
        drop(writer);
        assert_eq!(read(&mut input, 100).await.unwrap(), b"");
    });
}

/// X3: dropping an input that waits for nothing closes its descriptor.
#[test]
fn a_dropped_input_closes_its_descriptor() {
    Threads::run(async {
        let (reader, mut writer) = io::pipe().unwrap();
        let mut input = input::<Threads>(reader);
        writer.write_all(b"one").unwrap();
        read(&mut input, 100).await.unwrap();
        drop(input);
        // The thread lets go in its own time; a pipe that is full by then waits for it.
        let error = loop {
            if let Err(error) = writer.write_all(&[0; 10_000]) {
                break error;
            }
        };
        assert_eq!(error.kind(), io::ErrorKind::BrokenPipe);
    });
}

/// S3: what was taken is bounded, and is written although the output is dropped.
#[test]
fn a_dropped_output_writes_what_it_took() {
    Threads::run(async {
        let (reader, writer) = io::pipe().unwrap();
        let mut output = output::<Threads>(writer);
        // Whatever the pipe holds, and the thread's share.
        let taken = fill(&mut output).await.len();
        assert!(taken <= (64 + 2 * 64) * 1024, "{taken}");
        drop(output);
        let mut received = Vec::new();
        File::from(std::os::fd::OwnedFd::from(reader)).read_to_end(&mut received).unwrap();
        assert!(received == pattern(0, taken), "{} of {taken}", received.len());
    });
}

/// X2: after an error everything answers with it, closing too, and nothing hangs.
#[test]
fn an_error_is_told_to_everyone() {
    Threads::run(async {
        let (reader, writer) = io::pipe().unwrap();
        let mut output = output::<Threads>(writer);
        fill(&mut output).await;
        drop(reader);
        for _ in 0..2 {
            assert_eq!(flush(&mut output).await.unwrap_err().kind(), io::ErrorKind::BrokenPipe);
            let error = write(&mut output, b"more").await.unwrap_err();
            assert_eq!(error.kind(), io::ErrorKind::BrokenPipe);
        }
        assert_eq!(close(&mut output).await.unwrap_err().kind(), io::ErrorKind::BrokenPipe);
        close(&mut output).await.unwrap();
    });
}
