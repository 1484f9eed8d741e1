//! The ways of a pipe, with the kernel's answer given by the test.
#![allow(clippy::unwrap_used, reason = "a test fails by panicking")]

use std::io::{self, ErrorKind, IoSlice};
use std::os::fd::OwnedFd;

use rustix::fs::{CWD, Mode, OFlags, fcntl_getfl, mkfifoat, open};

use super::{Calls, Stream, pipe};
use crate::{Kind, Way};

fn pair() -> (OwnedFd, OwnedFd) {
    let (reader, writer) = io::pipe().unwrap();
    (reader.into(), writer.into())
}

/// S2, S3: both answers of the kernel give calls that never block, and leave the flags alone.
#[test]
fn both_answers_of_the_kernel_work() {
    for nowait in [pipe::kernel_has_nowait(), false] {
        let (reader, writer) = pair();
        let shared = [reader.try_clone().unwrap(), writer.try_clone().unwrap()];
        let (reader, writer) = (Stream::pipe(reader, nowait), Stream::pipe(writer, nowait));
        let expected = if nowait { Calls::NoWait } else { Calls::Private };
        for stream in [&reader, &writer] {
            assert_eq!(
                (stream.kind(), stream.way(), stream.calls),
                (Kind::Pipe, Way::Readiness, expected)
            );
        }

        let mut buffer = [0; 10];
        assert_eq!(reader.try_read(&mut buffer).unwrap_err().kind(), ErrorKind::WouldBlock);
        let hello = [IoSlice::new(b"hel"), IoSlice::new(b"lo")];
        assert_eq!(writer.try_write(&hello).unwrap(), 5);
        assert_eq!(reader.try_read(&mut buffer).unwrap(), 5);
        assert_eq!(&buffer[..5], b"hello");
        let full = loop {
            if let Err(error) = writer.try_write(&[IoSlice::new(&[0; 10_000])]) {
                break error;
            }
        };
        assert_eq!(full.kind(), ErrorKind::WouldBlock);
        for descriptor in shared {
            assert!(!fcntl_getfl(descriptor).unwrap().contains(OFlags::NONBLOCK));
        }
    }
}

/// S3: the end arrives through a pipe that was opened anew.
#[test]
fn the_end_arrives_through_a_pipe_opened_anew() {
    let (reader, writer) = pair();
    let (reader, writer) = (Stream::pipe(reader, false), Stream::pipe(writer, false));
    drop(writer);
    assert_eq!(reader.try_read(&mut [0; 10]).unwrap(), 0);
}

/// S3: where the pipe cannot be opened anew either, a thread is left.
#[test]
fn a_pipe_that_cannot_be_opened_anew_is_for_a_thread() {
    // The kernel refuses to open a named pipe for writing that nobody reads.
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("pipe");
    mkfifoat(CWD, &path, Mode::RUSR | Mode::WUSR).unwrap();
    let reader = open(&path, OFlags::RDONLY | OFlags::NONBLOCK, Mode::empty()).unwrap();
    let writer = open(&path, OFlags::WRONLY, Mode::empty()).unwrap();
    drop(reader);
    let writer = Stream::pipe(writer, false);
    assert_eq!((writer.way(), writer.calls), (Way::Thread, Calls::Plain));
    assert_eq!(writer.write_blocking(b"lost").unwrap_err().kind(), ErrorKind::BrokenPipe);
}

/// S3: a refusal is told from other errors, and what replaces the stream is the same pipe.
#[test]
fn a_refused_pipe_is_replaced_by_itself() {
    let (reader, writer) = pair();
    let reader = Stream { descriptor: reader, kind: Kind::Pipe, calls: Calls::NoWait };
    let refusal = io::Error::from(rustix::io::Errno::OPNOTSUPP);
    assert!(reader.replacement(&ErrorKind::WouldBlock.into()).is_none());
    let replacement = reader.replacement(&refusal).unwrap();
    assert!(replacement.replacement(&refusal).is_none());
    rustix::io::write(&writer, b"same").unwrap();
    let mut buffer = [0; 10];
    assert_eq!(replacement.try_read(&mut buffer).unwrap(), 4);
}
