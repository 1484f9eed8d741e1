//! Pipes, named pipes and socket pairs, by readiness on two reactors and by threads.
#![cfg(unix)]
#![allow(clippy::unwrap_used, reason = "a test fails by panicking")]

use std::fs::File;
use std::io::{self, ErrorKind, IoSlice, Read, Write};
use std::os::fd::{AsFd, OwnedFd};
use std::os::unix::net::UnixStream;
use std::pin::Pin;
use std::thread;

use futures_io::AsyncWrite;
use mcp_wire_stdio::{Input, Kind, Output, Stream, Way};
use rustix::fs::OFlags;

mod support;
use support::{Runtime, *};

on_every_runtime!(
    bytes_arrive_and_the_end,
    dropped_reads_lose_nothing,
    a_full_stream_takes_more_once_read,
    a_broken_pipe_is_an_error_that_stays,
    vectored_writes_keep_their_order,
    flags_are_left_alone,
    would_block_from_outside_is_no_error,
    closing_ends_the_stream,
    a_pending_read_holds_nothing_up,
);

type Pair = (OwnedFd, OwnedFd);

fn pipe() -> Pair {
    let (reader, writer) = io::pipe().unwrap();
    (reader.into(), writer.into())
}

/// As `mkfifo` makes them for a shell script: `RWF_NOWAIT` is refused on every kernel.
#[cfg(target_os = "linux")]
fn named_pipe() -> Pair {
    use rustix::fs::{CWD, Mode, mkfifoat, open};
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("pipe");
    mkfifoat(CWD, &path, Mode::RUSR | Mode::WUSR).unwrap();
    let both = open(&path, OFlags::RDWR, Mode::empty()).unwrap();
    let reader = open(&path, OFlags::RDONLY, Mode::empty()).unwrap();
    let writer = open(&path, OFlags::WRONLY, Mode::empty()).unwrap();
    drop(both);
    (reader, writer)
}

/// As a shell makes them from `</dev/stdin`: `RWF_NOWAIT` is refused on every kernel.
#[cfg(target_os = "linux")]
fn pipe_opened_anew() -> Pair {
    let (reader, writer) = pipe();
    (opened_anew(reader, OFlags::RDONLY), opened_anew(writer, OFlags::WRONLY))
}

#[cfg(target_os = "linux")]
fn opened_anew(descriptor: OwnedFd, access: OFlags) -> OwnedFd {
    use std::os::fd::AsRawFd;
    let path = format!("/proc/self/fd/{}", descriptor.as_raw_fd());
    rustix::fs::open(path, access, rustix::fs::Mode::empty()).unwrap()
}

fn sockets() -> Pair {
    let (reader, writer) = UnixStream::pair().unwrap();
    (reader.into(), writer.into())
}

fn pairs() -> impl Iterator<Item = Pair> {
    [
        #[cfg(target_os = "linux")]
        pipe_opened_anew,
        #[cfg(target_os = "linux")]
        named_pipe,
        pipe,
        sockets,
    ]
    .into_iter()
    .map(|make: fn() -> Pair| make())
}

/// Our reading side, and the peer's blocking writing side.
fn readers<R: Runtime>() -> impl Iterator<Item = (Input<R::Reactor>, File)> {
    pairs().map(|(reader, writer)| (input::<R>(reader), writer.into()))
}

/// Our writing side, and the peer's blocking reading side.
fn writers<R: Runtime>() -> impl Iterator<Item = (Output<R::Reactor>, File)> {
    pairs().map(|(reader, writer)| (output::<R>(writer), reader.into()))
}

/// S3: bytes come when they are written, also after a wait, and the end comes last.
fn bytes_arrive_and_the_end<R: Runtime>() {
    R::run(async {
        for (mut input, mut peer) in readers::<R>() {
            nothing_to_read(&mut input).await;
            peer.write_all(b"one").unwrap();
            assert_eq!(read(&mut input, 100).await.unwrap(), b"one");
            // The short read has told the reactor that nothing is left.
            nothing_to_read(&mut input).await;
            peer.write_all(b"two three").unwrap();
            assert_eq!(read(&mut input, 3).await.unwrap(), b"two");
            assert_eq!(read(&mut input, 100).await.unwrap(), b" three");
            nothing_to_read(&mut input).await;
            drop(peer);
            assert_eq!(read(&mut input, 100).await.unwrap(), b"");
            assert_eq!(read(&mut input, 100).await.unwrap(), b"");
        }
    });
}

