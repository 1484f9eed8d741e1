//! Taking over the standard streams, each time in a process of its own: this very program, which
//! then runs nothing but the test [`scene`].
#![cfg(target_os = "linux")]
#![allow(clippy::print_stdout, reason = "stray output is what this is about")]
#![allow(clippy::unwrap_used, reason = "a test fails by panicking")]

use std::env;
use std::fs;
use std::io::{self, ErrorKind, Read, Write};
use std::os::fd::{AsRawFd, OwnedFd};
use std::path::PathBuf;
use std::process::{Child, Command, Output, Stdio};

use mcp_wire_stdio::{Kind, Stream, share, take_over};
use rustix::io::{Errno, FdFlags, fcntl_getfd};
use rustix::process::{Resource, Rlimit, getrlimit, setrlimit};

mod support;
use support::{Runtime, *};

const SCENE: &str = "MCP_WIRE_STDIO_TEST_SCENE";

/// What the test program prints by itself comes before this, on the same stream.
const BEGIN: &str = "[begin]";

/// S1: the protocol is private; what else is printed lands on standard error, and standard input
/// is at its end, for this process and its children.
#[test]
fn take_over_keeps_the_protocol_private() {
    let output = run("private", "", b"question");
    assert_eq!(protocol(&output), "answer to question");
    let errors = String::from_utf8(output.stderr).unwrap();
    for stray in ["half a linestray from us\n", "stray from a child\n"] {
        assert!(errors.contains(stray), "{errors}");
    }
}

fn private() {
    begin();
    print!("half a line");
    let (input, output) = take_over().unwrap();
    println!("stray from us");
    let child = Command::new("sh").args(["-c", "cat; echo stray from a child"]).status();
    assert!(child.unwrap().success());
    assert_eq!(io::stdin().read(&mut [0; 10]).unwrap(), 0);
    for stream in [&input, &output] {
        assert!(stream.as_raw_fd() > 2);
        assert_eq!(fcntl_getfd(stream).unwrap(), FdFlags::CLOEXEC);
    }
    answer(input, output);
}

/// S1: the streams are given out once.
#[test]
fn a_second_time_is_an_error() {
    assert_eq!(protocol(&run("second", "", b"")), "answer to ");
}

fn second() {
    begin();
    let (input, output) = take_over().unwrap();
    for again in [take_over(), share()] {
        let error = again.unwrap_err();
        assert_eq!(error.kind(), ErrorKind::AlreadyExists);
        assert!(error.to_string().contains("take them once"), "{error}");
    }
    answer(input, output);
}

/// S1: the opt-out leaves descriptors 0 and 1 where they are.
#[test]
fn shared_streams_stay_in_place() {
    let output = run("shared", "", b"question");
    assert_eq!(protocol(&output), "ours, a child's, question");
}

fn shared() {
    begin();
    let places = places();
    let (_input, output) = share().unwrap();
    assert_eq!(self::places(), places);
    Threads::run(write_all(&mut Threads::output(output), b"ours, ")).unwrap();
    let child = Command::new("sh").args(["-c", "printf \"a child's, \"; cat"]).status();
    assert!(child.unwrap().success());
    // What this program prints at its end is no part of it.
    std::process::exit(0);
}

/// S1: without standard error, what else is printed vanishes.
#[test]
fn without_standard_error_stray_output_vanishes() {
    assert_eq!(protocol(&run("no_error", "2>&-", b"question")), "answer to question");
}

fn no_error() {
    begin();
    let (input, output) = take_over().unwrap();
    assert_eq!(places(), ["/dev/null", "/dev/null"].map(PathBuf::from));
    println!("stray");
    answer(input, output);
}

/// S3: a closed standard input is at its end.
#[test]
fn without_standard_input_there_is_no_question() {
    assert_eq!(protocol(&run("no_input", "<&-", b"")), "answer to ");
}

fn no_input() {
    begin();
    let (input, output) = take_over().unwrap();
    assert_eq!(input.kind(), Kind::Null);
    answer(input, output);
}

/// S3: a closed standard output takes everything.
#[test]
fn without_standard_output_the_answer_vanishes() {
    let output = run("no_output", ">&-", b"question");
    assert_eq!(output.stdout, b"");
}

fn no_output() {
    let (input, output) = take_over().unwrap();
    assert_eq!(output.kind(), Kind::Null);
    answer(input, output);
}

/// S1: whichever step fails for want of descriptors, nothing is left half done.
#[test]
fn a_failed_take_over_changes_nothing() {
    assert_eq!(protocol(&run("failing", "", b"question")), "answer to question");
}

fn failing() {
    begin();
    let (places, free) = (places(), lowest_free_descriptor());
    let enough = getrlimit(Resource::Nofile);
    let mut failures = 0;
    let (input, output) = loop {
        let allowed = Rlimit { current: Some(free + failures), ..enough };
        setrlimit(Resource::Nofile, allowed).unwrap();
        let streams = take_over();
        setrlimit(Resource::Nofile, enough).unwrap();
        match streams {
            Ok(streams) => break streams,
            Err(error) => {
                let refusal = Errno::from_io_error(&error);
                // No descriptor above 2 can be asked for, or there is none left.
                assert!(matches!(refusal, Some(Errno::INVAL | Errno::MFILE)), "{error}");
            }
        }
        assert_eq!(self::places(), places);
        assert_eq!(lowest_free_descriptor(), free);
        failures += 1;
    };
    assert!(failures >= 3, "{failures}");
    answer(input, output);
}

