//! A client: a session with one server.

mod child_output;
mod connect_error;
mod features;
mod host;
mod process;
mod rounds;
mod session_end;
mod subscription;
mod supervision;
mod tail;

pub use connect_error::{ConnectError, SpawnError};
pub use host::{Host, Root};
pub use process::{Process, Spawned};
pub use session_end::{ChildEnd, SessionEnd};
pub use subscription::Subscription;

use crate::Runtime;
use crate::call::Call;
use crate::memory;
use crate::notifications::Notifications;
use crate::peer::Peer;
use crate::server::{Kind, Serve, Server, Shared, serve};
use futures_io::{AsyncRead, AsyncWrite};
use mcp_wire_core::mcp::{Eras, ServerInfo};
use mcp_wire_core::message::Json;
use mcp_wire_core::rpc::{CallError, CallOptions, Closed, SendError};
use mcp_wire_core::shutdown::Times;
use serde::Serialize;
use serde::de::DeserializeOwned;
use session_end::Ending;
use std::collections::HashMap;
use std::fmt;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

/// How many bytes an in-memory connection holds in each direction.
const MEMORY: usize = 64 << 10;

/// A session with one server, after the handshake. Clones are the same session.
///
/// Dropping the last clone ends the session at once, and kills the server's process; [`close`](Self::close) ends it gently.
#[derive(Clone)]
pub struct Client {
    session: Arc<Session>,
    server: Arc<ServerInfo>,
    host: Arc<Host>,
}

/// What ends with the last clone.
#[derive(Debug)]
struct Session {
    peer: Peer,
    ending: Arc<Ending>,
    process: Option<Arc<dyn Process>>,
    /// How many want to be told of each resource, where it is subscribed to by itself.
    wanted: Mutex<HashMap<String, usize>>,
}

impl Session {
    fn new(peer: Peer, ending: Arc<Ending>, process: Option<Arc<dyn Process>>) -> Self {
        Self { peer, ending, process, wanted: Mutex::default() }
    }

    fn wanted(&self) -> MutexGuard<'_, HashMap<String, usize>> {
        self.wanted.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Drop for Session {
    fn drop(&mut self) {
        if let Some(process) = &self.process {
            process.kill();
        }
        self.peer.close();
    }
}

impl fmt::Debug for Client {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.debug_struct("Client").field("server", &self.server).finish_non_exhaustive()
    }
}

impl Client {
    /// Shakes hands with a server over two byte streams. The connection and the host's handlers run as tasks of the runtime.
    ///
    /// Cancel-safe: dropping the future ends the connection.
    ///
    /// # Errors
    ///
    /// [`ConnectError::Config`] and [`ConnectError::Handshake`]; then the connection has ended.
    pub async fn connect<R, W, Rt>(
        runtime: Rt,
        host: impl Into<Arc<Host>>,
        reader: R,
        writer: W,
    ) -> Result<Self, ConnectError>
    where
        R: AsyncRead + Send + 'static,
        W: AsyncWrite + Send + 'static,
        Rt: Runtime,
    {
        let host = host.into();
        let (connection, session) = host.connection(Rt::now(), host.tried_eras())?;
        let serve = Serve::<_, _, _, Shared, _>::new(
            runtime.clone(),
            host.clone(),
            reader,
            writer,
            connection,
            session.into(),
        );
        let peer = serve.peer().clone();
        let ending = Arc::new(Ending::default());
        let told = TellDropped(ending.clone());
        runtime.spawn(async move {
            let cause = serve.await;
            told.0.tell(|| SessionEnd { cause, child: None });
        });
        Self::greet(Session::new(peer, ending, None), host).await
    }

    /// Shakes hands with a child process, which is started once the host's configuration is found to work.
    ///
    /// Cancel-safe: dropping the future kills the process.
    ///
    /// # Errors
    ///
    /// Every [`ConnectError`]; then the process has ended, and its exit is collected.
    pub async fn connect_child<I, O, E, X, Rt>(
        runtime: Rt,
        host: impl Into<Arc<Host>>,
        times: Times,
        mut spawn: impl FnMut() -> Result<Spawned<I, O, E, X>, SpawnError>,
    ) -> Result<Self, ConnectError>
    where
        I: AsyncWrite + Send + 'static,
        O: AsyncRead + Send + 'static,
        E: AsyncRead + Send + 'static,
        X: Future<Output = ()> + Send + 'static,
        Rt: Runtime,
    {
        let host = host.into();
        let eras = host.tried_eras();
        let first =
            Self::attempt(runtime.clone(), host.clone(), eras, times.clone(), &mut spawn).await;
        match first {
            // P4: older servers die of a question that they do not know.
            Err(error) if eras == Eras::Both && error.is_end_by_probe() => {
                let second = Self::attempt(runtime, host, Eras::Legacy, times, &mut spawn).await;
                second.map_err(|second| second.after(error))
            }
            first => first,
        }
    }

