//! What scenarios are played on: servers and hand-driven connections, each on a thread of its own.

use crate::gate::{Gate, OnDrop, Signals, signals};
use crate::harness::Harness;
use crate::script::Script;
use futures_util::future::{Either, select};
use mcp_wire_driver::mcp::{self, Implementation, ServerSession, Session};
use mcp_wire_driver::rpc::{Connection, Role};
use mcp_wire_driver::{
    Budget, Client, Closed, Config, ConnectError, Context, Eras, ErrorObject, Host, Incoming, Json,
    Local, Peer, Server,
};
use std::collections::HashMap;
use std::future::Future;
use std::os::unix::net::UnixStream;
use std::pin::pin;
use std::sync::mpsc::{self, Receiver};
use std::sync::{Arc, Mutex, PoisonError};
use std::thread;
use std::time::Duration;

/// Something that runs on a thread of its own. Where it does not end in time, the thread is left behind.
#[derive(Debug)]
pub(crate) struct Running<T> {
    outcome: Receiver<Result<T, String>>,
    patience: Duration,
}

impl<T> Running<T> {
    /// Waits for the end.
    pub(crate) fn outcome(self) -> Result<T, String> {
        self.outcome
            .recv_timeout(self.patience)
            .map_err(|error| format!("it did not end in time, or panicked: {error}"))?
    }
}

impl Running<Closed> {
    /// Waits for the end, which has to have this cause.
    pub(crate) fn expect(self, expected: Closed) -> Result<(), String> {
        crate::messages::ensure_same("the cause of the end", self.outcome()?, expected)
    }
}

pub(crate) fn on_thread<H: Harness, T: Send + 'static>(
    work: impl FnOnce() -> Result<T, String> + Send + 'static,
) -> Running<T> {
    let (sender, outcome) = mpsc::channel();
    thread::spawn(move || sender.send(work()));
    Running { outcome, patience: H::PATIENCE }
}

/// A peer, and the stream that the library gets.
pub(crate) fn pair<H: Harness>() -> Result<(Script, UnixStream), String> {
    let (ours, theirs) = sockets()?;
    Ok((Script::new(ours, H::PATIENCE)?, theirs))
}

pub(crate) fn sockets() -> Result<(UnixStream, UnixStream), String> {
    UnixStream::pair().map_err(|error| format!("there are no sockets: {error}"))
}

pub(crate) fn halves<H: Harness>(stream: UnixStream) -> Result<(H::Reader, H::Writer), String> {
    H::halves(stream).map_err(|error| format!("the stream cannot be used: {error}"))
}

/// Serves one connection.
pub(crate) fn serve<H: Harness>(
    server: impl Into<Arc<Server>>,
) -> Result<(Script, Running<Closed>), String> {
    let (script, stream) = pair::<H>()?;
    Ok((script, serve_stream::<H>(server, stream)))
}

/// Serves one connection whose handshake is over.
pub(crate) fn serve_ready<H: Harness>(
    server: impl Into<Arc<Server>>,
) -> Result<(Script, Running<Closed>), String> {
    let (mut script, running) = serve::<H>(server)?;
    script.shake_hands(&serde_json::json!({ "elicitation": {}, "sampling": {}, "roots": {} }))?;
    Ok((script, running))
}

pub(crate) fn serve_stream<H: Harness>(
    server: impl Into<Arc<Server>>,
    stream: UnixStream,
) -> Running<Closed> {
    let server = server.into();
    on_thread::<H, _>(move || {
        H::block_on(async {
            let (reader, writer) = halves::<H>(stream)?;
            H::serve(server, reader, writer).await.map_err(|error| error.to_string())
        })
    })
}

/// Serves one connection whose handshake is over, with all handlers on the connection's own task.
pub(crate) fn serve_local_ready<H: Harness>(
    server: impl FnOnce() -> Server<Local> + Send + 'static,
) -> Result<(Script, Running<Closed>), String> {
    let (mut script, stream) = pair::<H>()?;
    let running = on_thread::<H, _>(move || {
        H::block_on(async {
            let (reader, writer) = halves::<H>(stream)?;
            H::serve_local(server(), reader, writer).await.map_err(|error| error.to_string())
        })
    });
    script.shake_hands(&serde_json::json!({ "elicitation": {} }))?;
    Ok((script, running))
}

/// One side of a connection, for those who run their own loop.
#[derive(Debug)]
pub(crate) struct Side {
    pub(crate) connection: Connection,
    pub(crate) session: Option<Session>,
}

impl Side {
    pub(crate) fn client(change: impl FnOnce(&mut Config)) -> Result<Self, String> {
        let mut config = Config::default();
        config.role = Role::Client;
        config.dialect = mcp::dialect();
        change(&mut config);
        let connection = Connection::new(config, Budget::default());
        Ok(Self { connection: connection.map_err(|error| error.to_string())?, session: None })
    }

    pub(crate) fn server(change: impl FnOnce(&mut Config), budget: Budget) -> Result<Self, String> {
        let mut config = Config::default();
        config.dialect = mcp::dialect();
        change(&mut config);
        let mut connection = Connection::new(config, budget).map_err(|error| error.to_string())?;
        let implementation = Implementation::new("conformance", "1");
        let session = ServerSession::new(implementation, Json::empty_object(), &mut connection);
        Ok(Self { connection, session: Some(session.into()) })
    }
}

