//! A child process that does what a test says, in virtual time.

use super::wire::messages;
use super::{Gate, Input, Manual, Output, Task, World, agreed, host, milliseconds};
use futures_io::AsyncWrite;
use mcp_wire_driver::shutdown::{Step, Times};
use mcp_wire_driver::{
    ChildEnd, Client, Closed, ConnectError, HandshakeError, Host, Process, ProcessExit, Runtime,
    SessionEnd, SpawnError, Spawned,
};
use serde_json::Value;
use std::fmt;
use std::io::{self, IoSlice};
use std::os::unix::process::ExitStatusExt;
use std::pin::Pin;
use std::process::ExitStatus;
use std::sync::{Arc, Mutex, MutexGuard};
use std::task::{Context, Poll};
use std::time::Instant;

/// What a child dies of.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Dies {
    AtTheEndOfInput,
    WhenTerminated,
    WhenKilled,
    Never,
}

/// Who has the child's pipes besides itself.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Pipes {
    Grandchild,
    Own,
}

/// A client that connects to a child, and the child's ends of its pipes.
pub(crate) struct Child {
    pub(crate) world: World,
    pub(crate) stdin: Output,
    pub(crate) stdout: Input,
    pub(crate) stderr: Input,
    process: Arc<Fake>,
    connecting: Task<Result<Client, ConnectError>>,
}

impl Child {
    /// A child that has just been started.
    pub(crate) fn start(dies: Dies) -> Self {
        Self::start_with(host(), Times::default(), dies)
    }

    pub(crate) fn start_with(host: Host, times: Times, dies: Dies) -> Self {
        let world = World::default();
        let (stdin, stdout, stderr) = (Output::default(), Input::default(), Input::default());
        let process = Arc::new(Fake {
            start: Manual::now(),
            exit: Gate::default(),
            state: Mutex::new(State {
                dies,
                pipes: Pipes::Own,
                streams: [stdout.clone(), stderr.clone()],
                status: None,
                is_collected: false,
                history: Vec::new(),
            }),
        });
        let exit = process.exit.clone();
        let spawned = Spawned {
            process: Arc::clone(&process) as Arc<dyn Process>,
            stdin: Stdin { output: stdin.clone(), process: Arc::clone(&process) },
            stdout: stdout.clone(),
            stderr: Some(stderr.clone()),
            exit: async move { exit.pass().await },
        };
        let runtime = world.runtime.clone();
        let connecting = world.start(Client::connect_child(runtime, host, times, once(spawned)));
        world.run();
        Self { world, stdin, stdout, stderr, process, connecting }
    }

    /// A child after the handshake.
    pub(crate) fn ready(dies: Dies) -> (Self, Client) {
        Self::start(dies).shake_hands()
    }

    pub(crate) fn shake_hands(self) -> (Self, Client) {
        self.send(&agreed("2025-11-25"));
        assert_eq!(self.receive().len(), 2, "the handshake");
        let client = self.connected().expect("it is over").expect("they agree");
        (self, client)
    }

    /// How connecting went, once it is over. It is there once.
    pub(crate) fn connected(&self) -> Option<Result<Client, ConnectError>> {
        self.world.run();
        self.connecting.take()
    }

    /// Why it did not connect, and how the child ended. Nothing goes on.
    #[track_caller]
    pub(crate) fn failure(&self) -> (HandshakeError, ChildEnd) {
        let outcome = self.connected().expect("it is over");
        let Err(ConnectError::Handshake { error, child: Some(ended), earlier: None }) = outcome
        else {
            panic!("no failed handshake: {outcome:?}");
        };
        assert_eq!(self.world.alive(), 0, "something goes on");
        (error, ended)
    }

    /// Connecting is given up.
    pub(crate) fn give_up(&self) {
        self.connecting.cancel();
        self.world.run();
    }

    /// The child writes a message, and all that follows happens.
    pub(crate) fn send(&self, message: &Value) {
        self.stdout.push(format!("{message}\n"));
        self.world.run();
    }

    /// The messages that the child has received since the last time.
    pub(crate) fn receive(&self) -> Vec<Value> {
        self.world.run();
        messages(&self.stdin)
    }

    /// The child exits by itself.
    pub(crate) fn exit(&self, code: i32) {
        self.process.exit(ExitStatus::from_raw(code << 8));
        self.world.run();
    }

    /// The child exits, which nobody is told of so far.
    pub(crate) fn exit_unseen(&self, code: i32) {
        self.process.end(ExitStatus::from_raw(code << 8));
        self.world.run();
    }

    /// From now on the pipes stay open when the child exits.
    pub(crate) fn has_a_grandchild(&self) {
        self.process.lock().pipes = Pipes::Grandchild;
    }