    async fn attempt<I, O, E, X, Rt>(
        runtime: Rt,
        host: Arc<Host>,
        eras: Eras,
        times: Times,
        spawn: &mut impl FnMut() -> Result<Spawned<I, O, E, X>, SpawnError>,
    ) -> Result<Self, ConnectError>
    where
        I: AsyncWrite + Send + 'static,
        O: AsyncRead + Send + 'static,
        E: AsyncRead + Send + 'static,
        X: Future<Output = ()> + Send + 'static,
        Rt: Runtime,
    {
        let connection = host.connection(Rt::now(), eras)?;
        let spawned = spawn()?;
        let process = spawned.process.clone();
        let ending = Arc::new(Ending::default());
        let (peer, run) = supervision::supervise(
            runtime.clone(),
            host.clone(),
            connection,
            spawned,
            times,
            ending.clone(),
        );
        runtime.spawn(run);
        Self::greet(Session::new(peer, ending, Some(process)), host).await
    }

    /// Serves a server in memory, and shakes hands with it: for tests, and for servers that are part of the program. It is
    /// served until the session ends.
    ///
    /// Cancel-safe: dropping the future ends the connection.
    ///
    /// # Errors
    ///
    /// As [`connect`](Self::connect); [`ConnectError::Serve`] where the server cannot be served.
    pub async fn connect_server<K: Kind, Rt: Runtime>(
        runtime: Rt,
        host: impl Into<Arc<Host>>,
        server: impl Into<Arc<Server<K>>>,
    ) -> Result<Self, ConnectError>
    where
        Serve<memory::Reader, memory::Writer, Rt, K>: Send,
    {
        let ((reader, writer), (server_reader, server_writer)) = memory::pair(MEMORY);
        let served = serve(runtime.clone(), server.into(), server_reader, server_writer)?;
        runtime.spawn(async move {
            served.await;
        });
        Self::connect(runtime, host, reader, writer).await
    }

    /// What the server says of itself.
    #[must_use]
    pub fn server_info(&self) -> &ServerInfo {
        &self.server
    }

    /// The connection, for observers, limits and a close that does not wait.
    #[must_use]
    pub fn peer(&self) -> &Peer {
        &self.session.peer
    }

    /// Asks the server. Dropping the call cancels it.
    pub fn request(&self, method: &str, params: Option<Json>, options: CallOptions) -> Call {
        self.peer().request(method, params, options)
    }

    /// Asks the server, for at most 60 s, and reads the result as a type. Cancel-safe: dropping the future cancels the call.
    ///
    /// # Errors
    ///
    /// Every [`CallError`]; [`CallError::UnexpectedResult`] where the result is not of that type.
    pub async fn call<T: DeserializeOwned>(
        &self,
        method: &str,
        params: &(impl Serialize + ?Sized),
    ) -> Result<T, CallError> {
        let result = self.start(method, params, CallOptions::default()).await?;
        result.parse().map_err(unreadable)
    }

    /// Sends a notification. Waits while the server reads too slowly. Cancel-safe: it is sent whole or not at all.
    ///
    /// # Errors
    ///
    /// Every [`SendError`] but [`SendError::Full`].
    pub async fn notify(&self, method: &str, params: Option<Json>) -> Result<(), SendError> {
        self.peer().notify(method, params).await
    }

    /// The notifications that the server sends from now on. What it may send at once after the handshake is better handled
    /// by [`Host::notification`].
    pub fn notifications(&self) -> Notifications {
        self.peer().notifications()
    }

    /// Ends the session: calls fail, what is left of the output is written as long as the server takes it, and its process
    /// is shut down and its exit collected. A second time does nothing but wait.
    ///
    /// Cancel-safe: the session ends all the same.
    pub async fn close(&self) -> SessionEnd {
        self.peer().close();
        self.wait_closed().await
    }

    /// Waits for the end of the session, and of the server's process. Cancel-safe.
    pub async fn wait_closed(&self) -> SessionEnd {
        self.session.ending.wait().await
    }

    /// Begins a request with params that can be written as JSON.
    fn start(
        &self,
        method: &str,
        params: &(impl Serialize + ?Sized),
        options: CallOptions,
    ) -> Call {
        match Json::from_serialize(params) {
            // JSON-RPC 2.0 section 4.2: params are a structured value, or left out.
            Ok(params) => self.request(method, Some(params).filter(is_something), options),
            Err(error) => Call::failed(self.peer().clone(), error),
        }
    }

    async fn greet(session: Session, host: Arc<Host>) -> Result<Self, ConnectError> {
        match session.peer.greeted().await {
            Ok(server) => Ok(Self { session: Arc::new(session), server: Arc::new(server), host }),
            Err(error) => {
                session.peer.close();
                let end = session.ending.wait().await;
                Err(ConnectError::Handshake { error, child: end.child, earlier: None })
            }
        }
    }
}

/// Where the task is dropped by the end of the runtime, nobody waits in vain.
struct TellDropped(Arc<Ending>);

impl Drop for TellDropped {
    fn drop(&mut self) {
        self.0.tell(|| SessionEnd { cause: Closed::Dropped, child: None });
    }
}

/// A result that is not of the type that it is wanted as.
fn unreadable(error: serde_json::Error) -> CallError {
    CallError::UnexpectedResult(error.to_string())
}

/// Not what a Rust unit or `None` becomes, which stands for nothing at all.
fn is_something(json: &Json) -> bool {
    json.as_str() != "null"
}