/// Drives one side by hand: the driver and `body` take turns on one task, until `body` is done. Then the driver is dropped.
pub(crate) fn by_hand<H, F>(
    stream: UnixStream,
    side: Side,
    body: impl FnOnce(Peer, Incoming) -> F + Send + 'static,
) -> Running<F::Output>
where
    H: Harness,
    F: Future<Output: Send + 'static>,
{
    on_thread::<H, _>(move || {
        H::block_on(async {
            let (reader, writer) = halves::<H>(stream)?;
            let (peer, incoming, driver) =
                H::connect(reader, writer, side.connection, side.session);
            let driver = pin!(driver);
            match select(pin!(body(peer, incoming)), driver).await {
                Either::Left((outcome, _)) => Ok(outcome),
                Either::Right((_, body)) => Ok(body.await),
            }
        })
    })
}

/// A client that connects to a scripted server. It is dropped as soon as it is connected.
pub(crate) fn connecting<H: Harness>(
    host: Host,
) -> Result<(Script, Running<Result<(), ConnectError>>), String> {
    let (script, stream) = pair::<H>()?;
    let running = on_thread::<H, _>(move || {
        H::block_on(async {
            let (reader, writer) = halves::<H>(stream)?;
            Ok(H::connect_streams(host, reader, writer).await.map(drop))
        })
    });
    Ok((script, running))
}

/// A client of a scripted server, after the handshake. It is dropped once `body` is done.
pub(crate) fn client<H, F>(
    host: Host,
    body: impl FnOnce(Client) -> F + Send + 'static,
) -> Result<(Script, Running<F::Output>), String>
where
    H: Harness,
    F: Future<Output: Send + 'static>,
{
    let (mut script, stream) = pair::<H>()?;
    let running = on_thread::<H, _>(move || {
        H::block_on(async {
            let (reader, writer) = halves::<H>(stream)?;
            let client = H::connect_streams(host, reader, writer).await;
            Ok(body(client.map_err(|error| error.to_string())?).await)
        })
    });
    script.greet()?;
    Ok((script, running))
}

/// A host that is as patient as the suite.
pub(crate) fn host<H: Harness>() -> Host {
    Host::new("conformance", "1")
        .eras(Eras::Legacy)
        .configure(|config| config.flush_stall = H::PATIENCE)
}

/// A server that knows `echo`, which gives its params back. It is as patient as the suite, so that a busy machine changes
/// nothing; scenarios about its own patience set that.
pub(crate) fn echo_server<H: Harness>() -> Server {
    Server::new("conformance", "1")
        .configure(|config| {
            config.eof_grace = Some(H::PATIENCE);
            config.flush_stall = H::PATIENCE;
        })
        .method("echo", async |_: Context, params: Json| Ok(params))
}

/// What is known of the requests `hold`.
#[derive(Debug)]
pub(crate) struct Holding {
    /// Those that began, by their number.
    pub(crate) began: Signals<(u64, Context)>,
    /// Those whose future is gone.
    pub(crate) gone: Signals<u64>,
    gates: Gates,
}

#[derive(Debug, Clone, Default)]
struct Gates(Arc<Mutex<HashMap<u64, Gate>>>);

impl Gates {
    fn find(&self, number: u64) -> Gate {
        let mut gates = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        gates.entry(number).or_default().clone()
    }
}

impl Holding {
    /// Lets the request of this number, and those to come, be answered.
    pub(crate) fn release(&self, number: u64) {
        self.gates.find(number).open();
    }

    /// Waits until the next request begins.
    pub(crate) fn began(&self) -> Result<(u64, Context), String> {
        self.began.next("the beginning of a held request")
    }

    /// Waits until the future of this request is gone.
    pub(crate) fn expect_gone(&self, number: u64) -> Result<(), String> {
        let gone = self.gone.next(&format!("the drop of the held request {number}"))?;
        crate::messages::ensure_same("the dropped request", gone, number)
    }
}

/// Adds the method `hold` with the params `{"n":NUMBER}`, which is answered with its params once it is released.
pub(crate) fn with_hold<H: Harness>(server: Server) -> (Server, Holding) {
    let (began_signal, began) = signals(H::PATIENCE);
    let (gone_signal, gone) = signals(H::PATIENCE);
    let gates = Gates::default();
    let found = gates.clone();
    let server = server.method("hold", move |context: Context, params: Json| {
        let number = number_of(&params);
        let gate = found.find(number);
        let guard = OnDrop(gone_signal.clone(), number);
        began_signal.send((number, context));
        async move {
            let _guard = guard;
            gate.await;
            Ok::<_, ErrorObject>(params)
        }
    });
    (server, Holding { began, gone, gates })
}

fn number_of(params: &Json) -> u64 {
    params
        .parse::<serde_json::Value>()
        .ok()
        .and_then(|params| params["n"].as_u64())
        .unwrap_or_default()
}
