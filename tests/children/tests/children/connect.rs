//! K6: servers that there is no session with. `connect` says why, and nothing is left of them.

use crate::support::{
    SHORT, Server, code, connect, echo, exit_in, host, is_gone, on_every_runtime, shell, signal,
    until,
};
use children::{Adapter, Mode};
use mcp_wire_tokio::{
    CallError, Closed, ConnectError, Eras, HandshakeError, Host, ProcessExit, Revision, SpawnError,
};
use smol::future::{or, poll_once};
use std::io::ErrorKind;
use std::process::Command;

on_every_runtime!(
    a_program_that_is_not_there,
    a_program_that_may_not_run,
    a_server_that_exits_at_once,
    a_server_that_is_killed_in_its_first_answer,
    a_server_that_exits_and_leaves_a_process,
    a_server_that_never_answers,
    a_server_that_floods_junk,
    a_server_that_refuses,
    a_server_that_dies_of_the_probe,
    a_server_that_dies_twice,
    a_server_of_another_revision,
    a_flood_and_another_session,
    a_host_that_gives_up,
);

fn a_program_that_is_not_there<A: Adapter>() {
    let error = not_started::<A>("/no/such/program");
    assert_eq!((error.program.as_str(), error.kind), ("/no/such/program", ErrorKind::NotFound));
}

fn a_program_that_may_not_run<A: Adapter>() {
    assert_eq!(not_started::<A>("/dev/null").kind, ErrorKind::PermissionDenied);
}

/// K6, X2: its exit outranks that nobody took what was written.
fn a_server_that_exits_at_once<A: Adapter>() {
    let server = Server::new(Mode::ExitsAtOnce);
    let (error, exit) = refused::<A>(&server, host());
    assert!(error.to_string().contains("the database cannot be opened"), "{error}");
    assert_eq!(exit.status, code(3));
    assert!(exit.stderr.ends_with("the database cannot be opened\n"), "{exit}");
    assert_eq!(exit_in(cause_of(error)), exit);
}

/// K6, F9: half an answer is none.
fn a_server_that_is_killed_in_its_first_answer<A: Adapter>() {
    let server = Server::new(Mode::DiesAfterBytes).argument("17");
    let (error, exit) = refused::<A>(&server, host());
    assert_eq!(exit.status, signal(9));
    assert_eq!(exit_in(cause_of(error)), exit);
}

/// K4, K6: a process that holds all its streams does not hide the exit.
fn a_server_that_exits_and_leaves_a_process<A: Adapter>() {
    let server = shell("sleep 60 & echo no configuration >&2; exit 3");
    let (error, exit) = refused::<A>(&server, host());
    assert_eq!((exit.status, &*exit.stderr), (code(3), "no configuration\n"));
    assert_eq!(exit_in(cause_of(error)), exit);
}

/// K6, O1
fn a_server_that_never_answers<A: Adapter>() {
    let server = Server::new(Mode::NeverAnswers);
    let (error, _) = refused::<A>(&server, host().connect_timeout(SHORT));
    assert_eq!(error, HandshakeError::Call(CallError::TimedOut));
}

/// K6, M1: it does not read either, so it has to be terminated.
fn a_server_that_floods_junk<A: Adapter>() {
    let server = Server::new(Mode::FloodsJunk);
    let (error, exit) = refused::<A>(&server, host().connect_timeout(SHORT));
    assert_eq!(error, HandshakeError::Call(CallError::TimedOut));
    assert_eq!(exit.status, signal(15));
}

/// K6, M1: a flood does not keep a session from its turn that shares the thread.
fn a_flood_and_another_session<A: Adapter>() {
    let (well, flooding) = (Server::new(Mode::Well), Server::new(Mode::FloodsJunk));
    A::block_on(async {
        let client = connect::<A>(&well).await;
        let calls = async {
            while flooding.written() < 1 << 20 {
                A::sleep(SHORT).await;
            }
            for _ in 0..10 {
                assert_eq!(echo(&client, "hello").await, Ok("hello".to_owned()));
            }
        };
        let flooded = async {
            let session = A::connect(host(), flooding.command()).await;
            panic!("there is no end to it: {session:?}");
        };
        or(calls, flooded).await;
    });
    flooding.assert_nothing_is_left();
}