/// S3: bytes live in no future: reads that were given up have taken nothing away.
fn dropped_reads_lose_nothing<R: Runtime>() {
    R::run(async {
        for (mut input, mut peer) in readers::<R>() {
            let sent = pattern(0, 1_000_000);
            let expected = sent.clone();
            let writer = thread::spawn(move || peer.write_all(&sent).unwrap());
            let mut received = Vec::new();
            loop {
                let given_up = std::future::poll_fn(|cx| {
                    let mut buffer = [0; 777];
                    let answer =
                        futures_io::AsyncRead::poll_read(Pin::new(&mut input), cx, &mut buffer);
                    std::task::Poll::Ready(answer.map_ok(|count| buffer[..count].to_vec()))
                });
                let bytes = match given_up.await {
                    std::task::Poll::Ready(bytes) => bytes.unwrap(),
                    std::task::Poll::Pending => read(&mut input, 5000).await.unwrap(),
                };
                if bytes.is_empty() {
                    break;
                }
                received.extend(bytes);
            }
            writer.join().unwrap();
            assert!(received == expected, "{} bytes", received.len());
        }
    });
}

/// S3: a write waits for room, and goes on at the exact byte.
fn a_full_stream_takes_more_once_read<R: Runtime>() {
    R::run(async {
        for (mut output, mut peer) in writers::<R>() {
            let taken = fill(&mut output).await.len();
            let reader = thread::spawn(move || {
                let mut received = Vec::new();
                peer.read_to_end(&mut received).unwrap();
                received
            });
            write_all(&mut output, &pattern(taken, 1_000_000)).await.unwrap();
            close(&mut output).await.unwrap();
            let received = reader.join().unwrap();
            assert!(received == pattern(0, taken + 1_000_000), "{} bytes", received.len());
        }
    });
}

/// X2: nobody reads: an error, no signal, and the same error ever after.
fn a_broken_pipe_is_an_error_that_stays<R: Runtime>() {
    R::run(async {
        for (mut output, peer) in writers::<R>() {
            drop(peer);
            let first = write_all(&mut output, b"lost").await;
            assert_eq!(first.unwrap_err().kind(), ErrorKind::BrokenPipe);
            let second = write(&mut output, b"lost too").await;
            assert_eq!(second.unwrap_err().kind(), ErrorKind::BrokenPipe);
        }
    });
}

/// S3: a vectored write sends its buffers as one run of bytes, also more than one call takes.
fn vectored_writes_keep_their_order<R: Runtime>() {
    R::run(async {
        for (mut output, mut peer) in writers::<R>() {
            let bytes = pattern(0, 3000);
            let mut sent = 0;
            while sent < bytes.len() {
                let mut slices = vec![IoSlice::new(b"")];
                slices.extend(bytes[sent..].chunks(1).map(IoSlice::new));
                let count = std::future::poll_fn(|cx| {
                    Pin::new(&mut output).poll_write_vectored(cx, &slices)
                });
                sent += count.await.unwrap();
            }
            close(&mut output).await.unwrap();
            let mut received = Vec::new();
            peer.read_to_end(&mut received).unwrap();
            assert_eq!(received, bytes);
        }
    });
}

/// S2: the open files that were given are never made non-blocking, also not for a while.
fn flags_are_left_alone<R: Runtime>() {
    R::run(async {
        for (reader, writer) in pairs() {
            let (shared_reader, shared_writer) =
                (reader.try_clone().unwrap(), writer.try_clone().unwrap());
            let before = (flags(&shared_reader), flags(&shared_writer));
            let same = || assert_eq!((flags(&shared_reader), flags(&shared_writer)), before);

            let (mut input, mut output) = (input::<R>(reader), output::<R>(writer));
            same();
            nothing_to_read(&mut input).await;
            same();
            write_all(&mut output, b"some").await.unwrap();
            same();
            assert_eq!(read(&mut input, 100).await.unwrap(), b"some");
            fill(&mut output).await;
            same();
            drop((input, output));
            same();
        }
    });
}

/// S2: somebody who shares the open file makes it non-blocking: neither end nor error.
fn would_block_from_outside_is_no_error<R: Runtime>() {
    R::run(async {
        for (reader, writer) in pairs() {
            let (mut input, mut peer) = (input_made_nonblocking::<R>(reader), File::from(writer));
            nothing_to_read(&mut input).await;
            let writer = thread::spawn(move || peer.write_all(&pattern(0, 300_000)).unwrap());
            let received = read_to_end(&mut input).await.unwrap();
            assert!(received == pattern(0, 300_000), "{} bytes", received.len());
            writer.join().unwrap();
        }
        for (reader, writer) in pairs() {
            let shared = writer.try_clone().unwrap();
            let (mut output, mut peer) = (output::<R>(writer), File::from(reader));
            make_nonblocking(shared);
            let taken = fill(&mut output).await.len();
            let reader = thread::spawn(move || {
                let mut received = Vec::new();
                peer.read_to_end(&mut received).unwrap();
                received
            });
            write_all(&mut output, &pattern(taken, 300_000)).await.unwrap();
            close(&mut output).await.unwrap();
            let received = reader.join().unwrap();
            assert!(received == pattern(0, taken + 300_000), "{} bytes", received.len());
        }
    });
}