/// S2: a parent finds the flags of what it gave as they were, also while the program waits.
#[test]
fn a_parent_finds_its_flags_unchanged() {
    let (their_input, mut questions) = io::pipe().unwrap();
    let (mut answers, their_output) = io::pipe().unwrap();
    let ours: [OwnedFd; 2] =
        [their_input.try_clone().unwrap().into(), their_output.try_clone().unwrap().into()];
    let before = ours.each_ref().map(flags);
    let child = start(command("waiting", "").stdin(their_input).stdout(their_output));
    // Once it has begun, the program has both streams and waits.
    let mut begun = Vec::new();
    while !begun.ends_with(BEGIN.as_bytes()) {
        let mut byte = [0];
        answers.read_exact(&mut byte).unwrap();
        begun.extend(byte);
    }
    assert_eq!(ours.each_ref().map(flags), before);
    questions.write_all(b"question").unwrap();
    drop(questions);
    finish(child);
    assert_eq!(ours.each_ref().map(flags), before);
    drop(ours);
    let mut rest = String::new();
    answers.read_to_string(&mut rest).unwrap();
    assert_eq!(rest, "answer to question");
}

fn waiting() {
    let (input, output) = take_over().unwrap();
    Tokio::run(async {
        let (mut input, mut output) = (Tokio::input(input), Tokio::output(output));
        nothing_to_read(&mut input).await;
        write_all(&mut output, BEGIN.as_bytes()).await.unwrap();
        let mut answer = b"answer to ".to_vec();
        answer.extend(read_to_end(&mut input).await.unwrap());
        write_all(&mut output, &answer).await.unwrap();
    });
}

/// X5: a pending read keeps neither the runtime nor the process alive: standard input stays open.
#[test]
fn a_pending_read_lets_the_process_end() {
    for scene in ["pending_by_readiness", "pending_on_a_thread"] {
        let mut child = start(command(scene, "").stdin(Stdio::piped()).stdout(Stdio::piped()));
        let open = child.stdin.take();
        finish(child);
        drop(open);
    }
}

fn pending<R: Runtime>() {
    let (input, _output) = take_over().unwrap();
    R::run(async { nothing_to_read(&mut R::input(input)).await });
}

/// Not a test by itself: the other tests run it in a process of its own.
#[test]
fn scene() {
    match env::var(SCENE).as_deref() {
        Err(_) => {}
        Ok("failing") => failing(),
        Ok("no_error") => no_error(),
        Ok("no_input") => no_input(),
        Ok("no_output") => no_output(),
        Ok("pending_by_readiness") => pending::<Tokio>(),
        Ok("pending_on_a_thread") => pending::<Threads>(),
        Ok("private") => private(),
        Ok("second") => second(),
        Ok("shared") => shared(),
        Ok("waiting") => waiting(),
        Ok(other) => panic!("no scene is called {other}"),
    }
}

/// This program again, started by a shell with a redirection.
fn command(scene: &str, redirection: &str) -> Command {
    let mut command = Command::new("sh");
    command
        .args(["-c", &format!("exec \"$0\" \"$@\" {redirection}")])
        .arg(env::current_exe().unwrap())
        .args(["scene", "--exact", "--nocapture", "--test-threads=1"])
        .env(SCENE, scene);
    command
}

fn run(scene: &str, redirection: &str, input: &[u8]) -> Output {
    let mut command = command(scene, redirection);
    let mut child = start(command.stdin(Stdio::piped()).stdout(Stdio::piped()));
    child.stdin.take().unwrap().write_all(input).unwrap();
    finish(child)
}

fn start(command: &mut Command) -> Child {
    command.stderr(Stdio::piped()).spawn().unwrap()
}

fn finish(child: Child) -> Output {
    let output = child.wait_with_output().unwrap();
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    output
}

fn protocol(output: &Output) -> &str {
    let text = str::from_utf8(&output.stdout).unwrap();
    text.split_once(BEGIN).unwrap_or_else(|| panic!("the scene did not begin: {text}")).1
}

fn begin() {
    print!("{BEGIN}");
    io::stdout().flush().unwrap();
}

fn answer(input: Stream, output: Stream) {
    AsyncIo::run(async {
        let (mut input, mut output) = (AsyncIo::input(input), AsyncIo::output(output));
        let question = read_to_end(&mut input).await.unwrap();
        write_all(&mut output, b"answer to ").await.unwrap();
        write_all(&mut output, &question).await.unwrap();
    });
}

/// What descriptors 0 and 1 refer to.
fn places() -> [PathBuf; 2] {
    [0, 1].map(|descriptor| fs::read_link(format!("/proc/self/fd/{descriptor}")).unwrap())
}

/// The lowest free descriptor: none was leaked below it, and descriptors are allowed up to it.
fn lowest_free_descriptor() -> u64 {
    fs::File::open("/dev/null").unwrap().as_raw_fd().try_into().unwrap()
}
