//! The protocol's streams belong to the protocol alone.

use crate::support::message::{call, ping, text};
use crate::support::{Session, Streams, on_every_stream, proc};
use rustix::fs::fstat;
use serde_json::json;

on_every_stream!(stray_output_never_reaches_the_client, a_grandchild_does_not_inherit_the_protocol);

/// S1: a `println!` lands on standard error, and on no account between two messages.
fn stray_output_never_reaches_the_client(runtime: &str, streams: Streams) {
    let mut session = Session::begin(runtime, streams, &[]);
    for number in 0..20 {
        session.peer.send(&call(number, "stray_print", json!({})));
    }
    for _ in 0..20 {
        // Anything but a message would fail here, or at the end.
        assert_eq!(text(&session.peer.receive()), "printed");
    }
    let process = session.end();
    assert_eq!(process.errors().matches("a stray line on standard output").count(), 20);
}

/// S1: what the server starts holds neither of its streams, so that it can neither write between the messages, nor eat the
/// input, nor hide the end.
fn a_grandchild_does_not_inherit_the_protocol(runtime: &str, streams: Streams) {
    let (peer, theirs) = streams.open();
    let inodes = [&theirs.input, &theirs.output].map(|end| fstat(end).unwrap().st_ino);
    let terminal = rustix::termios::ttyname(&theirs.output, Vec::new());
    let protocol: Vec<String> = match terminal {
        Ok(name) => vec![name.into_string().unwrap()],
        Err(_) => inodes.iter().map(|inode| format!(":[{inode}]")).collect(),
    };
    let mut session = Session::begin_on(peer, theirs, runtime, &[]);
    session.peer.send(&call(1, "start_child", json!({})));
    let grandchild: u32 = text(&session.peer.receive()).parse().unwrap();

    let of_server = proc::descriptors(session.process.id());
    let of_grandchild = proc::descriptors(grandchild);
    let is_protocol = |link: &String| protocol.iter().any(|name| link.ends_with(name.as_str()));
    assert_eq!(of_server.values().filter(|link| is_protocol(link)).count(), 2, "{of_server:?}");
    assert_eq!(of_grandchild.values().filter(|link| is_protocol(link)).count(), 0);
    assert_eq!(of_grandchild[&0], "/dev/null");
    assert_eq!(of_grandchild[&1], of_grandchild[&2]);

    session.peer.send(&ping(2));
    assert_eq!(session.peer.receive()["id"], 2);
    // The output ends although the grandchild lives.
    let _process = session.end();
    assert!(!proc::descriptors(grandchild).is_empty());
}