fn input_made_nonblocking<R: Runtime>(reader: OwnedFd) -> Input<R::Reactor> {
    let shared = reader.try_clone().unwrap();
    let input = input::<R>(reader);
    make_nonblocking(shared);
    input
}

/// X4: once closed, the peer has seen the end; closing again is a no-op, writing an error.
fn closing_ends_the_stream<R: Runtime>() {
    R::run(async {
        for (mut output, mut peer) in writers::<R>() {
            write(&mut output, b"last words").await.unwrap();
            close(&mut output).await.unwrap();
            let mut received = Vec::new();
            peer.read_to_end(&mut received).unwrap();
            assert_eq!(received, b"last words");
            assert_eq!(output.way(), None);
            close(&mut output).await.unwrap();
            let late = write(&mut output, b"late").await;
            assert_eq!(late.unwrap_err().kind(), ErrorKind::BrokenPipe);
        }
        for (mut output, mut peer) in writers::<R>() {
            close(&mut output).await.unwrap();
            assert_eq!(peer.read(&mut [0; 10]).unwrap(), 0);
        }
    });
}

/// S3: the runtime ends while reads are pending and the peers hold on.
fn a_pending_read_holds_nothing_up<R: Runtime>() {
    let held = R::run(async {
        let mut held = Vec::new();
        for (mut input, peer) in readers::<R>() {
            nothing_to_read(&mut input).await;
            held.push(peer);
        }
        held
    });
    drop(held);
}

/// S3: on Linux pipes and sockets are waited for by readiness, however the pipe was made.
#[test]
#[cfg(target_os = "linux")]
fn readiness_is_chosen() {
    fn check<R: Runtime>() {
        R::run(async {
            for (mut input, mut peer) in readers::<R>() {
                peer.write_all(b"x").unwrap();
                read(&mut input, 1).await.unwrap();
                assert_eq!(input.way(), Way::Readiness, "{input:?}");
            }
            for (mut output, _peer) in writers::<R>() {
                write(&mut output, b"x").await.unwrap();
                assert_eq!(output.way(), Some(Way::Readiness), "{output:?}");
            }
        });
    }
    check::<Tokio>();
    check::<AsyncIo>();
}

/// S3: a reactor that refuses, or none, leaves the work to threads.
#[test]
fn without_a_reactor_threads_do_the_work() {
    let (reader, writer) = sockets();
    assert_eq!(input::<Threads>(reader).way(), Way::Thread);
    assert_eq!(output::<Threads>(writer).way(), Some(Way::Thread));
}

/// S3: what the descriptors are is told by asking the kernel.
#[test]
fn kinds_are_told_apart() {
    let kind = |descriptor: OwnedFd| Stream::new(descriptor).unwrap().kind();
    assert_eq!(kind(pipe().0), Kind::Pipe);
    #[cfg(target_os = "linux")]
    assert_eq!(kind(named_pipe().1), Kind::Pipe);
    assert_eq!(kind(sockets().0), Kind::Socket);
}

/// S2, S3: the bare calls never block on descriptors that do.
#[test]
fn bare_calls_never_block() {
    for (reader, writer) in [pipe(), sockets()] {
        assert!(!flags(reader.as_fd()).contains(OFlags::NONBLOCK));
        let (reader, writer) = (Stream::new(reader).unwrap(), Stream::new(writer).unwrap());
        if reader.way() != Way::Readiness {
            continue; // pipes elsewhere than on Linux
        }
        let nothing = reader.try_read(&mut [0; 10]).unwrap_err();
        assert_eq!(nothing.kind(), ErrorKind::WouldBlock);
        let full = loop {
            if let Err(error) = writer.try_write(&[IoSlice::new(&[0; 10_000])]) {
                break error;
            }
        };
        assert_eq!(full.kind(), ErrorKind::WouldBlock);
    }
}

/// S3: a short read says that a pipe is empty, but nothing about a socket: it may have stopped at the border of a message, or
/// behind a descriptor that was sent along.
#[test]
fn a_short_read_drains_a_pipe_alone() {
    use rustix::net::{AddressFamily, SocketFlags, SocketType, socketpair};
    let pipe = Stream::new(std::io::pipe().unwrap().0.into()).unwrap();
    assert!(pipe.is_drained_by(1, 2));
    assert!(!pipe.is_drained_by(2, 2));
    assert!(!pipe.is_drained_by(0, 2));
    for kind in [SocketType::STREAM, SocketType::DGRAM] {
        let pair = socketpair(AddressFamily::UNIX, kind, SocketFlags::empty(), None).unwrap();
        assert!(!Stream::new(pair.0).unwrap().is_drained_by(1, 2));
    }
}
