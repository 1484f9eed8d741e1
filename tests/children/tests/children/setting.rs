//! K1, K3, K5: what a server finds when it starts.

use crate::support::{Server, host, on_every_runtime, pid_of, process_of};
use children::{Adapter, Mode};
use mcp_wire_tokio::{INHERITED_VARIABLES, ServerCommand, Stderr};
use rustix::process::{Pid, getpgid};
use std::collections::BTreeSet;
use std::path::PathBuf;
use std::{env, fs};

on_every_runtime!(
    a_group_of_its_own,
    our_group,
    our_standard_error,
    no_standard_error,
    the_whole_environment,
    a_limited_environment,
);

/// K3
fn a_group_of_its_own<A: Adapter>() {
    started::<A>(
        &Server::new(Mode::Well),
        |command| command,
        |process| {
            assert_eq!(group(Some(process)), pid_of(process));
        },
    );
}

/// K3
fn our_group<A: Adapter>() {
    started::<A>(&Server::new(Mode::Well), ServerCommand::in_our_group, |process| {
        assert_eq!(group(Some(process)), group(None));
    });
}

/// K5: inherited by default.
fn our_standard_error<A: Adapter>() {
    let server = Server::new(Mode::Well).stderr(Stderr::Inherit);
    started::<A>(
        &server,
        |command| command,
        |process| {
            assert_eq!(standard_error(&process.to_string()), standard_error("self"));
        },
    );
}

/// K5
fn no_standard_error<A: Adapter>() {
    let server = Server::new(Mode::Well).stderr(Stderr::Null);
    started::<A>(
        &server,
        |command| command,
        |process| {
            assert_eq!(standard_error(&process.to_string()), PathBuf::from("/dev/null"));
        },
    );
}

/// K1: the caller decides.
fn the_whole_environment<A: Adapter>() {
    let server = Server::new(Mode::Well).prepare(|command| _ = command.env("API_KEY", "1234"));
    started::<A>(
        &server,
        |command| command,
        |process| {
            let names = environment(process);
            assert!(names.contains("API_KEY"));
            let missing = env::vars().find(|(name, _)| !names.contains(name));
            assert_eq!(missing, None);
        },
    );
}

/// K1: nothing but what it takes to run, and what the command sets.
fn a_limited_environment<A: Adapter>() {
    let server = Server::new(Mode::Well).prepare(|command| _ = command.env("API_KEY", "1234"));
    started::<A>(&server, ServerCommand::limited_environment, |process| {
        let mut names = environment(process);
        assert!(names.remove("API_KEY") && names.remove("MISBEHAVE_MARK"), "{names:?}");
        let more = names.iter().find(|name| !INHERITED_VARIABLES.contains(&name.as_str()));
        assert_eq!(more, None);
        assert!(names.contains("PATH"));
    });
}

/// Looks at a server that runs.
fn started<A: Adapter>(
    server: &Server,
    choose: impl FnOnce(ServerCommand) -> ServerCommand,
    look: impl FnOnce(u32),
) {
    A::block_on(async {
        let command = choose(server.command());
        let client = A::connect(host(), command).await.unwrap();
        look(process_of(&client));
        client.close().await;
    });
    server.assert_nothing_is_left();
}

fn group(process: Option<u32>) -> Pid {
    getpgid(process.map(pid_of)).unwrap()
}

fn standard_error(process: &str) -> PathBuf {
    fs::read_link(format!("/proc/{process}/fd/2")).unwrap()
}

/// The names of the variables.
fn environment(process: u32) -> BTreeSet<String> {
    let text = fs::read_to_string(format!("/proc/{process}/environ")).unwrap();
    let variables = text.split_terminator('\0').filter_map(|variable| variable.split_once('='));
    variables.map(|(name, _)| name.to_owned()).collect()
}
