//! A client with a scripted server at its other end.

use super::wire::messages;
use super::{Input, Output, Task, World, notification, response};
use mcp_wire_driver::{
    Call, CallError, CallOptions, Client, ConnectError, Eras, HandshakeError, Host, Json,
    OnProgress,
};
use serde_json::{Value, json};
use std::sync::Arc;
use std::time::Duration;

/// A client that connects, and the server's ends of its streams.
pub(crate) struct ClientWire {
    pub(crate) world: World,
    pub(crate) input: Input,
    pub(crate) output: Output,
    connecting: Task<Result<Client, ConnectError>>,
}

impl ClientWire {
    /// A client that has asked for the handshake.
    pub(crate) fn connect(host: impl Into<Arc<Host>> + 'static) -> Self {
        let (world, input, output) = (World::default(), Input::default(), Output::default());
        let runtime = world.runtime.clone();
        let connecting = world.start(Client::connect(runtime, host, input.clone(), output.clone()));
        world.run();
        Self { world, input, output, connecting }
    }

    /// A client after the handshake.
    pub(crate) fn ready(host: impl Into<Arc<Host>> + 'static) -> (Self, Client) {
        let wire = Self::connect(host);
        wire.send(&agreed("2025-11-25"));
        let methods: Vec<Value> = wire.receive().iter().map(|it| it["method"].clone()).collect();
        assert_eq!(methods, ["initialize", "notifications/initialized"]);
        let client = wire.connected().expect("it is over").expect("they agree");
        (wire, client)
    }

    /// How connecting went, once it is over. It is there once.
    pub(crate) fn connected(&self) -> Option<Result<Client, ConnectError>> {
        self.world.run();
        self.connecting.take()
    }

    /// Why it did not connect. The connection has ended, and left nothing behind.
    #[track_caller]
    pub(crate) fn failure(&self) -> HandshakeError {
        let outcome = self.connected().expect("it is over");
        let Err(ConnectError::Handshake { error, child: None, earlier: None }) = outcome else {
            panic!("no failed handshake: {outcome:?}");
        };
        assert_eq!(self.world.alive(), 0, "something goes on");
        error
    }

    /// Connecting is given up.
    pub(crate) fn give_up(&self) {
        self.connecting.cancel();
    }

    /// The server sends a message, and all that follows happens.
    pub(crate) fn send(&self, message: &Value) {
        self.input.push(format!("{message}\n"));
        self.world.run();
    }

    /// The messages that the server has received since the last time.
    pub(crate) fn receive(&self) -> Vec<Value> {
        self.world.run();
        messages(&self.output)
    }

    /// The one message that the server has received since the last time.
    pub(crate) fn receive_one(&self) -> Value {
        let mut messages = self.receive();
        assert_eq!(messages.len(), 1, "{messages:?}");
        messages.remove(0)
    }

    /// Starts something, and lets it run as far as it goes.
    pub(crate) fn start<T: 'static>(&self, future: impl Future<Output = T> + 'static) -> Task<T> {
        let task = self.world.start(future);
        self.world.run();
        task
    }
}

/// A host that offers nothing.
pub(crate) fn host() -> Host {
    Host::new("test", "1").eras(Eras::Legacy)
}

/// A server's answer to `initialize`.
pub(crate) fn agreed(revision: &str) -> Value {
    let server = json!({ "name": "scripted", "version": "1" });
    let result = json!({
        "protocolVersion": revision, "capabilities": { "tools": {} }, "serverInfo": server,
        "instructions": "be kind",
    });
    response(&json!(1), &result)
}

pub(crate) fn error(id: &Value, code: i64, message: &str) -> Value {
    json!({ "jsonrpc": "2.0", "id": id, "error": { "code": code, "message": message } })
}

pub(crate) fn seconds(count: u64) -> Duration {
    Duration::from_secs(count)
}

pub(crate) fn ready() -> (ClientWire, Client) {
    ClientWire::ready(host())
}

/// A client whose output has room for one message that waits.
pub(crate) fn narrow() -> (ClientWire, Client) {
    ClientWire::ready(host().configure(|config| config.max_outbound = 1))
}

pub(crate) fn progress(token: &Value, progress: f64) -> Value {
    notification("notifications/progress", &json!({ "progressToken": token, "progress": progress }))
}

pub(crate) fn cancelled(id: &Value) -> Value {
    notification("notifications/cancelled", &json!({ "requestId": id }))
}

/// Does something with the client, as a task.
pub(crate) fn start<T, F>(
    wire: &ClientWire,
    client: &Client,
    work: impl FnOnce(Client) -> F,
) -> Task<T>
where
    T: 'static,
    F: Future<Output = T> + 'static,
{
    wire.start(work(client.clone()))
}

/// Takes all progress of a call, then its outcome.
pub(crate) async fn follow(mut call: Call) -> (Vec<f64>, Result<Json, CallError>) {
    let mut seen = Vec::new();
    while let Some(progress) = call.progress().await {
        seen.push(progress.progress);
    }
    (seen, call.await)
}

pub(crate) fn call_options(on_progress: OnProgress, timeout: Option<Duration>) -> CallOptions {
    let mut options = CallOptions::default();
    (options.on_progress, options.timeout) = (on_progress, timeout);
    options
}

pub(crate) fn milliseconds(count: u64) -> Duration {
    Duration::from_millis(count)
}