/// K6
fn a_server_that_refuses<A: Adapter>() {
    let server = Server::new(Mode::Refuses);
    let (error, _) = refused::<A>(&server, host());
    let HandshakeError::Call(CallError::Peer(object)) = error else { panic!("{error}") };
    assert_eq!((object.code, &*object.message), (-32000, "no licence for this machine"));
}

/// P4: it is started once more, and not asked again.
fn a_server_that_dies_of_the_probe<A: Adapter>() {
    let server = Server::new(Mode::DiesOfTheProbe);
    A::block_on(async {
        let client = connect::<A>(&server).await;
        assert_eq!(client.server_info().revision, Revision::LATEST_LEGACY);
        assert_eq!(server.processes().len(), 1, "the first one is gone");
        assert_eq!(echo(&client, "hello").await, Ok("hello".to_owned()));
        client.close().await;
    });
    // A host that is pinned to the modern era does not try again.
    let (error, exit) = refused::<A>(&server, host().eras(Eras::Modern));
    assert!(matches!(error, HandshakeError::EndedByProbe(_)), "{error}");
    assert_eq!(exit.status, code(3));
    server.assert_nothing_is_left();
}

/// P4, K6: both causes are told.
fn a_server_that_dies_twice<A: Adapter>() {
    let server = Server::new(Mode::ExitsAtOnce);
    let error = A::block_on(A::connect(host(), server.command())).unwrap_err();
    let ConnectError::Handshake { earlier: Some(earlier), .. } = &error else { panic!("{error}") };
    let ConnectError::Handshake { error: first, child: Some(_), .. } = &**earlier else {
        panic!("{earlier}");
    };
    assert!(matches!(first, HandshakeError::EndedByProbe(_)), "{first}");
    let told = error.to_string();
    assert_eq!(told.matches("the database cannot be opened").count(), 2, "{told}");
    server.assert_nothing_is_left();
}

/// K6, P1
fn a_server_of_another_revision<A: Adapter>() {
    let server = Server::new(Mode::SpeaksUnknownRevision);
    let (error, _) = refused::<A>(&server, host());
    assert_eq!(error, HandshakeError::UnknownRevision("2099-12-31".to_owned()));
}

/// K3: it is killed at once, though the runtime gets no turn.
fn a_host_that_gives_up<A: Adapter>() {
    let server = Server::new(Mode::NeverAnswers);
    let process = A::block_on(async {
        let mut connect = Box::pin(A::connect(host(), server.command()));
        assert!(poll_once(&mut connect).await.is_none(), "it never answers");
        until("the server runs", || server.processes().len() == 1);
        let process = server.processes()[0];
        drop(connect);
        server.assert_nothing_is_left();
        process
    });
    until("its exit is collected", || is_gone(process));
}

#[track_caller]
fn not_started<A: Adapter>(program: &str) -> SpawnError {
    match A::block_on(A::connect(host(), Command::new(program).into())) {
        Err(ConnectError::Spawn(error)) => error,
        other => panic!("{other:?}"),
    }
}

/// Why there is no session, and how the server has ended. Its exit is collected, and nothing is left of it.
#[track_caller]
fn refused<A: Adapter>(server: &Server, host: Host) -> (HandshakeError, ProcessExit) {
    let (error, exit) = match A::block_on(A::connect(host, server.command())) {
        Err(ConnectError::Handshake { error, child: Some(child), .. }) => (error, child.exit),
        other => panic!("{other:?}"),
    };
    let exit = exit.expect("its exit is seen");
    if let Some(process) = exit.stderr.lines().find_map(|line| line.strip_prefix("process ")) {
        assert!(is_gone(process.parse().unwrap()), "its exit is not collected");
    }
    server.assert_nothing_is_left();
    (error, exit)
}

#[track_caller]
fn cause_of(error: HandshakeError) -> Closed {
    match error {
        HandshakeError::Call(error) => crate::support::cause_of(error),
        other => panic!("{other}"),
    }
}
