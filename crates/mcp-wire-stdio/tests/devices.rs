//! What a shell gives: files, the null device, terminals, and what makes no sense.
#![cfg(unix)]
#![allow(clippy::unwrap_used, reason = "a test fails by panicking")]

use std::fs::File;
use std::io::{Read, Seek, Write};
use std::os::fd::OwnedFd;

use mcp_wire_stdio::{Kind, Way};
use rustix::fs::{Mode, OFlags, open};
use rustix::pty::{OpenptFlags, grantpt, openpt, ptsname, unlockpt};

mod support;
use support::{Runtime, *};

on_every_runtime!(files, the_null_device, terminals, what_cannot_be_read);

/// S3: a file is read to its end and written in place, without a thread.
fn files<R: Runtime>() {
    R::run(async {
        let mut file = tempfile::tempfile().unwrap();
        file.write_all(&pattern(0, 100_000)).unwrap();
        file.rewind().unwrap();
        let mut input = input::<R>(file.try_clone().unwrap());
        assert_eq!((input.kind(), input.way()), (Kind::File, Way::Direct));
        assert!(read_to_end(&mut input).await.unwrap() == pattern(0, 100_000));

        let mut output = output::<R>(file.try_clone().unwrap());
        assert_eq!((output.kind(), output.way()), (Kind::File, Some(Way::Direct)));
        write_all(&mut output, &pattern(100_000, 100_000)).await.unwrap();
        close(&mut output).await.unwrap();
        let mut all = Vec::new();
        file.rewind().unwrap();
        file.read_to_end(&mut all).unwrap();
        assert!(all == pattern(0, 200_000));
    });
}

/// S3: the null device, which closed descriptors become, is at its end and takes everything.
fn the_null_device<R: Runtime>() {
    R::run(async {
        let null = || File::options().read(true).write(true).open("/dev/null").unwrap();
        let mut input = input::<R>(null());
        assert_eq!((input.kind(), input.way()), (Kind::Null, Way::Direct));
        assert_eq!(read(&mut input, 10).await.unwrap(), b"");
        let mut output = output::<R>(null());
        assert_eq!((output.kind(), output.way()), (Kind::Null, Some(Way::Direct)));
        write_all(&mut output, &pattern(0, 1_000_000)).await.unwrap();
    });
}

/// S2, S3: a terminal is read and written by threads; `WouldBlock` from outside is no error.
fn terminals<R: Runtime>() {
    R::run(async {
        for from_outside in [false, true] {
            let (mut keyboard_and_screen, terminal) = terminal();
            let (shared, same) = (terminal.try_clone().unwrap(), terminal.try_clone().unwrap());
            let (mut input, mut output) = (input::<R>(terminal), output::<R>(same));
            assert_eq!((input.kind(), input.way()), (Kind::Terminal, Way::Thread));
            assert_eq!((output.kind(), output.way()), (Kind::Terminal, Some(Way::Thread)));
            if from_outside {
                make_nonblocking(&shared);
            }
            let before = flags(&shared);

            nothing_to_read(&mut input).await;
            keyboard_and_screen.write_all(b"typed\n").unwrap();
            assert_eq!(read(&mut input, 100).await.unwrap(), b"typed\n");
            write_all(&mut output, b"shown\n").await.unwrap();
            let mut screen = [0; 14];
            keyboard_and_screen.read_exact(&mut screen).unwrap();
            assert_eq!(&screen, b"typed\r\nshown\r\n");
            assert_eq!(flags(&shared), before);

            // Control-D.
            nothing_to_read(&mut input).await;
            keyboard_and_screen.write_all(b"\x04").unwrap();
            assert_eq!(read(&mut input, 100).await.unwrap(), b"");
        }
    });
}

fn terminal() -> (File, OwnedFd) {
    let controller = openpt(OpenptFlags::RDWR | OpenptFlags::NOCTTY).unwrap();
    grantpt(&controller).unwrap();
    unlockpt(&controller).unwrap();
    let name = ptsname(&controller, Vec::new()).unwrap();
    let terminal = open(name, OFlags::RDWR | OFlags::NOCTTY, Mode::empty()).unwrap();
    (controller.into(), terminal)
}

/// X2: what cannot be read is an error each time, not a hang.
fn what_cannot_be_read<R: Runtime>() {
    R::run(async {
        let mut input = input::<R>(File::open(".").unwrap());
        assert_eq!((input.kind(), input.way()), (Kind::Other, Way::Thread));
        for _ in 0..2 {
            let error = read(&mut input, 10).await.unwrap_err();
            assert_eq!(error.kind(), std::io::ErrorKind::IsADirectory);
        }
    });
}