    /// What was done to the child, and when, in milliseconds.
    pub(crate) fn history(&self) -> Vec<(u128, &'static str)> {
        self.world.run();
        self.process.lock().history.clone()
    }

    /// Starts something, and lets it run as far as it goes.
    pub(crate) fn start_task<T: 'static>(
        &self,
        future: impl Future<Output = T> + 'static,
    ) -> Task<T> {
        let task = self.world.start(future);
        self.world.run();
        task
    }
}

struct Fake {
    start: Instant,
    exit: Gate,
    state: Mutex<State>,
}

struct State {
    dies: Dies,
    pipes: Pipes,
    streams: [Input; 2],
    status: Option<ExitStatus>,
    is_collected: bool,
    history: Vec<(u128, &'static str)>,
}

impl fmt::Debug for Fake {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str("Fake")
    }
}

impl Fake {
    fn lock(&self) -> MutexGuard<'_, State> {
        self.state.lock().expect("no test panics under this lock")
    }

    /// Something is done to the child, which may die of it. Nothing reaches it once its exit is collected.
    fn suffer(&self, what: &'static str, deadly: Dies, status: ExitStatus) {
        let mut state = self.lock();
        if state.is_collected {
            return;
        }
        state.history.push((self.start_to_now(), what));
        let dies = state.dies <= deadly;
        drop(state);
        if dies {
            self.exit(status);
        }
    }

    fn exit(&self, status: ExitStatus) {
        self.end(status);
        self.exit.open();
    }

    fn end(&self, status: ExitStatus) {
        let mut state = self.lock();
        if state.status.is_none() {
            state.status = Some(status);
            if state.pipes == Pipes::Own {
                state.streams.iter().for_each(Input::end);
            }
        }
    }

    fn start_to_now(&self) -> u128 {
        Manual::now().saturating_duration_since(self.start).as_millis()
    }
}

impl Process for Fake {
    fn terminate(&self) {
        self.suffer("terminate", Dies::WhenTerminated, ExitStatus::from_raw(15));
    }

    fn kill(&self) {
        self.suffer("kill", Dies::WhenKilled, ExitStatus::from_raw(9));
    }

    fn collect(&self) -> Option<ExitStatus> {
        let now = self.start_to_now();
        let mut state = self.lock();
        let status = state.status?;
        if !std::mem::replace(&mut state.is_collected, true) {
            state.history.push((now, "collect"));
        }
        Some(status)
    }
}

/// Whoever writes to the child. Dropping or closing it ends the child's input.
struct Stdin {
    output: Output,
    process: Arc<Fake>,
}

impl Drop for Stdin {
    fn drop(&mut self) {
        self.process.suffer("end of input", Dies::AtTheEndOfInput, ExitStatus::default());
    }
}

impl AsyncWrite for Stdin {
    fn poll_write(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
        bytes: &[u8],
    ) -> Poll<io::Result<usize>> {
        Pin::new(&mut self.output).poll_write(context, bytes)
    }

    fn poll_write_vectored(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
        slices: &[IoSlice<'_>],
    ) -> Poll<io::Result<usize>> {
        Pin::new(&mut self.output).poll_write_vectored(context, slices)
    }

    fn poll_flush(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<io::Result<()>> {
        Pin::new(&mut self.output).poll_flush(context)
    }

    fn poll_close(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<io::Result<()>> {
        Pin::new(&mut self.output).poll_close(context)
    }
}

pub(crate) const END_OF_INPUT: &str = "end of input";

pub(crate) fn code(code: i32) -> ExitStatus {
    ExitStatus::from_raw(code << 8)
}

pub(crate) fn exited(status: ExitStatus, stderr: &str) -> ProcessExit {
    ProcessExit::new(status, stderr)
}

/// Waits for the end of a session, in virtual time.
#[track_caller]
pub(crate) fn ended(
    child: &Child,
    end: impl Future<Output = SessionEnd> + 'static,
) -> (SessionEnd, u64) {
    let end = child.start_task(end);
    let mut passed = 0;
    loop {
        if let Some(end) = end.take() {
            return (end, passed);
        }
        assert!(passed < 600_000, "it does not end: {:?}", child.history());
        child.world.advance(milliseconds(1));
        passed += 1;
    }
}

#[track_caller]
pub(crate) fn expect_child(end: SessionEnd, cause: Closed, exit: Option<ExitStatus>, step: Step) {
    assert_eq!(end.cause, cause);
    let child = end.child.expect("there was one");
    assert_eq!((child.exit.map(|exit| exit.status), child.step), (exit, step));
}

/// What is started once: a second start finds nothing.
fn once<T>(spawned: T) -> impl FnMut() -> Result<T, SpawnError> {
    let mut spawned = Some(spawned);
    move || spawned.take().ok_or_else(|| SpawnError::new("gone", &io::ErrorKind::NotFound.into()))
}
